/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/linear_operator_make.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/base/log.h"
#include "bridge/base/vector.h"
#include "bridge/integrate/measure.h"
#include "plugin/analysis/trial.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* An operator under way. */
typedef struct Making {
    ukTrials t;
    ukTangent tangent;
    struct ukLinearOperator *o;
} Making;

static void leaveMaking(Making *m)
{
    ukTangentEnd(&m->tangent);
    ukTrialsEnd(&m->t, ukOk);
    ukLinearOperatorFree(m->o);
}

void ukLinearOperatorFree(struct ukLinearOperator *o)
{
    if (!o) return;
    ukSparseTangentEnd(&o->tangent);
    ukTangentSpaceEnd(&o->velocities);
    ukTangentSpaceEnd(&o->poses);
    free(o->index);
    free(o->value);
    free(o->memory);
    free(o);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void carveOperator(struct ukLinearOperator *o, size_t text, ukArena *a)
{
    const size_t n = (size_t)o->n, rows = (size_t)o->rows;
    o->spin = ukArenaDoubles(a, n / 2);
    o->start = ukArenaInts(a, (size_t)o->info.inputs + 1);
    o->a = ukArenaDoubles(a, n);
    o->b = ukArenaDoubles(a, n);
    o->r = ukArenaDoubles(a, n);
    o->force = ukArenaDoubles(a, n);
    o->rates = ukArenaDoubles(a, rows);
    o->l = ukArenaDoubles(a, rows);
    o->x = ukArenaDoubles(a, 2 * n);
    for (int i = 0; i < 2; i++) o->y[i] = ukArenaDoubles(a, 2 * n);
    o->f = ukArenaDoubles(a, 2 * n);
    o->body = ukArenaBytes(a, (n / 6 + 1) * sizeof *o->body);
    o->activity = ukArenaBytes(a, text);
}

static int refuseOperatorMemory(int bodies)
{
    return ukErrorSet(ukErrorMemory, "no memory for a linear operator (bodies: %d)", bodies);
}

static int reserveOperator(Making *m)
{
    const ukCoordinates *const c = &m->t.c;
    const size_t text = strlen(m->t.activity) + 1;
    struct ukLinearOperator *const o = m->o = calloc(1, sizeof *o);
    if (!o) return refuseOperatorMemory(c->bodies);
    o->n = c->n, o->rows = c->rows;
    o->info = (ukLinearOperatorInfo){.bodies = c->bodies, .inputs = m->t.inputs, .moved = c->moved};
    ukArena arena = ukArenaOver(NULL, 0);
    carveOperator(o, text, &arena);
    o->memory = ukArenaAllocate(&arena);
    if (!o->memory) return refuseOperatorMemory(c->bodies);
    carveOperator(o, text, &arena);
    memcpy(o->activity, m->t.activity, text);
    for (int k = 0; k < c->bodies; k++) {
        o->body[k] = m->t.body[k]->handle;
        memcpy(o->spin + 3 * k, c->state[k].v + 3, 3 * sizeof *o->spin);
    }
    o->info.body = o->body, o->info.f = o->f, o->info.activity = o->activity;
    return ukOk;
}

/* ---- inputs ------------------------------------------------------------------------------------------------------ */

static int addEntry(struct ukLinearOperator *o, int *count, int index, double value)
{
    if (value == 0) return ukOk;
    const size_t entries = (size_t)*count + 1;
    if (!ukArrayReserve(&o->index, sizeof *o->index, entries, &o->index_capacity) ||
        !ukArrayReserve(&o->value, sizeof *o->value, entries, &o->value_capacity))
        return refuseOperatorMemory(o->info.bodies);
    o->index[*count] = index;
    o->value[(*count)++] = value;
    return ukOk;
}

/* Computes the changes of r and A v - target with a motor's velocity, in which both are linear. */
static int addMotor(Making *m, ukSignalPlace *in, int *count)
{
    struct ukLinearOperator *const o = m->o;
    const int numbers = o->n + o->rows;
    double *const side[2] = {m->tangent.side[0], m->tangent.side[1]};
    int status = ukOk;
    for (int i = 0; i < 2 && status == ukOk; i++) {
        ukSignalDrive(in, i ? 1 : -1);
        status = ukTangentResidual(&m->tangent, side[i]);
    }
    ukSignalDrive(in, 0);
    for (int i = 0; i < numbers && status == ukOk; i++) status = addEntry(o, count, i, 0.5 * (side[1][i] - side[0][i]));
    return status;
}

static int addInputs(Making *m)
{
    struct ukLinearOperator *const o = m->o;
    int count = 0, status = ukOk;
    for (int j = 0; j < m->t.inputs && status == ukOk; j++) {
        ukSignalPlace *const in = &m->t.in[j];
        o->start[j] = count;
        if (in->signal.kind == ukSignalMotorVelocity) {
            status = addMotor(m, in, &count);
            continue;
        }
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < o->info.bodies; k++)
                for (int i = 0; in->on[side] == m->t.body[k] && i < 6 && status == ukOk; i++)
                    status = addEntry(o, &count, 6 * k + i, in->wrench[side][i]);
    }
    o->start[m->t.inputs] = count;
    return status;
}

