/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_rk4.h"

#include <math.h>

#include "bridge/results/impulse.h"
#include "bridge/results/ledger.h"
#include "bridge/integrate/continuous.h"
#include "bridge/integrate/jump.h"
#include "bridge/integrate/measure.h"
#include "bridge/integrate/nystrom.h"
#include "bridge/integrate/projection.h"
#include "bridge/integrate/settle.h"
#include "bridge/integrate/tidy.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/island/refuse.h"
#include "bridge/island/view.h"
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
static double power(const ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    double sum = 0;
    for (int i = 0; i < s->islands[index].frames; i++) {
        const ukFrame *f = &s->bodies.frames[s->islands[index].frame + i];
        for (int k = 0; f->moving >= 0 && k < 6; k++) sum += p->Q[6 * f->moving + k] * f->state.v[k];
    }
    return sum;
}

/* To the frames' states at the end of the step; the island stands assembled at its start. */
static int stages(ukStepper *s, const ukMethod *method, int index, const ukIslandStart *start,
                  const ukStepContext *context, Course *course)
{
    const ukStage *stage = method->stage;
    const ukIsland *island = &s->islands[index];
    const double h = context->rows.h;
    ukStepContext at = *context;
    int rank = 0;
    *course = (Course){.changes = false};
    for (int k = 0; k < method->stages; k++) {
        at.time = context->time + stage[k].node * h;
        at.rows.commit = k == 0 && context->rows.commit;
        int status = ukOk;
        if (k > 0) ukNystromPlace(s, island, &stage[k], h);
        if (k > 0 || ukContinuousRuns(s, island)) status = ukContinuousAssemble(s, index, start, &at);
        if (status == ukOk) status = ukSolveMotion(s, index);
        if (status == ukOk && k == 0) status = ukContinuousConsistent(s, index);
        if (status != ukOk) return status;
        if (k == 0) rank = s->outcomes[index].rank;
        course->changes |= s->outcomes[index].rank != rank;
        const double work = h * method->end.rate[k] * power(s, index);
        course->work += work, course->turnover += fabs(work);
        ukLedgerStage(s, index, h * method->end.rate[k]);
        ukImpulseStage(s, index, h * method->end.rate[k]);
        ukNystromRecord(s, island, s->bodies.qdd + ukViewOf(s, &s->problems[index]).column0, k, &stage[k], h);
    }
    ukNystromPlace(s, island, &method->end, h);
    return ukOk;
}

static bool projects(const ukStepper *s)
{
    const ukStabilization kind = s->world->settings.stabilization;
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
static double normOf(const ukStepper *s, int index, bool velocities)
{
    const ukProblem *p = &s->problems[index];
    double sum = 0;
    for (int i = 0; i < s->islands[index].frames; i++) {
        const ukFrame *f = &s->bodies.frames[s->islands[index].frame + i];
        if (f->moving < 0) continue;
        const double *x = velocities ? f->state.v : ukRatesOf(s, i)->a[0];
        sum += ukMeasureSquare(p, f->moving, x);
    }
    return sqrt(sum);
}

static Before look(const ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = ukViewOf(s, p).row0;
    Before before = {.drift = ukDrift(s, p), .speed = normOf(s, index, true)};
    before.held = ukProjectedAt(s, index, before.drift);
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const double off = fabs(s->rows.rate[row0 + (size_t)i] - s->rows.target[row0 + (size_t)i]);
            const double rate = off > 0 ? off * ukRowUnit(p, &p->block[k], i, 0) : 0;
            if (rate > before.rate) before.rate = rate;
        }
    return before;
}

/* the speed of measure.h, at least that of the start */
static double most(const ukStepper *s, int index)
{
    return ukMeasureOf(s, index, s->ideal[index].h).speed;
}

/* Whether the projection, which found the island off by `drift`, has brought its pose back. Slow states that are off may
 * come back later, and rows that cannot all be met stay off. */
static bool placed(const ukStepper *s, int index, const Before *before, double drift)
{
    static const double lost = 1e-6, more = 10; /* an angle; times what it began with */
    static const double faster = 2;             /* times the speed of measure.h */
    const double off = ukDrift(s, &s->problems[index]);
    const bool dependent = s->outcomes[index].rank < s->problems[index].rows; /* where it may lead off */
    if (dependent && before->held && off > drift && !ukProjectedAt(s, index, off)) return false;
    return off <= fmax(lost, more * before->drift) || normOf(s, index, true) <= faster * most(s, index);
}

/* Whether the step is beyond what the method is stable for: its stages disagree, |a0 - a1 - a2 + a3| h/6, and the projection
 * takes from the velocity, both by parts of the speed and what the step adds to it that no accurate step has: of a swing of
 * w, 0.2 is reached at h w of 1.8, and the method amplifies from 2.8 on. */
