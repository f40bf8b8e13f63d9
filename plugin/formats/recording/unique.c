/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/unique.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/island/island.h"
#include "bridge/joints/class.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

static const double negligible = 1e-6; /* share in the null vector, of the largest; as a diagnosis has it */
static const double suspect = 1e-8;    /* pivots that are examined for dependent rows, of their row's own size */

/* Whether the multiplier of row i of the stepper's arrays is strictly inside its bounds. */
static bool isStrictlyInside(const ukIsland *island, int i)
{
    const ukRowArrays *r = &island->rows;
    return r->lambda[i] > r->bound_lo[i] && r->lambda[i] < r->bound_hi[i];
}

static bool isActiveRow(const ukIsland *island, const ukProblem *p, int row)
{
    return !p->lo || isStrictlyInside(island, row);
}

static uint64_t mixWord(uint64_t sum, uint64_t word)
{
    return (sum ^ word) * 0x9e3779b97f4a7c15u;
}

/* ODE's default CFM splits a reaction, but the user did not choose that split: only springs that
 * the user set are flexible. */
static bool springAt(const ukIsland *island, int i)
{
    return island->rows.cfm[i] >= ukSpringCfm();
}

static double softnessOf(const ukIsland *island, const ukProblem *p, int row)
{
    return p->softness && springAt(island, row) ? p->softness[row] : 0;
}

/* whether all rows are equalities, and none is a spring: the usual case, found by one test of each row */
static bool allRigid(const ukIsland *island, const ukProblem *p)
{
    const double *const cfm = island->rows.cfm;
    bool any = p->lo != NULL;
    for (int i = 0; i < p->rows && p->softness; i++) any |= cfm[i] >= ukSpringCfm();
    return !any;
}

/* Adds to the hash which of a block's rows are active and which are springs: two bits per row after a first one, a word
 * for up to 31 rows. */
static uint64_t mixRows(uint64_t sum, const ukIsland *island, const ukProblem *p, const ukBlock *block)
{
    uint64_t word = 1;
    for (int at = block->row; at < block->row + block->rows; at++) {
        const bool active = !p->lo || isStrictlyInside(island, at), spring = p->softness && springAt(island, at);
        word = word << 2 | (uint64_t)active << 1 | (uint64_t)spring;
        if (word >> 62 == 0) continue;
        sum = mixWord(sum, word);
        word = 1;
    }
    return mixWord(sum, word);
}

/* Hash of the data on which the null space depends besides the pose; 0: the island has contacts. */
static uint64_t islandOf(const ukIsland *island)
{
    const ukProblem *const p = &island->ideal->problem;
    const ukBlockOwner *const owner = island->rows.owners;
    const bool stiff = allRigid(island, p);
    uint64_t sum = mixWord((uint64_t)island->outcome->rank, (uint64_t)p->rows);
    for (int k = 0; k < p->blocks; k++) {
        const ukJoint *const j = owner[k].joint;
        if (j && ukIsContact(j)) return 0;
        sum = mixWord(sum, j ? j->serial : 0);
        sum = stiff ? mixWord(sum, ~(uint64_t)p->block[k].rows) : mixRows(sum, island, p, &p->block[k]);
    }
    return sum | 1;
}

/* ---- active rows, and the residual of a right-hand side ---------------------------------------------------------- */

typedef struct ActiveRows {
    ukProblem p;
    ukBlock *block;                      /* those that have such rows; */
    int *place;                          /* of the island's block k among them; -1: it has none */
    double *A, *b, *softness, *Q, *unit; /* unit, and the rest of the right-hand side, by row */
    double *qdd, *lambda, *rest;
    double least; /* share that counts */
} ActiveRows;

static void carveUnique(ActiveRows *h, const ukProblem *p, size_t coefficients, ukArena *a)
{
    const size_t rows = (size_t)p->rows, n = 6 * (size_t)p->bodies;
    h->block = ukArenaBytes(a, (size_t)p->blocks * sizeof *h->block);
    h->place = ukArenaInts(a, (size_t)p->blocks);
    h->A = ukArenaDoubles(a, coefficients);
    h->b = ukArenaDoubles(a, rows);
    h->softness = ukArenaDoubles(a, rows);
    h->unit = ukArenaDoubles(a, rows);
    h->lambda = ukArenaDoubles(a, rows);
    h->rest = ukArenaDoubles(a, rows);
    h->Q = ukArenaDoubles(a, n);
    h->qdd = ukArenaDoubles(a, n);
}

