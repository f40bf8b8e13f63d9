/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/integrate_euler.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/integrate/cap.h"
#include "bridge/island/each.h"
#include "bridge/island/island.h"

/* q += h/2 (0, w) q */
static void driftOrientation(double q[4], const double w[3], double h)
{
    const double k = 0.5 * h, r[4] = {q[0], q[1], q[2], q[3]};
    q[0] += k * (-w[0] * r[1] - w[1] * r[2] - w[2] * r[3]);
    q[1] += k * (w[0] * r[0] + w[1] * r[3] - w[2] * r[2]);
    q[2] += k * (-w[0] * r[3] + w[1] * r[0] + w[2] * r[1]);
    q[3] += k * (w[0] * r[2] - w[1] * r[1] + w[2] * r[0]);
}

/* The pose after h with velocity v (6), ODE's way: position, and orientation by the body's finite rotation mode (first
 * order; exponential; or split along its axis). q is normalised. Returns the mode. */
static ukRotation advancePose(const ukBody *body, const double v[6], double h, bool exact, ukState *s)
{
    double *const x = s->x, *const q = s->q;
    const double *w = v + 3;
    ukRotation mode = dBodyGetFiniteRotationMode(body->handle) != 0 ? ukRotationFinite : ukRotationFirstOrder;
    for (int i = 0; i < 3; i++) x[i] += h * v[i];
    if (mode == ukRotationFirstOrder) {
        driftOrientation(q, w, h);
    } else {
        dVector3 n;
        dBodyGetFiniteRotationAxis(body->handle, n);
        if (n[0] == 0 && n[1] == 0 && n[2] == 0) {
            ukQuaternionRotate(q, w, sqrt(ukDot(w, w)), 0.5 * h);
        } else {
            /* ODE turns the part across the axis by half the step only: imitated except where rows are exact
             * (docs/ode-differences.md) */
            const double k = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
            const double along[3] = {n[0] * k, n[1] * k, n[2] * k};
            const double across[3] = {w[0] - along[0], w[1] - along[1], w[2] - along[2]};
            ukQuaternionRotate(q, along, k, 0.5 * h);
            driftOrientation(q, across, exact ? h : 0.5 * h);
            if (exact) mode = ukRotationWhole;
        }
    }
    const double size = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] *= size;
    return mode;
}

typedef struct EulerStep {
    ukIsland *island;
    const ukRowContext *rows;
    bool mean;
} EulerStep;

UKODE_INLINE void stepFrames(void *context, int begin, int end)
{
    const EulerStep *step = context;
    ukIsland *const island = step->island;
    const double h = step->rows->h;
    for (int i = begin; i < end; i++) {
        ukFrame *f = &island->frame[i];
        double *v = f->state.v, along[6];
        const size_t at = 6 * (size_t)(f->moving >= 0 ? f->moving : 0);
        if (f->moving >= 0)
            for (int k = 0; k < 6; k++) v[k] += h * island->bodies.qdd[at + (size_t)k];
        f->cap = ukFrameCap(f->body, v);
        for (int k = 0; k < 6; k++) along[k] = step->mean ? 0.5 * (f->start.v[k] + v[k]) : v[k];
        if (step->rows->split && f->moving >= 0)
            for (int k = 0; k < 6; k++) along[k] += island->bodies.shift[at + (size_t)k];
        f->rotation = advancePose(f->body, along, h, step->rows->exact, &f->state);
    }
}

void ukIntegrateEuler(ukIsland *island, const ukRowContext *rows, bool mean)
{
    ukEach(island, island->frames, stepFrames, &(EulerStep){island, rows, mean});
}
