/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/frame.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/ode/class.h"
#include "bridge/world/journal.h"
#include "bridge/world/state.h"
#include "bridge/world/storage.h"
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
static bool symmetrize(double A[9])
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
    if (!symmetrize(I)) return "inertia is not symmetric (dMass.I must have I[4i + k] = I[4k + i])";
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
                    !symmetrize(body->constant.inertia) ||
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

static double sumOf(const double x[3])
{
    return x[0] + x[1] + x[2];
}

/* what of the state is no number, in a word; NULL: nothing */
static const char *faultOf(const ukState *s)
{
    const double norm = s->q[0] * s->q[0] + s->q[1] * s->q[1] + s->q[2] * s->q[2] + s->q[3] * s->q[3];
    /* one look at all of them: what is no number makes their sum none */
    if (norm > 0 && fabs(norm + sumOf(s->x) + sumOf(s->v) + sumOf(s->v + 3)) <= DBL_MAX) return NULL;
    if (!ukFiniteAll(s->x, 3)) return "position";
    if (!(norm > 0) || !ukFiniteAll(&norm, 1)) return "orientation";
    if (!ukFiniteAll(s->v, 3)) return "velocity";
    return ukFiniteAll(s->v + 3, 3) ? NULL : "spin";
}

const char *ukFrameGather(ukFrame *f)
{
    const ukBody *body = f->body;
    ukState *s = &f->start;
    for (int i = 0; i < 3; i++) {
        s->x[i] = body->position[i];
        s->v[i] = body->linear[i];
        s->v[3 + i] = body->angular[i];
        f->accumulator[i] = body->force[i];
        f->accumulator[3 + i] = body->torque[i];
        for (int k = 0; k < 3; k++) s->R[3 * i + k] = body->rotation[4 * i + k];
    }
    for (int i = 0; i < 4; i++) s->q[i] = body->quaternion[i];
    f->written = false;
    f->state = *s;
    const char *fault = faultOf(s);
    if (fault) return fault;
    if (fabs(sumOf(f->accumulator) + sumOf(f->accumulator + 3)) <= DBL_MAX) return NULL;
    if (!ukFiniteAll(f->accumulator, 3)) return "force";
    return ukFiniteAll(f->accumulator + 3, 3) ? NULL : "torque";
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
    f->heavy = dBodyGetGravityMode(body->handle) != 0 && !ukFrameIsMassless(f);
    if (f->heavy) /* a kinematic body's callback sees it, too */
        for (int i = 0; i < 3; i++) f->force[i] += body->constant.mass * g[i];
    if (f->moving < 0) return;
    *mass = body->constant.mass;
    inertiasToWorld(s->R, body->constant.inertia, body->constant.inverse_inertia, inertia, inverse_inertia);
    memset(f->turning, 0, sizeof f->turning);
    if (!ukFrameTurns(f)) return;
    ukGyroscopicTorque(inertia, s->v + 3, ukFrameTurningStep(f, h), f->turning);
    for (int i = 0; i < 3; i++) f->force[3 + i] += f->turning[i];
}

double ukFrameCap(const ukBody *body, double v[6])
{
    const double cap = dBodyGetMaxAngularSpeed(body->handle), square = ukDot(v + 3, v + 3);
    if (!(square > cap * cap)) return cap;
    const double speed = square < INFINITY ? sqrt(square) : hypot(hypot(v[3], v[4]), v[5]);
    const double scale = cap / speed;
    for (int i = 3; i < 6; i++) v[i] *= scale;
    return cap;
}

/* q := exp(half w) q; w times half the step. sin(x)/x below 1e-4 as ODE has it */
static void rotate(double q[4], const double w[3], double speed, double half)
{
    const double theta = speed * half;
    const double sinc = fabs(theta) < 1e-4 ? 1 - theta * theta * 0.166666666666666666667 : sin(theta) / theta;
    const double s = sinc * half, e[4] = {cos(theta), w[0] * s, w[1] * s, w[2] * s};
    double r[4];
    ukQuaternionMultiply(e, q, r);
    memcpy(q, r, sizeof r);
}

/* q += h/2 (0, w) q */
static void drift(double q[4], const double w[3], double h)
{
    const double k = 0.5 * h, r[4] = {q[0], q[1], q[2], q[3]};
    q[0] += k * (-w[0] * r[1] - w[1] * r[2] - w[2] * r[3]);
    q[1] += k * (w[0] * r[0] + w[1] * r[3] - w[2] * r[2]);
    q[2] += k * (-w[0] * r[3] + w[1] * r[0] + w[2] * r[1]);
    q[3] += k * (w[0] * r[2] - w[1] * r[1] + w[2] * r[0]);
}

