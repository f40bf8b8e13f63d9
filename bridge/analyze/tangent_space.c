/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/analyze/tangent_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/kkt/kkt.h"
#include "solvers/problem/tolerance.h"

/* ---- the rows ---------------------------------------------------------------------------------------------------- */

static bool selectsRow(const ukProbe *probe, const ukIsland *island, int i, bool holonomic)
{
    return ukProbeRigid(probe, island, i) && !(holonomic && island->rows.velocity[i]);
}

/* The arrays of the copied problem, where they can be written. */
typedef struct SpaceArrays {
    bool holonomic;   /* only holonomic rows */
    bool write;       /* false: only counts them */
    int slots, rigid; /* so far; rigid rows of the world */
    size_t coefficients;
    double *mass, *inertia, *inverse, *A;
    ukBlock *block;
    int *body;
} SpaceArrays;

static void carveSpace(ukTangentSpace *s, SpaceArrays *to, ukArena *a)
{
    const size_t bodies = (size_t)s->problem.bodies, rows = (size_t)s->problem.rows;
    to->mass = ukArenaDoubles(a, bodies);
    UKODE_DOUBLES(a, 9 * bodies, &to->inertia, &to->inverse);
    to->A = ukArenaDoubles(a, to->coefficients);
    to->block = ukArenaBytes(a, ((size_t)s->problem.blocks + 1) * sizeof *to->block);
    to->body = ukArenaInts(a, (size_t)to->slots);
    s->row = ukArenaInts(a, rows);
    UKODE_DOUBLES(a, rows, &s->g, &s->l);
    s->keeps = ukArenaBytes(a, rows + 1);
}

/* Takes the selected rows of a block of an island whose first body is `first`. */
static void takeBlock(ukTangentSpace *s, SpaceArrays *to, const ukProbe *probe, const ukIsland *island, int k,
                      int first)
{
    const ukProblem *const p = island->problem;
    const ukBlock *const from = &p->block[k];
    const size_t width = 6 * (size_t)from->slots;
    ukBlock block = {.row = s->problem.rows, .slot = to->slots, .slots = from->slots, .A = to->coefficients};
    for (int i = 0; i < from->rows; i++) {
        const bool counts = ukProbeRigid(probe, island, from->row + i);
        if (selectsRow(probe, island, from->row + i, to->holonomic)) {
            if (to->write) {
                memcpy(to->A + to->coefficients, p->A + from->A + (size_t)i * width, width * sizeof *to->A);
                s->row[s->problem.rows] = to->rigid;
            }
            to->coefficients += width;
            s->problem.rows++;
            block.rows++;
        }
        to->rigid += counts;
    }
    if (block.rows == 0) return;
    for (int i = 0; to->write && i < from->slots; i++) {
        const int body = p->body[from->slot + i];
        to->body[to->slots + i] = body < 0 ? -1 : first + body;
    }
    if (to->write) to->block[s->problem.blocks] = block;
    to->slots += from->slots;
    s->problem.blocks++;
}

static void takeRows(ukTangentSpace *s, SpaceArrays *to, const ukProbe *probe)
{
    int first = 0;
    s->problem.rows = s->problem.blocks = to->slots = to->rigid = 0;
    to->coefficients = 0;
    for (int i = 0; i < probe->s->island_count; i++) {
        const ukIsland *const island = &probe->s->islands[i];
        const ukProblem *const p = island->problem;
        for (int k = 0; k < p->blocks; k++) takeBlock(s, to, probe, island, k, first);
        for (int k = 0; to->write && k < p->bodies; k++) {
            to->mass[first + k] = p->mass[k];
            memcpy(to->inertia + 9 * (first + k), p->inertia + 9 * (size_t)k, 9 * sizeof *to->inertia);
            memcpy(to->inverse + 9 * (first + k), p->inverse_inertia + 9 * (size_t)k, 9 * sizeof *to->inverse);
        }
        first += p->bodies;
    }
    s->problem.bodies = first;
}

/* ---- rank -------------------------------------------------------------------------------------------------------- */

static int countKept(const ukTangentSpace *s)
{
    int kept = 0;
    for (int i = 0; i < s->problem.rows; i++) kept += s->keeps[i] != 0;
    return kept;
}

