/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/solve/certify.h"

#include <math.h>

#include "bridge/base/log.h"
#include "bridge/island/refuse.h"
#include "bridge/island/view.h"
#include "bridge/solve/one.h"
#include "bridge/user/law.h"
#include "solvers/base/status.h"
#include "solvers/papers/solvers.h"

static void widen(dReal *largest, double x)
{
    if (!isnan(*largest) && !(x <= *largest)) *largest = x; /* a NaN stays */
}

/* position and velocity errors of the rows held */
static void errors(ukStepper *s, const ukProblem *p, bool continuous, const double *lo, const double *hi)
{
    const size_t row0 = ukViewOf(s, p).row0;
    for (size_t i = row0; i < row0 + (size_t)p->rows; i++) {
        const double lambda = s->rows.lambda[i];
        if (!s->rows.velocity[i] && !s->rows.stop[i]) widen(&s->report.position_error, fabs(s->rows.phi[i]));
        if (lo && !(lambda > lo[i - row0] && lambda < hi[i - row0])) continue;
        const double rate =
            continuous ? s->rows.rate[i] : s->rows.c[i] - s->rows.cfm[i] * lambda; /* at the end of the step */
        widen(&s->report.velocity_error, fabs(rate - s->rows.target[i]));
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

/* The split correction's problem is judged as the velocities' is; its Gaussian is no part of theirs. */
static bool sumPose(ukReport *r, const ukCertificate *c, double tolerance)
{
    widen(&r->feasibility, c->feasibility);
    widen(&r->stationarity, c->stationarity);
    widen(&r->complementarity, c->complementarity);
    return ukCertificateHolds(c, tolerance);
}

static int certify(ukStepper *s, const ukProblem *p, const ukSolution *out, ukCertificate *certificate)
{
    const int status = ukStepperScratch(s, ukGaussCheckWork(p) * sizeof(double));
    if (status != ukOk) return status;
    const size_t row0 = ukViewOf(s, p).row0;
    const bool laws = s->ideal[p - s->problems].laws > 0;
    const ukGaussEvidence evidence = {.qdd = out->qdd,
                                      .lambda = out->lambda,
                                      .lo = p->lo ? s->rows.bound_lo + row0 : NULL,
                                      .hi = p->lo ? s->rows.bound_hi + row0 : NULL,
                                      .elliptic = ukFrictionOf(s->world) == ukFrictionElliptic,
                                      .lambda_ideal = laws ? s->rows.lambda_ideal + row0 : NULL};
    ukGaussCheck(p, &evidence, s->solvers.scratch, certificate);
    return ukOk;
}

int ukSolveAgain(ukStepper *s, int index)
{
    const ukSettings *settings = &s->world->settings;
    const ukProblem *p = &s->problems[index];
    if (p->bodies == 0 || settings->check != ukCheckResolve) return ukOk;
    ukSolution out = ukSolutionOf(s, p);
    ukCertificate certificate;
    const int status = certify(s, p, &out, &certificate);
    if (status != ukOk || ukCertificateHolds(&certificate, settings->check_tolerance)) return status;
    /* where that fails the first solution stays, to be judged as it is */
    const int again = ukSolveDense(s, p, ukDenseMInverse, s->outcomes[index].rank_tolerance, &out);
    return again == ukErrorMemory ? again : ukOk;
}

/* A residual whose scale overflows certifies nothing: the step is refused, whatever the check's action. */
static int overflows(ukStepper *s, const ukProblem *p, const ukCertificate *c)
{
    static const char remedy[] = "choose units in which masses, lengths and forces are nearer to 1";
    const ukIslandView view = ukViewOf(s, p);
    const ukIsland *island = &s->islands[p - s->problems];
    for (int i = island->frame; i < island->frame + island->frames; i++) { /* that says more */
        const char *fault = ukFrameFault(&s->bodies.frames[i]);
        if (fault) return ukRefuseBody(s->bodies.frames[i].body, ukErrorNotFinite, "its new %s is not finite", fault);
    }
    if (isinf(c->stationarity) && c->worst_body >= 0)
        return ukRefuseBody(s->bodies.frames[s->bodies.moving_frame[view.moving0 + (size_t)c->worst_body]].body,
                            ukErrorNotFinite, "its forces or accelerations overflow the check's scale: %s", remedy);
    for (int k = 0; k < p->blocks && c->worst_row >= 0; k++) {
        const ukBlock *block = &p->block[k];
        const ukBlockOwner *owner = s->rows.owners + view.block0 + k;
        const int row = c->worst_row - block->row;
        if (row < 0 || row >= block->rows) continue;
        const ukJoint *joint = owner->law ? owner->law->joint : owner->joint;
        if (joint)
            return ukRefuseJoint(joint, ukErrorNotFinite,
                                 "row %d: its coefficients or forces overflow the check's scale: %s", row + 1, remedy);
    }
    return ukRefuseProblem(s, p, ukErrorNotFinite, "magnitudes overflow the check's scale: %s", remedy);
}

static bool isUnknown(const ukCertificate *c)
{
    return isinf(c->feasibility) || isinf(c->stationarity) || isinf(c->complementarity);
}

int ukSolveCheck(ukStepper *s, int index)
{
    const ukSettings *settings = &s->world->settings;
    const ukProblem *p = &s->problems[index];
    if (p->bodies == 0) return ukOk;
    ukSolution out = ukSolutionOf(s, p);
    if (!ukFiniteAll(out.qdd, 6 * (size_t)p->bodies))
        return ukRefuseProblem(s, p, ukErrorNotFinite, "accelerations are not finite");
    const size_t row0 = ukViewOf(s, p).row0;
    const ukOutcome *outcome = &s->outcomes[index];
    ukReport *r = &s->report;
    r->rank = r->rank < 0 || outcome->rank < 0 ? -1 : r->rank + outcome->rank;
    r->active_rows += outcome->active;
    r->pivots += outcome->pivots;
    r->factorizations += outcome->passes;
    r->cfm_islands += outcome->cfm_aside;
    widen(&r->compromise, outcome->compromise);
    widen(&r->coupling, outcome->coupling);
    errors(s, &s->ideal[index].problem, outcome->continuous, p->lo ? s->rows.bound_lo + row0 : NULL,
           p->lo ? s->rows.bound_hi + row0 : NULL);
    if (settings->check == ukCheckOff) return ukOk;

    ukCertificate certificate;
    const int status = certify(s, p, &out, &certificate);
    if (status != ukOk) return status;
    if (isUnknown(&certificate)) return overflows(s, p, &certificate);
    bool holds = ukCertificateHolds(&certificate, settings->check_tolerance);
    const bool placed = sumPose(&s->report, &outcome->pose, settings->check_tolerance);
    sum(&s->report, &certificate, holds && placed);
    if (holds && placed) return ukOk;
    if (holds) certificate = outcome->pose;
    ukRefuseProblem(s, p, ukErrorCheck,
                    "rejected by the Gauss check: feasibility %.2g, stationarity %.2g, complementarity %.2g",
                    certificate.feasibility, certificate.stationarity, certificate.complementarity);
    ukLog("%s", ukErrorMessage());
    return settings->check == ukCheckFallback || settings->check == ukCheckStop ? ukErrorCheck : ukOk;
}