bool ukFrameAdvance(const ukBody *body, const double v[6], double h, double x[3], double q[4])
{
    const double *w = v + 3;
    const bool finite = dBodyGetFiniteRotationMode(body->handle) != 0;
    for (int i = 0; i < 3; i++) x[i] += h * v[i];
    if (!finite) {
        drift(q, w, h);
    } else {
        dVector3 n;
        dBodyGetFiniteRotationAxis(body->handle, n);
        if (n[0] == 0 && n[1] == 0 && n[2] == 0) {
            rotate(q, w, sqrt(ukDot(w, w)), 0.5 * h);
        } else {
            /* ODE turns the tangential part by half the step only: imitated (docs/ode-differences.md) */
            const double k = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
            const double along[3] = {n[0] * k, n[1] * k, n[2] * k};
            const double across[3] = {w[0] - along[0], w[1] - along[1], w[2] - along[2]};
            rotate(q, along, k, 0.5 * h);
            drift(q, across, 0.5 * h);
        }
    }
    const double s = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++) q[i] *= s;
    return finite;
}

void ukRotateBy(double q[4], const double theta[3])
{
    rotate(q, theta, sqrt(ukDot(theta, theta)), 0.5);
}

void ukStateOrient(ukState *s)
{
    ukQuaternionOrient(s->q, s->R);
}

/* what damping leaves of a velocity (3), as the user set it: 1 below its threshold */
static double linearDamping(dBodyID body, const double *v)
{
    const double scale = dBodyGetLinearDamping(body), threshold = scale == 0 ? 0 : dBodyGetLinearDampingThreshold(body);
    return scale != 0 && ukDot(v, v) > threshold * threshold ? 1 - scale : 1;
}

static double angularDamping(dBodyID body, const double *w)
{
    const double scale = dBodyGetAngularDamping(body);
    const double threshold = scale == 0 ? 0 : dBodyGetAngularDampingThreshold(body);
    return scale != 0 && ukDot(w, w) > threshold * threshold ? 1 - scale : 1;
}

const char *ukFrameFault(ukFrame *f)
{
    const dBodyID b = f->body->handle;
    const double linear = linearDamping(b, f->state.v), angular = angularDamping(b, f->state.v + 3);
    f->damping[0] = linear, f->damping[1] = angular;
    if (linear == 1 && angular == 1) return faultOf(&f->state);
    ukState end = f->state;
    for (int i = 0; i < 3; i++) {
        end.v[i] *= linear;
        end.v[3 + i] *= angular;
    }
    return faultOf(&end);
}

/* scales ODE's present velocity down */
static void damp(dBodyID body)
{
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    const double linear = linearDamping(body, v), angular = angularDamping(body, w);
    if (linear != 1) dBodySetLinearVel(body, linear * v[0], linear * v[1], linear * v[2]);
    if (angular != 1) dBodySetAngularVel(body, angular * w[0], angular * w[1], angular * w[2]);
}

void ukFrameScatter(ukFrame *f, bool called)
{
    ukBody *body = f->body;
    const dBodyID b = body->handle;
    const double *v = f->state.v, *x = f->state.x, *q = f->state.q;
    const double linear = called ? 1 : f->damping[0], angular = called ? 1 : f->damping[1];
    const dQuaternion quaternion = {q[0], q[1], q[2], q[3]};
    f->written = true;
    dBodySetLinearVel(b, linear * v[0], linear * v[1], linear * v[2]);
    dBodySetAngularVel(b, angular * v[3], angular * v[4], angular * v[5]);
    dBodySetPosition(b, x[0], x[1], x[2]);
    dBodySetQuaternion(b, quaternion);
    if (body->moved) { /* it may look at the forces: ODE's accumulators hold gravity and the gyroscopic torque by now */
        dBodySetForce(b, f->force[0], f->force[1], f->force[2]);
        dBodySetTorque(b, f->force[3], f->force[4], f->force[5]);
        ukWorld *const world = body->world;
        ukJournalCalled(world, body, false);
        body->moved(b);
        ukBodyRead(body);
        ukJournalCalled(world, body, true);
        if (!body->handle) return;
    }
    if (called) damp(b);
    dBodySetForce(b, 0, 0, 0);
    dBodySetTorque(b, 0, 0, 0);
}

void ukFrameRestore(const ukFrame *f)
{
    const ukBody *body = f->body;
    const dBodyID b = body->handle;
    if (!b) return;
    const ukState *s = &f->start;
    dBodySetLinearVel(b, s->v[0], s->v[1], s->v[2]);
    dBodySetAngularVel(b, s->v[3], s->v[4], s->v[5]);
    /* ODE's setters of orientations would normalise once more, and change last digits. What they would tell the body's
     * geoms the position's setter does. */
    dReal *const q = (dReal *)body->quaternion, *const R = (dReal *)body->rotation;
    for (int i = 0; i < 4; i++) q[i] = s->q[i];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) R[4 * i + k] = s->R[3 * i + k];
    if (ukOdeSingle) ukSingleTurn(b);
    dBodySetPosition(b, s->x[0], s->x[1], s->x[2]);
    dBodySetForce(b, f->accumulator[0], f->accumulator[1], f->accumulator[2]);
    dBodySetTorque(b, f->accumulator[3], f->accumulator[4], f->accumulator[5]);
}
