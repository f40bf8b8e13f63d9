/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_rk4.h"

#include <math.h>

#include "bridge/integrate/cause.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/jump.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/nystrom.h"
#include "bridge/integrate/passive.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/settle.h"
#include "bridge/integrate/stability.h"
#include "bridge/integrate/tidy.h"
#include "bridge/island/island.h"
#include "bridge/island/refuse.h"
#include "bridge/island/sliding.h"
#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "solvers/base/status.h"
#include "solvers/problem/tolerance.h"

static const ukMethod rk4 = {
    .stages = 4,
    .stage = {{0},
              {.uses = 1, .node = 0.5, .pose = {0.125}, .rate = {0.5}},
              {.uses = 2, .node = 0.5, .pose = {0.125}, .rate = {0, 0.5}},
              {.uses = 3, .node = 1, .pose = {0, 0, 0.5}, .rate = {0, 0, 1}}},
    .end = {.uses = 4, .node = 1, .pose = {1.0 / 6, 1.0 / 6, 1.0 / 6}, .rate = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
};

/* Sums over the stages of a step. */
typedef struct Course {
    bool changes;          /* the stages differ in rank */
    double work, turnover; /* [J] of all but the joints' forces: work, and sum over the stages of |work| */
} Course;

/* Advances the frames to their states at the end of the step. The island is assembled at its start. */
static int computeRk4Stages(ukIsland *island, const ukMethod *method, const ukIslandStart *start,
                            const ukStepContext *context, Course *course)
{
    const ukStage *stage = method->stage;
    const double h = context->rows.h;
    ukStepContext at = *context;
    int rank = 0;
    *course = (Course){.changes = false};
    for (int k = 0; k < method->stages; k++) {
        at.time = context->time + stage[k].node * h;
        at.rows.commit = k == 0 && context->rows.commit;
        int status = ukOk;
        if (k > 0) ukNystromPlace(island, &stage[k], h);
        if (k > 0 || ukContinuousRuns(island)) status = ukContinuousAssemble(island, start, &at);
        if (status == ukOk) status = ukSolveMotion(island);
        if (status == ukOk && k == 0) status = ukContinuousConsistent(island);
        if (status != ukOk) return status;
        if (k == 0) rank = island->outcome->rank;
        course->changes |= island->outcome->rank != rank;
        const double work = h * method->end.rate[k] * ukPassivePower(island);
        course->work += work, course->turnover += fabs(work);
        ukLedgerStage(island, h * method->end.rate[k]);
        ukImpulseStage(island, h * method->end.rate[k]);
        ukNystromRecord(island, island->bodies.qdd, k, &stage[k], h);
    }
    ukNystromPlace(island, &method->end, h);
    return ukOk;
}

static bool isProjected(const ukIsland *island)
{
    const ukStabilization kind = island->world->settings.stabilization;
    return kind == ukStabilizeProjection || kind == ukStabilizeSplit;
}

/* The start of an island's step: the drift of its constraints, and its speed. */
typedef struct Before {
    double drift;        /* largest position error of the unit rows, as an angle */
    bool on_constraints; /* the drift is at rounding */
    double rate;         /* largest error of the unit rows' rates, in the metric of M like speed */
    double speed;        /* |v|_M */
    double share;        /* of the world's step */
    ukPassiveStep energy;
} Before;

static Before measureStart(const ukIsland *island, const ukStepContext *context)
{
    const double h = context->rows.h;
    const ukProblem *p = island->problem;
    Before before = {.drift = ukDrift(island, p), .speed = ukMeasureVelocity(island), .share = h / context->rows.step};
    before.energy = ukPassiveBegin(island, h);
    before.on_constraints = ukProjectedAt(island, before.drift);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double off = fabs(island->rows.rate[i] - island->rows.target[i]);
            const double rate = off > 0 ? off * ukRowUnit(p, &p->block[k], i, 0) : 0;
            if (rate > before.rate) before.rate = rate;
        }
    return before;
}

