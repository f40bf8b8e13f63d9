#include "solvers/bounded/active_set.h"

#include "solvers/bounded/bounded.h"
#include "solvers/bounded/complement.h"
#include "solvers/bounded/coupled.h"
#include "solvers/bounded/disc.h"
#include "solvers/problem/frictionless.h"
#include "solvers/bounded/interior.h"
#include "solvers/bounded/lemke.h"
#include "solvers/bounded/newton.h"
#include "solvers/base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative proximal terms: small enough that a refinement or two remove it, large enough to factor redundant rows; and
 * one that keeps redundant rows where they are while the set of all others is found. */
static const double fine = 1e-9, coarse = 1e-5;

static const double strong = 1e-2;  /* ... that makes a coupled problem nearly one contact's each */
static const double resting = 1e-6; /* residual of the last step's forces at rest: their set is right */
static const double aim = 1e-12;    /* what cheap stages go for, whatever the tolerance */

enum {
    TurnRounds = 2,   /* of frames; more bring little: what they do not settle circles */
    FewRows = 48,     /* up to here a dense problem costs less than a pass over a sparse one */
    WarmRows = 96,    /* ... a path with friction that follows its normal forces costs less than what else there is */
    ColdRows = 32,    /* ... from nothing */
    PivotRows = 100,  /* ... complementary pivoting costs less than an interior point */
    QuickPasses = 12, /* factorizations at most */
    InteriorPasses = 60,
    PolishPasses = 12,
    RoundPasses = 6,
    QuickRounds = 5, /* of bounds mu |lambda_n| */
    MostProximal = 80,
    StepPasses = 6
};

struct ukActiveSet {
    ukSparse *sparse, *frictionless_sparse; /* each keeps the plan of its own problem */
    ukFrictionless frictionless;
    void *memory;
    size_t size;
    ukBounded bounded;
    ukNewton newton;
    ukInterior interior;
    ukLemke lemke;
    ukComplement complement;
    ukCoupled coupled;
    bool dense;                            /* the problem suits it */
    bool eliminated;                       /* ... and its joints are eliminated */
    double *lambda, *quick, *best, *guess; /* (m) */
    double least;                          /* residual of best */
};

ukActiveSet *ukActiveSetCreate(void)
{
    ukActiveSet *set = calloc(1, sizeof *set);
    if (!set) return NULL;
    set->sparse = ukSparseCreate();
    set->frictionless_sparse = ukSparseCreate();
    if (set->sparse && set->frictionless_sparse) return set;
    ukActiveSetDestroy(set);
    return NULL;
}

void ukActiveSetDestroy(ukActiveSet *set)
{
    if (!set) return;
    ukSparseDestroy(set->sparse);
    ukSparseDestroy(set->frictionless_sparse);
    ukLemkeFree(&set->lemke);
    free(set->memory);
    free(set);
}

static void carve(ukActiveSet *set, const ukProblem *p, size_t pairs, ukArena *arena)
{
    ukBoundedCarve(&set->bounded, p, pairs, arena);
    ukNewtonCarve(&set->newton, p, arena);
    ukInteriorCarve(&set->interior, p, arena);
    ukFrictionlessCarve(&set->frictionless, p, pairs, arena);
    if (set->dense) ukComplementCarve(&set->complement, p, arena);
    if (set->dense) ukCoupledCarve(&set->coupled, &set->complement, arena);
    set->lambda = ukArenaDoubles(arena, (size_t)p->rows);
    set->quick = ukArenaDoubles(arena, (size_t)p->rows);
    set->best = ukArenaDoubles(arena, (size_t)p->rows);
    set->guess = ukArenaDoubles(arena, (size_t)p->rows);
}

static int reserve(ukActiveSet *set, const ukProblem *p)
{
    const size_t pairs = ukBoundedPairs(p);
    ukArena arena = ukArenaOver(NULL, 0);
    set->dense = ukComplementSuits(p);
    carve(set, p, pairs, &arena);
    if (arena.used > set->size) {
        free(set->memory);
        set->size = 0;
        set->memory = aligned_alloc(64, (arena.used + 63) / 64 * 64);
        if (!set->memory) return ukErrorMemory;
        set->size = (arena.used + 63) / 64 * 64;
    }
    arena = ukArenaOver(set->memory, set->size);
    carve(set, p, pairs, &arena);
    return ukOk;
}

