/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/linearize.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "bridge/base/vector.h"
#include "plugin/analysis/tangent_columns.h"
#include "plugin/analysis/transport.h"
#include "plugin/analysis/trial.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* Changes of trials are halved from `coarse_change`: this angle, or part of the world's length; rates by as much per
 * 1/rate. Trials may fail beyond `largest_change`, and those of a step with one-sided forces begin there. A column is
 * accurate `enough` where its error is estimated below this part of its largest entry. */
static const double coarse_change = 0.256, largest_change = 2e-3, enough = 1e-13;

/* Bytes of the line about switches within a step. */
enum { NoteSize = 256 };

/* Halvings of the change and orders 2, 4 ... of the extrapolation. */
enum { Levels = 14, Orders = 6 };

/* A linearization under way. */
typedef struct Linearize {
    ukTrials t;
    ukLinearization out;
    double *A, *B, *C, *D, *f;
    char *activity;
    double *base, *side[2], *column, *error, *off_by; /* (results) each */
    double *slope[2][Orders]; /* (results) of this change and the one before, extrapolated to orders 2, 4 ... */
    double *xi, *eta;         /* (positions), (velocities) */
    double off[2][2];         /* errors of [state, outputs] by [state, input] */
    double bend[2];           /* half of what one-sided slopes of the state differ by, at the last change and before */
    double widest;            /* the largest such difference that does not shrink with the change */
    int kinks;                /* columns with one */
} Linearize;