static bool unstable(const ukStepper *s, int index, const Before *before, double h, double moved)
{
    static const double disagree = 0.2, taken = 0.05;
    const ukProblem *p = &s->problems[index];
    double apart = 0, added = 0;
    for (int i = 0; i < s->islands[index].frames; i++) {
        const ukFrame *f = &s->bodies.frames[s->islands[index].frame + i];
        const ukRates *r = ukRatesOf(s, i);
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
    const ukMeasure measure = ukMeasureOf(s, index, s->ideal[index].h);
    return sqrt(apart) > disagree * size && moved > taken * size + ukMeasureSpeed(&measure, 0);
}

/* whether all rows are of joints that ask for no rate, under no law: they do no work */
static bool isPassive(const ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const double *target = s->rows.target + ukViewOf(s, p).row0;
    const ukBlockOwner *owner = s->rows.owners + ukViewOf(s, p).block0;
    if (s->ideal[index].laws > 0) return false;
    for (int k = 0; k < p->blocks; k++)
        if (!owner[k].joint || owner[k].law) return false;
    for (int i = 0; i < p->rows; i++)
        if (target[i] != 0) return false;
    return true;
}

/* Whether the step adds to the kinetic energy of a passive island what no force gives it: the method's error, and more
 * than there was. */
static bool gains(const ukStepper *s, int index, const Before *before, const Course *course)
{
    const double now = normOf(s, index, true), was = before->speed * before->speed / 2;
    return now * now / 2 - was - course->work > was + course->turnover && isPassive(s, index);
}

/* A step too long for its motion, or through a pose where rows begin to depend on others or cease to, is none where the
 * projection does not bring it back, or does so by a velocity larger than all that the island has and its accelerations
 * can give it over its length (measure.h). Nor is one in which the rank changes, if the island ends faster than it was
 * and its first accelerations could make it: rows that come in where others go can only take from these; nor one that
 * gains energy, or is beyond the method's stability. What begins with other velocities than its rows ask for is brought
 * to them, and may then lose what it had beyond. */
static int accept(ukStepper *s, int index, const Before *before, double drift, double h, const Course *course)
{
    static const double kept = 1e-6; /* of the speed: rates that are met */
    const ukProblem *p = &s->problems[index];
    const double moved = p->rows > 0 ? ukSettleMoved(s, index) : 0;
    if (!placed(s, index, before, drift)) return ukProjectRefuse(s, index);
    const bool off = before->rate > kept * before->speed && before->rate > kept * most(s, index);
    const bool more = !(moved <= before->speed) && !(moved <= most(s, index));
    if (gains(s, index, before, course)) {
        static const char why[] = "the step adds more than the initial kinetic energy, beyond the work of the forces";
        return p->rows > 0 ? ukSettleRefuse(s, index, why) : ukRefuseProblem(s, p, ukErrorNotConverged, "%s", why);
    }
    if (!off && (more || unstable(s, index, before, h, moved)))
        return ukSettleRefuse(s, index, "the error of the step exceeds the motion itself");
    if (off) return ukOk;
    if (course->changes && normOf(s, index, true) > before->speed + h * normOf(s, index, false))
        return ukSettleRefuse(s, index, "redundant rows become independent within the step, which gains energy");
    return ukOk;
}

/* Accelerations and multipliers at the end. Where the rank has changed there may be none: no step could begin there. */
static int conclude(ukStepper *s, int index, bool changes)
{
    const int rank = s->outcomes[index].rank;
    const int status = ukSolveContinuous(s, index);
    changes |= s->outcomes[index].rank != rank;
    return status == ukOk && changes ? ukSolveConsistent(s, index) : status;
}

/* Beyond 2.8 radians of the fastest motion a step the method is unstable: light bodies between heavy ones swing as fast
 * as the tension makes them. */
static const char too_long[] =
    "the step is too long for the fastest motion: take a shorter one, or --integrator adaptive";

int ukIntegrateRK4(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context, double *done)
{
    ukStepContext at = *context;
    const Before before = projects(s) ? look(s, index) : (Before){0};
    Course course;
    double drift = 0;
    *done = context->rows.h;
    ukLedgerOpen(s, index);
    ukImpulseOpen(s, index);
    int status = stages(s, &rk4, index, start, context, &course);
    at.time = context->time + context->rows.h;
    at.rows.commit = false;
    if (status == ukOk) status = ukSettle(s, index, start, &at, NULL, INFINITY, &drift);
    if (status == ukOk && projects(s)) status = accept(s, index, &before, drift, context->rows.h, &course);
    if (status == ukOk) status = conclude(s, index, course.changes);
    if (status == ukNotContinuous) ukContinuousReset(s, index);
    return ukProjectAdvise(s, index, status, too_long);
}

/* whether the assembled island is off, where the world's stabilization brings it back */
static bool apart(const ukStepper *s, int index)
{
    return projects(s) && s->problems[index].rows > 0 && ukDrift(s, &s->problems[index]) > ukJumpMeets;
}

int ukRK4Tidy(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    return apart(s, index) ? ukTidyStart(s, index, start, context, false) : ukOk;
}

int ukIntegrateRK4Step(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    const ukIsland *island = &s->islands[index];
    ukStepContext at = *context;
    double done;
    for (int i = island->frame; i < island->frame + island->frames; i++) s->bodies.base[i] = s->bodies.frames[i].start;
    int status = ukRK4Tidy(s, index, start, context);
    at.rows.apart = context->rows.apart && (!projects(s) || apart(s, index));
    if (status == ukOk) status = ukIntegrateRK4(s, index, start, &at, &done);
    for (int i = island->frame; i < island->frame + island->frames; i++) s->bodies.frames[i].start = s->bodies.base[i];
    if (status != ukOk) ukContinuousReset(s, index);
    return status;
}
