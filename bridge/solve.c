#include "bridge/solve.h"

#include <math.h>
#include <string.h>

#include "bridge/log.h"
#include "bridge/nonideal.h"
#include "bridge/projection.h"
#include "bridge/refuse.h"
#include "bridge/closure.h"
#include "bridge/soften.h"
#include "bridge/warm_start.h"
#include "solvers/papers/solvers.h"
#include "solvers/status.h"
#include "solvers/tolerance.h"

ukSolution ukSolutionOf(const ukStepper *s, const ukProblem *p)
{
    const size_t row0 = (size_t)(p->b - s->b);
    return (ukSolution){
        .qdd = s->qdd + (p->Q - s->Q), .lambda = s->lambda + row0, .frictionless = s->frictionless + row0, .rank = -1};
}

ukFrictionLaw ukSolveLaw(const ukWorld *world)
{
    if (world->settings.friction == ukFrictionCone) return ukFrictionElliptic;
    return world->quick ? ukFrictionCoupled : ukFrictionTwoPhase;
}

/* The check scales its residuals in its own way: what the solver accepts must not fail there by a factor of three. */
static const double solve_margin = 0.1;

const double ukSpringCfm = 1e-6;

double ukRankTolerance(const ukStepper *s, const ukProblem *p)
{
    const double chosen = s->world->settings.rank_tolerance;
    if (chosen > 0) return chosen;
    return ukRankFollowing(ukDrift(s, p));
}

int ukSolveInside(const ukProblem *p, const double *lo, const double *hi, int i, const double *x, bool *inside)
{
    const int rows = p->cone ? 1 + p->cone[i] : 1;
    double size = 0;
    for (int k = i; rows > 1 && k < i + rows; k++) size = hypot(size, x[k] / hi[k]);
    *inside = rows > 1 ? size < 1 : x[i] > lo[i] && x[i] < hi[i];
    return rows;
}

void ukSolveHeld(const ukProblem *p, const ukSolution *out, const double *lo, const double *hi, double *natural,
                 unsigned char *held)
{
    ukProblemApply(p, out->qdd, natural);
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        for (int i = block->row; i < block->row + block->rows; i++) {
            const double lambda = out->lambda[i], d = ukProblemCompliance(p, block, i) + p->softness[i];
            natural[i] = lambda - (natural[i] + p->softness[i] * lambda - p->b[i]) / d;
        }
    }
    for (int i = 0, rows = 0; i < p->rows; i += rows) {
        bool inside;
        rows = ukSolveInside(p, lo, hi, i, natural, &inside);
        memset(held + i, inside, (size_t)rows);
    }
}

/* The active set's rows, as equalities, through a reference solver; rows at their bounds keep their multipliers. */
static int solveDense(ukStepper *s, const ukProblem *p, int which, double rank_tolerance, ukSolution *out)
{
    const size_t need = ukDenseProblemScratch(p, which), rows = (size_t)p->rows, row0 = (size_t)(p->b - s->b);
    const int status = ukStepperScratch(s, need + rows * (1 + sizeof(double)) + 128);
    if (status != ukOk) return status;
    unsigned char *held = NULL;
    ukArena scratch = ukArenaOver(s->scratch, s->scratch_size);
    if (p->lo) {
        held = ukArenaBytes(&scratch, rows);
        ukSolveHeld(p, out, s->bound_lo + row0, s->bound_hi + row0, ukArenaDoubles(&scratch, rows), held);
    }
    return ukDenseSolveHeld(p, which, held, rank_tolerance, &scratch, out);
}

/* the reference solver that the user chose; -1: the working one */
static int denseOf(const ukWorld *world)
{
    const ukSolver solver = world->settings.solver;
    return solver == ukSolverAuto || solver == ukSolverSparse ? -1 : (int)solver - (int)ukSolverMInverse;
}

bool ukSolvesSparse(const ukWorld *world)
{
    return denseOf(world) < 0;
}