/* The active set from where the interior point ended. *residual in: of lambda, out: of the best. */
static int polish(ukActiveSet *set, bool coupled, double goal, double *residual)
{
    ukBounded *B = &set->bounded;
    int status = ukOk;
    for (int k = 0; k < 2 && status == ukOk && *residual > goal; k++) {
        ukBoundedShift(B, k == 0 ? coarse : fine);
        status = coupled ? ukNewtonCoupled(&set->newton, B, goal, PolishPasses, set->lambda, residual)
                         : ukNewtonSolve(&set->newton, B, ukNewtonNatural, goal, PolishPasses, set->lambda, residual);
    }
    ukBoundedShift(B, fine);
    return status;
}

/* Whether the problem is small, and its joints eliminated. */
static bool eliminate(ukActiveSet *set)
{
    if (set->dense && !set->eliminated) set->dense = ukComplementSet(&set->complement, &set->bounded) == ukOk;
    set->eliminated = set->dense;
    return set->dense;
}

/* A small problem, dense, by the parametric active set; false: it is not small, or nothing came of it. Until the next
 * problem is taken over, rows that come by room for the first time are added to those that are in play. */
static bool solveDense(ukActiveSet *set, double goal, double tolerance, double *residual)
{
    ukBounded *B = &set->bounded;
    if (!eliminate(set)) return false;
    ukComplementAdd(&set->complement, B, false);
    *residual = ukComplementSolve(&set->complement, B, goal, tolerance, set->lambda);
    return *residual <= tolerance;
}

/* The convex problem of the present bounds. Where the guess nearly fits, and for large problems, the sparse active set;
 * where that does not end, or at once, a small problem's dense one; above tolerance, interior point and active set from
 * there; and what always comes to its end, complementary pivoting, where rounding or bad luck kept both from theirs. A
 * guess whose set changes in many rows at once goes to the interior point, which ends after three or four passes where
 * the forces are nearly right and only the directions that hardly matter are not (measured: a pile at rest). */
static int solveBounds(ukActiveSet *set, ukNewtonStart start, double tolerance, double *residual)
{
    ukBounded *B = &set->bounded;
    const double goal = fmin(aim, tolerance);
    int status = ukOk, pivots;
    ukBoundedProject(B, set->lambda);
    *residual = ukBoundedResidualUpTo(B, set->lambda, resting);
    if (*residual <= goal) return ukOk;
    if (!set->dense || (B->m > FewRows && *residual < resting)) {
        if (start == ukNewtonWarm) start = ukNewtonProbe;
        status = ukNewtonSolve(&set->newton, B, start, goal, QuickPasses, set->lambda, residual);
        if (status != ukOk || *residual <= tolerance) return status;
    }
    const double quick = *residual;
    memcpy(set->quick, set->lambda, (size_t)B->m * sizeof *set->quick);
    if (solveDense(set, goal, tolerance, residual)) return ukOk;
    *residual = ukInteriorSolve(&set->interior, B, false, tolerance, InteriorPasses, set->lambda);
    status = polish(set, false, goal, residual);
    if (quick < *residual) {
        *residual = quick;
        memcpy(set->lambda, set->quick, (size_t)B->m * sizeof *set->quick);
    }
    if (status != ukOk || !(*residual > tolerance)) return status;
    const int pivoted = ukLemkeSolve(&set->lemke, B, false, set->quick, &pivots);
    if (pivoted == ukErrorMemory) return pivoted;
    if (pivoted == ukOk) {
        const double now = ukBoundedResidual(B, set->quick);
        B->passes++;
        if (now < *residual) *residual = now, memcpy(set->lambda, set->quick, (size_t)B->m * sizeof *set->quick);
    }
    return status;
}

static bool hasFriction(const ukProblem *p)
{
    for (int i = 0; p->normal && i < p->rows; i++)
        if (p->normal[i] >= 0) return true;
    return false;
}

/* A guess of the caller's to the scaled rows, finite; how to start from it. */
static ukNewtonStart guess(const ukBounded *B, const double *known, double *lambda)
{
    ukNewtonStart start = ukNewtonCold;
    for (int i = 0; i < B->m; i++) {
        lambda[i] = known && isfinite(known[i]) ? known[i] / ukBoundedUnit(B, i) : 0;
        if (lambda[i] != 0) start = ukNewtonWarm;
    }
    return start;
}

