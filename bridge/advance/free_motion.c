/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/advance/free_motion.h"

#include <float.h>
#include <math.h>

#include "bridge/base/vector.h"
#include "solvers/base/status.h"

/* Momenta are carried from one end to the other with more digits than states have: what states round is then as often
 * too much as too little, and does not add up over millions of steps. */
typedef long double Wide;

static void crossWide(const double *x, const Wide *y, Wide *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

/* y = x turned by q, or back */
static void turn(const double q[4], const Wide x[3], bool back, Wide y[3])
{
    Wide once[3], twice[3], square = 0;
    for (int k = 0; k < 4; k++) square += (Wide)q[k] * q[k];
    crossWide(q + 1, x, once);
    for (int k = 0; k < 3; k++) once[k] *= 2 / square;
    crossWide(q + 1, once, twice);
    for (int k = 0; k < 3; k++) y[k] = x[k] + (back ? -q[0] : q[0]) * once[k] + twice[k];
}

static void rotateWide(const double A[9], const Wide x[3], Wide y[3])
{
    for (int i = 0; i < 3; i++) y[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

/* x of J x = r, by Cramer's rule; false: J is singular */
static bool solve3(const double J[9], const double r[3], double x[3])
{
    double c[3][3];
    ukCross(J + 3, J + 6, c[0]); /* columns of the inverse, times the determinant */
    ukCross(J + 6, J, c[1]);
    ukCross(J, J + 3, c[2]);
    const double det = ukDot(J, c[0]);
    if (!(fabs(det) > 0)) return false;
    for (int k = 0; k < 3; k++) x[k] = (c[0][k] * r[0] + c[1][k] * r[1] + c[2][k] * r[2]) / det;
    return true;
}

/* I W + h/2 W x I W + h^2/4 (W' I W) W - P, and its derivative */
static void residual(const double I[9], const double W[3], const double P[3], double h, double r[3], double J[9])
{
    double IW[3], around[3];
    ukRotate(I, W, IW);
    ukCross(W, IW, around);
    const double half = 0.5 * h, energy = ukDot(W, IW);
    const double w[9] = {0, -W[2], W[1], W[2], 0, -W[0], -W[1], W[0], 0};
    const double l[9] = {0, -IW[2], IW[1], IW[2], 0, -IW[0], -IW[1], IW[0], 0};
    for (int i = 0; i < 3; i++) {
        r[i] = IW[i] + half * around[i] + half * half * energy * W[i] - P[i];
        for (int k = 0; k < 3; k++) {
            const double wI = w[3 * i] * I[k] + w[3 * i + 1] * I[3 + k] + w[3 * i + 2] * I[6 + k];
            J[3 * i + k] = I[3 * i + k] + half * (wI - l[3 * i + k]) + half * half * 2 * W[i] * IW[k];
        }
        J[4 * i] += half * half * energy;
    }
}

/* W of P = R0' L, from I^-1 P on */
static int spinBetween(const double I[9], const double P[3], double h, double W[3])
{
    enum { MaxNewton = 40 };
    const double size = ukSize(P, 3);
    double last = INFINITY;
    for (int k = 0; k < MaxNewton; k++) {
        double r[3], J[9], step[3];
        residual(I, W, P, h, r, J);
        const double off = ukSize(r, 3);
        if (off <= DBL_EPSILON * size || (off <= 1e-12 * size && off >= 0.5 * last)) return ukOk;
        if (!solve3(J, r, step)) return ukErrorNotConverged;
        for (int i = 0; i < 3; i++) W[i] -= step[i];
        last = off;
    }
    return ukErrorNotConverged;
}

int ukFreeMotion(ukFrame *f, const double v[6], double h)
{
    ukState *s = &f->state;
    const ukState *from = &f->start;
    *s = *from;
    for (int k = 0; k < 6; k++) s->v[k] = v[k];
    for (int k = 0; k < 3; k++) s->x[k] += h * v[k];
    if (f->moving < 0 || !dBodyGetGyroscopicMode(f->body->handle)) {
        const double angle[3] = {h * v[3], h * v[4], h * v[5]};
        ukRotateBy(s->q, angle);
        ukStateOrient(s);
        return ukOk;
    }
    const double *I = f->body->constant.inertia, *inverse = f->body->constant.inverse_inertia;
    const Wide w[3] = {v[3], v[4], v[5]};
    Wide momentum[3], world[3], local[3], left[3], more[3];
    double W[3], P[3];
    turn(from->q, w, true, local);
    rotateWide(I, local, momentum);
    for (int k = 0; k < 3; k++) W[k] = (double)local[k], P[k] = (double)momentum[k];
    if (!(ukDot(W, W) > 0)) return ukOk;
    const int status = spinBetween(I, P, h, W);
    if (status != ukOk) return status;
    const double by[4] = {1, 0.5 * h * W[0], 0.5 * h * W[1], 0.5 * h * W[2]};
    ukQuaternionMultiply(from->q, by, s->q);
    for (int k = 0; k < 2; k++) ukStateOrient(s); /* as ODE keeps it */
    turn(from->q, momentum, false, world);
    turn(s->q, world, true, momentum);
    rotateWide(inverse, momentum, local);
    rotateWide(I, local, left); /* the inverse's own rounding */
    for (int k = 0; k < 3; k++) left[k] = momentum[k] - left[k];
    rotateWide(inverse, left, more);
    for (int k = 0; k < 3; k++) local[k] += more[k];
    turn(s->q, local, false, left);
    for (int k = 0; k < 3; k++) s->v[3 + k] = (double)left[k];
    return ukOk;
}