/* the speed of measure.h, at least that of the start */
static double largestSpeed(const ukIsland *island)
{
    return ukMeasureOf(island, island->ideal->h).speed;
}

/* Whether the projection has brought the pose back to the constraints, from the drift `drift`. Slow states with a drift
 * may return later, and rows that cannot be satisfied together keep their drift. */
static bool hasReturned(const ukIsland *island, const Before *before, double drift)
{
    static const double lost = 1e-6, more = 10; /* angle; multiple of the initial drift */
    static const double faster = 2;             /* multiple of the speed of measure.h */
    const double off = ukDrift(island, island->problem);
    const bool dependent = island->outcome->rank < island->problem->rows; /* then the projection may lead away */
    if (dependent && before->on_constraints && off > drift && !ukProjectedAt(island, off)) return false;
    return off <= fmax(lost, more * before->drift) || ukMeasureVelocity(island) <= faster * largestSpeed(island);
}

/* Whether the step exceeds the stability limit of the method. Two criteria: the stages disagree, |a0 - a1 -
 * a2 + a3| h/6, and the projection changes the velocity, both by fractions of the speed and its change in the step that
 * no accurate step has. An oscillation of frequency w reaches 0.2 at h w = 1.8; the method amplifies it from 2.8 on. */
static bool isUnstable(const ukIsland *island, const Before *before, double h, double moved)
{
    static const double disagree = 0.2, taken = 0.05;
    const ukProblem *p = island->problem;
    double apart = 0, added = 0;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        const ukRates *r = ukRatesOf(island, i);
        double d[6], sum[6];
        if (f->moving < 0) continue;
        for (int k = 0; k < 6; k++) {
            d[k] = h / 6 * (r->a[0][k] - r->a[1][k] - r->a[2][k] + r->a[3][k]);
            sum[k] = h / 6 * (r->a[0][k] + 2 * (r->a[1][k] + r->a[2][k]) + r->a[3][k]);
        }
        apart += ukMeasureSquare(p, f->moving, d);
        added += ukMeasureSquare(p, f->moving, sum);
    }
    const double size = before->speed + sqrt(added);
    const ukMeasure measure = ukMeasureOf(island, island->ideal->h);
    return sqrt(apart) > disagree * size && moved > taken * size + ukMeasureSpeed(&measure, 0);
}

/* Whether the step adds kinetic energy to a passive island that no force supplies, more than the island had and than
 * its forces can give a body at rest in the step, which may begin within it: an error of the method. */
static bool gainsEnergy(const ukIsland *island, const Before *before, double h, const Course *course)
{
    const double now = ukMeasureVelocity(island), was = before->speed * before->speed / 2;
    const double more = now * now / 2 - was - course->work - (was + course->turnover);
    if (!(more > 0) || !ukPassive(island)) return false;
    const double forces = h * ukMeasureForces(island);
    return more > 0.5 * forces * forces;
}

/* Rejects a step that is too long for its motion, or that passes a pose where rows become dependent or independent. The
 * criteria: the projection does not return to the constraints, or changes the velocity by more than the island's speed
 * and the speed that its accelerations can give it over its length (measure.h); the rank changes and the island ends
 * faster than its initial speed and first accelerations permit, although rows that become independent can only reduce
 * the speed; the step gains energy; it exceeds the stability limit. An island that starts with velocities that violate
 * its rows is projected to them, and may lose the energy of the violation. */
