/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/integrate/free_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "solvers/base/status.h"

/* Momenta are carried through the step with more digits than states have: the rounding error of states is then unbiased
 * and does not accumulate over millions of steps. */
typedef long double Wide;

static void crossWide(const double *x, const Wide *y, Wide *z)
{
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

/* y = x rotated by q, or by its inverse (`back`) */
static void freeMotionTurn(const double q[4], const Wide x[3], bool back, Wide y[3])
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

/* columns of the inverse of J; false: J is singular */
static bool invert3(const double J[9], double c[3][3])
{
    ukCross(J + 3, J + 6, c[0]);
    ukCross(J + 6, J, c[1]);
    ukCross(J, J + 3, c[2]);
    const double det = ukDot(J, c[0]), each = 1 / det;
    if (!(fabs(det) > 0)) return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) c[i][k] *= each;
    return true;
}

/* I W + h/2 W x I W + h^2/4 (W' I W) W: the momentum at the start of the step in the body's frame; with -h/2 that at
 * the end */
static void freeMotionMomentumOf(const double I[9], const double W[3], double half, double P[3])
{
    double IW[3], around[3];
    ukRotate(I, W, IW);
    ukCross(W, IW, around);
    const double part = half * half * ukDot(W, IW);
    for (int i = 0; i < 3; i++) P[i] = IW[i] + half * around[i] + part * W[i];
}

/* derivative with respect to W of the momentum at the start */
static void differentiateMomentum(const double I[9], const double W[3], double half, double J[9])
{
    double IW[3];
    ukRotate(I, W, IW);
    const double energy = ukDot(W, IW);
    const double w[9] = {0, -W[2], W[1], W[2], 0, -W[0], -W[1], W[0], 0};
    const double l[9] = {0, -IW[2], IW[1], IW[2], 0, -IW[0], -IW[1], IW[0], 0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            const double wI = w[3 * i] * I[k] + w[3 * i + 1] * I[3 + k] + w[3 * i + 2] * I[6 + k];
            J[3 * i + k] = I[3 * i + k] + half * (wI - l[3 * i + k]) + half * half * 2 * W[i] * IW[k];
        }
        J[4 * i] += half * half * energy;
    }
}

/* Solves P = R0' L for W by Newton's method from an initial guess. The derivative is kept while the residual falls fast
 * enough, otherwise recomputed. */
static int spinBetween(const double I[9], const double P[3], double half, double W[3])
{
    enum { MaxIterations = 40 };
    static const double near = 1e-7, poor = 0.1; /* a fresh derivative converges quadratically; `poor` renews it */
    const double size = ukSize(P, 3);
    double c[3][3], last = 0;
    for (int k = 0; k < MaxIterations; k++) {
        double r[3], J[9];
        freeMotionMomentumOf(I, W, half, r);
        for (int i = 0; i < 3; i++) r[i] -= P[i];
        const double off = ukSize(r, 3);
        if (off <= DBL_EPSILON * size) return ukOk;
        const bool fresh = !(off < poor * last);
        if (fresh) differentiateMomentum(I, W, half, J);
        if (fresh && !invert3(J, c)) return ukErrorNotConverged;
        for (int i = 0; i < 3; i++) W[i] -= c[0][i] * r[0] + c[1][i] * r[1] + c[2][i] * r[2];
        if (fresh ? off <= near * size : off * off <= DBL_EPSILON * size * last) return ukOk;
        last = off;
    }
    return ukErrorNotConverged;
}

