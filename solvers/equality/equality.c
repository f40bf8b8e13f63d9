/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/equality/equality.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/equality/pseudoinverse.h"
#include "solvers/factor/tree.h"
#include "solvers/kkt/kkt.h"
#include "solvers/kkt/store.h"
#include "solvers/problem/tolerance.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of pivots, as fractions of the row's own K_ii: at or below ... */
static const struct {
    double examined; /* singular values of A M^-1/2 decide the rank (the square of `examined`) */
    double certain;  /* the row is dependent, if other pivots are as small as they may be */
} pivot = {.examined = 1e-8, .certain = 1e-12};

struct ukEquality {
    ukKkt *kkt;
    ukPseudoinverse pseudoinverse;
    double *f, *a, *x, *l; /* (6 bodies) x 3, (rows) */
    double *memory;
    size_t capacity;
};

ukEquality *ukEqualityCreate(void)
{
    ukEquality *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->kkt = ukKktCreate();
    if (e->kkt) return e;
    free(e);
    return NULL;
}

void ukEqualityDestroy(ukEquality *e)
{
    if (!e) return;
    ukKktDestroy(e->kkt);
    ukPseudoinverseFree(&e->pseudoinverse);
    free(e->memory);
    free(e);
}

ukKkt *ukEqualityKkt(ukEquality *e)
{
    return e->kkt;
}

static int planEquality(ukEquality *e, const ukProblem *p)
{
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    const int status = ukKktPlan(e->kkt, p, NULL);
    if (status != ukOk) return status;
    if (!ukGrow(&e->memory, &e->capacity, (3 * n + m + 1) * sizeof *e->memory)) return ukErrorMemory;
    e->f = e->memory, e->a = e->f + n, e->x = e->a + n, e->l = e->x + n;
    return ukOk;
}

/* ---- thresholds -------------------------------------------------------------------------------------------------- */

/* Singular values at or below this count as zero: rounding for 0, or if a row is soft (K is then regular). */
static double effectiveTolerance(const ukProblem *p, double tolerance)
{
    for (int i = 0; p->softness && i < p->rows; i++)
        if (p->softness[i] > 0) tolerance = 0;
    return tolerance > 0 ? tolerance : ukRankRounding(6 * p->bodies, p->rows);
}

/* The pivot that belongs to a singular value of `tolerance`: a pivot is sigma^2 over the square of the row's part in
 * the singular vector. */
static double pivotOfTolerance(double tolerance)
{
    return 100 * tolerance * tolerance;
}

/* The threshold for pivots if a hard row has one that may belong to a singular value below `tolerance`; else 0. */
static double pivotFloor(const ukKktFactor *factor, double tolerance)
{
    const ukFactor *numbers = &factor->kkt->factor;
    const ukSymbolic *plan = factor->kkt->plan;
    const double floor = pivotOfTolerance(tolerance);
    for (int i = 0; i < plan->rows; i++) {
        const bool soft = factor->softness && factor->softness[i] > 0;
        const int at = plan->row_at[i];
        if (!soft && fabs(numbers->pivot[at]) <= floor * numbers->diagonal[at]) return floor;
    }
    return 0;
}

/* Factorizes; pivots at or below `least` times their own size, or below the pivot that belongs to the tolerance, are
 * shifted. */
static int factorizeForRank(ukEquality *e, const ukProblem *p, double least, double tolerance, ukKktFactor *factor)
{
    const int status = ukKktFactorizeShifted(e->kkt, p, p->softness, least, factor);
    if (status != ukOk) return status;
    const double floor = pivotFloor(factor, tolerance);
    return floor > least ? ukKktFactorizeShifted(e->kkt, p, p->softness, floor, factor) : ukOk;
}

/* ---- solution ---------------------------------------------------------------------------------------------------- */

/* f = Q + C */
static void addForces(const ukProblem *p, double *f)
{
    const size_t n = 6 * (size_t)p->bodies;
    memcpy(f, p->Q, n * sizeof *f);
    for (size_t i = 0; p->C && i < n; i++) f[i] += p->C[i];
}

/* whether a pivot was shifted in every component: null vectors then give the whole solution */
static bool isShiftedThroughout(const ukKktFactor *factor)
{
    const ukFactor *numbers = &factor->kkt->factor;
    for (ukTree t = ukTreesOf(numbers, factor->kkt->plan); ukTreePrevious(numbers, factor->kkt->plan, &t);)
        if (t.shifts == 0) return false;
    return true;
}

