/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/complement.h"

#include "solvers/base/status.h"
#include "solvers/problem/block.h"

#include <math.h>
#include <string.h>

/* Relative proximal term of rows that may depend on others: without it, rounding decides which. It costs a refinement
 * at the end of a homotopy. *Measured:* 1e-12 takes 1.00 of the passes, 1e-8 1.39 under the coupled box (ragdolls 2.6).
 * The factors are lost where a pivot is not above `lost` of its diagonal: 1e-12 and 1e-16 take as many passes. */
static const double proximal = 1e-10, lost = 1e-14;

/* *Measured:* a snake of 18 boxes, laid down with some 250 bounded rows, takes its first step in 3.9 million
 * instructions instead of the 21.7 of an interior point. */
enum { MostJoints = 256, MostRows = 256 };

enum { Idle = -1, Joint = -2 }; /* special values of `number`: outside the working set; an equality row */

static bool isEqualityRow(const ukProblem *p, int row)
{
    return p->lo[row] == -INFINITY && p->hi[row] == INFINITY && ukProblemNormal(p, row) < 0;
}

static int countEqualityRows(const ukProblem *p)
{
    int joints = 0;
    for (int i = 0; i < p->rows; i++) joints += isEqualityRow(p, i);
    return joints;
}

bool ukComplementSuits(ukComplement *C, const ukProblem *p)
{
    if (!p->lo || p->rows > MostJoints + MostRows) return false;
    const int joints = C->joints = countEqualityRows(p);
    return joints <= MostJoints && p->rows - joints <= MostRows;
}

void ukComplementCarve(ukComplement *C, const ukProblem *p, ukArena *arena)
{
    const int rows = p->rows - C->joints;
    const size_t e = (size_t)C->joints, bodies = (size_t)p->bodies;
    C->kernel = ukKernelOfProcessor();
    C->ld = (rows + 6) & ~3;
    const size_t ld = (size_t)C->ld;
    C->joint = ukArenaInts(arena, e);
    C->row = ukArenaInts(arena, (size_t)rows);
    C->begin = ukArenaInts(arena, (size_t)rows);
    ukSkylineCarve(&C->K, C->joints, arena);
    C->Y = ukArenaDoubles(arena, (e + 1) * ld);
    C->S = ukArenaDoubles(arena, ld * ld);
    UKODE_DOUBLES(arena, e + 1, &C->z, &C->y);
    UKODE_DOUBLES(arena, (size_t)p->rows, &C->base, &C->rest);
    UKODE_DOUBLES(arena, ld, &C->w, &C->step);
    C->number = ukArenaInts(arena, (size_t)p->rows);
    C->end = ukArenaBytes(arena, ukBoundedPairs(p) * sizeof *C->end);
    C->body = ukArenaInts(arena, bodies);
    C->ends = ukArenaInts(arena, bodies);
}

/* Where the ends of all rows are stored, body by body; none is stored yet. */
static void placeRowEnds(ukComplement *C, const ukProblem *p)
{
    memset(C->ends, 0, (size_t)p->bodies * sizeof *C->ends);
    for (int k = 0; k < p->blocks; k++)
        for (int s = p->block[k].slot; s < p->block[k].slot + p->block[k].slots; s++)
            if (p->body[s] >= 0) C->ends[p->body[s]] += p->block[k].rows;
    for (int i = 0, at = 0; i < p->bodies; i++) {
        C->body[i] = at;
        at += C->ends[i];
        C->ends[i] = 0;
    }
}

enum { Together = 4 }; /* rows per batch: those of a joint, or three of a contact; the rest is padded */

/* heavy = M^-1 A' of four rows on one body; the inverse inertia is symmetric: its rows serve as columns */
UKODE_INLINE void applyInverseMass(const ukProblem *p, int body, const double *const A[Together], ukFour heavy[6])
{
    const double *J = p->inverse_inertia + 9 * (size_t)body, inverse = 1 / p->mass[body];
    ukFour x[6];
    for (int c = 0; c < 6; c++) {
        const ukPair low = {A[0][c], A[1][c]}, high = {A[2][c], A[3][c]};
        x[c] = __builtin_shufflevector(low, high, 0, 1, 2, 3);
    }
    for (int c = 0; c < 3; c++) heavy[c] = x[c] * inverse;
    for (int c = 0; c < 2; c++) heavy[3 + c] = J[c] * x[3] + J[3 + c] * x[4] + J[6 + c] * x[5];
    heavy[5] = J[6] * x[3] + J[7] * x[4] + J[8] * x[5];
}

/* K += a heavy, four columns */
UKODE_INLINE void addRowProducts(double *K, const double a[6], const ukFour heavy[6])
{
    ukFour sum;
    ukLoadFour(&sum, K);
    sum += ((a[0] * heavy[0] + a[2] * heavy[2]) + a[4] * heavy[4]) +
           ((a[1] * heavy[1] + a[3] * heavy[3]) + a[5] * heavy[5]);
    ukStoreFour(K, &sum);
}