int ukSolveRefused(const ukStepper *s, const ukProblem *p, int status)
{
    return ukRefuseProblem(s, p, status, "%s", ukErrorText(status));
}

/* Coupled friction may have no solution (a jam without CFM), or none that was found: what came out then can be wild.
 * Bounds frozen from a first phase always have one, and it takes energy away: the step is that one, and is not reported
 * as good. */
static const double unsettled = 1e-4;

static int settle(ukStepper *s, int index, const ukProblem *p, ukActiveSet *set, double rank_tolerance, ukSolution *out)
{
    if (out->residual > s->unsettled[index]) s->unsettled[index] = out->residual;
    return ukActiveSetSolve(set, p, ukFrictionTwoPhase, NULL, solve_margin * s->world->settings.check_tolerance,
                            rank_tolerance, out);
}

int ukSolveBounded(ukStepper *s, int index, const ukProblem *p, ukActiveSet *set, double rank_tolerance,
                   const double *lambda0, ukSolution *out)
{
    const int which = denseOf(s->world);
    int status = ukOk;
    if (p->lo || which < 0) {
        out->lo = p->lo ? s->bound_lo + (p->b - s->b) : NULL;
        out->hi = p->lo ? s->bound_hi + (p->b - s->b) : NULL;
        if (!p->lo) out->frictionless = NULL;
        status = ukActiveSetSolve(set, p, ukSolveLaw(s->world), p->lo ? lambda0 : NULL,
                                  solve_margin * s->world->settings.check_tolerance, rank_tolerance, out);
        if (status == ukOk && p->normal && ukSolveLaw(s->world) != ukFrictionTwoPhase && out->residual > unsettled)
            status = settle(s, index, p, set, rank_tolerance, out);
    }
    if (which >= 0 && status == ukOk) status = solveDense(s, p, which, rank_tolerance, out);
    return status == ukOk ? ukOk : ukSolveRefused(s, p, status);
}

int ukSolveRigid(ukStepper *s, const ukProblem *p, ukSparse *sparse, ukSolution *out)
{
    const double tolerance = ukRankTolerance(s, p);
    const int which = denseOf(s->world);
    const int status =
        which >= 0 ? solveDense(s, p, which, tolerance, out) : ukSparseSolveProblem(sparse, p, tolerance, out);
    return status == ukOk ? ukOk : ukSolveRefused(s, p, status);
}

ukActiveSet *ukSolverOf(ukStepper *s, int index)
{
    ukActiveSet **set = &s->set[index % ukSolverSlots];
    if (!*set) *set = ukActiveSetCreate();
    return *set;
}

int ukSolveIsland(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    if (p->bodies == 0) return ukOk;
    if (p->lo) ukWarmStartGuess(s->warm, s, index);
    ukIslandSolve *const solve = s->ideal[index].laws > 0 ? ukNonIdealSolve : ukSolveGuessed;
    return ukSoften(s, index, solve(s, index), solve);
}

bool ukSolveNeedsCaller(const ukStepper *s, int index)
{
    return ukClosureSuspect(s, index);
}

int ukSolveGuessed(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    ukSolution out = ukSolutionOf(s, p);
    if (p->bodies == 0) return ukOk;
    ukActiveSet *set = ukSolverOf(s, index);
    if (!set) return ukErrorMemory;
    ukOutcome *outcome = &s->outcomes[index];
    const int which = denseOf(s->world);
    outcome->compromise = 0;
    outcome->cfm_aside = false;
    outcome->rank_tolerance = s->world->settings.rank_tolerance;
    outcome->suspect = ukClosureSuspect(s, index);
    int status;
    if (outcome->suspect) {
        status = ukClosureSolve(s, index, &out); /* decides on the problem */
        if (status == ukOk && which >= 0) status = solveDense(s, p, which, outcome->rank_tolerance, &out);
        if (status != ukOk) return ukSolveRefused(s, p, status);
    } else {
        status = ukSolveBounded(s, index, p, set, outcome->rank_tolerance, s->lambda0 + (p->b - s->b), &out);
        if (status != ukOk) return status;
    }
    outcome->rank = out.rank;
    outcome->active = p->lo ? out.active : p->rows;
    outcome->pivots = out.pivots;
    outcome->continuous = false;
    return ukOk;
}