/* ---- spaces ------------------------------------------------------------------------------------------------------ */

static int beginSpaces(Making *m)
{
    struct ukLinearOperator *const o = m->o;
    const ukProbe *const probe = &m->t.probe;
    int status = ukTangentSpaceBegin(&o->velocities, probe, false);
    bool holonomic = true;
    for (int i = 0; i < probe->s->island_count; i++)
        for (int row = 0; row < probe->s->islands[i].problem->rows; row++)
            holonomic &= !ukProbeRigid(probe, &probe->s->islands[i], row) || !probe->s->islands[i].rows.velocity[row];
    if (status == ukOk && !holonomic) status = ukTangentSpaceBegin(&o->poses, probe, true);
    if (status != ukOk) return status;
    o->info.rank = o->velocities.rank;
    o->info.redundant = o->rows - o->info.rank;
    o->info.velocities = o->n - o->info.rank;
    o->info.positions = holonomic ? o->info.velocities : o->n - o->poses.rank;
    return ukOk;
}

/* x (2 n): displacements and velocities of different sizes and signs, along no special direction; each `seed`
 * another */
static void fillProbe(const struct ukLinearOperator *o, int seed, double length, double rate, double *x)
{
    for (int i = 0; i < 2 * o->n; i++)
        x[i] = cos(1 + 2.4 * i + seed) * (i % 6 < 3 ? length : 1) * (i < o->n ? 1 : rate);
}

/* |x|_M of n numbers */
static double sizeOf(const struct ukLinearOperator *o, const double *x)
{
    double square = 0;
    for (int k = 0; k < o->info.bodies; k++) square += ukMeasureSquare(&o->velocities.problem, k, x + 6 * k);
    return sqrt(square);
}

/* Whether the operator's last velocities b answer the changes `rates` of the rows, up to rounding of their terms;
 * `least`: up to rounding of all velocities. */
static int requireAnswer(struct ukLinearOperator *o, double terms, double least)
{
    static const double rounding = 1e-10; /* as in plugin/analysis/tangent_columns.c */
    ukTangentSpaceSolve(&o->velocities, NULL, o->rates, o->b, NULL);
    if (ukTangentSpaceInconsistency(&o->velocities, o->b, o->rates) <= rounding * terms + least) return ukOk;
    return ukErrorSet(ukErrorSingular,
                      "dependent rows are independent near the present state: linearize the world with its matrices");
}

/* Whether velocities answer the rows' changes along any motion, and the motors' velocities: with dependent rows they
 * may not. */
static int requireConsistency(Making *m)
{
    struct ukLinearOperator *const o = m->o;
    if (o->info.redundant == 0) return ukOk;
    fillProbe(o, 0, m->t.length, m->t.rate, o->x);
    ukLinearOperatorState(o, false, o->x, o->y[0]);
    ukSparseTangentRateTerms(&o->tangent, o->a, o->l);
    const double least = 16 * DBL_EPSILON * sizeOf(o, o->x + o->n);
    int status = requireAnswer(o, ukTangentSpaceLargest(&o->velocities, o->l), least);
    if (status != ukOk || o->info.inputs == 0) return status;
    double *const u = calloc((size_t)o->info.inputs, sizeof *u);
    if (!u) return refuseOperatorMemory(o->info.bodies);
    for (int j = 0; j < o->info.inputs; j++) u[j] = cos(1 + 2.4 * j);
    ukLinearOperatorInputs(o, false, u, o->y[0]);
    free(u);
    return requireAnswer(o, ukTangentSpaceLargest(&o->velocities, o->rates), 0);
}

/* Whether motions that the rows admit stay on the constraints, as they do at a pose that is not singular; where rows
 * are dependent, three of different directions. The frames' states are left there. */
