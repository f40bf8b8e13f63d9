/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/row.c: every kernel writes what ODE's own rows contain, so that the two right-hand sides agree to
 * rounding; J, c and the position error phi come from one place each. */
#include "bridge/joints/row.h"

#include <math.h>

#include "bridge/joints/angle.h"
#include "bridge/joints/bias.h"
#include "bridge/joints/geometry.h"

void ukRowPoint(ukRowSink *sink, int i, const double u[3], const double ra[3], const double *rb)
{
    double *J = sink->J + i * sink->stride;
    for (int j = 0; j < 3; j++) J[j] = u[j];
    ukCross(ra, u, J + 3);
    if (!rb) return;
    for (int j = 0; j < 3; j++) J[6 + j] = -u[j];
    ukCross(u, rb, J + 9);
}

void ukRowAxis(ukRowSink *sink, int i, const double u[3], bool has_b)
{
    double *J = sink->J + i * sink->stride;
    for (int j = 0; j < 3; j++) J[3 + j] = u[j];
    if (!has_b) return;
    for (int j = 0; j < 3; j++) J[9 + j] = -u[j];
}

void ukRowSlide(ukRowSink *sink, int i, const double u[3], const ukState *a, const ukState *b)
{
    double *J = sink->J + i * sink->stride;
    for (int j = 0; j < 3; j++) J[j] = u[j];
    if (!b) return;
    double half[3];
    for (int j = 0; j < 3; j++) half[j] = 0.5 * (b->x[j] - a->x[j]);
    ukCross(half, u, J + 3);
    for (int j = 0; j < 3; j++) {
        J[6 + j] = -u[j];
        J[9 + j] = J[3 + j];
    }
}

void ukRowError(ukRowSink *sink, int i, double phi, double erp, double h)
{
    sink->phi[i] = phi;
    if (sink->erp) sink->erp[i] = erp;
    (sink->push ? sink->push : sink->c)[i] = -(erp / h) * phi;
}

/* rows r x e_0, r x e_1, r x e_2 of one body, each `stride` apart, times sign */
static void leverRows(double *J, int stride, const double r[3], double sign)
{
    J[1] = sign * r[2];
    J[2] = -sign * r[1];
    J[stride] = -sign * r[2];
    J[stride + 2] = sign * r[0];
    J[2 * stride] = sign * r[1];
    J[2 * stride + 1] = -sign * r[0];
}

void ukRowsBall(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double erp,
                double cfm, double h)
{
    double *J = sink->J + i * sink->stride, Pa[3], Pb[3], ra[3], rb[3];
    ukAnchor(a, joint->anchor1, Pa, ra);
    ukAnchor(b, joint->anchor2, Pb, rb);
    for (int k = 0; k < 3; k++) {
        J[k * sink->stride + k] = 1;
        if (b) J[k * sink->stride + 6 + k] = -1;
        sink->cfm[i + k] = cfm;
        ukRowError(sink, i + k, Pa[k] - Pb[k], erp, h);
    }
    leverRows(J + 3, sink->stride, ra, 1);
    if (b) leverRows(J + 9, sink->stride, rb, -1);
    if (sink->bias) ukBiasBall(sink, i, ra, rb, a, b);
}

void ukRowsOrientation(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double erp,
                       double cfm, double h)
{
    double *J = sink->J + i * sink->stride, e[4], error[3];
    ukRotationError(joint, a, b, e);
    ukRotate(a->R, e + 1, error);
    const double twice = e[0] < 0 ? 2 : -2; /* the rotation vector of a small rotation is 2 e_v; q and -q are one */
    for (int k = 0; k < 3; k++) {
        J[k * sink->stride + 3 + k] = 1;
        if (b) J[k * sink->stride + 9 + k] = -1;
        sink->cfm[i + k] = cfm;
        ukRowError(sink, i + k, twice * error[k], erp, h);
    }
}

void ukRowsAligned(ukRowSink *sink, int i, const double ax1[3], const double ax2[3], const ukState *a, const ukState *b,
                   double erp, const ukRowContext *context)
{
    double p[3], q[3], u[3]; /* u: rotation of a that would bring ax1 to ax2, to first order */
    ukPlaneSpace(ax1, p, q);
    ukCross(ax1, ax2, u);
    ukRowAxis(sink, i, p, b != NULL);
    ukRowAxis(sink, i + 1, q, b != NULL);
    ukRowError(sink, i, -ukDot(u, p), erp, context->h);
    ukRowError(sink, i + 1, -ukDot(u, q), erp, context->h);
    sink->cfm[i] = sink->cfm[i + 1] = context->cfm;
    if (!sink->bias) return;
    double p_dot[3], q_dot[3];
    ukTurnRate(a, p, p_dot);
    ukTurnRate(a, q, q_dot);
    ukBiasAxis(sink, i, p_dot, a, b);
    ukBiasAxis(sink, i + 1, q_dot, a, b);
    const double length = sqrt(ukDot(ax2, ax2)); /* raw where b is the world */
    for (int k = 0; k < 2 && length > 0; k++) sink->phi[i + k] /= length;
}

/* velocity of the point at lever r */
static void pointVelocity(const ukState *s, const double r[3], double v[3])
{
    ukCross(s->v + 3, r, v);
    for (int i = 0; i < 3; i++) v[i] += s->v[i];
}

void ukRowDistance(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double h,
                   double D[3])
{
    static const double tiny = 1e-12; /* [m] below, anchors that coincide are parted along their relative velocity */
    double Pa[3], Pb[3], ra[3], rb[3], u[3];
    ukAnchor(a, joint->anchor1, Pa, ra);
    ukAnchor(b, joint->anchor2, Pb, rb);
    for (int k = 0; k < 3; k++) u[k] = D[k] = Pa[k] - Pb[k];
    const double distance = sqrt(ukDot(D, D));
    if (distance < tiny) {
        double vb[3] = {0};
        pointVelocity(a, ra, u);
        if (b) pointVelocity(b, rb, vb);
        for (int k = 0; k < 3; k++) u[k] -= vb[k];
        if (sqrt(ukDot(u, u)) < tiny) u[0] = u[1] = u[2] = 0; /* becomes e_x */
    }
    ukNormalize(u);
    ukRowPoint(sink, i, u, ra, b ? rb : NULL);
    ukRowError(sink, i, distance - joint->target, joint->erp, h);
    sink->cfm[i] = joint->cfm;
    if (!sink->bias) return;
    if (distance < tiny || joint->target < tiny) {
        sink->stop[i] = 1; /* a distance of zero has no derivative */
    } else {
        ukBiasDistance(sink, i, D, ra, rb, a, b);
    }
}