static void endTrials(Linearize *l)
{
    ukTrialsEnd(&l->t, ukOk);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void carveResult(Linearize *l, double **Nq, double **Nv, dBodyID **body, ukArena *a)
{
    const size_t p = (size_t)l->out.positions, v = (size_t)l->out.velocities, n = p + v;
    const size_t in = (size_t)l->out.inputs, outputs = (size_t)l->out.outputs, bodies = (size_t)l->out.bodies;
    l->A = ukArenaDoubles(a, n * n);
    l->B = ukArenaDoubles(a, n * in);
    l->C = ukArenaDoubles(a, outputs * n);
    l->D = ukArenaDoubles(a, outputs * in);
    l->f = ukArenaDoubles(a, n);
    *Nq = ukArenaDoubles(a, p * 6 * bodies);
    *Nv = ukArenaDoubles(a, v * 6 * bodies);
    *body = ukArenaBytes(a, (bodies + 1) * sizeof **body);
    l->activity = ukArenaBytes(a, strlen(l->t.activity) + NoteSize);
    l->base = ukArenaDoubles(a, n + outputs);
    for (int i = 0; i < 2; i++) l->side[i] = ukArenaDoubles(a, n + outputs);
    for (int i = 0; i < 2 * Orders; i++) l->slope[i % 2][i / 2] = ukArenaDoubles(a, n + outputs);
    l->off_by = ukArenaDoubles(a, n + outputs);
    l->column = ukArenaDoubles(a, n + outputs);
    l->error = ukArenaDoubles(a, n + outputs);
    l->xi = ukArenaDoubles(a, p);
    l->eta = ukArenaDoubles(a, v);
}

/* Allocates the result, and stores all but the matrices. */
static int reserveLinearize(Linearize *l, ukAnalysis as)
{
    const ukCoordinates *const c = &l->t.c;
    double *Nq, *Nv;
    dBodyID *body;
    ukArena arena = ukArenaOver(NULL, 0);
    carveResult(l, &Nq, &Nv, &body, &arena);
    void *const memory = ukArenaAllocate(&arena);
    if (!memory) return ukErrorSet(ukErrorMemory, "no memory for a linearization (bodies: %d)", c->bodies);
    void **const keeper = &l->t.world->stepper->analysis[as];
    free(*keeper);
    *keeper = memory;
    carveResult(l, &Nq, &Nv, &body, &arena);
    memcpy(Nq, c->Nq, (size_t)(c->positions * c->n) * sizeof *Nq);
    memcpy(Nv, c->Nv, (size_t)(c->velocities * c->n) * sizeof *Nv);
    for (int k = 0; k < c->bodies; k++) body[k] = l->t.body[k]->handle;
    strcpy(l->activity, l->t.activity);
    l->out.Nq = Nq, l->out.Nv = Nv, l->out.body = body;
    l->out.A = l->A, l->out.B = l->B, l->out.C = l->C, l->out.D = l->D, l->out.f = l->f;
    l->out.activity = l->activity;
    return ukOk;
}

/* ---- differences ------------------------------------------------------------------------------------------------- */

static double largestOf(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

/* r(to) - r(from); angles without whole turns */
static double changeOf(const Linearize *l, int i, double from, double to)
{
    const int output = i - l->out.positions - l->out.velocities;
    return output < 0 ? to - from : ukSignalDifference(&l->t.out[output], from, to);
}

/* The slopes of the results at a change of +-e, to slope (results). */
static int differentiateAt(Linearize *l, const ukTrialPoint *point, double *vary, double e, double *slope)
{
    int status = ukOk;
    for (int side = 0; side < 2 && status == ukOk; side++) {
        *vary = side == 0 ? -e : e;
        status = ukTrialEvaluate(&l->t, point, l->side[side]);
    }
    *vary = 0;
    for (int i = 0; i < ukTrialsResults(&l->t) && status == ukOk; i++)
        slope[i] = changeOf(l, i, l->side[0][i], l->side[1][i]) / (2 * e);
    l->bend[1] = l->bend[0], l->bend[0] = 0;
    for (int i = 0; i < l->out.positions + l->out.velocities && status == ukOk; i++)
        l->bend[0] = fmax(l->bend[0], fabs(l->side[0][i] + l->side[1][i]) / (2 * e));
    return status;
}

/* Extrapolates the slopes at a change to order 2 (k + 1), by those at twice the change. l->off_by: the difference to
 * the next lower order, and `rounding` of the results; returns the largest. */
static double extrapolateTrials(Linearize *l, int level, int k, double rounding)
{
    double *const *const now = l->slope[level % 2], *const *const before = l->slope[(level + 1) % 2];
    const double power = pow(4, k);
    double most = 0;
    for (int i = 0; i < ukTrialsResults(&l->t); i++) {
        const double x = (power * now[k - 1][i] - before[k - 1][i]) / (power - 1);
        now[k][i] = x;
        l->off_by[i] = rounding * fabs(l->base[i]) + fabs(x - now[k - 1][i]);
        most = fmax(most, l->off_by[i]);
    }
    return most;
}

/* Counts a column of a step whose one-sided slopes differ at the present state, where results are 0: the difference of
 * a smooth function halves with the change. */
static void countKink(Linearize *l, int levels, double rounding)
{
    static const double shrinks = 0.75, noise = 1e3;
    const int n = l->out.positions + l->out.velocities;
    if (l->t.h == 0 || levels < 2 || !(l->bend[0] > shrinks * l->bend[1])) return;
    if (!(l->bend[0] > noise * rounding * fmax(largestOf(l->base, n), largestOf(l->column, n)))) return;
    l->kinks++;
    l->widest = fmax(l->widest, 2 * l->bend[0] / largestOf(l->column, n));
}

/* `vary`, the coordinate or amount of `point` that is varied, by halves of `step`: l->column and l->error. Ridders'
 * method (Advances in Engineering Software 4, 1982): of all extrapolations of the central differences that of the least
 * estimated error is taken. Ends where rounding is the larger part of the error. */
static int differentiateState(Linearize *l, const ukTrialPoint *point, double *vary, double step)
{
    const int results = ukTrialsResults(&l->t);
    const double coarse = l->t.sided && l->t.h > 0 ? step : step * coarse_change / largest_change;
    const double size = largestOf(l->base, results);
    double least = INFINITY, last = 0;
    int levels = 0;
    for (int level = 0; level < Levels; level++) {
        const double e = ldexp(coarse, -level), rounding = 16 * DBL_EPSILON / e;
        const int status = differentiateAt(l, point, vary, e, l->slope[levels % 2][0]);
        if (status != ukOk && e <= step) return status;
        if (status != ukOk) {
            levels = 0, least = INFINITY;
            continue;
        }
        for (int k = 1; k <= levels && k < Orders; k++) {
            const double off = extrapolateTrials(l, levels, k, rounding);
            if (off >= least) continue;
            least = off;
            memcpy(l->column, l->slope[levels % 2][k], (size_t)results * sizeof *l->column);
            memcpy(l->error, l->off_by, (size_t)results * sizeof *l->error);
        }
        levels++;
        last = rounding;
        if (least <= fmax(enough * largestOf(l->column, results), 2 * rounding * size)) break;
    }
    countKink(l, levels, last);
    return ukOk;
}

/* Stores the result in column j of the matrices of states and outputs, both `columns` wide. */
static void storeColumn(Linearize *l, double *of_state, double *of_output, int columns, int j, bool input)
{
    const int n = l->out.positions + l->out.velocities;
    for (int i = 0; i < ukTrialsResults(&l->t); i++) {
        const bool output = i >= n;
        (output ? of_output + (i - n) * columns : of_state + i * columns)[j] = l->column[i];
        l->off[output][input] = fmax(l->off[output][input], l->error[i]);
    }
}

/* The largest angle, or displacement over the world's length, of a unit of a motion N (n). */
static double reachOf(const Linearize *l, const double *N)
{
    double most = 0;
    for (int k = 0; k < l->out.bodies; k++)
        for (int i = 0; i < 6; i++) most = fmax(most, fabs(N[6 * k + i]) / (i < 3 ? l->t.length : 1));
    return most > 0 ? most : 1;
}

/* Converts a deviation of the pose into one from the motion: a body that spins with w carries its deviation along,
 * d(theta)/dt = dw + w x theta. Adds it to the column of xi_j. */
static void addCarried(Linearize *l, int j)
{
    const ukCoordinates *const c = &l->t.c;
    double *const carried = l->t.dq;
    for (int k = 0; k < c->bodies; k++) {
        const double *const w = c->state[k].v + 3, *const theta = c->Nq + j * c->n + 6 * k + 3;
        double *const to = carried + 6 * k;
        to[0] = to[1] = to[2] = 0;
        ukCross(w, theta, to + 3);
    }
    ukCoordinatesOfPose(c, carried, l->xi);
    for (int i = 0; i < c->positions; i++) {
        l->column[i] += l->xi[i];
        l->xi[i] = 0;
    }
}

/* Factor of the differences of a step with one-sided forces, which a larger difference would release. */
static double stepReduction(const Linearize *l, int power)
{
    if (!l->t.sided || l->t.h == 0) return 1;
    return pow(fmin(1, 3 * l->t.h * l->t.rate), power);
}

static int stateColumns(Linearize *l)
{
    const ukCoordinates *const c = &l->t.c;
    const int n = c->positions + c->velocities;
    int status = ukOk;
    for (int j = 0; j < c->positions && status == ukOk; j++) {
        ukProgressStore(ukProgressLinearizing, j, n);
        const ukTrialPoint point = {.xi = l->xi, .input = -1};
        const double step = largest_change * stepReduction(l, 2) / reachOf(l, c->Nq + j * c->n);
        status = differentiateState(l, &point, &l->xi[j], step);
        if (status == ukOk && l->t.h == 0) addCarried(l, j);
        if (status == ukOk) storeColumn(l, l->A, l->C, n, j, false);
    }
    for (int j = 0; j < c->velocities && status == ukOk; j++) {
        ukProgressStore(ukProgressLinearizing, c->positions + j, n);
        const ukTrialPoint point = {.eta = l->eta, .input = -1};
        const double step = largest_change * stepReduction(l, 1) * l->t.rate / reachOf(l, c->Nv + j * c->n);
        status = differentiateState(l, &point, &l->eta[j], step);
        if (status == ukOk) storeColumn(l, l->A, l->C, n, c->positions + j, false);
    }
    return status;
}

/* An amount of a force that accelerates by `largest_change` of the world's own accelerations, or of a velocity. */
static double amountOf(const Linearize *l, const ukSignalPlace *in)
{
    const ukTrials *const t = &l->t;
    double most = 0;
    if (in->signal.kind == ukSignalMotorVelocity) return largest_change * fmax(1, fabs(in->present));
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < t->c.bodies; k++)
            for (int i = 0; in->on[side] == t->body[k] && i < 6; i++) {
                const double inertia = t->c.M[36 * k + 7 * i] * (i < 3 ? t->length : 1);
                most = fmax(most, fabs(in->wrench[side][i]) / inertia);
            }
    return most > 0 ? largest_change * stepReduction(l, 1) * t->rate * t->rate / most : 1;
}

static int inputColumns(Linearize *l)
{
    int status = ukOk;
    for (int j = 0; j < l->out.inputs && status == ukOk; j++) {
        ukTrialPoint point = {.input = j};
        status = differentiateState(l, &point, &point.amount, amountOf(l, &l->t.in[j]));
        if (status == ukOk) storeColumn(l, l->B, l->D, l->out.inputs, j, true);
    }
    return status;
}

/* The largest effect that an input would have on a coordinate of free bodies: what B is compared with where the rows
 * leave it none. */
static double freeEffect(const Linearize *l)
{
    const ukTrials *const t = &l->t;
    double most = 0;
    for (int j = 0; j < l->out.inputs; j++) {
        const ukSignalPlace *const in = &t->in[j];
        double square = in->signal.kind == ukSignalMotorVelocity ? 1 : 0;
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < t->c.bodies; k++)
                for (int i = 0; in->on[side] == t->body[k] && i < 6; i++)
                    square += in->wrench[side][i] * in->wrench[side][i] / t->c.M[36 * k + 7 * i];
        most = fmax(most, square);
    }
    return sqrt(most) * (t->h > 0 ? t->h : 1);
}