int ukFreeMotion(ukFrame *f, const double v[6], double h, double spin[3])
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
    const double *I = f->body->constant.inertia, *inverse = f->body->constant.inverse_inertia, half = 0.5 * h;
    double local[3], P[3];
    ukUnrotate(from->R, v + 3, local);
    if (!(ukDot(local, local) > 0)) return ukOk;
    ukRotate(I, local, P);
    if (!(ukDot(spin, spin) > 0)) { /* initial guess: I W = P - h/2 W x I W to first order */
        double around[3], less[3];
        ukCross(local, P, around);
        ukRotate(inverse, around, less);
        for (int k = 0; k < 3; k++) spin[k] = local[k] - half * less[k];
    }
    const int status = spinBetween(I, P, half, spin);
    if (status != ukOk) return status;
    const double by[4] = {1, half * spin[0], half * spin[1], half * spin[2]};
    ukQuaternionMultiply(from->q, by, s->q);
    for (int k = 0; k < 2; k++) ukStateOrient(s); /* normalizes the quaternion as ODE does */
    freeMotionMomentumOf(I, spin, -half, P);
    ukRotate(inverse, P, local);
    ukRotate(s->R, local, s->v + 3);
    return ukOk;
}

bool ukFreeMobility(const ukFrame *f, const double spin[3], double h, double T[9])
{
    const double *R = f->start.R, half = 0.5 * h, each = 1 / (1 + half * half * ukDot(spin, spin));
    double J[9], c[3][3], turned[3][3];
    if (!dBodyGetGyroscopicMode(f->body->handle)) return false;
    differentiateMomentum(f->body->constant.inertia, spin, half, J);
    if (!invert3(J, c)) return false;
    for (int i = 0; i < 3; i++) { /* column i of the rotation by cay(h W): (dW + h/2 W x dW) / (1 + h^2/4 W'W) */
        double around[3], column[3];
        ukCross(spin, c[i], around);
        for (int k = 0; k < 3; k++) column[k] = each * (c[i][k] + half * around[k]);
        ukRotate(R, column, turned[i]);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            T[3 * i + k] = turned[0][i] * R[3 * k] + turned[1][i] * R[3 * k + 1] + turned[2][i] * R[3 * k + 2];
    return true;
}

void ukFreeInertia(const ukFrame *f, const double spin[3], double h, double M[9])
{
    const double *R = f->start.R, *W = spin, half = 0.5 * h;
    if (!dBodyGetGyroscopicMode(f->body->handle)) {
        ukInertiaToWorld(R, f->body->constant.inertia, M);
        return;
    }
    double J[9], local[9], turned[9];
    differentiateMomentum(f->body->constant.inertia, W, half, J);
    for (int i = 0; i < 3; i++) { /* J (1 - h/2 [W]x + h^2/4 W W'), row by row */
        double around[3];
        ukCross(J + 3 * i, W, around); /* x' [W]x = (x x W)' */
        const double along = half * half * ukDot(J + 3 * i, W);
        for (int k = 0; k < 3; k++) local[3 * i + k] = J[3 * i + k] - half * around[k] + along * W[k];
    }
    for (int i = 0; i < 3; i++) ukRotate(R, local + 3 * i, turned + 3 * i); /* local R' */
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            M[3 * i + k] = R[3 * i] * turned[k] + R[3 * i + 1] * turned[3 + k] + R[3 * i + 2] * turned[6 + k];
}

void ukFreeMomentum(const ukFrame *f, const double v[6], double end[6])
{
    memcpy(end, v, 6 * sizeof *end);
    if (f->moving < 0 || !dBodyGetGyroscopicMode(f->body->handle)) return;
    const double *I = f->body->constant.inertia, *inverse = f->body->constant.inverse_inertia;
    const Wide w[3] = {v[3], v[4], v[5]};
    Wide momentum[3], world[3], local[3], left[3], more[3];
    freeMotionTurn(f->start.q, w, true, local);
    rotateWide(I, local, momentum);
    freeMotionTurn(f->start.q, momentum, false, world);
    freeMotionTurn(f->state.q, world, true, momentum);
    rotateWide(inverse, momentum, local);
    rotateWide(I, local, left); /* corrects the rounding error of the inverse */
    for (int k = 0; k < 3; k++) left[k] = momentum[k] - left[k];
    rotateWide(inverse, left, more);
    for (int k = 0; k < 3; k++) local[k] += more[k];
    freeMotionTurn(f->state.q, local, false, left);
    for (int k = 0; k < 3; k++) end[3 + k] = (double)left[k];
}
