/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/rolling_disc.h"

#include <math.h>

static int rollRows(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    /* v + w x r = 0, r = -R u, u = unit vector of the disc's plane that points up, from the axle n: u ~ z - n (n.z) */
    const double R = *(const double *)data;
    const ukBodyState *s = c->bodies;
    const double q0 = s->orientation[0], q1 = s->orientation[1], q2 = s->orientation[2], q3 = s->orientation[3];
    const double n[3] = {2 * (q1 * q2 - q0 * q3), 1 - 2 * (q1 * q1 + q3 * q3), 2 * (q2 * q3 + q0 * q1)};
    const double length = sqrt(1 - n[2] * n[2]);
    double u[3], ud[3], nd[3], r[3], rd[3];
    for (int i = 0; i < 3; i++) u[i] = ((i == 2) - n[i] * n[2]) / length;
    const double *w = s->spin;
    nd[0] = w[1] * n[2] - w[2] * n[1], nd[1] = w[2] * n[0] - w[0] * n[2], nd[2] = w[0] * n[1] - w[1] * n[0];
    for (int i = 0; i < 3; i++)
        ud[i] = (-nd[i] * n[2] - n[i] * nd[2]) / length + u[i] * n[2] * nd[2] / (length * length);
    for (int i = 0; i < 3; i++) r[i] = -R * u[i], rd[i] = -R * ud[i];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        A[6 * i + i] = 1;
        A[6 * i + 3 + j] = r[k]; /* (w x r)_i = w_j r_k - w_k r_j */
        A[6 * i + 3 + k] = -r[j];
        b[i] = -(w[j] * rd[k] - w[k] * rd[j]);
    }
    return 0;
}

static int rollErrors(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const double R = *(const double *)data;
    const ukBodyState *s = c->bodies;
    dReal A[18] = {0}, b[3];
    rollRows(c, A, b, data);
    for (int i = 0; i < 3; i++) {
        psi[i] = 0;
        for (int k = 0; k < 3; k++) psi[i] += A[6 * i + k] * s->velocity[k] + A[6 * i + 3 + k] * s->spin[k];
    }
    const double q0 = s->orientation[0], q1 = s->orientation[1], q2 = s->orientation[2], q3 = s->orientation[3];
    const double nz = 2 * (q2 * q3 + q0 * q1);
    phi[0] = phi[1] = NAN;
    phi[2] = s->position[2] - R * sqrt(1 - nz * nz);
    return 0;
}

void rollingDisc(dWorldID world, dBodyID disc, dReal *radius)
{
    const ukConstraintID c = ukConstraintCreate(world, 3, &disc, 1, rollRows, radius);
    ukConstraintSetError(c, rollErrors, radius);
}