static bool finiteForces(const ukBounded *B)
{
    double sum = 0;
    for (int i = 0; i < B->n; i++) sum += 0 * B->a[i];
    for (int i = 0; i < B->m; i++) sum += 0 * (B->p.b[i] + B->softness[i] + B->diagonal[i]);
    return sum == 0;
}

/* Takes p over for one of the factorizations; refuses forces that are not finite. */
static int take(ukActiveSet *set, const ukProblem *p, ukSparse *sparse)
{
    ukBounded *B = &set->bounded;
    B->sparse = sparse;
    set->eliminated = false;
    ukBoundedSet(B, p, fine);
    return finiteForces(B) ? ukOk : ukErrorNotFinite;
}

/* The first of dWorldStep's two phases: set->best is its solution (rows of p). Without friction it is a problem of its
 * own, a third of the rows of a contact; a small one keeps them, at zero, since the second phase then has only to add
 * them. It has a guess of its own, too: normal forces are not those with friction. */
static int solveWithoutFriction(ukActiveSet *set, const ukProblem *p, const double *known, double tolerance,
                                double *residual)
{
    ukBounded *B = &set->bounded;
    ukFrictionless *first = &set->frictionless;
    if (set->dense) {
        int status = take(set, p, set->sparse);
        if (status != ukOk) return status;
        status = solveBounds(set, guess(B, known, set->lambda), tolerance, residual);
        memcpy(set->best, set->lambda, (size_t)p->rows * sizeof *set->best);
        return status;
    }
    ukFrictionlessSet(first, p);
    int status = take(set, &first->p, set->frictionless_sparse);
    if (status != ukOk) return status;
    if (known) ukFrictionlessGather(first, known, set->best);
    status = solveBounds(set, guess(B, known ? set->best : NULL, set->lambda), tolerance, residual);
    if (status != ukOk) return status;
    ukFrictionlessScatter(first, p, set->lambda, set->best);
    const int passes = B->passes;
    status = take(set, p, set->sparse);
    B->passes = passes;
    return status;
}

/* dWorldStep's two phases. `lambda0` (rows): the guess of the whole. */
static int solveTwoPhase(ukActiveSet *set, const ukProblem *p, const double *lambda0, double *frictionless,
                         double tolerance, double *residual)
{
    ukBounded *B = &set->bounded;
    double before, after;
    int status = solveWithoutFriction(set, p, frictionless ? frictionless : lambda0, tolerance, &before);
    if (status != ukOk) return status;
    if (frictionless) memcpy(frictionless, set->best, (size_t)p->rows * sizeof *frictionless);
    ukBoundedFreeze(B, set->best);
    status = solveBounds(set, guess(B, lambda0, set->lambda), tolerance, &after);
    *residual = fmax(before, after);
    return status;
}

/* Keeps lambda if it is the best so far. */
static void keep(ukActiveSet *set, double now)
{
    if (!(now < set->least)) return;
    set->least = now;
    memcpy(set->best, set->lambda, (size_t)set->bounded.m * sizeof *set->best);
}

static void freeze(ukActiveSet *set)
{
    ukBoundedFreeze(&set->bounded, set->lambda);
    ukBoundedProject(&set->bounded, set->lambda);
}

/* Small islands, intervals: along the path on the dense complement from the guess, and where it turns back, from
 * nothing. Every change of a row is a factorization, so a start that knows nothing is worth it for fewer rows. */
static void solveCoupledDense(ukActiveSet *set, ukNewtonStart start, double goal, double tolerance)
{
    ukBounded *B = &set->bounded;
    const size_t bytes = (size_t)B->m * sizeof *set->guess;
    const int most = start == ukNewtonWarm ? WarmRows : ColdRows;
    if (B->cones || !set->dense) return;
    memcpy(set->guess, set->lambda, bytes);
    for (int k = 0; k < 2 && set->least > tolerance; k++) {
        freeze(set);
        if (k == 0) keep(set, ukBoundedResidual(B, set->lambda));
        if (set->least <= goal || !eliminate(set)) break;
        ukComplementAdd(&set->complement, B, true);
        if (set->complement.rows > most) break;
        const bool ended = ukCoupledWalk(&set->coupled, &set->complement, B, set->lambda);
        for (int q = 0; ended && q < 2; q++) {
            ukBoundedEvaluate(B, set->lambda);
            ukCoupledCorrect(&set->coupled, &set->complement, B, set->lambda);
        }
        if (ended) keep(set, ukBoundedResidual(B, set->lambda));
        memset(set->lambda, 0, bytes);
        ukBoundedEvaluate(B, set->lambda);
    }
    memcpy(set->lambda, set->guess, bytes);
}

