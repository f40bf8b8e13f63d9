/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/pairs.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/factor/row_batch.h"

#include <stdlib.h>

enum { Size = 48, Ld = 8, Wide = ukBatchWide };

UKODE_INLINE void addFourTo(double *to, const double *from)
{
    ukFour x, y;
    ukLoadFour(&x, to), ukLoadFour(&y, from);
    x += y;
    ukStoreFour(to, &x);
}

UKODE_INLINE void addPairTo(double *to, const double *from)
{
    ukStorePair(to, ukLoadPair(to) + ukLoadPair(from));
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static bool arePairs(const ukSymbolic *plan)
{
    if (plan->bodies < 0 || plan->condensed == 0) return false;
    for (int f = 0; f < plan->fronts; f++) {
        const ukFront *front = plan->front + f;
        if (front->kind == ukFrontCondensed ? front->u > Wide : front->body < 0) return false;
    }
    return true;
}

static int bodyAtPosition(const ukSymbolic *plan, int position)
{
    return (-1 - plan->row[position]) / 6;
}

/* Computes elimination numbers of the bodies; counts blocks and targets. */
static void countPairBlocks(ukPairs *P, const ukSymbolic *plan, size_t *targets)
{
    int number = 0;
    P->blocks = 0, *targets = 0;
    for (int f = 0; f < plan->fronts; f++) {
        const ukFront *front = plan->front + f;
        if (front->kind == ukFrontCondensed) continue;
        for (int k = 0; k < front->p; k += 6, number++) {
            const int below = (front->p - k + front->u) / 6 - 1;
            P->body[number] = bodyAtPosition(plan, front->at + k);
            P->number[P->body[number]] = number;
            P->blocks += below;
            *targets += (size_t)below * (size_t)(below + 1) / 2;
        }
    }
}

/* The rows of each block column: later bodies of its own front, and the front's update rows. Returns the largest
 * number. */
static int placePairColumns(ukPairs *P, const ukSymbolic *plan)
{
    int at = 0, number = 0, most = 0;
    for (int f = 0; f < plan->fronts; f++) {
        const ukFront *front = plan->front + f;
        if (front->kind == ukFrontCondensed) continue;
        const int bodies = front->p / 6, first = number;
        for (; number < first + bodies; number++) {
            P->start[number] = at;
            for (int later = number + 1; later < first + bodies; later++) P->below[at++] = later;
            for (int r = front->run; r < front->run + front->runs; r++)
                for (int x = 0; x < plan->run[r].count; x += 6)
                    P->below[at++] = P->number[bodyAtPosition(plan, plan->run[r].at + x)];
            most = at - P->start[number] > most ? at - P->start[number] : most;
        }
    }
    P->start[number] = at;
    return most;
}

/* index of block (row, column), row >= column */
static int blockIndexOf(const ukPairs *P, int row, int column)
{
    int at = P->start[column];
    if (row == column) return column;
    while (P->below[at] != row) at++;
    return P->bodies + at;
}

static void placeTargets(ukPairs *P)
{
    int *target = P->target;
    for (int j = 0; j < P->bodies; j++)
        for (int b = P->start[j]; b < P->start[j + 1]; b++)
            for (int a = b; a < P->start[j + 1]; a++) *target++ = blockIndexOf(P, P->below[a], P->below[b]);
}

static void placeTouches(ukPairs *P, const ukSymbolic *plan)
{
    int at = 0;
    P->touches = 0;
    for (int f = 0; f < plan->fronts; f++) {
        const ukFront *front = plan->front + f;
        const ukEntry *e = plan->entry + front->entry, *end = e + front->entries;
        if (front->kind != ukFrontCondensed || front->u == 0) continue;
        ukTouch *t = P->touch + P->touches++;
        *t = (ukTouch){-1, -1, -1, at, 0};
        for (int r = front->run; r < front->run + front->runs; r++)
            for (int x = 0; x < plan->run[r].count; x += 6)
                *(t->first < 0 ? &t->first : &t->second) = P->number[bodyAtPosition(plan, plan->run[r].at + x)];
        if (t->second >= 0) t->block = blockIndexOf(P, t->second, t->first);
        for (; e < end; e += t->second < 0 ? 1 : 2) {
            const bool turned = e->column != front->p;
            P->contact[at++] = (ukPairRows){e[turned].A, t->second < 0 ? 0 : e[!turned].A, e->stride, e->row, e->rows};
        }
        t->count = at - t->contact;
    }
}

int ukPairsPlan(ukPairs *P, const ukSymbolic *plan)
{
    const size_t n = (size_t)(plan->bodies > 0 ? plan->bodies : 0) + 1, number = sizeof *P->body;
    size_t targets;
    P->suits = arePairs(plan);
    if (!P->suits) return ukOk;
    P->suits = false;
    P->bodies = plan->bodies;
    if (!ukGrow(&P->body, P->capacity, n * number) || !ukGrow(&P->number, P->capacity + 1, n * number) ||
        !ukGrow(&P->start, P->capacity + 2, n * number))
        return ukErrorMemory;
    countPairBlocks(P, plan, &targets);
    const size_t entries = (size_t)plan->entries + 1, fronts = (size_t)plan->fronts + 1, blocks = (size_t)P->blocks;
    if (!ukGrow(&P->below, P->capacity + 3, (blocks + 1) * number) ||
        !ukGrow(&P->target, P->capacity + 4, (targets + 1) * number) ||
        !ukGrow(&P->touch, P->capacity + 5, fronts * sizeof *P->touch) ||
        !ukGrow(&P->contact, P->capacity + 6, entries * sizeof *P->contact) ||
        !ukGrow(&P->H, P->capacity + 7, (n + blocks) * Size * sizeof *P->H) ||
        !ukGrow(&P->z, P->capacity + 8, n * Ld * sizeof *P->z) ||
        !ukGrow(&P->inverse, P->capacity + 9, ((size_t)plan->rows + 1) * sizeof *P->inverse))
        return ukErrorMemory;
    const size_t most = (size_t)placePairColumns(P, plan);
    if (!ukGrow(&P->Y, P->capacity + 10, 2 * (most + 1) * Size * sizeof *P->Y)) return ukErrorMemory;
    P->column = (most + 1) * Size;
    placeTargets(P);
    placeTouches(P, plan);
    P->suits = true;
    return ukOk;
}

void ukPairsFree(ukPairs *P)
{
    void *all[] = {P->body,    P->number, P->start, P->below, P->target,  P->touch,
                   P->contact, P->H,      P->Y,     P->z,     P->inverse, P->G};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    *P = (ukPairs){0};
}

/* ---- matrix ------------------------------------------------------------------------------------------------------ */

static size_t pairNumbers(const ukPairs *P)
{
    return (size_t)(P->bodies + P->blocks) * Size;
}

static void placePairMasses(const ukPairs *P, const ukProblem *p)
{
    double *H = P->H;
    memset(H, 0, pairNumbers(P) * sizeof *H);
    for (int j = 0; j < P->bodies; j++, H += Size) {
        const double *I = p->inertia + 9 * (size_t)P->body[j], mass = p->mass[P->body[j]];
        H[0] = H[Ld + 1] = H[2 * Ld + 2] = mass;
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++) H[(3 + c) * Ld + 3 + r] = I[3 * r + c];
    }
}