/* K_ij += A_i M^-1 A_j' of `count` rows with all rows stored so far and with one another, then stores them, with
 * numbers `at`, at + 1, ...; A: their coefficients on the block's first body. */
UKODE_INLINE void addFourRows(ukComplement *C, const ukProblem *p, const ukBlock *b, const double *A[Together],
                              int count, int at)
{
    const bool joint = at < C->joints;
    const size_t i = (size_t)(joint ? at : at - C->joints), ld = (size_t)C->ld, above = joint ? (size_t)C->K.ld : ld;
    double *const with_joints = (joint ? C->K.U : C->Y) + i, *const with_rows = C->S + i;
    for (int s = b->slot; s < b->slot + b->slots; s++) {
        const int body = p->body[s];
        if (body >= 0) {
            ukEnd *end = C->end + C->body[body], *next = end + C->ends[body];
            ukFour heavy[6];
            applyInverseMass(p, body, A, heavy);
            for (size_t r = 0; r < (size_t)count && !joint && end < next; r++)
                if (end->at < C->begin[i + r]) C->begin[i + r] = end->at;
            for (int r = 0; r < count; r++, next++) memcpy(next->A, A[r], sizeof next->A), next->at = at + r;
            C->ends[body] += count;
            for (; end < next && end->at < C->joints; end++)
                addRowProducts(with_joints + (size_t)end->at * above, end->A, heavy);
            for (; end < next; end++) addRowProducts(with_rows + (size_t)(end->at - C->joints) * ld, end->A, heavy);
        }
        for (int r = 0; r < count; r++) A[r] += 6;
    }
}

#define UKODE_ADD_FOUR_ROWS(suffix, target)                                                                            \
    target static void addFourRows##suffix(ukComplement *C, const ukProblem *p, const ukBlock *b,                      \
                                           const double *A[Together], int count, int at)                               \
    {                                                                                                                  \
        addFourRows(C, p, b, A, count, at);                                                                            \
    }
UKODE_FOR_PROCESSORS(UKODE_ADD_FOUR_ROWS)

/* Whether a row is an equality (from: Joint), or in the working set with a number of at least `from`. */
static bool isInLot(const ukComplement *C, int row, int from)
{
    return from == Joint ? C->number[row] == Joint : C->number[row] >= from;
}

/* addFourRows for these rows of a block, with numbers from `at`; returns the next number. */
static int addBlockRows(ukComplement *C, const ukProblem *p, const ukBlock *b, int from, int at)
{
    static const double nothing[6] = {0};
    const double *A = p->A + b->A, *some[Together];
    int count = 0;
    for (int r = b->row, end = b->row + b->rows; r < end; r++, A += 6 * (size_t)b->slots) {
        if (isInLot(C, r, from)) some[count++] = A;
        if (count == 0 || (count < Together && r + 1 < end)) continue;
        for (int i = count; i < Together; i++) some[i] = nothing;
        UKODE_CHOSEN(addFourRows)(C, p, b, some, count, at);
        at += count, count = 0;
    }
    return at;
}

/* Numbers the equality rows and finds the skyline of K_EE. The order is that of the blocks, reversed: a smaller skyline
 * where joints are created parent first, as in trees. */
static void numberJointRows(ukComplement *C, const ukProblem *p)
{
    int *first = C->ends; /* by body: its first row, +1 */
    int at = 0;
    memset(first, 0, (size_t)p->bodies * sizeof *first);
    for (int q = p->blocks - 1; q >= 0; q--) {
        const ukBlock *b = p->block + q;
        const int begin = at;
        int least = at;
        for (int r = b->row; r < b->row + b->rows; r++)
            if (C->number[r] == Joint) C->joint[at++] = r;
        if (at == begin) continue;
        for (int s = b->slot; s < b->slot + b->slots; s++) {
            if (p->body[s] < 0) continue;
            if (first[p->body[s]] == 0) first[p->body[s]] = begin + 1;
            least = first[p->body[s]] - 1 < least ? first[p->body[s]] - 1 : least;
        }
        for (int i = begin; i < at; i++) C->K.first[i] = least;
    }
}

static void assembleJointRows(ukComplement *C, const ukBounded *B)
{
    const ukProblem *p = &B->p;
    numberJointRows(C, p);
    C->K.rows = C->joints;
    ukSkylineClear(&C->K);
    placeRowEnds(C, p);
    for (int k = p->blocks - 1, at = 0; k >= 0; k--) at = addBlockRows(C, p, p->block + k, Joint, at);
    for (int i = 0; i < C->joints; i++) C->K.U[(size_t)i * (size_t)(C->K.ld + 1)] += B->softness[C->joint[i]];
}