static void solveByRefinement(ukEquality *e, const ukKktFactor *factor, ukRefineScope scope)
{
    const double *b = factor->p->b;
    ukKktSolve(factor, e->f, b, e->x, e->l);
    ukKktRefine(factor, e->f, b, scope, e->kkt->factor.weak == 0, e->x, e->l);
}

/* x and l of f = Q + C: by substitution in components of full rank, by null vectors in the others */
static int solveAnyRank(ukEquality *e, const ukKktFactor *factor, double tolerance, bool all_dependent, int *dropped)
{
    const int shifts = e->kkt->factor.shifts;
    *dropped = 0;
    if (shifts == 0 || !isShiftedThroughout(factor)) solveByRefinement(e, factor, ukRefineNoShiftedTree);
    if (shifts == 0) return ukOk;
    ukProblemAccelerate(factor->p, e->f, e->a);
    const ukFactored factored = {&e->kkt->factor, e->kkt->plan, factor->p, factor->softness};
    const int status = ukPseudoinverseSolve(&e->pseudoinverse, &factored, e->a, tolerance, all_dependent, e->x, e->l);
    *dropped = e->pseudoinverse.dropped;
    return status;
}

static double maxAbsOf(const double *x, size_t n, double most)
{
    for (size_t i = 0; i < n; i++) most = most >= fabs(x[i]) || isnan(most) ? most : fabs(x[i]); /* NaN propagates */
    return most;
}

static int writeSolution(const ukEquality *e, const ukProblem *p, int dropped, ukSolution *solution)
{
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    if (!(maxAbsOf(e->l, m, maxAbsOf(e->x, n, 0)) <= DBL_MAX)) return ukErrorNotFinite;
    memcpy(solution->qdd, e->x, n * sizeof *e->x);
    if (m > 0) memcpy(solution->lambda, e->l, m * sizeof *e->l);
    solution->rank = p->rows - dropped;
    solution->active = p->rows;
    solution->pivots = solution->passes = 0;
    solution->residual = 0;
    return ukOk;
}

int ukEqualitySolve(ukEquality *e, const ukProblem *p, double rank_tolerance, ukSolution *s)
{
    ukEqualityFactor factor;
    return ukEqualitySolveBy(e, p, &(ukRankChoice){.tolerance = rank_tolerance}, &factor, s);
}

int ukEqualitySolveBy(ukEquality *e, const ukProblem *p, const ukRankChoice *choice, ukEqualityFactor *factor,
                      ukSolution *s)
{
    ukKktFactor *const kkt = &factor->factor;
    int status = planEquality(e, p), dropped = 0;
    *factor = (ukEqualityFactor){.equality = e};
    if (status != ukOk) return status;
    const double tolerance = effectiveTolerance(p, choice->tolerance);
    status = choice->suspect > 0
                 ? ukKktFactorizeShifted(e->kkt, p, p->softness, fmax(pivot.examined, choice->suspect), kkt)
                 : factorizeForRank(e, p, pivot.examined, tolerance, kkt);
    if (status != ukOk) return status;
    addForces(p, e->f);
    e->pseudoinverse.springs = choice->springs;
    e->pseudoinverse.rigidity = 0;
    status = solveAnyRank(e, kkt, tolerance, false, &dropped);
    if (status == ukPseudoinverseUndecided) {
        status = ukKktFactorizeShifted(e->kkt, p, p->softness, fmax(pivot.certain, tolerance * tolerance), kkt);
        if (status == ukOk) status = solveAnyRank(e, kkt, tolerance, true, &dropped);
    }
    e->pseudoinverse.springs = NULL;
    factor->rigidity = e->pseudoinverse.rigidity;
    return status == ukOk ? writeSolution(e, p, dropped, s) : status;
}

/* ---- motion only ------------------------------------------------------------------------------------------------- */

/* Whether a row that is kept has a pivot so small that singular values must decide: it can hide an inconsistency as
 * small as the drift, and rows that are a poor choice for those left out amplify the inconsistency. */
static bool hasDoubtfulPivot(const ukKktFactor *factor, double growth)
{
    const ukFactor *numbers = &factor->kkt->factor;
    const ukSymbolic *plan = factor->kkt->plan;
    const double least = numbers->shifts > 0 ? 1 / (growth * growth) : pivot.examined;
    for (int i = 0; i < plan->rows; i++)
        if (fabs(numbers->pivot[plan->row_at[i]]) < least * numbers->diagonal[plan->row_at[i]]) return true;
    return false;
}