/* the largest error, relative to the largest entry of its matrix */
static double relativeError(const Linearize *l)
{
    static const double none = 1e-10; /* entries of B up to this part of a free body's are rounding */
    const int n = l->out.positions + l->out.velocities, in = l->out.inputs, outputs = l->out.outputs;
    double size[2][2] = {{largestOf(l->A, n * n), largestOf(l->B, n * in)},
                         {largestOf(l->C, outputs * n), largestOf(l->D, outputs * in)}};
    double most = 0;
    if (size[0][1] < none * freeEffect(l)) size[0][1] = freeEffect(l);
    for (int i = 0; i < 4; i++)
        if (size[i / 2][i % 2] > 0) most = fmax(most, l->off[i / 2][i % 2] / size[i / 2][i % 2]);
    return most;
}

/* Whether motions along all coordinates at once stay on the constraints, as those of a pose that is not singular do.
 * Near one of the branches of a singular pose a motion nearly does: where rows are dependent, three of different
 * directions are tried. Independent rows leave a manifold. */
static int requireMotion(Linearize *l)
{
    const ukCoordinates *const c = &l->t.c;
    const int trials = c->rank < c->rows ? 3 : 1;
    int status = ukOk;
    for (int trial = 0; trial < 2 * trials && status == ukOk; trial++) {
        for (int j = 0; j < c->positions; j++) /* of different sizes and signs */
            l->xi[j] = (trial % 2 ? -1 : 1) * cos(1 + 2.4 * j + 1.3 * (trial / 2)) * largest_change /
                       reachOf(l, c->Nq + j * c->n) / c->positions;
        status = ukCoordinatesMove(c, &l->t.probe, l->xi, NULL);
    }
    memset(l->xi, 0, (size_t)c->positions * sizeof *l->xi);
    return status;
}