/* Rounds of frozen bounds, active set only, each ended by the coupled Newton method; given up where a round does not
 * come to its end. */
static int quickRounds(ukActiveSet *set, ukNewtonStart start, double goal)
{
    ukBounded *B = &set->bounded;
    for (int k = 0; k < QuickRounds; k++, start = ukNewtonWarm) {
        double now;
        freeze(set);
        int status = ukNewtonSolve(&set->newton, B, start, goal, RoundPasses, set->lambda, &now);
        if (status != ukOk) return status;
        const bool solved = now <= goal;
        ukBoundedFreeze(B, set->lambda);
        keep(set, ukBoundedResidual(B, set->lambda));
        if (!solved || set->least <= goal) break;
        status = ukNewtonCoupled(&set->newton, B, goal, RoundPasses, set->lambda, &now);
        if (status != ukOk) return status;
        keep(set, now);
        if (set->least <= goal) break;
    }
    return ukOk;
}

/* Every disc's frame along its force. */
static void turnToForces(ukBounded *B, const double *lambda)
{
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        if (n > 1) ukDiscFrame(B, i, n, lambda + i, ukDiscSize(lambda + i, n));
    }
}

/* Complementary pivoting, for islands it is meant for. A disc is a box whose frame is along the force, once no force is
 * left across: frames are turned from round to round, and the coupled Newton method does the rest. */
static int pivoting(ukActiveSet *set, double goal, int most_rows)
{
    ukBounded *B = &set->bounded;
    int status = ukOk, pivots;
    if (B->m > most_rows) return ukOk;
    for (int k = 0; k < (B->cones ? TurnRounds : 1) && set->least > goal && status == ukOk; k++) {
        if (B->cones) turnToForces(B, k == 0 ? set->best : set->lambda);
        const int pivoted = ukLemkeSolve(&set->lemke, B, true, set->lambda, &pivots);
        if (pivoted == ukErrorMemory) return pivoted;
        if (pivoted != ukOk) break;
        B->passes++;
        double now = ukBoundedResidual(B, set->lambda);
        keep(set, now);
        if (!B->cones || set->least <= goal) break;
        memcpy(set->quick, set->lambda, (size_t)B->m * sizeof *set->quick);
        status = polish(set, true, goal, &now);
        keep(set, now);
        memcpy(set->lambda, set->quick, (size_t)B->m * sizeof *set->quick);
    }
    return status;
}

/* Proximal points from the best so far. A strong term makes the problem one that the active set solves at once; the
 * less of it the farther dependent rows may go in a step, until too many of them change sides. */
static int proximalPoints(ukActiveSet *set, double goal, double tolerance)
{
    ukBounded *B = &set->bounded;
    const size_t bytes = (size_t)B->m * sizeof *set->lambda;
    const int last = B->passes + MostProximal;
    double shift = strong;
    int status = ukOk;
    memcpy(set->quick, set->best, bytes);
    while (status == ukOk && set->least > goal && B->passes < last) {
        bool settled;
        memcpy(set->lambda, set->quick, bytes);
        ukBoundedShift(B, shift);
        status = ukNewtonStep(&set->newton, B, StepPasses, set->lambda, &settled);
        const double now = ukBoundedResidual(B, set->lambda);
        if (status == ukOk) keep(set, now);
        if (settled) memcpy(set->quick, set->lambda, bytes);
        shift = settled ? fmax(shift / 3, fine) : fmin(shift * 10, 1);
        if (set->least <= tolerance && settled && shift <= fine) break;
    }
    ukBoundedShift(B, fine);
    return status;
}

