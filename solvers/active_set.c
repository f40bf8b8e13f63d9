#include "solvers/active_set.h"

#include "solvers/bounded.h"
#include "solvers/interior.h"
#include "solvers/newton.h"
#include "solvers/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative proximal term: small enough that one or two refinements remove it, large enough to factor redundant rows. */
#define PROXIMAL 1e-9

enum {
    QuickPasses = 12,    /* active-set passes before the interior point takes over */
    InteriorPasses = 60, /* it needs 10 to 25 */
    PolishPasses = 12,
    CoupledRounds = 60 /* of bounds mu |lambda_n| */
};

struct ukActiveSet {
    ukSparse *sparse;
    void *memory;
    size_t size;
    ukBounded bounded;
    ukNewton newton;
    ukInterior interior;
    double *lambda, *start, *best; /* (m) */
};

ukActiveSet *ukActiveSetCreate(void)
{
    ukActiveSet *set = calloc(1, sizeof *set);
    if (!set) return NULL;
    set->sparse = ukSparseCreate();
    if (set->sparse) return set;
    free(set);
    return NULL;
}

void ukActiveSetDestroy(ukActiveSet *set)
{
    if (!set) return;
    ukSparseDestroy(set->sparse);
    free(set->memory);
    free(set);
}

static void carve(ukActiveSet *set, const ukProblem *p, size_t pairs, bool cones, ukArena *arena)
{
    ukBoundedCarve(&set->bounded, p, pairs, cones, arena);
    ukNewtonCarve(&set->newton, p, arena);
    ukInteriorCarve(&set->interior, p, arena);
    set->lambda = ukArenaDoubles(arena, (size_t)p->rows);
    set->start = ukArenaDoubles(arena, (size_t)p->rows);
    set->best = ukArenaDoubles(arena, (size_t)p->rows);
}

static int reserve(ukActiveSet *set, const ukProblem *p, bool cones)
{
    const size_t pairs = ukBoundedPairs(p);
    ukArena arena = ukArenaOver(NULL, 0);
    carve(set, p, pairs, cones, &arena);
    if (arena.used > set->size) {
        free(set->memory);
        set->size = 0;
        set->memory = aligned_alloc(64, (arena.used + 63) / 64 * 64);
        if (!set->memory) return ukErrorMemory;
        set->size = (arena.used + 63) / 64 * 64;
    }
    arena = ukArenaOver(set->memory, set->size);
    carve(set, p, pairs, cones, &arena);
    return ukOk;
}

/* The convex problem of the present bounds: active set, else interior point and active set from where it ends. */
static int solveBounds(ukActiveSet *set, ukNewtonStart start, double tolerance, double *residual)
{
    ukBounded *B = &set->bounded;
    ukBoundedProject(B, set->lambda);
    int status = ukNewtonSolve(&set->newton, B, start, tolerance, QuickPasses, set->lambda, residual);
    if (status != ukOk || *residual <= tolerance) return status;
    const double quick = *residual;
    memcpy(set->best, set->lambda, (size_t)B->m * sizeof *set->best);
    status = ukInteriorSolve(&set->interior, B, fmax(tolerance, 1e-8), InteriorPasses, set->lambda, residual);
    if (status != ukOk) return status;
    if (*residual > tolerance) {
        status = ukNewtonSolve(&set->newton, B, ukNewtonNatural, tolerance, PolishPasses, set->lambda, residual);
        if (status != ukOk) return status;
    }
    if (quick < *residual) {
        *residual = quick;
        memcpy(set->lambda, set->best, (size_t)B->m * sizeof *set->best);
    }
    return ukOk;
}

static bool hasFriction(const ukProblem *p)
{
    for (int i = 0; p->normal && i < p->rows; i++)
        if (p->normal[i] >= 0) return true;
    return false;
}

static int solveTwoPhase(ukActiveSet *set, bool warm, double tolerance, double *residual)
{
    ukBounded *B = &set->bounded;
    const ukProblem *p = B->given;
    const ukNewtonStart start = warm ? ukNewtonWarm : ukNewtonCold;
    int status = ukOk;
    if (hasFriction(p)) {
        memcpy(set->start, set->lambda, (size_t)B->m * sizeof *set->start);
        status = solveBounds(set, start, tolerance, residual); /* bounds of friction rows are 0 so far */
        if (status != ukOk) return status;
        ukBoundedFreeze(B, set->lambda);
        memcpy(set->lambda, set->start, (size_t)B->m * sizeof *set->start);
    }
    return solveBounds(set, start, tolerance, residual);
}

