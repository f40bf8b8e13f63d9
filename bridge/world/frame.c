/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/frame.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/ode/class.h"
#include "solvers/base/status.h"
#include "solvers/problem/block.h"

/* B = inverse of the symmetric A, whose cofactors are in range; false unless A is positive definite */
static bool invertScaled(const double A[9], double B[9])
{
    const double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8], c2 = A[3] * A[7] - A[4] * A[6];
    const double det = A[0] * c0 + A[1] * c1 + A[2] * c2;
    if (!(A[0] > 0 && A[0] * A[4] - A[1] * A[3] > 0 && det > 0)) return false;
    const double s = 1 / det;
    B[0] = c0 * s;
    B[1] = B[3] = c1 * s;
    B[2] = B[6] = c2 * s;
    B[4] = (A[0] * A[8] - A[2] * A[6]) * s;
    B[5] = B[7] = (A[2] * A[3] - A[0] * A[5]) * s;
    B[8] = (A[0] * A[4] - A[1] * A[3]) * s;
    return true;
}

/* The same of any magnitude: by a power of two, which changes no digit. False also where A B - 1 is more than rounding:
 * A is singular to working precision. */
static bool invertSymmetric(const double A[9], double B[9])
{
    static const double rounding = 1e-6;
    double scaled[9];
    int exponent;
    frexp(fmax(A[0], fmax(A[4], A[8])), &exponent);
    for (int i = 0; i < 9; i++) scaled[i] = ldexp(A[i], -exponent);
    if (!invertScaled(scaled, B)) return false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double sum = scaled[3 * i] * B[k] + scaled[3 * i + 1] * B[3 + k] + scaled[3 * i + 2] * B[6 + k];
            if (!(fabs(sum - (i == k)) <= rounding)) return false;
        }
    for (int i = 0; i < 9; i++) B[i] = ldexp(B[i], -exponent);
    return ukFiniteAll(B, 9);
}

/* The mean of A and A' in its place; false where they differ by more than the rounding of a rotated inertia. */
static bool symmetrizeInertia(double A[9])
{
    static const double rounding = 1e-9;
    const double largest = fmax(A[0], fmax(A[4], A[8]));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++) {
            double *x = A + 3 * i + k, *y = A + 3 * k + i;
            if (!(fabs(*x - *y) <= rounding * largest)) return false;
            *x = *y = 0.5 * (*x + *y);
        }
    return true;
}

const char *ukFrameMassFault(const ukBody *body)
{
    dMass mass;
    double I[9];
    dBodyGetMass(body->handle, &mass);
    for (int i = 0; i < 9; i++) I[i] = mass.I[4 * (i / 3) + i % 3];
    if (!ukFiniteAll(&mass.mass, 1) || !ukFiniteAll(I, 9)) return "mass or inertia is not finite";
    if (!(mass.mass > 0)) return "mass is not positive (ukBodySetMassless declares a body without mass)";
    if (!symmetrizeInertia(I)) return "inertia is not symmetric (dMass.I must have I[4i + k] = I[4k + i])";
    return "inertia is not positive definite, or singular to working precision";
}

void ukFrameDeclareMassless(ukBody *body, bool massless)
{
    if (body->massless != massless) body->constant.changes = 0;
    body->massless = massless;
}

int ukFrameConstants(ukBody *body, bool *kinematic)
{
    if (body->constant.changes != body->world->changes || body->world->attached) {
        dMass mass;
        dBodyGetMass(body->handle, &mass);
        body->constant.kinematic = dBodyIsKinematic(body->handle) != 0;
        body->constant.mass = mass.mass;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) body->constant.inertia[3 * i + k] = mass.I[4 * i + k];
        if (body->massless && !body->constant.kinematic) {
            body->constant.mass = 0;
            memset(body->constant.inertia, 0, sizeof body->constant.inertia);
            memset(body->constant.inverse_inertia, 0, sizeof body->constant.inverse_inertia);
        } else if (!body->constant.kinematic &&
                   (!(mass.mass > 0) || !ukFiniteAll(&mass.mass, 1) || !ukFiniteAll(body->constant.inertia, 9) ||
                    !symmetrizeInertia(body->constant.inertia) ||
                    !invertSymmetric(body->constant.inertia, body->constant.inverse_inertia)))
            return ukErrorMass;
        body->constant.changes = body->world->changes;
    }
    *kinematic = body->constant.kinematic;
    return ukOk;
}

void ukInertiaToWorld(const double R[9], const double B[9], double W[9])
{
    double T[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) T[3 * i + k] = R[3 * i] * B[k] + R[3 * i + 1] * B[3 + k] + R[3 * i + 2] * B[6 + k];
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
            W[3 * i + k] = W[3 * k + i] =
                T[3 * i] * R[3 * k] + T[3 * i + 1] * R[3 * k + 1] + T[3 * i + 2] * R[3 * k + 2];
}

