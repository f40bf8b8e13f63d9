/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/results/certify.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/actuate.h"
#include "bridge/island/compromise.h"
#include "bridge/island/island.h"
#include "bridge/island/refuse.h"
#include "bridge/results/rates.h"
#include "bridge/results/write_back.h"
#include "bridge/solve/one.h"
#include "bridge/user/joint_law.h"
#include "solvers/base/status.h"
#include "solvers/papers/solvers.h"
#include "solvers/problem/tolerance.h"

static void raiseResidual(dReal *largest, double x)
{
    if (!(x <= *largest) && !isnan(*largest)) *largest = x; /* NaN is kept */
}

/* position errors of all rows, velocity errors of the active rows */
static void sumErrors(const ukIsland *island, const ukProblem *p, bool continuous, const double *lo, const double *hi)
{
    const ukRowArrays *r = &island->rows;
    ukReport *const report = island->report;
    dReal position = report->position_error, velocity = report->velocity_error;
    for (int i = 0; i < p->rows; i++) {
        const double lambda = r->lambda[i];
        if (!r->velocity[i] && !r->discrete_only[i]) raiseResidual(&position, fabs(r->phi[i]));
        if (lo && !(lambda > lo[i] && lambda < hi[i])) continue;
        const double rate = continuous ? r->rate[i] : r->c[i] - r->cfm[i] * lambda; /* at the end of the step */
        raiseResidual(&velocity, fabs(rate - r->target[i]));
    }
    report->position_error = position;
    report->velocity_error = velocity;
}

/* Whether a step ends with the rates that rows prescribe; otherwise the rates approach them (Baumgarte), or drift. */
static bool projectsRates(const ukSettings *settings)
{
    const ukStabilization kind = settings->stabilization;
    return settings->integrator == ukIntegratorRattle || kind == ukStabilizeProjection || kind == ukStabilizeSplit;
}

/* In the discrete form: the largest error of motors that their CFM keeps from their rates, relative to these; 0 if it
 * is no more than the CFM's share of the forces that accelerate the bodies. */
static double yieldedRates(const ukIsland *island, const ukProblem *p)
{
    const ukRowArrays *r = &island->rows;
    double asked = 0, worst = 0; /* rates, in the metric of the masses */
    if (!ukAnySet(r->velocity, p->rows)) return 0;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            if (!r->velocity[i] || !island->rows.owners[k].joint || !ukRowExact(island, i)) continue;
            const double unit = ukRowUnit(p, &p->block[k], i, 0);
            asked = fmax(asked, fabs(r->target[i]) * unit);
            worst = fmax(worst, fabs(r->c[i] - r->cfm[i] * r->lambda[i] - r->target[i]) * unit);
        }
    if (!(worst > ukRateContradiction * asked) || asked == 0) return 0;
    /* A motor yields by its CFM times its force, whatever its rate is: by all of the rate of a servo that has reached
     * its target. Only forces of rows that oppose each other are larger than what the accelerations ask for. */
    return worst > ukRateContradiction * island->ideal->h * ukLargestAcceleration(p) ? worst / asked : 0;
}

/* Judges rates that contradict each other. If a user's row takes part the step fails; those of joints alone are a
 * compromise, as in the discrete form. */
static int judgeRates(ukIsland *island)
{
    const ukOutcome *outcome = island->outcome;
    const ukProblem *ideal = &island->ideal->problem;
    if (!outcome->continuous) {
        raiseResidual(&island->report->compromise, yieldedRates(island, ideal));
        return ukOk;
    }
    if (outcome->rank == island->problem->rows || !projectsRates(&island->world->settings)) return ukOk;
    const ukMissedRate by = ukRatesMissed(island, ideal, NULL);
    if (by.missed == 0) return ukOk;
    const int status = ukRatesRefuse(island, ideal, &by);
    if (by.user) return status;
    ukLog("%s; their rates are a compromise", ukErrorMessage());
    raiseResidual(&island->report->compromise, by.missed);
    return ukOk;
}

/* Gauss's function with C at the solution, (A' lambda)' M^-1 (A' lambda) of the rows without laws (Udwadia 2000 [16]).
 * Uses the scratch in which the residuals were computed. */
static double gaussianNonIdeal(const ukIsland *island, const ukResiduals *c)
{
    const ukProblem *p = &island->ideal->problem;
    double *F = island->solvers->scratch, sum = 0;
    if (island->ideal->laws == 0) return c->gaussian;
    memset(F, 0, 6 * (size_t)p->bodies * sizeof *F);
    ukProblemApplyTransposed(p, island->rows.lambda, F);
    for (int i = 0; i < p->bodies; i++, F += 6) {
        if (island->massless > 0 && island->bodies.massless[i]) continue;
        sum += ukProblemMobility(p, i, F, F);
    }
    return sum;
}

static void addResiduals(ukReport *r, const ukResiduals *c, bool satisfied)
{
    raiseResidual(&r->feasibility, c->feasibility);
    raiseResidual(&r->stationarity, c->stationarity);
    raiseResidual(&r->complementarity, c->complementarity);
    r->gaussian += c->gaussian;
    r->gaussian_ideal += c->gaussian_ideal;
    r->gaussian_nonideal += c->gaussian_nonideal;
    if (!satisfied) r->ok = 0;
}

/* Adds the residuals of the split correction's problem to those of the velocities, without its Gaussian. Returns whether
 * they are within the tolerance. */
static bool addPoseResiduals(ukReport *r, const ukResiduals *c, double tolerance)
{
    raiseResidual(&r->feasibility, c->feasibility);
    raiseResidual(&r->stationarity, c->stationarity);
    raiseResidual(&r->complementarity, c->complementarity);
    return ukResidualsHold(c, tolerance);
}