/* Fixed point of the bounds: each round is convex, and cheap once the set stays. */
static int solveCoupled(ukActiveSet *set, bool warm, double tolerance, double *residual)
{
    ukBounded *B = &set->bounded;
    const size_t m = (size_t)B->m;
    double best = INFINITY;
    int status = ukOk;
    if (!warm && hasFriction(B->given)) { /* loads without friction to begin with */
        status = solveBounds(set, ukNewtonCold, 1e-3, residual);
        if (status != ukOk) return status;
    }
    for (int k = 0; k < CoupledRounds; k++) {
        ukBoundedFreeze(B, set->lambda);
        ukBoundedProject(B, set->lambda);
        status = solveBounds(set, warm || k > 0 ? ukNewtonWarm : ukNewtonCold, tolerance, residual);
        if (status != ukOk) return status;
        ukBoundedFreeze(B, set->lambda);
        const double now = ukBoundedResidual(B, set->lambda);
        if (now < best) {
            best = now;
            memcpy(set->start, set->lambda, m * sizeof *set->start);
        }
        if (best <= tolerance || !hasFriction(B->given)) break;
    }
    memcpy(set->lambda, set->start, m * sizeof *set->start);
    ukBoundedFreeze(B, set->lambda);
    *residual = best;
    return ukOk;
}

/* From the scaled rows back to the caller's. */
static void report(ukActiveSet *set, double residual, ukSolution *s)
{
    ukBounded *B = &set->bounded;
    const ukProblem *p = B->given;
    ukBoundedEvaluate(B, set->lambda);
    memcpy(s->qdd, B->x, (size_t)B->n * sizeof *s->qdd);
    s->active = 0;
    for (int i = 0; i < B->m; i++) {
        const double mu = B->kind[i] == ukRowBox ? 1 : p->hi[i];
        s->lambda[i] = mu * set->lambda[i];
        if (s->lo) s->lo[i] = mu * B->lo[i];
        if (s->hi) s->hi[i] = mu * B->hi[i];
        if (B->kind[i] == ukRowBox)
            s->active += set->lambda[i] > B->lo[i] && set->lambda[i] < B->hi[i];
        else if (B->kind[i] == ukRowDisc)
            s->active += 2 * (hypot(set->lambda[i], set->lambda[i + 1]) < B->hi[i] * (1 - 1e-12));
    }
    s->rank = -1;
    s->pivots = B->passes;
    s->residual = residual;
}

int ukActiveSetSolve(ukActiveSet *set, const ukProblem *p, ukFrictionLaw law, const double *lambda0, double tolerance,
                     double rank_tolerance, ukSolution *s)
{
    bool bounded = false, warm = false;
    for (int i = 0; p->lo && i < p->rows && !bounded; i++) bounded = isfinite(p->lo[i]) || isfinite(p->hi[i]);
    if (!bounded && !hasFriction(p)) {
        const int status = ukSparseSolveProblem(set->sparse, p, rank_tolerance, s);
        for (int i = 0; status == ukOk && s->lo && i < p->rows; i++) s->lo[i] = -INFINITY;
        for (int i = 0; status == ukOk && s->hi && i < p->rows; i++) s->hi[i] = INFINITY;
        return status;
    }
    ukBounded *B = &set->bounded;
    const bool cones = law == ukFrictionElliptic && p->cone;
    int status = reserve(set, p, cones);
    if (status != ukOk) return status;
    B->sparse = set->sparse, B->wanted_cones = cones;
    status = ukBoundedSet(B, p, fmax(PROXIMAL, rank_tolerance * rank_tolerance));
    if (status != ukOk) return status;
    for (int i = 0; i < p->rows; i++) {
        const double mu = B->kind[i] == ukRowBox ? 1 : p->hi[i];
        set->lambda[i] = lambda0 && isfinite(lambda0[i]) ? lambda0[i] / mu : 0;
        warm = warm || set->lambda[i] != 0;
    }
    double residual = 0;
    status = law == ukFrictionTwoPhase ? solveTwoPhase(set, warm, tolerance, &residual)
                                       : solveCoupled(set, warm, tolerance, &residual);
    if (status != ukOk) return status;
    if (!isfinite(residual)) return ukErrorNotFinite;
    report(set, residual, s);
    return ukOk;
}