static int acceptStep(ukIsland *island, const Before *before, double drift, double h, const Course *course)
{
    static const double lost = 0.1;  /* energy error of a step, relative to its energies */
    static const double kept = 1e-6; /* relative to the speed: rates that count as satisfied */
    const ukProblem *p = island->problem;
    const double moved = p->rows > 0 ? ukSettleMoved(island) : 0;
    double error;
    if (!hasReturned(island, before, drift)) return ukProjectRefuse(island);
    const bool off = before->rate > kept * before->speed && before->rate > kept * largestSpeed(island);
    const bool more = !(moved <= before->speed) && !(moved <= largestSpeed(island));
    if (gainsEnergy(island, before, h, course)) {
        static const char why[] =
            "the step gains more kinetic energy than the bodies had at its start, beyond the work of the forces";
        return p->rows > 0 ? ukSettleRefuse(island, why) : ukRefuseProblem(island, p, ukErrorNotConverged, "%s", why);
    }
    if (!off && (more || isUnstable(island, before, h, moved)))
        return ukSettleRefuse(island, "the error of the step exceeds the motion itself");
    if (off) return ukOk;
    if (ukPassiveError(island, &before->energy, h, &error) > lost)
        return ukRefuseProblem(island, p, ukErrorNotConverged,
                               "the step changes the kinetic energy by %.3g J more than its forces' work", error);
    if (course->changes && ukMeasureVelocity(island) > before->speed + h * ukMeasureAcceleration(island))
        return ukSettleRefuse(island, "redundant rows become independent within the step, which gains energy");
    ukPassiveAddError(island, &before->energy, error, before->share);
    return ukOk;
}

/* Accelerations and multipliers at the end. If the rank has changed there may be none: no further step could start
 * there. */
static int solveStepEnd(ukIsland *island, bool changes)
{
    const int rank = island->outcome->rank;
    const int status = ukSolveContinuous(island);
    changes |= island->outcome->rank != rank;
    return status == ukOk && changes ? ukSolveConsistent(island) : status;
}

/* Above 2.8 radians of the fastest oscillation per step the method is unstable: light bodies between heavy ones
 * oscillate at a frequency that the tension determines. A step short enough may be very short: 0.2 ms is not for a rope
 * of links of 1 g with 200 kg at its end, which the adaptive integrator takes in sub-steps of a step of 10 ms. */
static const char too_long[] =
    "the step is too long for the fastest motion: use --integrator adaptive, or a step of a small fraction of this one";

int ukIntegrateRK4(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    ukStepContext at = *context;
    const Before before =
        isProjected(island) ? measureStart(island, context) : (Before){.speed = ukMeasureVelocity(island)};
    Course course;
    double drift = 0;
    *done = context->rows.h;
    ukLedgerOpen(island);
    ukImpulseOpen(island);
    int status = computeRk4Stages(island, &rk4, start, context, &course);
    at.time = context->time + context->rows.h;
    at.rows.commit = false;
    if (status == ukOk) status = ukSettle(island, start, &at, NULL, INFINITY, &drift);
    const bool settled = status == ukOk;
    if (settled)
        status = ukStabilityOfDampers(island, context->rows.h, before.speed, ukMeasureVelocity(island) > before.speed);
    const bool slides = settled && status != ukOk && ukSlidingJoint(island);
    if (status == ukOk && isProjected(island)) status = acceptStep(island, &before, drift, context->rows.h, &course);
    if (status == ukOk) status = solveStepEnd(island, course.changes);
    if (status == ukNotContinuous) ukContinuousReset(island);
    return ukProjectAdvise(island, status, slides ? ukSlidingRemedy : too_long);
}

/* whether the assembled island has a drift that the world's stabilization corrects */
static bool hasDrift(const ukIsland *island)
{
    return isProjected(island) && island->problem->rows > 0 && ukDrift(island, island->problem) > ukJumpMeets;
}

int ukRK4Tidy(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    return hasDrift(island) ? ukTidyStart(island, start, context, false) : ukOk;
}

int ukIntegrateRK4Step(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    ukStepContext at = *context;
    double done;
    for (int i = 0; i < island->frames; i++) island->states.base[i] = island->frame[i].start;
    int status = ukRK4Tidy(island, start, context);
    at.rows.apart = context->rows.apart && (!isProjected(island) || hasDrift(island));
    if (status == ukOk) status = ukIntegrateRK4(island, start, &at, &done);
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->states.base[i];
    if (status != ukOk) ukContinuousReset(island);
    return status;
}