static int computeResiduals(ukIsland *island, const ukProblem *p, const ukSolution *out, ukResiduals *residuals)
{
    const int status = ukScratchReserve(island->solvers, ukGaussCheckWork(p) * sizeof(double));
    if (status != ukOk) return status;
    const bool laws = island->ideal->laws > 0;
    const ukGaussEvidence evidence = {.qdd = out->qdd,
                                      .lambda = out->lambda,
                                      .lo = p->lo ? island->rows.bound_lo : NULL,
                                      .hi = p->lo ? island->rows.bound_hi : NULL,
                                      .elliptic = ukFrictionOf(island->world) == ukFrictionElliptic,
                                      .lambda_ideal = laws ? island->rows.lambda_ideal : NULL,
                                      .massless = island->massless > 0 ? island->bodies.massless : NULL};
    ukGaussCheck(p, &evidence, island->solvers->scratch, residuals);
    return ukOk;
}

int ukSolveAgain(ukIsland *island)
{
    const ukSettings *settings = &island->world->settings;
    const ukProblem *p = island->problem;
    if (p->bodies == 0 || settings->check != ukCheckResolve) return ukOk;
    ukSolution out = ukSolutionOf(island);
    ukResiduals residuals;
    const int status = computeResiduals(island, p, &out, &residuals);
    if (status != ukOk || ukResidualsHold(&residuals, settings->check_tolerance)) return status;
    /* if this solve fails, the first solution is kept and certified as it is */
    const int again = ukSolveDense(island, p, ukDenseMInverse, island->outcome->rank_tolerance, &out);
    return again == ukErrorMemory ? again : ukOk;
}

/* A residual whose scale overflows says nothing: the step fails, whatever the check's action is, unless the check is
 * off. */
static int refuseOverflow(ukIsland *island, const ukProblem *p, const ukResiduals *c)
{
    static const char remedy[] = "choose units in which masses, lengths and forces are nearer to 1";
    for (int i = 0; i < island->frames; i++) { /* a body with a non-finite state makes the better message */
        const char *fault = ukFrameSetDamping(&island->frame[i]);
        if (fault) return ukRefuseBody(island->frame[i].body, ukErrorNotFinite, "its new %s is not finite", fault);
    }
    if (isinf(c->stationarity) && c->worst_body >= 0)
        return ukRefuseBody(island->bodies.frame[c->worst_body]->body, ukErrorNotFinite,
                            "its forces or accelerations overflow the check's scale: %s", remedy);
    for (int k = 0; k < p->blocks && c->worst_row >= 0; k++) {
        const ukBlock *block = &p->block[k];
        const ukBlockOwner *owner = island->rows.owners + k;
        const int row = c->worst_row - block->row;
        if (row < 0 || row >= block->rows) continue;
        const ukJoint *joint = owner->law ? owner->law->joint : owner->joint;
        if (joint)
            return ukRefuseJoint(joint, ukErrorNotFinite,
                                 "row %d: its coefficients or forces overflow the check's scale: %s", row + 1, remedy);
    }
    return ukRefuseProblem(island, p, ukErrorNotFinite, "magnitudes overflow the check's scale: %s", remedy);
}

static bool isUnknown(const ukResiduals *c)
{
    return isinf(c->feasibility) || isinf(c->stationarity) || isinf(c->complementarity);
}

int ukSolveCheck(ukIsland *island, bool moved)
{
    const ukSettings *settings = &island->world->settings;
    const ukProblem *p = island->problem;
    if (p->bodies == 0) return ukOk;
    ukSolution out = ukSolutionOf(island);
    if (!ukFiniteAll(out.qdd, 6 * (size_t)p->bodies))
        return ukRefuseProblem(island, p, ukErrorNotFinite, "accelerations are not finite");
    const ukOutcome *outcome = island->outcome;
    ukReport *r = island->report;
    r->rank = r->rank < 0 || outcome->rank < 0 ? -1 : r->rank + outcome->rank;
    r->active_rows += outcome->active;
    r->pivots += outcome->pivots;
    r->factorizations += outcome->passes;
    r->cfm_islands += outcome->cfm_ignored;
    raiseResidual(&r->compromise, outcome->compromise);
    raiseResidual(&r->coupling, outcome->coupling);
    sumErrors(island, &island->ideal->problem, outcome->continuous, p->lo ? island->rows.bound_lo : NULL,
              p->lo ? island->rows.bound_hi : NULL);
    int status = moved ? judgeRates(island) : ukOk;
    if (status != ukOk || settings->check == ukCheckOff) return status;

    ukResiduals residuals;
    status = computeResiduals(island, p, &out, &residuals);
    if (status != ukOk) return status;
    if (isUnknown(&residuals)) return refuseOverflow(island, p, &residuals);
    bool satisfied = ukResidualsHold(&residuals, settings->check_tolerance);
    const double servo = ukActuateError(island, out.qdd, island->solvers->scratch);
    raiseResidual(&r->feasibility, servo);
    if (!(servo <= settings->check_tolerance)) satisfied = false, residuals.feasibility = servo;
    const bool placed = addPoseResiduals(island->report, &outcome->pose, settings->check_tolerance);
    island->report->Gni += gaussianNonIdeal(island, &residuals);
    addResiduals(island->report, &residuals, satisfied && placed);
    if (satisfied && placed) return ukOk;
    if (satisfied) residuals = outcome->pose;
    ukRefuseProblem(island, p, ukErrorCheck,
                    "rejected by the Gauss check: feasibility %.2g, stationarity %.2g, complementarity %.2g",
                    residuals.feasibility, residuals.stationarity, residuals.complementarity);
    ukLog("%s", ukErrorMessage());
    return settings->check == ukCheckFallback || settings->check == ukCheckStop ? ukErrorCheck : ukOk;
}
