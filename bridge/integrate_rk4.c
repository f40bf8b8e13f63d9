#include "bridge/integrate_rk4.h"

#include <math.h>
#include <string.h>

#include "bridge/feedback.h"
#include "bridge/log.h"
#include "bridge/projection.h"
#include "bridge/rows.h"
#include "bridge/solve.h"
#include "solvers/status.h"

/* One body's slopes at a stage: position, rotation vector, velocity. */
typedef struct Slope {
    double x[3], theta[3], v[6];
} Slope;
_Static_assert(sizeof(Slope) == 12 * sizeof(double), "stepper->stage holds 12 doubles a body and stage");

bool ukContinuousEligible(const ukStepper *s, int index)
{
    const ukProblem *p = &s->problems[index];
    const size_t row0 = (size_t)(p->b - s->b);
    if (p->lo) return false;
    for (int k = 0; k < p->blocks; k++) {
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            const size_t row = row0 + (size_t)i;
            if (s->stop[row] || s->cfm[row] > ukSpringCfm) return false;
        }
    }
    return true;
}

/* dexp^-1(theta) w = w - theta x w / 2 + k theta x (theta x w), k = 1/t^2 - cot(t/2)/(2 t): spatial angular velocity */
static void dexpInverse(const double theta[3], const double w[3], double out[3])
{
    double once[3], twice[3];
    const double t2 = ukDot(theta, theta), t = sqrt(t2);
    const double k = t < 1e-2 ? 1.0 / 12 + t2 / 720 : 1 / t2 - 0.5 * cos(0.5 * t) / (t * sin(0.5 * t));
    ukCross(theta, w, once);
    ukCross(theta, once, twice);
    for (int i = 0; i < 3; i++) out[i] = w[i] - 0.5 * once[i] + k * twice[i];
}

/* the state at start + sum of weight[j] * slope[j] */
static void place(const ukFrame *f, const Slope *slope, int stages, const double *weight, ukState *out, double theta[3])
{
    *out = f->start;
    for (int i = 0; i < 3; i++) theta[i] = 0;
    for (int j = 0; j < stages; j++) {
        for (int i = 0; i < 3; i++) {
            out->x[i] += weight[j] * slope[j].x[i];
            theta[i] += weight[j] * slope[j].theta[i];
        }
        for (int i = 0; i < 6; i++) out->v[i] += weight[j] * slope[j].v[i];
    }
    ukRotateBy(out->q, theta);
    ukStateOrient(out);
}

/* states of all bodies at the weights of a stage */
static void placeAll(ukStepper *s, const ukIsland *island, int stages, const double *weight)
{
    for (int i = 0; i < island->frames; i++) {
        ukFrame *f = &s->frames[island->frame + i];
        double theta[3];
        place(f, (const Slope *)s->stage + 4 * i, stages, weight, &f->state, theta);
    }
}

/* slopes at the assembled and solved stage */
static void slopes(ukStepper *s, const ukIsland *island, const double *qdd, int stage, const double *weight)
{
    for (int i = 0; i < island->frames; i++) {
        const ukFrame *f = &s->frames[island->frame + i];
        Slope *slope = (Slope *)s->stage + 4 * i;
        double theta[3];
        ukState unused;
        place(f, slope, stage, weight, &unused, theta);
        memcpy(slope[stage].x, f->state.v, sizeof slope[stage].x);
        dexpInverse(theta, f->state.v + 3, slope[stage].theta);
        if (f->moving >= 0)
            memcpy(slope[stage].v, qdd + 6 * f->moving, sizeof slope[stage].v);
        else
            memset(slope[stage].v, 0, sizeof slope[stage].v);
    }
}

int ukIntegrateRK4(ukStepper *s, int index, const ukIslandStart *start, const ukStepContext *context)
{
    static const double node[4] = {0, 0.5, 0.5, 1};
    const ukIsland *island = &s->islands[index];
    const double h = context->rows.h;
    ukStepContext at = *context;
    int status = ukOk;
    for (int stage = 0; stage < 4; stage++) {
        double weight[4] = {0};
        if (stage > 0) weight[stage - 1] = node[stage] * h;
        at.time = context->time + node[stage] * h;
        at.rows.commit = stage == 0;
        placeAll(s, island, stage, weight);
        ukAssembleRewind(s, start);
        status = ukAssembleIsland(s, index, &at);
        if (status == ukOk) status = ukSolveContinuous(s, index);
        if (status != ukOk) return status;
        slopes(s, island, s->qdd + (s->problems[index].Q - s->Q), stage, weight);
    }
    const double weight[4] = {h / 6, h / 3, h / 3, h / 6};
    placeAll(s, island, 4, weight);
    at.time = context->time + h;
    for (int i = island->frame; i < island->frame + island->frames; i++)
        ukFrameCap(s->frames[i].body, s->frames[i].state.v);
    if (s->world->settings.stabilization == ukStabilizeProjection) {
        status = ukProjectIsland(s, index, start, &at);
    } else {
        ukAssembleRewind(s, start);
        status = ukAssembleIsland(s, index, &at);
    }
    if (status == ukOk) status = ukSolveContinuous(s, index);
    return status;
}