/* Computes all columns by the tangent. ukTangentInconsistent also if its error is larger than `accurate`. */
static int tangentColumns(Linearize *l)
{
    static const double accurate = 1e-9;
    ukTangentColumns out = {.A = l->A, .B = l->B, .C = l->C, .D = l->D};
    int status = ukTangentColumnsFill(&l->t, &out);
    if (status == ukOk) status = requireMotion(l);
    memcpy(l->off, out.off, sizeof l->off);
    const int n = l->out.positions + l->out.velocities;
    l->off[0][0] += l->t.c.n * DBL_EPSILON * largestOf(l->A, n * n); /* rounding of the coordinates */
    l->off[0][1] += l->t.c.n * DBL_EPSILON * fmax(largestOf(l->B, n * l->out.inputs), freeEffect(l));
    return status == ukOk && relativeError(l) > accurate ? ukTangentInconsistent : status;
}

static int fillColumns(Linearize *l, const ukLinearizeTask *task)
{
    bool possible = false;
    int status = task->differences ? ukOk : ukTangentColumnsPossible(&l->t, &possible);
    if (status != ukOk) return status;
    status = possible ? tangentColumns(l) : ukTangentInconsistent;
    if (status != ukTangentInconsistent) return status;
    memset(l->off, 0, sizeof l->off);
    l->out.differences = 1;
    status = stateColumns(l);
    return status == ukOk ? inputColumns(l) : status;
}