/* The next of a fixed sequence of numbers of either sign, of magnitude 0.5 to 1.5. */
static double nextArbitrary(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const double x = (double)(*state >> 11) * 0x1p-53;
    return x < 0.5 ? -0.5 - 2 * x : 2 * x - 0.5;
}

static void takeRows(ActiveRows *h, const ukIsland *island, const ukProblem *p)
{
    double *A = h->A;
    h->p = *p;
    h->p.rows = h->p.blocks = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *const from = &p->block[k];
        const size_t width = 6 * (size_t)from->slots;
        ukBlock *const to = &h->block[h->p.blocks];
        *to = (ukBlock){h->p.rows, 0, from->slot, from->slots, (size_t)(A - h->A)};
        for (int i = 0; i < from->rows; i++) {
            if (!isActiveRow(island, p, from->row + i)) continue;
            memcpy(A, p->A + from->A + (size_t)i * width, width * sizeof *A);
            A += width;
            h->softness[to->row + to->rows++] = softnessOf(island, p, from->row + i);
        }
        h->place[k] = to->rows > 0 ? h->p.blocks++ : -1;
        h->p.rows += to->rows;
    }
    h->p.block = h->block;
    h->p.A = h->A;
}

static void prepareActiveRows(ActiveRows *h, const ukIsland *island, const ukProblem *p)
{
    uint64_t state = 1;
    takeRows(h, island, p);
    for (int k = 0; k < h->p.blocks; k++)
        for (int i = h->block[k].row, end = i + h->block[k].rows; i < end; i++) {
            h->unit[i] = ukRowUnit(&h->p, &h->block[k], i, h->softness[i]);
            h->b[i] = nextArbitrary(&state) / h->unit[i];
        }
    memset(h->Q, 0, 6 * (size_t)p->bodies * sizeof *h->Q);
    h->p.b = h->b;
    h->p.softness = h->softness;
    h->p.Q = h->Q;
    h->p.C = h->p.lo = h->p.hi = NULL;
    h->p.normal = NULL;
    h->p.cone = NULL;
}

/* h->rest, of unit rows, from b; false: it could not be determined */
static bool solveResidualRows(ActiveRows *h, ukEquality *equality, double tolerance)
{
    ukSolution out = {.qdd = h->qdd, .lambda = h->lambda, .rank = -1};
    const ukRankChoice choice = {.tolerance = tolerance, .suspect = suspect};
    ukEqualityFactor factor;
    if (ukEqualitySolveBy(equality, &h->p, &choice, &factor, &out) != ukOk) return false;
    ukProblemApply(&h->p, h->qdd, h->rest);
    for (int i = 0; i < h->p.rows; i++)
        h->rest[i] = h->unit[i] * (h->b[i] - h->rest[i] - h->softness[i] * h->lambda[i]);
    return true;
}

/* Size of a unit force (torque) on a body in the metric of M^-1; in units of it the forces of unit rows have size 1. */
static double unitForce(const ukProblem *p, int body, int component)
{
    const double *const I = p->inertia + 9 * (size_t)body;
    return 1 / sqrt(component < 3 ? p->mass[body] : (I[0] + I[4] + I[8]) / 2);
}