/* H += sum y' x / softness, in the blocks of the touch: lower triangles on the diagonal */
UKODE_INLINE void addRowBatchTo(const ukRowBatch *rows, const double *x, const double *y, const ukTouch *t, double *H)
{
    double U[Wide * Wide], *first = H + (size_t)t->first * Size;
    if (t->second >= 0) {
        ukRowBatchSum(rows, x, y, 3, true, U);
    } else
        ukRowBatchSum(rows, x, y, 2, true, U);
    UKODE_UNROLL
    for (int c = 0; c < 6; c++) {
        if (c < 4) addFourTo(first + c * Ld, U + c * Wide);
        addPairTo(first + c * Ld + 4, U + c * Wide + 4);
    }
    if (t->second < 0) return;
    double *second = H + (size_t)t->second * Size, *between = H + (size_t)t->block * Size;
    UKODE_UNROLL
    for (int c = 0; c < 6; c++) {
        addFourTo(between + c * Ld, U + c * Wide + 6), addPairTo(between + c * Ld + 4, U + c * Wide + 10);
        const double *u = U + (6 + c) * Wide;
        if (c < 2)
            addFourTo(second + c * Ld, u + 6), addPairTo(second + c * Ld + 4, u + 10);
        else
            addFourTo(second + c * Ld + 2, u + 8);
    }
}