static int solveContinuous(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    ukSolution out = ukSolutionOf(s, p);
    if (p->bodies == 0) return ukOk;
    const int status = ukSolveRigid(s, p, s->sparse, &out);
    if (status != ukOk) return status;
    s->outcomes[index] = (ukOutcome){.rank = out.rank, .active = p->rows, .continuous = true};
    return ukOk;
}

int ukSolveContinuous(ukStepper *s, int index)
{
    ukIslandSolve *const solve = s->ideal[index].laws > 0 ? ukNonIdealSolveContinuous : solveContinuous;
    return ukSoften(s, index, solve(s, index), solve);
}

int ukSolveMotion(ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    ukSolution out = ukSolutionOf(s, p);
    if (p->bodies == 0) return ukOk;
    if (s->ideal[index].laws > 0 || denseOf(s->world) >= 0) return ukSolveContinuous(s, index);
    const int status = ukSparseSolveMotion(s->sparse, p, ukRankTolerance(s, p), &out);
    if (status != ukOk) return ukSolveRefused(s, p, status);
    s->outcomes[index] = (ukOutcome){.rank = out.rank, .active = p->rows, .continuous = true};
    return ukOk;
}

/* of the accelerations in play */
static const double contradiction = 1e-3;

/* |A x|, term by term, of one row over the blocks' bodies */
static double rowSize(const ukProblem *p, const ukBlock *block, const double *A, const double *x)
{
    double sum = 0;
    for (int slot = 0; slot < block->slots; slot++) {
        const int body = p->body[block->slot + slot];
        for (int k = 0; k < 6 && body >= 0; k++) sum += fabs(A[6 * slot + k] * x[6 * body + k]);
    }
    return sum;
}

/* rate of the row per position of the bodies, as far as rounding of phi can reach it */
static double rowReach(const ukStepper *s, int moving0, const ukProblem *p, const ukBlock *block, const double *A)
{
    double sum = 0;
    for (int slot = 0; slot < block->slots; slot++) {
        const int body = p->body[block->slot + slot];
        if (body < 0) continue;
        const double *x = s->frames[s->moving_frame[moving0 + body]].state.x;
        for (int k = 0; k < 3; k++) sum += fabs(A[6 * slot + k] * x[k]) + fabs(A[6 * slot + 3 + k]);
    }
    return sum;
}

static int contradicts(const ukBlockOwner *owner, double residual)
{
    if (owner->joint)
        return ukRefuseJoint(owner->joint, ukErrorContradiction, "contradicts others: its rows are missed by %.3g",
                             residual);
    ukErrorSet(ukErrorContradiction, "user constraint %llu contradicts others: its rows are missed by %.3g",
               (unsigned long long)owner->constraint->element.serial, residual);
    return ukErrorContradiction;
}

/* a row that is to hold exactly: no bound lets it go, and its CFM is no spring of the user's */
static bool exact(const ukStepper *s, size_t row)
{
    return !(s->lo[row] > -INFINITY) && !(s->hi[row] < INFINITY) && s->cfm[row] <= ukSpringCfm;
}

/* The exact row of `p`, of the stepper's arrays, that the accelerations there miss by most, its block and what it is
 * missed by, if that is more than `contradiction` of the accelerations in play; 0: none is. */
