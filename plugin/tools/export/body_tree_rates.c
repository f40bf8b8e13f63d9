/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/body_tree_rates.c: the initial velocities of a tree of bodies as rates of its joints. */
#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "plugin/tools/export/body_tree.h"

void bodyTreeRotation(const double q[4], double R[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, r, sizeof r);
}

/* a point, or with `point` false a direction, of the world in the frame of a body */
void bodyTreeInto(const BodyTreeBody *b, bool point, const double *x, double *y)
{
    double R[9], from[3];
    bodyTreeRotation(b->q, R);
    for (int k = 0; k < 3; k++) from[k] = point ? x[k] - b->x[k] : x[k];
    ukUnrotate(R, from, y);
}

/* Velocity and spin of a body relative to its parent, at the body's centre of mass. */
void bodyTreeTwist(const BodyTreeBody *b, const BodyTreeBody *parent, double t[6])
{
    double arm[3], carried[3] = {0};
    if (parent) {
        for (int k = 0; k < 3; k++) arm[k] = b->x[k] - parent->x[k];
        ukCross(parent->w, arm, carried);
    }
    const bool moves = parent && !parent->kinematic; /* a mocap body has no velocity */
    for (int k = 0; k < 3; k++) {
        t[k] = b->v[k] - (moves ? parent->v[k] + carried[k] : 0);
        t[3 + k] = b->w[k] - (moves ? parent->w[k] : 0);
    }
}

/* The rates of the freedoms by least squares, with lengths in metres (Gauss-Jordan on the n <= 3 normal equations,
 * which freedoms with parallel axes make singular: their rate is then 0); returns the part of the twist that they
 * leave. */
double bodyTreeRates(const BodyTreeBody *b, const double *anchor, const BodyTreeFreedom *f, int n, const double t[6],
                     double rate[3])
{
    double column[3][6], a[3][4], left = 0;
    for (int i = 0; i < n; i++) {
        double arm[3];
        for (int k = 0; k < 3; k++) arm[k] = b->x[k] - anchor[k];
        ukCross(f[i].axis, arm, column[i]);
        for (int k = 0; k < 3; k++) {
            if (f[i].slides) column[i][k] = f[i].axis[k];
            column[i][3 + k] = f[i].slides ? 0 : f[i].axis[k];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) a[i][k] = ukDot(column[i], column[k]) + ukDot(column[i] + 3, column[k] + 3);
        a[i][n] = ukDot(column[i], t) + ukDot(column[i] + 3, t + 3);
    }
    for (int i = 0; i < n; i++) { /* positive definite: no pivoting */
        const double pivot = a[i][i];
        for (int k = 0; k <= n; k++) a[i][k] = pivot > 1e-14 ? a[i][k] / pivot : 0;
        for (int r = 0; r < n; r++) {
            const double factor = a[r][i];
            for (int k = 0; k <= n && r != i; k++) a[r][k] -= factor * a[i][k];
        }
    }
    for (int i = 0; i < n; i++) rate[i] = a[i][n];
    for (int c = 0; c < 6; c++) {
        double rest = t[c];
        for (int i = 0; i < n; i++) rest -= column[i][c] * rate[i];
        left = fmax(left, fabs(rest));
    }
    return left;
}
