/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/linear_operator.h"

#include <string.h>

#include "bridge/base/vector.h"

/* S_q, S_v: the projections of forces onto admissible displacements. */
static const ukTangentSpace *spaceOfPoses(const struct ukLinearOperator *o)
{
    return o->poses.memory ? &o->poses : &o->velocities;
}

/* y (n) = S_q M x */
static void projectPoses(struct ukLinearOperator *o, const double *x, double *y)
{
    ukProblemInertia(&o->velocities.problem, x, o->force);
    ukTangentSpaceSolve(spaceOfPoses(o), o->force, NULL, y, NULL);
}

/* y (n) = M S_q x */
static void projectPosesTransposed(struct ukLinearOperator *o, const double *x, double *y)
{
    ukTangentSpaceSolve(spaceOfPoses(o), x, NULL, o->force, NULL);
    ukProblemInertia(&o->velocities.problem, o->force, y);
}

/* y += sign W x: the rotation of each body's angular velocity; W' = -W */
static void addSpin(const struct ukLinearOperator *o, double sign, const double *x, double *y)
{
    for (int k = 0; k < o->info.bodies; k++) {
        double turned[3];
        ukCross(o->spin + 3 * k, x + 6 * k + 3, turned);
        for (int c = 0; c < 3; c++) y[6 * k + 3 + c] += sign * turned[c];
    }
}

static void clearNumbers(double *x, int n)
{
    memset(x, 0, (size_t)n * sizeof *x);
}

static void applyState(struct ukLinearOperator *o, const double *x, double *y)
{
    const int n = o->n;
    projectPoses(o, x, o->a);
    clearNumbers(o->r, n);
    clearNumbers(o->rates, o->rows);
    ukSparseTangentPoses(&o->tangent, o->a, o->r, o->rates);
    for (int i = 0; i < o->rows; i++) o->rates[i] = -o->rates[i];
    ukProblemInertia(&o->velocities.problem, x + n, o->force);
    ukTangentSpaceSolve(&o->velocities, o->force, o->rates, o->b, NULL);
    ukSparseTangentVelocities(&o->tangent, o->b, o->r);
    addSpin(o, 1, o->a, o->b);
    projectPoses(o, o->b, y);
    ukTangentSpaceSolve(&o->velocities, o->r, NULL, y + n, NULL);
}

/* Common first part of both transposes: a = M S_q x_q, r = S_v x_v, b = a + R_v' r; force = S_v b, l = -G' b */
static void pullBack(struct ukLinearOperator *o, const double *x)
{
    projectPosesTransposed(o, x, o->a);
    ukTangentSpaceSolve(&o->velocities, x + o->n, NULL, o->r, NULL);
    memcpy(o->b, o->a, (size_t)o->n * sizeof *o->b);
    ukSparseTangentVelocitiesTransposed(&o->tangent, o->r, o->b);
    clearNumbers(o->l, o->rows);
    ukTangentSpaceSolve(&o->velocities, o->b, NULL, o->force, o->l);
}

static void applyStateTransposed(struct ukLinearOperator *o, const double *x, double *y)
{
    pullBack(o, x);
    ukProblemInertia(&o->velocities.problem, o->force, y + o->n);
    clearNumbers(o->b, o->n);
    addSpin(o, -1, o->a, o->b);
    ukSparseTangentPosesTransposed(&o->tangent, o->r, o->b);
    ukSparseTangentRatesTransposed(&o->tangent, o->l, o->b);
    projectPosesTransposed(o, o->b, y);
}

void ukLinearOperatorState(struct ukLinearOperator *o, bool transposed, const double *x, double *y)
{
    memmove(o->x, x, 2 * (size_t)o->n * sizeof *o->x);
    if (transposed)
        applyStateTransposed(o, o->x, y);
    else
        applyState(o, o->x, y);
}

static void applyInputs(struct ukLinearOperator *o, const double *u, double *y)
{
    clearNumbers(o->r, o->n);
    clearNumbers(o->rates, o->rows);
    bool moves = false;
    for (int j = 0; j < o->info.inputs; j++)
        for (int k = o->start[j]; k < o->start[j + 1]; k++) {
            const int i = o->index[k];
            if (i < o->n)
                o->r[i] += u[j] * o->value[k];
            else
                o->rates[i - o->n] -= u[j] * o->value[k], moves = true;
        }
    clearNumbers(o->b, o->n);
    if (moves) {
        ukTangentSpaceSolve(&o->velocities, NULL, o->rates, o->b, NULL);
        ukSparseTangentVelocities(&o->tangent, o->b, o->r);
    }
    projectPoses(o, o->b, y);
    ukTangentSpaceSolve(&o->velocities, o->r, NULL, y + o->n, NULL);
}

static void applyInputsTransposed(struct ukLinearOperator *o, const double *y, double *u)
{
    pullBack(o, y);
    for (int j = 0; j < o->info.inputs; j++) {
        u[j] = 0;
        for (int k = o->start[j]; k < o->start[j + 1]; k++) {
            const int i = o->index[k];
            u[j] += o->value[k] * (i < o->n ? o->r[i] : o->l[i - o->n]);
        }
    }
}

void ukLinearOperatorInputs(struct ukLinearOperator *o, bool transposed, const double *from, double *to)
{
    if (transposed)
        applyInputsTransposed(o, from, to);
    else
        applyInputs(o, from, to);
}