static double missed(const ukStepper *s, const ukProblem *p, int *which)
{
    const double h = s->h > 0 ? s->h : 0.01, *qdd = s->qdd + (p->Q - s->Q);
    double scale = 0, worst = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *block = &p->block[k];
        for (int i = 0; i < block->rows; i++) {
            const double *A = p->A + block->A + 6 * (size_t)(i * block->slots), b = p->b[block->row + i];
            double residual = -b;
            for (int slot = 0; slot < block->slots; slot++) {
                const int body = p->body[block->slot + slot];
                for (int c = 0; c < 6 && body >= 0; c++) residual += A[6 * slot + c] * qdd[6 * body + c];
            }
            const double rounding = 1e-12 * rowReach(s, (int)(p->Q - s->Q) / 6, p, block, A) / (h * h);
            scale = fmax(scale, fabs(b) + rowSize(p, block, A, qdd) + rounding / contradiction);
            if (!(fabs(residual) > worst) || !exact(s, (size_t)(p->b - s->b) + (size_t)(block->row + i))) continue;
            worst = fabs(residual);
            *which = k;
        }
    }
    return worst > contradiction * scale ? worst : 0;
}

int ukSolveConsistent(ukStepper *s, int index)
{
    const ukProblem *p = &s->ideal[index].problem;
    int which = 0;
    if (p->bodies == 0 || s->outcomes[index].rank == p->rows) return ukOk;
    const double by = missed(s, p, &which);
    return by > 0 ? contradicts(s->owners + (p->block - s->blocks) + which, by) : ukOk;
}

bool ukSolveContested(const ukStepper *s, int index)
{
    const ukProblem *p = &s->ideal[index].problem;
    const ukBlockOwner *owner = s->owners + (p->block - s->blocks);
    int which;
    bool constraints = false;
    for (int k = p->blocks; k-- > 0 && !constraints;) constraints = owner[k].constraint != NULL;
    return constraints && p->bodies > 0 && missed(s, p, &which) > 0;
}

/* the island's problem with the exact rows alone: the others give way */
static ukProblem exactOnly(ukStepper *s, int index)
{
    ukProblem p = s->ideal[index].problem;
    for (int k = 0; k < p.blocks; k++) {
        for (int i = p.block[k].row; i < p.block[k].row + p.block[k].rows; i++) {
            const size_t row = (size_t)(p.b - s->b) + (size_t)i;
            if (!exact(s, row)) s->softness[row] = 1e9 * ukProblemCompliance(&p, &p.block[k], i);
        }
    }
    p.lo = p.hi = NULL;
    p.normal = NULL;
    p.cone = NULL;
    return p;
}

int ukSolveIdealConsistent(ukStepper *s, int index)
{
    const ukProblem whole = exactOnly(s, index);
    const ukBlockOwner *owner = s->owners + (whole.block - s->blocks);
    ukProblem joints = whole; /* they come first, and may disagree by their own drift */
    while (joints.blocks > 0 && owner[joints.blocks - 1].constraint) joints.rows = whole.block[--joints.blocks].row;
    double by[2] = {0};
    int which = 0;
    for (int k = 0; k < 2; k++) {
        const ukProblem *p = k == 0 ? &joints : &whole;
        ukSolution out = ukSolutionOf(s, p);
        const int status = ukSolveRigid(s, p, s->sparse, &out);
        if (status != ukOk) return status;
        by[k] = missed(s, p, &which);
    }
    return by[1] > 10 * by[0] ? contradicts(owner + which, by[1]) : ukOk;
}

static void widen(dReal *largest, double x)
{
    if (!isnan(*largest) && !(x <= *largest)) *largest = x; /* a NaN stays */
}

/* position and velocity errors of the rows held */
static void errors(ukStepper *s, const ukProblem *p, bool continuous, const double *lo, const double *hi)
{
    const size_t row0 = (size_t)(p->b - s->b);
    for (size_t i = row0; i < row0 + (size_t)p->rows; i++) {
        const double lambda = s->lambda[i];
        if (!s->velocity[i] && !s->stop[i]) widen(&s->report.position_error, fabs(s->phi[i]));
        if (lo && !(lambda > lo[i - row0] && lambda < hi[i - row0])) continue;
        const double rate = continuous ? s->rate[i] : s->c[i] - s->cfm[i] * lambda; /* at the end of the step */
        widen(&s->report.velocity_error, fabs(rate - s->target[i]));
    }
}