/* to = A_i on both bodies, row r of b */
UKODE_INLINE void copyPairRow(const ukPairRows *b, const int r, const bool two, const double *A, double *to)
{
    const double *x = A + b->first + r * b->stride, *y = A + b->second + r * b->stride;
    memcpy(to, x, 6 * sizeof *to);
    if (two)
        memcpy(to + 6, y, 6 * sizeof *to);
    else
        to[6] = to[7] = 0;
}

/* H += sum columns' x / softness, and with coupled rows G += its transpose */
UKODE_INLINE void addRowBatch(const ukPairs *P, const ukTouch *t, ukRowBatch *rows, const bool both)
{
    addRowBatchTo(rows, rows->x, both ? rows->columns : rows->x, t, P->H);
    if (both) addRowBatchTo(rows, rows->columns, rows->x, t, P->G);
    rows->count = 0;
}

/* columns = x + sum of c_j A_j over the rows j that follow row r: the derivative of A' lambda by lambda_r */
UKODE_INLINE void addFollowingRows(const ukPairs *P, const ukPairRows *b, const int r, const bool two, const double *A,
                                   const double *x, double *columns)
{
    double other[Wide];
    memcpy(columns, x, Wide * sizeof *columns);
    for (int q = r + 1; q < b->rows; q++) {
        const double c = P->follow[b->row + q];
        if (c == 0 || P->normal[b->row + q] != b->row + r) continue;
        copyPairRow(b, q, two, A, other);
        for (int k = 0; k < (two ? Wide : 6); k++) columns[k] += c * other[k];
    }
}

UKODE_INLINE void addTouchRows(const ukPairs *P, const ukTouch *t, const double *A, const bool both)
{
    ukRowBatch rows;
    rows.count = 0;
    for (const ukPairRows *b = P->contact + t->contact, *end = b + t->count; b < end; b++)
        for (int r = 0; r < b->rows; r++) {
            double *x = rows.x + rows.count * Wide;
            if (P->inverse[b->row + r] == 0) continue;
            copyPairRow(b, r, t->second >= 0, A, x);
            if (both) addFollowingRows(P, b, r, t->second >= 0, A, x, rows.columns + rows.count * Wide);
            rows.inverse[rows.count++] = P->inverse[b->row + r];
            if (rows.count == ukBatchRows) addRowBatch(P, t, &rows, both);
        }
    if (rows.count > 0) addRowBatch(P, t, &rows, both);
}

/* ---- factorization ----------------------------------------------------------------------------------------------- */

/* A diagonal block of H, lower triangle: H = L D L', with 1/D in place of D. both: H = L D R', with G = H' on input, R
 * in its lower triangle on output. False: not positive definite, or a pivot that is zero or not finite. */
UKODE_INLINE bool eliminateDiagonalBlock(double *H, double *G, const bool both)
{
    double a[6][6], b[6][6];
    bool sound = true;
    UKODE_UNROLL
    for (int k = 0; k < 6; k++) {
        UKODE_UNROLL
        for (int i = k; i < 6; i++) a[k][i] = H[k * Ld + i], b[k][i] = G[k * Ld + i];
    }
    UKODE_UNROLL
    for (int k = 0; k < 6; k++) {
        const double inverse = 1 / a[k][k];
        sound &= both ? inverse - inverse == 0 && inverse != 0 : a[k][k] > 0;
        H[k * Ld + k] = G[k * Ld + k] = inverse;
        UKODE_UNROLL
        for (int c = k + 1; c < 6; c++) {
            const double l = a[k][c] * inverse, r = both ? b[k][c] * inverse : l;
            H[k * Ld + c] = l, G[k * Ld + c] = r;
            UKODE_UNROLL
            for (int i = c; i < 6; i++) {
                a[c][i] -= r * a[k][i];
                if (both) b[c][i] -= l * b[k][i];
            }
        }
    }
    return sound;
}