static int requireMotion(Making *m)
{
    static const double largest = 2e-3,
                        most = 0.3; /* an angle, or part of the length; the part that a projection may add */
    struct ukLinearOperator *const o = m->o;
    const ukCoordinates *const c = &m->t.c;
    const int trials = o->info.redundant > 0 ? 3 : 1;
    for (int trial = 0; trial < 2 * trials; trial++) {
        double added, reach = 0;
        fillProbe(o, 1 + trial / 2, m->t.length, 1, o->x);
        ukProblemInertia(&o->velocities.problem, o->x, o->force);
        ukTangentSpaceSolve(o->poses.memory ? &o->poses : &o->velocities, o->force, NULL, o->a, NULL);
        for (int i = 0; i < o->n; i++) reach = fmax(reach, fabs(o->a[i]) / (i % 6 < 3 ? m->t.length : 1));
        for (int i = 0; i < o->n && reach > 0; i++) o->a[i] *= (trial % 2 ? 1 : -1) * largest / reach;
        for (int k = 0; k < c->bodies; k++) {
            ukState *const s = &ukProbeFrame(&m->t.probe, k)->state;
            *s = c->state[k];
            for (int i = 0; i < 3; i++) s->x[i] += o->a[6 * k + i];
            ukRotateBy(s->q, o->a + 6 * k + 3);
            ukStateOrient(s);
        }
        const int status = ukProbeProject(&m->t.probe, true, &added);
        if (status != ukOk) return status;
        if (added <= most * sizeOf(o, o->a) + DBL_EPSILON * c->scale) continue;
        return ukErrorSet(
            ukErrorSingular,
            "the pose is singular: some motions satisfy the constraints to first order only: choose another pose");
    }
    return ukOk;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void storeMotion(Making *m)
{
    struct ukLinearOperator *const o = m->o;
    const ukTangentSpace *const poses = o->poses.memory ? &o->poses : &o->velocities;
    for (int k = 0; k < o->info.bodies; k++) memcpy(o->a + 6 * k, m->t.c.state[k].v, 6 * sizeof *o->a);
    ukProblemInertia(&o->velocities.problem, o->a, o->force);
    ukTangentSpaceSolve(poses, o->force, NULL, o->f, NULL);
    ukProblemInertia(&o->velocities.problem, m->tangent.qdd, o->force);
    ukTangentSpaceSolve(&o->velocities, o->force, NULL, o->f + o->n, NULL);
}

/* Estimates the error by the differences of products with two vectors from those with derivatives of lower order, and
 * rounding. */
static double estimateError(Making *m)
{
    struct ukLinearOperator *const o = m->o;
    double worst = 0;
    for (int seed = 0; seed < 2; seed++) {
        for (int i = 0; i < 2; i++) {
            fillProbe(o, seed, m->t.length, m->t.rate, o->x);
            ukLinearOperatorState(o, false, o->x, o->y[i]);
            ukSparseTangentSwap(&o->tangent);
        }
        const double moved = sizeOf(o, o->x), rounding = ukTangentRounding(&m->tangent) * moved;
        const double size[2] = {fmax(sizeOf(o, o->y[0]), m->t.rate * moved),
                                fmax(sizeOf(o, o->y[0] + o->n), m->t.rate * m->t.rate * moved)};
        for (int i = 0; i < 2 * o->n; i++) o->y[1][i] -= o->y[0][i];
        if (size[0] > 0) worst = fmax(worst, sizeOf(o, o->y[1]) / size[0]);
        if (size[1] > 0) worst = fmax(worst, (sizeOf(o, o->y[1] + o->n) + rounding) / size[1]);
    }
    return worst;
}

static int makeOperator(Making *m)
{
    static const double accurate = 1e-6; /* the estimate of larger errors is not reliable */
    const ukTrialPoint here = {.input = -1};
    double none[1];
    bool possible = false;
    int status = reserveOperator(m);
    if (status == ukOk) status = ukTrialEvaluate(&m->t, &here, none);
    if (status == ukOk) status = ukTangentPossible(&m->t.probe, &possible);
    if (status == ukOk && !possible) {
        ukErrorSet(ukErrorUnsupported,
                   "dry friction in joints, laws that depend on loads, sliding contacts and bodies without "
                   "mass have no tangent: linearize the world with its matrices");
        status = ukErrorUnsupported;
    }
    if (status == ukOk) status = ukTangentBegin(&m->tangent, &m->t.probe, &m->t.c, m->t.length, m->t.rate);
    if (status == ukOk) status = addInputs(m);
    if (status == ukOk) status = ukSparseTangentBegin(&m->o->tangent, &m->tangent);
    if (status == ukOk) status = beginSpaces(m);
    if (status == ukOk) status = requireConsistency(m);
    if (status != ukOk) return status;
    storeMotion(m);
    m->o->info.error = estimateError(m);
    ukSparseTangentSettle(&m->o->tangent);
    if (m->o->info.error <= accurate) return requireMotion(m);
    return ukErrorSet(ukErrorNotConverged,
                      "the error of the derivatives is estimated at %.2g: linearize the world with its matrices",
                      m->o->info.error);
}

struct ukLinearOperator *ukLinearOperatorMake(ukWorld *world, const ukSignal *in, int inputs)
{
    __attribute__((cleanup(leaveMaking))) Making m = {0};
    const ukTrialSignals signals = {.in = in, .inputs = inputs};
    int status = ukTrialsBeginSparse(&m.t, world, &signals);
    if (status == ukOk) status = makeOperator(&m);
    ukTangentEnd(&m.tangent);
    status = ukTrialsEnd(&m.t, status);
    struct ukLinearOperator *const made = status == ukOk ? m.o : NULL;
    if (made) m.o = NULL;
    return made;
}
