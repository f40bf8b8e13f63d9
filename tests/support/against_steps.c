/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/against_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/analyze/probe.h"
#include "bridge/world/registry.h"
#include "solvers/base/status.h"
#include "tests/check.h"

enum { Levels = 3 };

/* The continuous linearization, copied. C: of all velocities. */
typedef struct Continuous {
    int p, v, n, inputs, width; /* n = p + v; width: 6 per body */
    double *A, *B, *C, *Nq, *Nv, *MNq, *MNv;
    double error;
} Continuous;

static double *copyNumbers(const double *from, int count)
{
    double *const to = calloc((size_t)count + 1, sizeof *to);
    if (to && count > 0) memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

/* N (rows x width) M */
static double *timesMasses(const ukLinearization *l, const double *N, int rows)
{
    const int width = 6 * l->bodies;
    double *const out = calloc((size_t)(rows * width) + 1, sizeof *out);
    for (int k = 0; k < l->bodies; k++) {
        dMass mass;
        double I[3][3] = {{0}};
        dBodyGetMass(l->body[k], &mass);
        const dReal *const R = dBodyGetRotation(l->body[k]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 3; b++) I[i][j] += R[4 * i + a] * mass.I[4 * a + b] * R[4 * j + b];
        for (int r = 0; r < rows; r++)
            for (int i = 0; i < 3; i++) {
                const double *const x = N + r * width + 6 * k;
                out[r * width + 6 * k + i] = mass.mass * x[i];
                for (int j = 0; j < 3; j++) out[r * width + 6 * k + 3 + i] += I[i][j] * x[3 + j];
            }
    }
    return out;
}

/* X (rows x columns) of products of rows */
static double *productsOf(const double *x, int rows, const double *y, int columns, int width)
{
    double *const out = calloc((size_t)(rows * columns) + 1, sizeof *out);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int c = 0; c < width; c++) out[i * columns + j] += x[i * width + c] * y[j * width + c];
    return out;
}

static int beginContinuous(dWorldID w, const ukSignal *in, int inputs, Continuous *c)
{
    ukLinearization l;
    const int bodies = ukWorldGetBodyCount(w);
    int status = ukWorldLinearize(w, in, inputs, NULL, 0, 0, &l), outputs = 0;
    ukSignal *const out = calloc(6 * (size_t)bodies + 1, sizeof *out);
    for (int k = 0; k < l.bodies && status == ukOk; k++)
        for (int i = 0; i < 6; i++)
            out[outputs++] = (ukSignal){.kind = ukSignalBodyVelocity, .body = l.body[k], .axis = i};
    if (status == ukOk) status = ukWorldLinearize(w, in, inputs, out, outputs, 0, &l);
    free(out);
    if (status != ukOk) return status;
    const int n = l.positions + l.velocities, width = 6 * l.bodies;
    *c = (Continuous){.p = l.positions, .v = l.velocities, .n = n, .inputs = inputs, .width = width, .error = l.error};
    c->A = copyNumbers(l.A, n * n);
    c->B = copyNumbers(l.B, n * inputs);
    c->C = copyNumbers(l.C, width * n);
    c->Nq = copyNumbers(l.Nq, c->p * width);
    c->Nv = copyNumbers(l.Nv, c->v * width);
    c->MNq = timesMasses(&l, l.Nq, c->p);
    c->MNv = timesMasses(&l, l.Nv, c->v);
    return ukOk;
}