/* X <- X L'^-1 D^-1 for a block below the diagonal, Y is X before the division by D */
UKODE_INLINE void divideBelow(const double *L, double *X, double *Y)
{
    ukFour y[6][2];
    UKODE_UNROLL
    for (int k = 0; k < 6; k++) {
        UKODE_UNROLL
        for (int h = 0; h < 2; h++) ukLoadFour(&y[k][h], X + k * Ld + 4 * h);
        UKODE_UNROLL
        for (int j = 0; j < k; j++) {
            UKODE_UNROLL
            for (int h = 0; h < 2; h++) y[k][h] -= L[j * Ld + k] * y[j][h];
        }
        UKODE_UNROLL
        for (int h = 0; h < 2; h++) {
            const ukFour x = L[k * Ld + k] * y[k][h];
            ukStoreFour(Y + k * Ld + 4 * h, &y[k][h]);
            ukStoreFour(X + k * Ld + 4 * h, &x);
        }
    }
}

/* C -= X Y' */
UKODE_INLINE void subtractBlockProduct(double *C, const double *X, const double *Y)
{
    ukFour x[6];
    UKODE_UNROLL
    for (int h = 0; h < 2; h++) {
        UKODE_UNROLL
        for (int k = 0; k < 6; k++) ukLoadFour(x + k, X + k * Ld + 4 * h);
        UKODE_UNROLL
        for (int c = 0; c < 6; c++) {
            ukFour sum;
            ukLoadFour(&sum, C + c * Ld + 4 * h);
            UKODE_UNROLL
            for (int k = 0; k < 6; k++) sum -= Y[k * Ld + c] * x[k];
            ukStoreFour(C + c * Ld + 4 * h, &sum);
        }
    }
}

UKODE_INLINE bool factorPairs(ukPairs *P, const double *A, const bool both)
{
    bool sound = true;
    const int *target = P->target;
    double *G = both ? P->G : P->H, *Y = P->Y, *Z = both ? P->Y + P->column : P->Y;
    for (int k = 0; k < P->touches; k++) addTouchRows(P, P->touch + k, A, both);
    for (int j = 0; j < P->bodies; j++) {
        const size_t at = (size_t)j * Size, column = (size_t)(P->bodies + P->start[j]) * Size;
        double *X = P->H + column, *W = G + column;
        const int below = P->start[j + 1] - P->start[j];
        sound &= eliminateDiagonalBlock(P->H + at, G + at, both);
        for (int b = 0; b < below; b++) {
            divideBelow(G + at, X + b * Size, Y + b * Size);
            if (both) divideBelow(P->H + at, W + b * Size, Z + b * Size);
        }
        for (int b = 0; b < below; b++)
            for (int a = b; a < below; a++) {
                const size_t to = (size_t)*target++ * Size;
                subtractBlockProduct(P->H + to, X + a * Size, Z + b * Size);
                if (both) subtractBlockProduct(G + to, W + a * Size, Y + b * Size);
            }
    }
    return sound;
}

/* ---- solve ------------------------------------------------------------------------------------------------------- */