static double largestSize(const double *x, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* Whether the remaining right-hand sides exert no force, all rows together; otherwise the rank was wrong. The sum is
 * computed in Q, which is not needed any more. */
static bool doesRestVanish(ActiveRows *h)
{
    for (int i = 0; i < h->p.rows; i++) h->lambda[i] = h->unit[i] * h->rest[i];
    ukProblemApplyTransposed(&h->p, h->lambda, h->Q);
    for (int i = 0; i < h->p.bodies; i++)
        for (int c = 0; c < 6; c++) h->Q[6 * i + c] *= unitForce(&h->p, i, c);
    return largestSize(h->Q, 6 * (size_t)h->p.bodies) <=
           fmax(h->least * largestSize(h->rest, (size_t)h->p.rows), negligible);
}

/* Projects twice, since dependent rows are solved by refinement: the first projection leaves about 1e-6, the second
 * 1e-6 of that. */
static bool projectResidual(ActiveRows *h, ukEquality *equality, double tolerance)
{
    if (!solveResidualRows(h, equality, tolerance)) return false;
    for (int i = 0; i < h->p.rows; i++) h->b[i] = h->rest[i] / h->unit[i];
    h->least = fmax(negligible, 10 * tolerance);
    return solveResidualRows(h, equality, tolerance) && doesRestVanish(h);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* Largest component of the force on a body by the block's part of the remaining right-hand sides. */
static double largestBlockForce(const ActiveRows *h, const ukBlock *block)
{
    double most = 0;
    for (int slot = 0; slot < block->slots; slot++) {
        const int body = h->p.body[block->slot + slot];
        for (int c = 0; c < 6 && body >= 0; c++) {
            double f = 0;
            for (int i = 0; i < block->rows; i++) {
                const double *const A = h->A + block->A + 6 * (size_t)(i * block->slots + slot);
                f += h->unit[block->row + i] * h->rest[block->row + i] * A[c];
            }
            most = fmax(most, fabs(f) * unitForce(&h->p, body, c));
        }
    }
    return most;
}

static bool prepareUnique(ukUnique *u, ActiveRows *h, const ukProblem *p)
{
    size_t coefficients = 0;
    for (int k = 0; k < p->blocks; k++) coefficients += 6 * (size_t)p->block[k].rows * (size_t)p->block[k].slots;
    if (!u->equality && !(u->equality = ukEqualityCreate())) return false;
    ukArena arena = ukArenaOver(NULL, 0);
    carveUnique(h, p, coefficients, &arena);
    if (arena.used > u->capacity) {
        free(u->memory);
        u->capacity = 0;
        u->memory = aligned_alloc(64, (2 * arena.used + 63) & ~(size_t)63);
        if (!u->memory) return false;
        u->capacity = 2 * arena.used;
    }
    arena = ukArenaOver(u->memory, u->capacity);
    carveUnique(h, p, coefficients, &arena);
    return true;
}

static void storeUnique(const ukIsland *island, const ukProblem *p, uint64_t seen, const ActiveRows *h, int unique)
{
    const ukBlockOwner *const owner = island->rows.owners;
    const double most = h ? largestSize(h->rest, (size_t)h->p.rows) : 0;
    for (int k = 0; k < p->blocks; k++) {
        ukJoint *const j = owner[k].joint;
        if (!j || ukIsContact(j)) continue;
        j->split.island = seen;
        /* rounding alone is left: all are the only ones */
        const bool shares = h && most > negligible && h->place[k] >= 0;
        j->split.unique = h ? !shares || largestBlockForce(h, &h->block[h->place[k]]) <= h->least * most : unique;
    }
}

void ukUniqueIsland(ukUnique *u, const ukIsland *island)
{
    const ukProblem *const p = &island->ideal->problem;
    const ukBlockOwner *const owner = island->rows.owners;
    const uint64_t seen = islandOf(island);
    for (int k = 0; k < p->blocks && seen != 0; k++)
        if (owner[k].joint && owner[k].joint->split.island == seen) return;
    ActiveRows h;
    if (seen == 0 || !prepareUnique(u, &h, p)) {
        storeUnique(island, p, 0, NULL, -1);
        return;
    }
    prepareActiveRows(&h, island, p);
    if (projectResidual(&h, u->equality, ukRankTolerance(island, p)))
        storeUnique(island, p, seen, &h, 0);
    else
        storeUnique(island, p, seen, NULL, -1);
}

void ukUniqueFree(ukUnique *u)
{
    ukEqualityDestroy(u->equality);
    free(u->memory);
    *u = (ukUnique){.equality = NULL};
}