/* Bounds mu |lambda_n| of the solution itself. */
static int solveCoupled(ukActiveSet *set, ukNewtonStart start, double tolerance, double *residual)
{
    ukBounded *B = &set->bounded;
    const double goal = fmin(aim, tolerance);
    set->least = INFINITY;
    solveCoupledDense(set, start, goal, tolerance);
    int status = ukOk;
    if (set->least > tolerance) status = quickRounds(set, start, goal);
    if (status == ukOk && set->least > tolerance) status = pivoting(set, goal, PivotRows);
    if (status == ukOk && set->least > tolerance) {
        double now = ukInteriorSolve(&set->interior, B, true, goal, InteriorPasses, set->lambda);
        keep(set, now);
        status = polish(set, true, goal, &now);
        keep(set, now);
    }
    if (status == ukOk && set->least > tolerance) status = proximalPoints(set, goal, tolerance);
    if (status == ukOk && set->least > tolerance && B->m > PivotRows && !B->cones)
        status = pivoting(set, goal, ukLemkeMostRows);
    if (status == ukErrorMemory) return status; /* what came before it is the best of some stages only */
    if (set->least == INFINITY) return status != ukOk ? status : ukErrorNotFinite;
    memcpy(set->lambda, set->best, (size_t)B->m * sizeof *set->best);
    ukBoundedFreeze(B, set->lambda);
    *residual = set->least;
    return ukOk;
}

/* Friction, if any, by the normal forces of the same solution. */
static int solveOnce(ukActiveSet *set, const ukProblem *p, const double *lambda0, double tolerance, double *residual)
{
    ukBounded *B = &set->bounded;
    const int status = take(set, p, set->sparse);
    if (status != ukOk) return status;
    const ukNewtonStart start = guess(B, lambda0, set->lambda);
    return hasFriction(p) ? solveCoupled(set, start, tolerance, residual)
                          : solveBounds(set, start, tolerance, residual);
}

/* From the scaled rows back to the caller's. */
static void report(ukActiveSet *set, double residual, ukSolution *s)
{
    ukBounded *B = &set->bounded;
    ukBoundedEvaluate(B, set->lambda);
    memcpy(s->qdd, B->x, (size_t)B->n * sizeof *s->qdd);
    s->active = 0;
    for (int i = 0; i < B->m; i++) {
        const double mu = ukBoundedUnit(B, i);
        const int n = ukDiscRows(B, i);
        s->lambda[i] = mu * set->lambda[i];
        if (s->lo) s->lo[i] = mu * B->lo[i];
        if (s->hi) s->hi[i] = mu * B->hi[i];
        if (B->kind[i] == ukRowBox)
            s->active += set->lambda[i] > B->lo[i] && set->lambda[i] < B->hi[i];
        else if (B->kind[i] == ukRowDisc)
            s->active += n * (ukDiscSize(set->lambda + i, n) < B->hi[i] * (1 - 1e-12));
    }
    s->rank = -1;
    s->pivots = B->passes;
    s->residual = residual;
}

int ukActiveSetSolve(ukActiveSet *set, const ukProblem *p, ukFrictionLaw law, const double *lambda0, double tolerance,
                     double rank_tolerance, ukSolution *s)
{
    bool bounded = false;
    for (int i = 0; p->lo && i < p->rows && !bounded; i++) bounded = isfinite(p->lo[i]) || isfinite(p->hi[i]);
    if (!bounded && !hasFriction(p)) {
        const int status = ukSparseSolveProblem(set->sparse, p, rank_tolerance, s);
        for (int i = 0; status == ukOk && s->lo && i < p->rows; i++) s->lo[i] = -INFINITY;
        for (int i = 0; status == ukOk && s->hi && i < p->rows; i++) s->hi[i] = INFINITY;
        return status;
    }
    ukBounded *B = &set->bounded;
    int status = reserve(set, p);
    if (status != ukOk) return status;
    B->elliptic = law == ukFrictionElliptic;
    double residual = 0;
    if (law == ukFrictionTwoPhase && hasFriction(p))
        status = solveTwoPhase(set, p, lambda0, s->frictionless, tolerance, &residual);
    else
        status = solveOnce(set, p, lambda0, tolerance, &residual);
    if (status != ukOk) return status;
    if (!isfinite(residual)) return ukErrorNotFinite;
    report(set, residual, s);
    return ukOk;
}
