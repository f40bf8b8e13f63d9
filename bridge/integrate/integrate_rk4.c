/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_rk4.h"

#include <math.h>

#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/jump.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/nystrom.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/settle.h"
#include "bridge/integrate/tidy.h"
#include "bridge/island/island.h"
#include "bridge/island/refuse.h"
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

/* What the stages tell of a step. */
typedef struct Course {
    bool changes;          /* not all have the same rank */
    double work, turnover; /* of the forces but those of joints: their sum, and that of the stages' magnitudes [J] */
} Course;

/* the power of the forces that the stage is assembled with; gyroscopic torques have none */
static double power(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    double sum = 0;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        for (int k = 0; f->moving >= 0 && k < 6; k++) sum += p->Q[6 * f->moving + k] * f->state.v[k];
    }
    return sum;
}

/* To the frames' states at the end of the step; the island stands assembled at its start. */
static int stages(ukIsland *island, const ukMethod *method, const ukIslandStart *start, const ukStepContext *context,
                  Course *course)
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
        const double work = h * method->end.rate[k] * power(island);
        course->work += work, course->turnover += fabs(work);
        ukLedgerStage(island, h * method->end.rate[k]);
        ukImpulseStage(island, h * method->end.rate[k]);
        ukNystromRecord(island, island->bodies.qdd, k, &stage[k], h);
    }
    ukNystromPlace(island, &method->end, h);
    return ukOk;
}

static bool projects(const ukIsland *island)
{
    const ukStabilization kind = island->world->settings.stabilization;
    return kind == ukStabilizeProjection || kind == ukStabilizeSplit;
}

/* Where a step of an island begins: how far it is off its constraints, and how fast it is. */
typedef struct Before {
    double drift; /* an angle */
    bool held;    /* drift is rounding */
    double rate;  /* the largest of its unit rows: in the metric of M, as is */
    double speed;
} Before;

/* |x|_M of the frames' velocities, or of their first accelerations */
static double normOf(const ukIsland *island, bool velocities)
{
    const ukProblem *p = island->problem;
    double sum = 0;
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &island->frame[i];
        if (f->moving < 0) continue;
        const double *x = velocities ? f->state.v : ukRatesOf(island, i)->a[0];
        sum += ukMeasureSquare(p, f->moving, x);
    }
    return sqrt(sum);
}

static Before lookRk4(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    Before before = {.drift = ukDrift(island, p), .speed = normOf(island, true)};
    before.held = ukProjectedAt(island, before.drift);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double off = fabs(island->rows.rate[i] - island->rows.target[i]);
            const double rate = off > 0 ? off * ukRowUnit(p, &p->block[k], i, 0) : 0;
            if (rate > before.rate) before.rate = rate;
        }
    return before;
}

/* the speed of measure.h, at least that of the start */
static double most(const ukIsland *island)
{
    return ukMeasureOf(island, island->ideal->h).speed;
}

/* Whether the projection, which found the island off by `drift`, has brought its pose back. Slow states that are off may
 * come back later, and rows that cannot all be met stay off. */
static bool placed(const ukIsland *island, const Before *before, double drift)
{
    static const double lost = 1e-6, more = 10; /* an angle; times what it began with */
    static const double faster = 2;             /* times the speed of measure.h */
    const double off = ukDrift(island, island->problem);
    const bool dependent = island->outcome->rank < island->problem->rows; /* where it may lead off */
    if (dependent && before->held && off > drift && !ukProjectedAt(island, off)) return false;
    return off <= fmax(lost, more * before->drift) || normOf(island, true) <= faster * most(island);
}

/* Whether the step is beyond what the method is stable for: its stages disagree, |a0 - a1 - a2 + a3| h/6, and the projection
 * takes from the velocity, both by parts of the speed and what the step adds to it that no accurate step has: of a swing of
 * w, 0.2 is reached at h w of 1.8, and the method amplifies from 2.8 on. */
static bool unstable(const ukIsland *island, const Before *before, double h, double moved)
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

/* whether all rows are of joints that ask for no rate, under no law: they do no work */
static bool isPassive(const ukIsland *island)
{
    const ukProblem *p = island->problem;
    const double *target = island->rows.target;
    const ukBlockOwner *owner = island->rows.owners;
    if (island->ideal->laws > 0) return false;
    for (int k = 0; k < p->blocks; k++)
        if (!owner[k].joint || owner[k].law) return false;
    for (int i = 0; i < p->rows; i++)
        if (target[i] != 0) return false;
    return true;
}