int ukComplementSet(ukComplement *C, const ukBounded *B)
{
    C->joints = C->rows = C->softened = 0;
    C->based = false;
    for (int i = 0; i < B->m; i++) {
        const bool joint = isEqualityRow(B->given, i);
        C->number[i] = joint ? Joint : Idle, C->joints += joint;
    }
    assembleJointRows(C, B);
    return ukSkylineFactor(&C->K, proximal, lost) ? ukOk : ukErrorSingular;
}

/* lo < hi; for friction: its bounds may become so */
static bool mayMove(const ukBounded *B, int row, bool friction, const double *lambda)
{
    const int normal = ukProblemNormal(B->given, row);
    return B->lo[row] < B->hi[row] || (normal >= 0 && B->given->hi[row] > 0 && (friction || lambda[normal] > 0));
}

int ukComplementCount(const ukComplement *C, const ukBounded *B, bool friction, const double *lambda)
{
    int count = 0;
    for (int i = 0; i < B->m; i++)
        count += C->number[i] >= 0 || (C->number[i] == Idle && mayMove(B, i, friction, lambda));
    return count;
}

void ukComplementSoften(ukComplement *C, const ukBounded *B)
{
    C->based &= C->softened == C->rows;
    for (int i = C->softened; i < C->rows; i++) {
        const int row = C->row[i];
        C->S[(size_t)i * (size_t)(C->ld + 1)] += fmax(0, proximal * B->diagonal[row] - B->softness[row]);
    }
    C->softened = C->rows;
}

/* computes K of the rows with numbers from `from` on: with the equality rows, one another and those before */
static void assembleLot(ukComplement *C, const ukBounded *B, int from)
{
    const ukProblem *p = &B->p;
    const size_t ld = (size_t)C->ld, rows = (size_t)C->rows, pad = 3;
    for (size_t e = 0; e < ((size_t)C->joints + 1) / 2 * 2; e++)
        memset(C->Y + e * ld + from, 0, (rows + pad - (size_t)from) * sizeof *C->Y);
    for (size_t j = 0; j < rows; j++) memset(C->S + j * ld + from, 0, (rows + pad - (size_t)from) * sizeof *C->S);
    for (int i = from; i < C->rows; i++) C->begin[i] = C->joints;
    for (int k = 0, at = C->joints + from; k < p->blocks; k++) at = addBlockRows(C, p, p->block + k, from, at);
    for (size_t i = (size_t)from; i < rows; i++) C->S[i * (ld + 1)] += B->softness[C->row[i]];
}

/* computes w_I - Y' z of the working set from number `from` on */
static void condenseResiduals(ukComplement *C, int from)
{
    for (int i = from; i < C->rows; i++) C->w[i] = C->rest[C->row[i]];
    C->kernel->combine(C->w, from, C->rows, C->Y, C->ld, NULL, C->z, C->joints);
}

void ukComplementAdd(ukComplement *C, const ukBounded *B, bool friction, const double *lambda)
{
    const int from = C->rows, ld = C->ld;
    for (int k = 0; k < B->p.blocks; k++)
        for (int r = B->p.block[k].row, end = r + B->p.block[k].rows; r < end; r++)
            if (C->number[r] == Idle && mayMove(B, r, friction, lambda)) C->number[r] = C->rows, C->row[C->rows++] = r;
    if (C->rows == from) return;
    assembleLot(C, B, from);
    const ukSkylineColumns lot = {C->Y, ld, from, C->rows, C->begin};
    ukSkylineEliminate(&C->K, &lot);
    ukSkylineComplement(&C->K, &lot, C->S);
    for (size_t i = (size_t)from; i < (size_t)C->rows; i++)
        for (size_t j = 0; j < i; j++) C->S[i * (size_t)ld + j] = C->S[j * (size_t)ld + i];
    if (C->based) condenseResiduals(C, from);
    if (friction) ukComplementSoften(C, B);
}

void ukComplementBase(ukComplement *C, ukBounded *B, const double *lambda)
{
    const size_t bytes = (size_t)B->m * sizeof *lambda;
    ukBoundedEvaluate(B, lambda);
    memcpy(C->base, lambda, bytes);
    memcpy(C->rest, B->w, bytes);
    C->z[C->joints] = 0;
    for (int i = 0; i < C->joints; i++) C->z[i] = B->w[C->joint[i]];
    ukSkylineForward(&C->K, C->z);
    condenseResiduals(C, 0);
    C->based = true;
}

void ukComplementFollow(ukComplement *C, double *lambda)
{
    for (int i = C->rows; i < C->ld; i++) C->step[i] = 0;
    memcpy(C->y, C->z, (size_t)(C->joints + 1) * sizeof *C->y);
    ukSkylineMultiply(&C->K, &(ukSkylineColumns){C->Y, C->ld, 0, C->rows, NULL}, C->step, C->y);
    ukSkylineBackward(&C->K, C->y);
    for (int i = 0; i < C->joints; i++) lambda[C->joint[i]] = C->base[C->joint[i]] - C->y[i];
}