/* row i of R B R' from its diagonal on, in both lanes */
UKODE_INLINE void turnRow(const double R[9], int i, const ukPair B[6], double *W, double *V)
{
    const ukPair x = ukBothOf(R[3 * i]), y = ukBothOf(R[3 * i + 1]), z = ukBothOf(R[3 * i + 2]);
    const ukPair t0 = x * B[0] + y * B[1] + z * B[2];
    const ukPair t1 = x * B[1] + y * B[3] + z * B[4];
    const ukPair t2 = x * B[2] + y * B[4] + z * B[5];
    for (int k = i; k < 3; k++) {
        const ukPair w = t0 * ukBothOf(R[3 * k]) + t1 * ukBothOf(R[3 * k + 1]) + t2 * ukBothOf(R[3 * k + 2]);
        W[3 * i + k] = W[3 * k + i] = w[0];
        V[3 * i + k] = V[3 * k + i] = w[1];
    }
}

/* W = R I R' and V = R I^-1 R', a lane each: twice ukInertiaToWorld was a tenth of the assembly */
static void inertiasToWorld(const double R[9], const double I[9], const double inverse[9], double *W, double *V)
{
    const ukPair B[6] = {{I[0], inverse[0]}, {I[1], inverse[1]}, {I[2], inverse[2]},
                         {I[4], inverse[4]}, {I[5], inverse[5]}, {I[8], inverse[8]}};
    turnRow(R, 0, B, W, V);
    turnRow(R, 1, B, W, V);
    turnRow(R, 2, B, W, V);
}

void ukGyroscopicTorque(const double I[9], const double w[3], double h, double torque[3])
{
    double L[3], x[3], c[9], T[3];
    ukRotate(I, w, L);
    if (h == 0) {
        ukCross(L, w, T);
        for (int i = 0; i < 3; i++) torque[i] += T[i];
        return;
    }
    /* N = I - h [L]x, solved by Cramer's rule; skipped where singular, as ODE does */
    const double N[9] = {I[0], I[1] + h * L[2], I[2] - h * L[1], I[3] - h * L[2],
                         I[4], I[5] + h * L[0], I[6] + h * L[1], I[7] - h * L[0],
                         I[8]};
    c[0] = N[4] * N[8] - N[5] * N[7];
    c[1] = N[2] * N[7] - N[1] * N[8];
    c[2] = N[1] * N[5] - N[2] * N[4];
    c[3] = N[5] * N[6] - N[3] * N[8];
    c[4] = N[0] * N[8] - N[2] * N[6];
    c[5] = N[2] * N[3] - N[0] * N[5];
    c[6] = N[3] * N[7] - N[4] * N[6];
    c[7] = N[1] * N[6] - N[0] * N[7];
    c[8] = N[0] * N[4] - N[1] * N[3];
    const double det = N[0] * c[0] + N[1] * c[3] + N[2] * c[6];
    if (det == 0) return;
    const double scale = 1 / det;
    /* T = (1/h) (I N^-1 - 1) L = [L]x N^-1 L, for I = N + h [L]x */
    ukRotate(c, L, x);
    ukCross(L, x, T);
    for (int i = 0; i < 3; i++) torque[i] += T[i] * scale;
}

const char *ukStateFault(const ukState *s)
{
    const double norm = s->q[0] * s->q[0] + s->q[1] * s->q[1] + s->q[2] * s->q[2] + s->q[3] * s->q[3];
    /* NaN and Inf propagate: testing the sum tests all */
    if (norm > 0 && fabs(norm + ukSum(s->x) + ukSum(s->v) + ukSum(s->v + 3)) <= DBL_MAX) return NULL;
    if (!ukFiniteAll(s->x, 3)) return "position";
    if (!(norm > 0) || !ukFiniteAll(&norm, 1)) return "orientation";
    if (!ukFiniteAll(s->v, 3)) return "velocity";
    return ukFiniteAll(s->v + 3, 3) ? NULL : "spin";
}

double ukFrameTurningStep(const ukFrame *f, double h)
{
    return f->body->world->rules & ukRuleBefore13 ? 0 : h;
}

void ukFrameForces(ukFrame *f, const double g[3], double h, double *mass, double *inertia, double *inverse_inertia)
{
    const ukBody *body = f->body;
    const ukState *s = &f->state;
    memcpy(f->force, f->accumulator, sizeof f->force);
    f->has_gravity = dBodyGetGravityMode(body->handle) != 0 && !ukFrameIsMassless(f);
    if (f->has_gravity) /* a kinematic body's callback sees it, too */
        for (int i = 0; i < 3; i++) f->force[i] += body->constant.mass * g[i];
    if (f->moving < 0) return;
    *mass = body->constant.mass;
    inertiasToWorld(s->R, body->constant.inertia, body->constant.inverse_inertia, inertia, inverse_inertia);
    memset(f->turning, 0, sizeof f->turning);
    if (!ukFrameTurns(f)) return;
    ukGyroscopicTorque(inertia, s->v + 3, ukFrameTurningStep(f, h), f->turning);
    for (int i = 0; i < 3; i++) f->force[3 + i] += f->turning[i];
}

void ukRotateBy(double q[4], const double theta[3])
{
    ukQuaternionRotate(q, theta, sqrt(ukDot(theta, theta)), 0.5);
}

void ukStateOrient(ukState *s)
{
    ukQuaternionOrient(s->q, s->R);
}