static void endContinuous(Continuous *c)
{
    double *const all[] = {c->A, c->B, c->C, c->Nq, c->Nv, c->MNq, c->MNv};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* The start S (n_h x n) of each continuous direction in the coordinates of the step, and T (n x n_h) back. */
static void relate(const Continuous *c, const ukLinearization *l, double *S, double *T)
{
    const int p = l->positions, v = l->velocities, n = p + v;
    double *const MNq = timesMasses(l, l->Nq, p), *const MNv = timesMasses(l, l->Nv, v);
    double *const poses = productsOf(MNq, p, c->Nq, c->p, c->width);
    double *const back = productsOf(c->MNv, c->v, l->Nv, v, c->width);
    for (int i = 0; i < p; i++)
        for (int j = 0; j < c->p; j++) S[i * c->n + j] = T[j * n + i] = poses[i * c->p + j];
    for (int i = 0; i < v; i++)
        for (int j = 0; j < c->n; j++)
            for (int k = 0; k < c->width; k++) S[(p + i) * c->n + j] += MNv[i * c->width + k] * c->C[k * c->n + j];
    for (int i = 0; i < c->v; i++)
        for (int j = 0; j < v; j++) T[(c->p + i) * n + p + j] = back[i * v + j];
    free(MNq);
    free(MNv);
    free(poses);
    free(back);
}

/* (T A_h S - 1)/h and T B_h/h to X, n x (n + inputs); *error: of its entries. */
static int linearizeStep(dWorldID w, const ukSignal *in, const Continuous *c, double h, double *X, double *error)
{
    ukLinearization l;
    const int status = ukWorldLinearize(w, in, c->inputs, NULL, 0, h, &l), width = c->n + c->inputs;
    if (status != ukOk) return status;
    const int n = l.positions + l.velocities;
    double *const S = calloc((size_t)(n * c->n) + 1, sizeof *S), *const T = calloc((size_t)(n * c->n) + 1, sizeof *T);
    double *const AS = calloc((size_t)(n * width) + 1, sizeof *AS);
    relate(c, &l, S, T);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < width; j++)
            if (j >= c->n)
                AS[i * width + j] = l.B[i * c->inputs + j - c->n];
            else
                for (int k = 0; k < n; k++) AS[i * width + j] += l.A[i * n + k] * S[k * c->n + j];
    for (int i = 0; i < c->n; i++)
        for (int j = 0; j < width; j++) {
            double sum = i == j ? -1 : 0;
            for (int k = 0; k < n; k++) sum += T[i * n + k] * AS[k * width + j];
            X[i * width + j] = sum / h;
        }
    *error = l.error / h;
    free(S);
    free(T);
    free(AS);
    return ukOk;
}

/* ---- the state --------------------------------------------------------------------------------------------------- */

/* Moves the world to the state that the continuous linearization is about: on the constraints, with the velocities of
 * motors that reach theirs in the next step. Steps from another state have other derivatives, and masses of another
 * pose other coordinates. */
static int settleWorld(dWorldID w, double h)
{
    ukProbe probe;
    int status = ukProbeBegin(&probe, ukRegistryWorld(w), ukProbeContinuous, h, NULL, 0);
    if (status == ukOk) status = ukProbeSettle(&probe, NULL);
    for (int k = 0; k < probe.bodies && status == ukOk; k++) {
        const ukFrame *const frame = ukProbeFrame(&probe, k);
        const ukState *const s = &frame->state;
        const dQuaternion q = {s->q[0], s->q[1], s->q[2], s->q[3]};
        dBodySetPosition(frame->body->handle, s->x[0], s->x[1], s->x[2]);
        dBodySetQuaternion(frame->body->handle, q);
        dBodySetLinearVel(frame->body->handle, s->v[0], s->v[1], s->v[2]);
        dBodySetAngularVel(frame->body->handle, s->v[3], s->v[4], s->v[5]);
    }
    ukProbeEnd(&probe);
    return status;
}

/* ---- springs ----------------------------------------------------------------------------------------------------- */

static const double usual_step = 0.01; /* that of a world's springs unless it has taken others */

/* The suspensions of a world's hinge2 joints: ERP and CFM for steps of the usual size. */
typedef struct Springs {
    dWorldID world;
    int count;
    double *erp, *cfm;
} Springs;

static Springs beginSprings(dWorldID w)
{
    const int count = ukWorldGetJointCount(w);
    Springs s = {w, count, calloc((size_t)count + 1, sizeof(double)), calloc((size_t)count + 1, sizeof(double))};
    for (int k = 0; k < count; k++) {
        const dJointID j = ukWorldGetJoint(w, k);
        if (dJointGetType(j) != dJointTypeHinge2) continue;
        s.erp[k] = dJointGetHinge2Param(j, dParamSuspensionERP);
        s.cfm[k] = dJointGetHinge2Param(j, dParamSuspensionCFM);
    }
    return s;
}