/* z of both bodies += A' l */
UKODE_INLINE void addTransposedOfTouch(ukPairs *P, const ukTouch *t, const double *A, const double *l)
{
    ukFour a = {0}, b = {0};
    ukPair c = {0}, d = {0};
    const bool two = t->second >= 0;
    for (const ukPairRows *q = P->contact + t->contact, *end = q + t->count; q < end; q++) {
        const double *x = A + q->first, *y = A + q->second;
        for (int r = 0; r < q->rows; r++, x += q->stride, y += q->stride) {
            const double by = l[q->row + r];
            ukFour v;
            ukLoadFour(&v, x);
            a += by * v, c += ukBothOf(by) * ukLoadPair(x + 4);
            if (!two) continue;
            ukLoadFour(&v, y);
            b += by * v, d += ukBothOf(by) * ukLoadPair(y + 4);
        }
    }
    double sum[Wide];
    ukStoreFour(sum, &a), ukStorePair(sum + 4, c), ukStoreFour(sum + 6, &b), ukStorePair(sum + 10, d);
    double *z = P->z + t->first * Ld;
    addFourTo(z, sum), addPairTo(z + 4, sum + 4);
    if (!two) return;
    z = P->z + t->second * Ld;
    addFourTo(z, sum + 6), addPairTo(z + 4, sum + 10);
}

/* l = (r - A x) / softness */
UKODE_INLINE void multipliersOfTouch(const ukPairs *P, const ukTouch *t, const double *A, const double *right,
                                     double *l)
{
    const bool two = t->second >= 0;
    const double *z = P->z + t->first * Ld, *other = two ? P->z + t->second * Ld : z;
    ukFour u, v, x, y;
    ukLoadFour(&u, z), ukLoadFour(&v, other);
    const ukPair u4 = ukLoadPair(z + 4), v4 = ukLoadPair(other + 4);
    for (const ukPairRows *q = P->contact + t->contact, *end = q + t->count; q < end; q++) {
        const double *row = A + q->first, *beside = A + q->second;
        for (int r = 0; r < q->rows; r++, row += q->stride, beside += q->stride) {
            const int i = q->row + r;
            ukLoadFour(&x, row);
            x *= u;
            ukPair sum = ukLoadPair(row + 4) * u4;
            if (two) {
                ukLoadFour(&y, beside);
                x += y * v, sum += ukLoadPair(beside + 4) * v4;
            }
            sum += (ukPair){x[0], x[1]} + (ukPair){x[2], x[3]};
            const double rest = ((right ? right[i] : 0) - (sum[0] + sum[1])) * P->inverse[i];
            l[i] = P->inverse[i] > 0 ? rest : 0;
        }
    }
}

/* z <- H^-1 z, H = lower D upper' */
UKODE_INLINE void substitutePairs(ukPairs *P, const double *lower, const double *upper)
{
    for (int j = 0; j < P->bodies; j++) {
        const double *L = lower + (size_t)j * Size, *X = lower + (size_t)(P->bodies + P->start[j]) * Size;
        double *z = P->z + j * Ld;
        UKODE_UNROLL
        for (int k = 0; k < 5; k++) {
            UKODE_UNROLL
            for (int i = k + 1; i < 6; i++) z[i] -= L[k * Ld + i] * z[k];
        }
        for (const int *b = P->below + P->start[j], *end = P->below + P->start[j + 1]; b < end; b++, X += Size) {
            ukFour low, high, x;
            double *to = P->z + *b * Ld;
            ukLoadFour(&low, to), ukLoadFour(&high, to + 4);
            UKODE_UNROLL
            for (int k = 0; k < 6; k++) {
                ukLoadFour(&x, X + k * Ld), low -= z[k] * x;
                ukLoadFour(&x, X + k * Ld + 4), high -= z[k] * x;
            }
            ukStoreFour(to, &low), ukStoreFour(to + 4, &high);
        }
    }
    for (int j = P->bodies - 1; j >= 0; j--) {
        const double *L = upper + (size_t)j * Size, *X = upper + (size_t)(P->bodies + P->start[j]) * Size;
        double *z = P->z + j * Ld;
        ukFour sum[6];
        UKODE_UNROLL
        for (int k = 0; k < 6; k++) sum[k] = (ukFour){0};
        for (const int *b = P->below + P->start[j], *end = P->below + P->start[j + 1]; b < end; b++, X += Size) {
            ukFour low, high, x, y;
            ukLoadFour(&low, P->z + *b * Ld), ukLoadFour(&high, P->z + *b * Ld + 4);
            UKODE_UNROLL
            for (int k = 0; k < 6; k++) {
                ukLoadFour(&x, X + k * Ld), ukLoadFour(&y, X + k * Ld + 4);
                sum[k] += x * low + y * high;
            }
        }
        UKODE_UNROLL
        for (int k = 5; k >= 0; k--) {
            double v = z[k] * L[k * Ld + k] - ((sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]));
            UKODE_UNROLL
            for (int i = 5; i > k; i--) v -= L[k * Ld + i] * z[i];
            z[k] = v;
        }
    }
}