/* A line of the activity about columns whose one-sided slopes differ. */
static void noteKinks(Linearize *l)
{
    const size_t used = strlen(l->activity);
    if (l->kinks == 0) return;
    snprintf(
        l->activity + used, NoteSize,
        "the step switches at this state: slopes to both sides differ along %d of %d coordinates and inputs, by up "
        "to %.2g of the largest; A and B are their means, near switching\n",
        l->kinks, l->out.positions + l->out.velocities + l->out.inputs, l->widest);
}

/* Converts velocities to coordinates that follow the rows. */
static int followRows(Linearize *l)
{
    double error;
    const int status = ukTransportAdd(&l->t, l->f, l->A, &error);
    l->off[0][0] += error;
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* Sets base to the largest of the poses, and of the velocities: coordinates are sums over bodies, so that their
 * rounding is of the size of the largest. */
static void spreadSizes(Linearize *l)
{
    const int p = l->out.positions, v = l->out.velocities;
    const double poses = largestOf(l->base, p), velocities = largestOf(l->base + p, v);
    for (int i = 0; i < p + v; i++) l->base[i] = i < p ? poses : velocities;
}

/* The trial at the present state: f. l->base: the sizes of the results, for their rounding. */
static int baseTrial(Linearize *l)
{
    ukTrials *const t = &l->t;
    const ukTrialPoint here = {.input = -1};
    const int status = ukTrialEvaluate(t, &here, l->base);
    if (status != ukOk) return status;
    const int p = l->out.positions, v = l->out.velocities;
    memcpy(l->f, l->base, (size_t)(p + v) * sizeof *l->f);
    for (int k = 0; k < t->c.bodies; k++) memcpy(t->dv + 6 * k, t->c.state[k].v, 6 * sizeof *t->dv);
    if (t->h == 0) {
        ukCoordinatesOfPose(&t->c, t->dv, l->f);
        memcpy(l->base, l->f, (size_t)p * sizeof *l->f);
        spreadSizes(l);
        return ukOk;
    }
    for (int k = 0; k < t->c.bodies; k++) t->next[k] = t->end[k];
    ukCoordinatesOfVelocity(&t->c, t->dv, l->eta);
    for (int i = 0; i < v; i++) {
        l->base[p + i] += l->eta[i];
        l->eta[i] = 0;
    }
    spreadSizes(l);
    return ukOk;
}

int ukLinearize(ukWorld *world, const ukLinearizeTask *task, ukLinearization *result)
{
    __attribute__((cleanup(endTrials))) Linearize l = {0};
    const ukTrialSignals signals = {task->in, task->out, task->inputs, task->outputs};
    int status = ukTrialsBegin(&l.t, world, task->h, &signals);
    if (status == ukOk) {
        const ukCoordinates *const c = &l.t.c;
        l.out = (ukLinearization){.positions = c->positions,
                                  .velocities = c->velocities,
                                  .inputs = task->inputs,
                                  .outputs = task->outputs,
                                  .bodies = c->bodies,
                                  .rank = c->rank,
                                  .redundant = c->rows - c->rank,
                                  .discrete = task->h > 0,
                                  .moved = c->moved,
                                  .jump = c->jump};
        status = reserveLinearize(&l, task->as);
    }
    if (status == ukOk) status = baseTrial(&l);
    if (status == ukOk) status = fillColumns(&l, task);
    if (status == ukOk) noteKinks(&l);
    if (status == ukOk && task->following) status = followRows(&l);
    if (status == ukOk) {
        l.out.error = relativeError(&l);
        *result = l.out;
        if (task->rate) *task->rate = l.t.rate;
        for (int i = 0; task->forces && i < task->inputs; i++) task->forces[i] = ukTrialPresent(&l.t, i);
    }
    return ukTrialsEnd(&l.t, status);
}
