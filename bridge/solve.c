#include "bridge/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/log.h"
#include "bridge/warm_start.h"
#include "solvers/dense.h"
#include "solvers/status.h"

static ukSolution solutionOf(ukStepper *s, const ukProblem *p)
{
    const size_t row0 = (size_t)(p->b - s->b);
    return (ukSolution){.qdd = s->qdd + (p->Q - s->Q), .lambda = s->lambda + row0, .rank = -1};
}

static ukFrictionLaw lawOf(const ukWorld *world)
{
    if (world->settings.friction == ukFrictionCone) return ukFrictionElliptic;
    return world->quick ? ukFrictionCoupled : ukFrictionTwoPhase;
}

int ukStepperScratch(ukStepper *s, size_t bytes)
{
    if (bytes <= s->scratch_size) return ukOk;
    const size_t size = (bytes + bytes / 4 + 127) / 64 * 64;
    void *fresh = aligned_alloc(64, size);
    if (!fresh) return ukErrorMemory;
    free(s->scratch);
    s->scratch = fresh;
    s->scratch_size = size;
    return ukOk;
}

/* The active set's rows, as equalities, through a reference solver; rows at their bounds keep their multipliers. */
static int solveDense(ukStepper *s, const ukProblem *p, int which, ukSolution *out)
{
    const size_t need = ukDenseProblemScratch(p, which), rows = (size_t)p->rows;
    const int status = ukStepperScratch(s, need + rows + 64);
    if (status != ukOk) return status;
    unsigned char *held = NULL;
    ukArena scratch = ukArenaOver(s->scratch, s->scratch_size);
    if (p->lo) {
        held = ukArenaBytes(&scratch, rows);
        double *bounds = s->bound_lo + (p->b - s->b), *upper = s->bound_hi + (p->b - s->b);
        for (int i = 0; i < p->rows; i++) held[i] = out->lambda[i] > bounds[i] && out->lambda[i] < upper[i];
    }
    return ukDenseSolveHeld(p, which, held, s->world->settings.rank_tolerance, &scratch, out);
}

int ukSolveIsland(ukStepper *s, int index)
{
    const ukSettings *settings = &s->world->settings;
    const ukProblem *p = &s->problems[index];
    const bool dense = settings->solver != ukSolverAuto && settings->solver != ukSolverSparse;
    ukSolution out = solutionOf(s, p);
    if (p->bodies == 0) return ukOk;
    int status = ukOk;
    if (p->lo || !dense) {
        out.lo = s->bound_lo + (p->b - s->b);
        out.hi = s->bound_hi + (p->b - s->b);
        if (p->lo) ukWarmStartGuess(s->warm, s, index);
        status = ukActiveSetSolve(s->set, p, lawOf(s->world), p->lo ? s->lambda0 + (p->b - s->b) : NULL,
                                  settings->check_tolerance, settings->rank_tolerance, &out);
    }
    if (dense && status == ukOk) status = solveDense(s, p, (int)settings->solver - (int)ukSolverMInverse, &out);
    if (status != ukOk) {
        ukErrorSet(status, "the solver refused an island of %d bodies and %d rows", p->bodies, p->rows);
        return status;
    }
    if (!p->lo) out.active = p->rows;
    ukReport *r = &s->report;
    r->rank = r->rank < 0 || out.rank < 0 ? -1 : r->rank + out.rank;
    r->active_rows += out.active;
    r->pivots += out.pivots;
    return ukOk;
}

static void widen(dReal *largest, double x)
{
    if (!(x <= *largest)) *largest = x; /* a NaN stays */
}

/* position and velocity errors of the rows held */
static void errors(ukStepper *s, const ukProblem *p, const double *lo, const double *hi)
{
    const size_t row0 = (size_t)(p->b - s->b);
    for (size_t i = row0; i < row0 + (size_t)p->rows; i++) {
        const double lambda = s->lambda[i];
        if (!s->velocity[i] && !s->stop[i]) widen(&s->report.position_error, fabs(s->phi[i]));
        if (lo && !(lambda > lo[i - row0] && lambda < hi[i - row0])) continue;
        widen(&s->report.velocity_error, fabs(s->c[i] - s->cfm[i] * lambda - s->target[i]));
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
    const ukGaussEvidence evidence = {.qdd = out->qdd,
                                      .lambda = out->lambda,
                                      .lo = p->lo ? s->bound_lo + row0 : NULL,
                                      .hi = p->lo ? s->bound_hi + row0 : NULL,
                                      .elliptic = lawOf(s->world) == ukFrictionElliptic};
    ukGaussCheck(p, &evidence, s->scratch, certificate);
    return ukOk;
}

int ukSolveCheck(ukStepper *s, int index)
{
    const ukSettings *settings = &s->world->settings;
    const ukProblem *p = &s->problems[index];
    if (p->bodies == 0) return ukOk;
    ukSolution out = solutionOf(s, p);
    if (!ukFiniteAll(out.qdd, 6 * (size_t)p->bodies)) {
        ukErrorSet(ukErrorNotFinite, "the acceleration of an island of %d bodies is not finite", p->bodies);
        return ukErrorNotFinite;
    }
    const size_t row0 = (size_t)(p->b - s->b);
    errors(s, p, p->lo ? s->bound_lo + row0 : NULL, p->lo ? s->bound_hi + row0 : NULL);
    if (settings->check == ukCheckOff) return ukOk;

    ukCertificate certificate;
    int status = certify(s, p, &out, &certificate);
    if (status != ukOk) return status;
    bool holds = ukCertificateHolds(&certificate, settings->check_tolerance);
    if (!holds && settings->check == ukCheckResolve && solveDense(s, p, ukDenseMInverse, &out) == ukOk) {
        status = certify(s, p, &out, &certificate);
        if (status != ukOk) return status;
        holds = ukCertificateHolds(&certificate, settings->check_tolerance);
    }
    sum(&s->report, &certificate, holds);
    if (holds) return ukOk;
    ukErrorSet(ukErrorCheck,
               "the Gauss check rejects %d bodies, %d rows: feasibility %.2g, stationarity %.2g, "
               "complementarity %.2g",
               p->bodies, p->rows, certificate.feasibility, certificate.stationarity, certificate.complementarity);
    ukLog("%s", ukErrorMessage());
    return settings->check == ukCheckFallback || settings->check == ukCheckStop ? ukErrorCheck : ukOk;
}