static void sum(ukReport *r, const ukCertificate *c, bool holds)
{
    widen(&r->feasibility, c->feasibility);
    widen(&r->stationarity, c->stationarity);
    widen(&r->complementarity, c->complementarity);
    r->gaussian += c->gaussian;
    r->gaussian_ideal += c->gaussian_ideal;
    r->gaussian_nonideal += c->gaussian_nonideal;
    if (!holds) r->ok = 0;
}

static int certify(ukStepper *s, const ukProblem *p, const ukSolution *out, ukCertificate *certificate)
{
    const int status = ukStepperScratch(s, ukGaussCheckWork(p) * sizeof(double));
    if (status != ukOk) return status;
    const size_t row0 = (size_t)(p->b - s->b);
    const bool laws = s->ideal[p - s->problems].laws > 0;
    const ukGaussEvidence evidence = {.qdd = out->qdd,
                                      .lambda = out->lambda,
                                      .lo = p->lo ? s->bound_lo + row0 : NULL,
                                      .hi = p->lo ? s->bound_hi + row0 : NULL,
                                      .elliptic = ukSolveLaw(s->world) == ukFrictionElliptic,
                                      .lambda_ideal = laws ? s->lambda_ideal + row0 : NULL};
    ukGaussCheck(p, &evidence, s->scratch, certificate);
    return ukOk;
}

int ukSolveCheck(ukStepper *s, int index)
{
    const ukSettings *settings = &s->world->settings;
    const ukProblem *p = &s->problems[index];
    if (p->bodies == 0) return ukOk;
    ukSolution out = ukSolutionOf(s, p);
    if (!ukFiniteAll(out.qdd, 6 * (size_t)p->bodies))
        return ukRefuseProblem(s, p, ukErrorNotFinite, "accelerations are not finite");
    const size_t row0 = (size_t)(p->b - s->b);
    const ukOutcome *outcome = &s->outcomes[index];
    ukReport *r = &s->report;
    r->rank = r->rank < 0 || outcome->rank < 0 ? -1 : r->rank + outcome->rank;
    r->active_rows += outcome->active;
    r->pivots += outcome->pivots;
    r->cfm_islands += outcome->cfm_aside;
    widen(&r->compromise, outcome->compromise);
    errors(s, &s->ideal[index].problem, outcome->continuous, p->lo ? s->bound_lo + row0 : NULL,
           p->lo ? s->bound_hi + row0 : NULL);
    if (settings->check == ukCheckOff) return ukOk;

    ukCertificate certificate;
    int status = certify(s, p, &out, &certificate);
    if (status != ukOk) return status;
    bool holds = ukCertificateHolds(&certificate, settings->check_tolerance);
    if (!holds && settings->check == ukCheckResolve &&
        solveDense(s, p, ukDenseMInverse, outcome->rank_tolerance, &out) == ukOk) {
        status = certify(s, p, &out, &certificate);
        if (status != ukOk) return status;
        holds = ukCertificateHolds(&certificate, settings->check_tolerance);
    }
    if (s->unsettled[index] > 0) {
        certificate.complementarity = s->unsettled[index];
        holds = false;
    }
    sum(&s->report, &certificate, holds);
    if (holds) return ukOk;
    ukRefuseProblem(s, p, ukErrorCheck,
                    "rejected by the Gauss check: feasibility %.2g, stationarity %.2g, complementarity %.2g",
                    certificate.feasibility, certificate.stationarity, certificate.complementarity);
    ukLog("%s", ukErrorMessage());
    return settings->check == ukCheckFallback || settings->check == ukCheckStop ? ukErrorCheck : ukOk;
}