/* Whether the step adds to the kinetic energy of a passive island what no force gives it: the method's error, and more
 * than there was. */
static bool gains(const ukIsland *island, const Before *before, const Course *course)
{
    const double now = normOf(island, true), was = before->speed * before->speed / 2;
    return now * now / 2 - was - course->work > was + course->turnover && isPassive(island);
}

/* A step too long for its motion, or through a pose where rows begin to depend on others or cease to, is none where the
 * projection does not bring it back, or does so by a velocity larger than all that the island has and its accelerations
 * can give it over its length (measure.h). Nor is one in which the rank changes, if the island ends faster than it was
 * and its first accelerations could make it: rows that come in where others go can only take from these; nor one that
 * gains energy, or is beyond the method's stability. What begins with other velocities than its rows ask for is brought
 * to them, and may then lose what it had beyond. */
static int accept(ukIsland *island, const Before *before, double drift, double h, const Course *course)
{
    static const double kept = 1e-6; /* of the speed: rates that are met */
    const ukProblem *p = island->problem;
    const double moved = p->rows > 0 ? ukSettleMoved(island) : 0;
    if (!placed(island, before, drift)) return ukProjectRefuse(island);
    const bool off = before->rate > kept * before->speed && before->rate > kept * most(island);
    const bool more = !(moved <= before->speed) && !(moved <= most(island));
    if (gains(island, before, course)) {
        static const char why[] = "the step adds more than the initial kinetic energy, beyond the work of the forces";
        return p->rows > 0 ? ukSettleRefuse(island, why) : ukRefuseProblem(island, p, ukErrorNotConverged, "%s", why);
    }
    if (!off && (more || unstable(island, before, h, moved)))
        return ukSettleRefuse(island, "the error of the step exceeds the motion itself");
    if (off) return ukOk;
    if (course->changes && normOf(island, true) > before->speed + h * normOf(island, false))
        return ukSettleRefuse(island, "redundant rows become independent within the step, which gains energy");
    return ukOk;
}

/* Accelerations and multipliers at the end. Where the rank has changed there may be none: no step could begin there. */
static int concludeRk4(ukIsland *island, bool changes)
{
    const int rank = island->outcome->rank;
    const int status = ukSolveContinuous(island);
    changes |= island->outcome->rank != rank;
    return status == ukOk && changes ? ukSolveConsistent(island) : status;
}

/* Beyond 2.8 radians of the fastest motion a step the method is unstable: light bodies between heavy ones swing as fast
 * as the tension makes them. */
static const char too_long[] =
    "the step is too long for the fastest motion: take a shorter one, or --integrator adaptive";

int ukIntegrateRK4(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    ukStepContext at = *context;
    const Before before = projects(island) ? lookRk4(island) : (Before){0};
    Course course;
    double drift = 0;
    *done = context->rows.h;
    ukLedgerOpen(island);
    ukImpulseOpen(island);
    int status = stages(island, &rk4, start, context, &course);
    at.time = context->time + context->rows.h;
    at.rows.commit = false;
    if (status == ukOk) status = ukSettle(island, start, &at, NULL, INFINITY, &drift);
    if (status == ukOk && projects(island)) status = accept(island, &before, drift, context->rows.h, &course);
    if (status == ukOk) status = concludeRk4(island, course.changes);
    if (status == ukNotContinuous) ukContinuousReset(island);
    return ukProjectAdvise(island, status, too_long);
}

/* whether the assembled island is off, where the world's stabilization brings it back */
static bool apart(const ukIsland *island)
{
    return projects(island) && island->problem->rows > 0 && ukDrift(island, island->problem) > ukJumpMeets;
}

int ukRK4Tidy(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    return apart(island) ? ukTidyStart(island, start, context, false) : ukOk;
}

int ukIntegrateRK4Step(ukIsland *island, const ukIslandStart *start, const ukStepContext *context)
{
    ukStepContext at = *context;
    double done;
    for (int i = 0; i < island->frames; i++) island->states.base[i] = island->frame[i].start;
    int status = ukRK4Tidy(island, start, context);
    at.rows.apart = context->rows.apart && (!projects(island) || apart(island));
    if (status == ukOk) status = ukIntegrateRK4(island, start, &at, &done);
    for (int i = 0; i < island->frames; i++) island->frame[i].start = island->states.base[i];
    if (status != ukOk) ukContinuousReset(island);
    return status;
}