/* Stiffness erp/(h cfm) and damping (1 - erp)/cfm of steps of the usual size, for steps of h. */
static void keepSprings(const Springs *s, double h)
{
    for (int k = 0; k < s->count; k++) {
        if (s->cfm[k] == 0) continue;
        const double stiffness = s->erp[k] / (usual_step * s->cfm[k]), damping = (1 - s->erp[k]) / s->cfm[k];
        const dJointID j = ukWorldGetJoint(s->world, k);
        dJointSetHinge2Param(j, dParamSuspensionERP, h * stiffness / (h * stiffness + damping));
        dJointSetHinge2Param(j, dParamSuspensionCFM, 1 / (h * stiffness + damping));
    }
}

static void endSprings(Springs *s)
{
    keepSprings(s, usual_step);
    free(s->erp);
    free(s->cfm);
}

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

static double largestOf(const double *x, int rows, int width, int from, int to)
{
    double most = 0;
    for (int i = 0; i < rows; i++)
        for (int j = from; j < to; j++) most = fmax(most, fabs(x[i * width + j]));
    return most;
}

/* Of the columns from ... to of slopes at h, h/2 ..., extrapolated; `reference` has as many columns. */
static void compareColumns(const Continuous *c, double *const X[Levels], const double *reference, int from, int to,
                           double rounding, AgainstSteps *result)
{
    const int width = c->n + c->inputs;
    const double size = largestOf(reference, c->n, to - from, 0, to - from);
    double off = 0, apart = 0;
    for (int i = 0; i < c->n && size > 0; i++)
        for (int j = from; j < to; j++) {
            double x[Levels], before = 0;
            for (int k = 0; k < Levels; k++) x[k] = X[k][i * width + j];
            for (int order = 1; order < Levels; order++) {
                before = x[Levels - 1];
                for (int k = Levels - 1; k >= order; k--) x[k] += (x[k] - x[k - 1]) / ((1 << order) - 1);
            }
            off = fmax(off, fabs(x[Levels - 1] - reference[i * (to - from) + j - from]));
            apart = fmax(apart, fabs(x[Levels - 1] - before));
        }
    if (size == 0) return;
    result->off = fmax(result->off, off / size);
    result->expected = fmax(result->expected, 0.5 * apart / size + c->n * c->error + 2 * rounding / size);
}

AgainstSteps againstSteps(dWorldID w, const ukSignal *in, int inputs, double h)
{
    Continuous c = {0};
    AgainstSteps result = {.status = settleWorld(w, usual_step)};
    Springs springs = beginSprings(w);
    if (result.status == ukOk) result.status = beginContinuous(w, in, inputs, &c);
    double *X[Levels] = {0}, rounding = 0;
    const double size = largestOf(c.A, c.n, c.n, 0, c.n);
    if (h == 0) h = 0.02;
    for (int k = 0; k < Levels && result.status == ukOk; k++) {
        double error = 0;
        keepSprings(&springs, ldexp(h / fmax(1, size), -k));
        X[k] = calloc((size_t)(c.n * (c.n + inputs)) + 1, sizeof *X[k]);
        result.status = linearizeStep(w, in, &c, ldexp(h / fmax(1, size), -k), X[k], &error);
        rounding = fmax(rounding, error);
    }
    if (result.status == ukOk) {
        compareColumns(&c, X, c.A, 0, c.n, rounding, &result);
        compareColumns(&c, X, c.B, c.n, c.n + inputs, rounding, &result);
    }
    endSprings(&springs);
    for (int k = 0; k < Levels; k++) free(X[k]);
    endContinuous(&c);
    return result;
}

bool checkAgainstSteps(dWorldID w, const ukSignal *in, int inputs, double enough, const char *name)
{
    const AgainstSteps a = againstSteps(w, in, inputs, 0);
    if (!CHECK(a.status == ukOk)) {
        printf("  %s: %s\n", name, ukGetLastErrorMessage());
        return false;
    }
    const bool good = CHECK(a.off <= a.expected && a.expected <= enough);
    if (!good) printf("  %s: off by %.2g, expected within %.2g\n", name, a.off, a.expected);
    return good;
}