/* Counts the rows that are independent at `tolerance` (singular values above it), and marks them in s->keeps. */
static int countIndependent(ukTangentSpace *s, double tolerance, int *rank)
{
    bool all;
    const int status = ukEqualityIndependent(s->equality, &s->problem, tolerance, s->keeps, &all);
    if (status == ukOk && all) memset(s->keeps, 1, (size_t)s->problem.rows);
    *rank = status == ukOk ? countKept(s) : 0;
    return status;
}

static int findRank(ukTangentSpace *s, const ukProbe *probe)
{
    static const double undecided = 1e-6; /* as in bridge/analyze/coordinates.c */
    double tolerance = 0;
    int coarse;
    for (int i = 0; i < probe->s->island_count; i++)
        tolerance = fmax(tolerance, ukRankTolerance(&probe->s->islands[i], probe->s->islands[i].problem));
    int status = countIndependent(s, fmax(undecided, tolerance), &coarse);
    if (status == ukOk) status = countIndependent(s, tolerance, &s->rank);
    if (status == ukOk && coarse != s->rank)
        return ukErrorSet(
            ukErrorSingular,
            "the pose is nearly singular: of its %d rows %d are independent, and %d more are nearly dependent: choose "
            "another pose",
            s->problem.rows, coarse, s->rank - coarse);
    s->independent = s->rank == s->problem.rows;
    return status;
}

static int refuseSpaceMemory(const ukProbe *probe)
{
    return ukErrorSet(ukErrorMemory, "no memory for a factorization (bodies: %d)", probe->bodies);
}

/* ---- the interface ----------------------------------------------------------------------------------------------- */

int ukTangentSpaceBegin(ukTangentSpace *s, const ukProbe *probe, bool holonomic)
{
    SpaceArrays to = {.holonomic = holonomic};
    *s = (ukTangentSpace){0};
    takeRows(s, &to, probe);
    ukArena arena = ukArenaOver(NULL, 0);
    carveSpace(s, &to, &arena);
    s->memory = ukArenaAllocate(&arena);
    s->equality = ukEqualityCreate();
    if (!s->memory || !s->equality) return refuseSpaceMemory(probe);
    carveSpace(s, &to, &arena);
    to.write = true;
    takeRows(s, &to, probe);
    s->problem.mass = to.mass, s->problem.inertia = to.inertia, s->problem.inverse_inertia = to.inverse;
    s->problem.A = to.A, s->problem.block = to.block, s->problem.body = to.body;
    ukKkt *const kkt = ukEqualityKkt(s->equality);
    int status = findRank(s, probe);
    if (status == ukOk) status = ukKktPlan(kkt, &s->problem, NULL);
    if (status == ukOk) status = ukKktFactorize(kkt, &s->problem, s->independent ? NULL : s->keeps, NULL, &s->factor);
    return status;
}

void ukTangentSpaceEnd(ukTangentSpace *s)
{
    ukEqualityDestroy(s->equality);
    free(s->memory);
    *s = (ukTangentSpace){0};
}

void ukTangentSpaceSolve(const ukTangentSpace *s, const double *f, const double *g, double *x, double *l)
{
    for (int i = 0; g && i < s->problem.rows; i++) s->g[i] = g[s->row[i]];
    ukKktSolve(&s->factor, f, g ? s->g : NULL, x, s->l);
    ukKktRefine(&s->factor, f, g ? s->g : NULL, ukRefineNoShiftedTree, true, x, s->l);
    for (int i = 0; l && i < s->problem.rows; i++) l[s->row[i]] = s->independent || s->keeps[i] ? s->l[i] : 0;
}

/* The largest |g - y| of unit rows; y (rows of the problem), NULL: 0 */
static double largestRow(const ukTangentSpace *s, const double *g, const double *y)
{
    const ukProblem *const p = &s->problem;
    double most = 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++)
            most = fmax(most, fabs(ukRowUnit(p, &p->block[k], i, 0) * (g[s->row[i]] - (y ? y[i] : 0))));
    return most;
}

double ukTangentSpaceLargest(const ukTangentSpace *s, const double *g)
{
    return largestRow(s, g, NULL);
}

double ukTangentSpaceInconsistency(const ukTangentSpace *s, const double *x, const double *g)
{
    ukProblemApply(&s->problem, x, s->g);
    return largestRow(s, g, s->g);
}