UKODE_INLINE void solvePairs(ukPairs *P, const double *A, const double *r, double *l)
{
    for (int k = 0; k < P->touches && r; k++) addTransposedOfTouch(P, P->touch + k, A, l);
    substitutePairs(P, P->H, P->follow ? P->G : P->H);
    for (int k = 0; k < P->touches; k++) multipliersOfTouch(P, P->touch + k, A, r, l);
}

/* ---- for this processor ------------------------------------------------------------------------------------------ */

#define UKODE_PAIRS(suffix, target)                                                                                    \
    target static bool factorPairs##suffix(ukPairs *P, const double *A)                                                \
    {                                                                                                                  \
        return P->follow ? factorPairs(P, A, true) : factorPairs(P, A, false);                                         \
    }                                                                                                                  \
    target static void solvePairs##suffix(ukPairs *P, const double *A, const double *r, double *l)                     \
    {                                                                                                                  \
        solvePairs(P, A, r, l);                                                                                        \
    }

UKODE_FOR_PROCESSORS(UKODE_PAIRS)

/* computes 1 / softness, 0: not active; false: an active row has none */
static bool invertSoftness(int rows, const unsigned char *active, const double *softness, double *inverse)
{
    for (int i = 0; i < rows; i++) {
        const bool is_active = !active || active[i];
        if (is_active && !(softness && softness[i] > 0)) return false;
        inverse[i] = is_active ? 1 / softness[i] : 0;
    }
    return true;
}

int ukPairsFactor(ukPairs *P, const ukProblem *p, const unsigned char *active, const double *softness,
                  const double *coupling)
{
    const size_t bytes = pairNumbers(P) * sizeof *P->G;
    P->follow = NULL;
    if (coupling && !ukGrow(&P->G, P->capacity + 11, bytes)) return ukErrorMemory;
    if (!invertSoftness(p->rows, active, softness, P->inverse)) return ukErrorSingular;
    P->follow = coupling;
    P->normal = p->normal;
    placePairMasses(P, p);
    if (coupling) memcpy(P->G, P->H, bytes);
    return UKODE_CHOSEN(factorPairs)(P, p->A) ? ukOk : coupling ? ukErrorSingular : ukErrorMass;
}

/* l_j += c_j l_normal(j) of coupled rows */
static void addFollowingMultipliers(const ukPairs *P, int rows, double *l)
{
    for (int i = 0; P->follow && i < rows; i++)
        if (P->follow[i] != 0) l[i] += P->follow[i] * l[P->normal[i]];
}

void ukPairsSolve(ukPairs *P, const ukProblem *p, const double *f, const double *r, double *x, double *l)
{
    for (int i = 0; i < p->rows; i++) l[i] = r && P->inverse[i] > 0 ? r[i] * P->inverse[i] : 0;
    addFollowingMultipliers(P, p->rows, l);
    memset(P->z, 0, (size_t)P->bodies * Ld * sizeof *P->z);
    for (int j = 0; f && j < P->bodies; j++) memcpy(P->z + j * Ld, f + 6 * (size_t)P->body[j], 6 * sizeof *f);
    UKODE_CHOSEN(solvePairs)(P, p->A, r, l);
    addFollowingMultipliers(P, p->rows, l);
    for (int j = 0; j < P->bodies; j++) memcpy(x + 6 * (size_t)P->body[j], P->z + j * Ld, 6 * sizeof *x);
}
