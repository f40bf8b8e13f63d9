/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/integrate_rk4.h"

#include <math.h>
#include <string.h>

#include "bridge/account/ledger.h"
#include "bridge/advance/projection.h"
#include "bridge/base/vector.h"
#include "bridge/island/view.h"
#include "bridge/solve/consistent.h"
#include "bridge/solve/solve.h"
#include "bridge/world/state.h"
#include "solvers/base/status.h"

/* One body's second rates at the stages: position, then rotation vector. */
typedef struct Rates {
    double a[4][6];
} Rates;
_Static_assert(sizeof(Rates) <= 48 * sizeof(double), "stepper->stage holds 48 doubles a body");

/* A state as the rates of the stages before it make it: q = node h u_0 + h^2 sum pose_j a_j, u = u_0 + h sum rate_j a_j
 */
typedef struct Stage {
    double node, pose[4], rate[4];
} Stage;

/* An explicit Nyström method: its tableau. The first stage is the start. */
typedef struct Method {
    int stages;
    Stage stage[4], end;
} Method;

static const Method rk4 = {
    .stages = 4,
    .stage = {{0},
              {.node = 0.5, .pose = {0.125}, .rate = {0.5}},
              {.node = 0.5, .pose = {0.125}, .rate = {0, 0.5}},
              {.node = 1, .pose = {0, 0, 0.5}, .rate = {0, 0, 1}}},
    .end = {.node = 1, .pose = {1.0 / 6, 1.0 / 6, 1.0 / 6}, .rate = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
};

bool ukContinuousEligible(const ukStepper *s, int index)
{
    const ukProblem *p = &s->ideal[index].problem; /* what dry friction holds is another matter */
    const size_t row0 = ukViewOf(s, p).row0;
    if (p->lo) return false;
    for (size_t row = row0; row < row0 + (size_t)p->rows; row++)
        if (s->rows.stop[row] || s->rows.cfm[row] > ukSpringCfm) return false;
    return true;
}

/* y = x + c1 q x x + c2 q x (q x x) */
static void rodrigues(const double q[3], const double x[3], double c1, double c2, double y[3])
{
    double once[3], twice[3];
    ukCross(q, x, once);
    ukCross(q, once, twice);
    for (int k = 0; k < 3; k++) y[k] = x[k] + c1 * once[k] + c2 * twice[k];
}

/* (t - sin t)/t^3 */
static double sineRest(double t, double t2)
{
    return t < 0.1 ? 1.0 / 6 - t2 / 120 + t2 * t2 / 5040 - t2 * t2 * t2 / 362880 : (t - sin(t)) / (t2 * t);
}

/* w = dexp_q u = u + c1 q x u + c2 q x (q x u),   c1 = (1 - cos t)/t^2,   c2 = (t - sin t)/t^3,   t = |q| */
static void spinOf(const double q[3], const double u[3], double w[3])
{
    const double t2 = ukDot(q, q), t = sqrt(t2), half = sin(0.5 * t);
    rodrigues(q, u, t2 > 0 ? 2 * half * half / t2 : 0.5, sineRest(t, t2), w);
}

/* u' of w' = alpha:   dexp_q u' = alpha - (c1' q x u + c2' q x (q x u) + c2 u x (q x u)) */
static void secondRate(const double q[3], const double u[3], const double alpha[3], double u_dot[3])
{
    const double t2 = ukDot(q, q), t = sqrt(t2), qu = ukDot(q, u), half = 0.5 * t;
    const bool small = t < 0.1;
    const double d1 = small ? -1.0 / 12 + t2 / 180 - t2 * t2 / 6720 + t2 * t2 * t2 / 453600
                            : (t * sin(t) - 2 + 2 * cos(t)) / (t2 * t2);
    const double d2 = small ? -1.0 / 60 + t2 / 1260 - t2 * t2 / 60480 + t2 * t2 * t2 / 4989600
                            : (3 * sin(t) - 2 * t - t * cos(t)) / (t2 * t2 * t);
    const double inverse =
        small ? 1.0 / 12 + t2 / 720 + t2 * t2 / 30240 + t2 * t2 * t2 / 1209600 : (1 - half / tan(half)) / t2;
    double once[3], twice[3], third[3], rest[3];
    ukCross(q, u, once);
    ukCross(q, once, twice);
    ukCross(u, once, third);
    for (int k = 0; k < 3; k++) rest[k] = alpha[k] - qu * (d1 * once[k] + d2 * twice[k]) - sineRest(t, t2) * third[k];
    rodrigues(q, rest, -0.5, inverse, u_dot);
}

/* q and u of one body, from its start, and the state that they are */
static void place(const ukFrame *f, const Rates *rates, const Stage *stage, double h, double q[6], double u[6],
                  ukState *out)
{
    const double *u0 = f->start.v;
    for (int k = 0; k < 6; k++) {
        q[k] = stage->node * h * u0[k];
        u[k] = u0[k];
        for (int j = 0; j < 4; j++) {
            if (stage->pose[j] != 0) q[k] += stage->pose[j] * h * h * rates->a[j][k];
            if (stage->rate[j] != 0) u[k] += stage->rate[j] * h * rates->a[j][k];
        }
    }
    *out = f->start;
    for (int k = 0; k < 3; k++) {
        out->x[k] += q[k];
        out->v[k] = u[k];
    }
    spinOf(q + 3, u + 3, out->v + 3);
    ukRotateBy(out->q, q + 3);
    ukStateOrient(out);
}

static void placeAll(ukStepper *s, const ukIsland *island, const Stage *stage, double h)
{
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &s->bodies.frames[island->frame + i];
        double q[6], u[6];
        place(f, (const Rates *)(s->bodies.stage + 48 * i), stage, h, q, u, &f->state);
    }
}