int ukEqualitySolveMotion(ukEquality *e, const ukProblem *p, double rank_tolerance, double growth,
                          ukMotionFactor *motion, ukSolution *s)
{
    const double tolerance = effectiveTolerance(p, rank_tolerance);
    ukKktFactor factor;
    int status = planEquality(e, p);
    motion->serves = false;
    if (status == ukOk) status = factorizeForRank(e, p, pivot.certain, tolerance, &factor);
    if (status != ukOk) return status;
    if (hasDoubtfulPivot(&factor, growth)) return ukEqualitySolve(e, p, rank_tolerance, s);
    *motion = (ukMotionFactor){pivotOfTolerance(tolerance) <= pivot.examined, e->kkt->serial};
    addForces(p, e->f);
    solveByRefinement(e, &factor, ukRefineNoShiftedRow);
    return writeSolution(e, p, e->kkt->factor.shifts, s);
}

int ukEqualitySolveAgain(ukEquality *e, const ukMotionFactor *motion, const ukProblem *p, double rank_tolerance,
                         ukSolution *s)
{
    const double tolerance = effectiveTolerance(p, rank_tolerance);
    const bool serves = motion->serves && motion->serial == e->kkt->serial;
    const ukKktFactor factor = {e->kkt, ukKktFronts, p, NULL, p->softness};
    int dropped = 0;
    if (!serves || pivotOfTolerance(tolerance) > pivot.examined) return ukEqualitySolve(e, p, rank_tolerance, s);
    e->kkt->serial++; /* the computation of null vectors overwrites the factor */
    addForces(p, e->f);
    const int status = solveAnyRank(e, &factor, tolerance, false, &dropped);
    if (status == ukPseudoinverseUndecided) return ukEqualitySolve(e, p, rank_tolerance, s);
    return status == ukOk ? writeSolution(e, p, dropped, s) : status;
}

/* ---- rank -------------------------------------------------------------------------------------------------------- */

int ukEqualityIndependent(ukEquality *e, const ukProblem *p, double rank_tolerance, unsigned char *independent,
                          bool *all)
{
    const double tolerance = effectiveTolerance(p, rank_tolerance);
    ukKktFactor factor;
    int status = planEquality(e, p);
    *all = true;
    if (status == ukOk) status = factorizeForRank(e, p, pivot.examined, tolerance, &factor);
    if (status != ukOk || e->kkt->factor.shifts == 0) return status;
    memset(independent, 1, (size_t)p->rows);
    const ukFactored factored = {&e->kkt->factor, e->kkt->plan, p, factor.softness};
    status = ukPseudoinverseIndependent(&e->pseudoinverse, &factored, tolerance, independent);
    *all = !memchr(independent, 0, (size_t)p->rows);
    return status;
}

bool ukEqualityIsWeak(const ukEqualityFactor *factor, double suspect)
{
    const ukFactor *numbers = &factor->equality->kkt->factor;
    const ukSymbolic *plan = factor->equality->kkt->plan;
    bool weak = numbers->shifts > 0;
    for (int i = 0; i < plan->rows && !weak; i++) {
        const int k = plan->row_at[i];
        weak = fabs(numbers->pivot[k]) <= suspect * numbers->diagonal[k];
    }
    return weak;
}

double ukEqualityRigidity(ukEqualityFactor *factor, double tolerance, double suspect)
{
    ukEquality *e = factor->equality;
    ukFactor *numbers = &e->kkt->factor;
    const ukSymbolic *plan = e->kkt->plan;
    int *weak = numbers->shifted, count = 0; /* the array is free because no pivot was shifted */
    if (numbers->shifts > 0) return 1;
    for (int k = 0; k < 6 * plan->bodies + plan->rows; k++)
        if (plan->row[k] >= 0 && fabs(numbers->pivot[k]) <= suspect * numbers->diagonal[k]) weak[count++] = k;
    if (count == 0) return 0;
    const ukFactored factored = {numbers, plan, factor->factor.p, factor->factor.softness};
    const double rigidity = ukPseudoinverseRigidity(&e->pseudoinverse, &factored, weak, count, tolerance);
    return rigidity < 0 ? 1 : rigidity;
}