/* second rates of the solved stage */
static void record(ukStepper *s, const ukIsland *island, const double *qdd, int number, const Stage *stage, double h)
{
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &s->bodies.frames[island->frame + i];
        Rates *rates = (Rates *)(s->bodies.stage + 48 * i);
        double *a = rates->a[number], q[6], u[6];
        static const double still[6] = {0};
        const double *acceleration = f->moving >= 0 ? qdd + 6 * f->moving : still;
        ukState unused;
        place(f, rates, stage, h, q, u, &unused);
        memcpy(a, acceleration, 3 * sizeof *a);
        secondRate(q + 3, u + 3, acceleration + 3, a + 3);
    }
}

static int assembleAt(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *at)
{
    ukAssembleRewind(s, start);
    const int status = ukAssembleIsland(s, index, at);
    return status == ukOk && !ukContinuousEligible(s, index) ? ukNotContinuous : status;
}

/* whether the island has joints with running values, which advance once a step */
static bool running(const ukStepper *s, const ukIsland *island)
{
    for (int j = island->joint; j < island->joint + island->joints; j++)
        if (s->joints[j]->class->running) return true;
    return false;
}

/* At the start rows must agree. The solve for the motion leaves some out: least squares are to say who is missed. */
static int consistent(ukStepper *s, int index)
{
    if (ukSolveConsistent(s, index) == ukOk) return ukOk;
    const int status = ukSolveContinuous(s, index);
    return status == ukOk ? ukSolveConsistent(s, index) : status;
}

/* to the frames' states at the end of the step; the island stands assembled at its start */
static int stages(ukStepper *s, const Method *method, int index, const ukIslandStart *start,
                  const ukStepContext *context)
{
    const Stage *stage = method->stage;
    const ukIsland *island = &s->islands[index];
    const double h = context->rows.h;
    ukStepContext at = *context;
    for (int k = 0; k < method->stages; k++) {
        at.time = context->time + stage[k].node * h;
        at.rows.commit = k == 0;
        int status = ukOk;
        if (k > 0) placeAll(s, island, &stage[k], h);
        if (k > 0 || running(s, island)) status = assembleAt(s, index, start, &at);
        if (status == ukOk) status = ukSolveMotion(s, index);
        if (status == ukOk && k == 0) status = consistent(s, index);
        if (status != ukOk) return status;
        ukLedgerStage(s, index, h * method->end.rate[k]);
        record(s, island, s->bodies.qdd + ukViewOf(s, &s->problems[index]).column0, k, &stage[k], h);
    }
    placeAll(s, island, &method->end, h);
    return ukOk;
}

int ukIntegrateRK4(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    const ukIsland *island = &s->islands[index];
    ukStepContext at = *context;
    ukLedgerOpen(s, index);
    int status = stages(s, &rk4, index, start, context);
    at.time = context->time + context->rows.h;
    at.rows.commit = false;
    if (status == ukOk) {
        ukLedgerMark(s, index, ukMarkIntegration);
        for (int i = island->frame; i < island->frame + island->frames; i++)
            ukFrameCap(s->bodies.frames[i].body, s->bodies.frames[i].state.v);
        ukLedgerMark(s, index, ukMarkDamping);
        status = assembleAt(s, index, start, &at);
    }
    const ukStabilization kind = s->world->settings.stabilization;
    if (status == ukOk && (kind == ukStabilizeProjection || kind == ukStabilizeSplit))
        status = ukProjectIsland(s, index, start, &at);
    if (status == ukOk) {
        ukLedgerMark(s, index, ukMarkStabilization);
        status = ukSolveContinuous(s, index);
    }
    if (status == ukNotContinuous)
        for (int i = island->frame; i < island->frame + island->frames; i++)
            s->bodies.frames[i].state = s->bodies.frames[i].start;
    return status;
}
