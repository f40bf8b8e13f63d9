/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/row.c: every kernel writes what ODE's own rows contain, so that the two right-hand sides agree to
 * rounding; J, c and the position error phi are computed in one place each. Exact rows are alternatives to ODE's. */
#include "bridge/joints/row.h"

#include <math.h>
#include <string.h>

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

static void addTransport(ukRowSink *sink, int i, double rate)
{
    if (!sink->has_transport) memset(sink->transport, 0, ukMaxJointRows * sizeof *sink->transport);
    sink->has_transport = true;
    sink->transport[i] += rate;
}

void ukRowsTransportGap(ukRowSink *sink, int i, int rows, const double *const u[], const double error[3],
                        const ukState *a, const ukRowContext *context)
{
    double carried[3];
    if (!context->exact || !sink->transport) return;
    ukCross(a->v + 3, error, carried);
    for (int k = 0; k < rows; k++) addTransport(sink, i + k, -ukDot(u[k], carried));
}

/* Rows J_k perpendicular to y with J_k . rho = phi_k for a rotation vector rho of a against b, perpendicular to y: in
 * the spinning body, y has the place m = y + rho x y (y - rho x y if that is b) if there is no error. */
void ukRowsTransportAxis(ukRowSink *sink, const int row[2], const double y[3], const ukState *spinning, bool is_a)
{
    static const double parallel = 1e-6; /* sine of the angle between the rows below which they keep no axis */
    const double *const J[2] = {sink->J + row[0] * sink->stride + 3, sink->J + row[1] * sink->stride + 3};
    const int sign = is_a ? 1 : -1;
    double n[3], rho[3], m[3];
    if (!sink->transport) return;
    ukCross(J[0], J[1], n);
    const double N = ukDot(n, n), size = ukDot(J[0], J[0]) * ukDot(J[1], J[1]);
    if (!(N > parallel * parallel * size)) return;
    for (int k = 0; k < 3; k++) m[k] = sink->phi[row[0]] * J[1][k] - sink->phi[row[1]] * J[0][k];
    ukCross(m, n, rho);
    for (int k = 0; k < 3; k++) rho[k] /= N;
    ukCross(rho, y, m);
    for (int k = 0; k < 3; k++) m[k] = y[k] + sign * m[k];
    const double spin = ukDot(m, spinning->v + 3) / ukDot(m, m);
    for (int k = 0; k < 2; k++) addTransport(sink, row[k], sign * spin * ukDot(J[k], m));
}

void ukRowsGap(ukRowSink *sink, int i, int rows, const double *const u[], const ukGap *gap, const double erp[],
               const ukState *a, const ukRowContext *context)
{
    for (int k = 0; k < rows; k++) ukRowError(sink, i + k, ukDot(u[k], gap->whole), erp[k], context->h);
    ukRowsTransportGap(sink, i, rows, u, gap->error, a, context);
}

bool ukRowsApart(const ukJoint *joint)
{
    switch (joint->class->type) {
    case dJointTypeHinge2: return joint->body[1] != NULL;
    case dJointTypeHinge: return joint->body[1] != NULL && ukSuspended(joint) && joint->cfm > ukSpringCfm();
    case dJointTypePU: return !joint->reverse; /* attached as (0, B), the joint has exact rows */
    case dJointTypeBall: return joint->body[1] != NULL && joint->cfm > ukSpringCfm();
    default: return false;
    }
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

void ukRowAt(ukRowSink *sink, int i, const double u[3], const double Pb[3], const ukState *a, const ukState *b)
{
    double ra[3], rb[3] = {0}, u_dot[3];
    for (int k = 0; k < 3; k++) {
        ra[k] = Pb[k] - a->x[k];
        if (b) rb[k] = Pb[k] - b->x[k];
    }
    ukRowPoint(sink, i, u, ra, b ? rb : NULL);
    if (!sink->bias) return;
    ukTurnRate(a, u, u_dot);
    ukBiasAtAnchor(sink, i, u, u_dot, ra, rb, a, b);
}

void ukRowsCosine(ukRowSink *sink, int i, const double *const k[2], const double y[3], const ukState *a,
                  const ukState *b, double erp, double h)
{
    for (int r = 0; r < 2; r++) {
        double u[3], k_dot[3], y_dot[3], u_dot[3], second[3];
        ukCross(k[r], y, u);
        ukRowAxis(sink, i + r, u, b != NULL);
        ukRowError(sink, i + r, ukDot(k[r], y), erp, h);
        if (!sink->bias) continue;
        ukTurnRate(a, k[r], k_dot);
        ukTurnRate(b, y, y_dot);
        ukCross(k_dot, y, u_dot);
        ukCross(k[r], y_dot, second);
        for (int c = 0; c < 3; c++) u_dot[c] += second[c];
        ukBiasAxis(sink, i + r, u_dot, a, b);
    }
    ukRowsTransportAxis(sink, (const int[]){i, i + 1}, y, a, true);
}

void ukRowCross(ukRowSink *sink, int i, const double p[3], const double q[3], const double angle[2], const ukState *a,
                const ukState *b, const ukRowContext *context)
{
    double n[3];
    ukCross(p, q, n);
    const double s = ukNormalize(n), c = ukDot(p, q);
    double phi = angle[0] * c - angle[1] * s;
    if (context->exact) phi = atan2(angle[0] * c - angle[1] * s, angle[1] * c + angle[0] * s);
    ukRowAxis(sink, i, n, b != NULL);
    ukRowError(sink, i, phi, context->erp, context->h);
    sink->cfm[i] = context->cfm;
    if (sink->bias) ukBiasCross(sink, i, p, q, a, b);
}

void ukRowsAnchored(ukRowSink *sink, int i, const double gap[3], const double Pb[3], const ukState *a, const ukState *b,
                    double erp, const ukRowContext *context)
{
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const double *const axes[3] = {unit[0], unit[1], unit[2]};
    const double each[3] = {erp, erp, erp};
    const ukGap of = {{gap[0], gap[1], gap[2]}, {gap[0], gap[1], gap[2]}};
    for (int k = 0; k < 3; k++) ukRowAt(sink, i + k, axes[k], Pb, a, b);
    ukRowsGap(sink, i, 3, axes, &of, each, a, context);
}

void ukRowsAcross(ukRowSink *sink, int i, const double *const u[2], const double gap[3], const double Pb[3],
                  const ukState *a, const ukState *b, const ukRowContext *context)
{
    const double first = ukDot(u[0], gap), second = ukDot(u[1], gap), each[2] = {context->erp, context->erp};
    ukGap of;
    for (int k = 0; k < 3; k++) of.whole[k] = gap[k], of.error[k] = first * u[0][k] + second * u[1][k];
    for (int k = 0; k < 2; k++) ukRowAt(sink, i + k, u[k], Pb, a, b);
    ukRowsGap(sink, i, 2, u, &of, each, a, context);
}

/* If b is the world, ODE's rows are exact. */
void ukRowsBall(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double erp,
                double cfm, const ukRowContext *context)
{
    double *J = sink->J + i * sink->stride, Pa[3], Pb[3], ra[3], rb[3];
    ukAnchor(a, joint->anchor1, Pa, ra);
    ukAnchor(b, joint->anchor2, Pb, rb);
    for (int k = 0; k < 3; k++) sink->cfm[i + k] = cfm;
    if (context->exact && b && !(context->closed && cfm <= ukSpringCfm())) {
        const double gap[3] = {Pa[0] - Pb[0], Pa[1] - Pb[1], Pa[2] - Pb[2]};
        ukRowsAnchored(sink, i, gap, Pb, a, b, erp, context);
        return;
    }
    for (int k = 0; k < 3; k++) {
        J[k * sink->stride + k] = 1;
        if (b) J[k * sink->stride + 6 + k] = -1;
        ukRowError(sink, i + k, Pa[k] - Pb[k], erp, context->h);
    }
    leverRows(J + 3, sink->stride, ra, 1);
    if (b) leverRows(J + 9, sink->stride, rb, -1);
    if (sink->bias) ukBiasBall(sink, i, ra, rb, a, b);
}

/* c and dc/dx of the inverse derivative of the exponential map, 1 - [rho]/2 + c [rho]^2, at x = |rho|^2:
 * c = (1 - f)/x with f = |rho|/2 cot(|rho|/2) = 1 - sum |B_2k| x^k/(2k)! */
static double inverseExpCoefficient(double x, double *rate)
{
    static const double series[] = {1.0 / 12,      1.0 / 720,      1.0 / 30240,
                                    1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000};
    double c = 0;
    *rate = 0;
    if (x < 0.1) {
        for (int k = 5; k >= 0; k--) {
            *rate = *rate * x + c;
            c = c * x + series[k];
        }
        return c;
    }
    const double half = 0.5 * sqrt(x), sine = sin(half), f = half * cos(half) / sine;
    const double f_rate = 0.125 * (cos(half) / (half * sine) - 1 / (sine * sine)); /* df/dx */
    *rate = -(f_rate + (1 - f) / x) / x;
    return (1 - f) / x;
}

/* phi = -rho, the rotation vector of a against b, along the world's axes, here e_k in a's frame; with
 * W = R_a' (w_a - w_b)
 *   -e_k . rho' = W . u_k,   u_k = e_k + rho x e_k / 2 + c rho x (rho x e_k) */
static void orientationExact(ukRowSink *sink, int i, const double rho[3], const ukState *a, const ukState *b,
                             double erp, double h)
{
    double w[3], rho_dot[3] = {0}, c_rate, u[3][3];
    const double c = inverseExpCoefficient(ukDot(rho, rho), &c_rate);
    for (int k = 0; k < 3; k++) {
        const double e[3] = {a->R[3 * k], a->R[3 * k + 1], a->R[3 * k + 2]};
        double once[3], twice[3];
        ukCross(rho, e, once);
        ukCross(rho, once, twice);
        for (int j = 0; j < 3; j++) u[k][j] = e[j] + 0.5 * once[j] + c * twice[j];
    }
    for (int j = 0; j < 3 && sink->bias; j++) w[j] = a->v[3 + j] - (b ? b->v[3 + j] : 0);
    for (int k = 0; k < 3; k++) {
        double axis[3];
        ukRotate(a->R, u[k], axis);
        ukRowAxis(sink, i + k, axis, b != NULL);
        ukRowError(sink, i + k, -ukDot(a->R + 3 * k, rho), erp, h);
        for (int j = 0; j < 3 && sink->bias; j++) rho_dot[j] -= a->R[3 * k + j] * ukDot(axis, w);
    }
    if (!sink->bias) return;
    const double c_dot = 2 * c_rate * ukDot(rho, rho_dot);
    for (int k = 0; k < 3; k++) {
        const double e[3] = {a->R[3 * k], a->R[3 * k + 1], a->R[3 * k + 2]};
        double once[3], once_dot[3], twice[3], first[3], second[3], axis[3], turned[3], rate[3], local[3];
        ukCross(rho, e, once);
        ukCross(rho_dot, e, once_dot);
        ukCross(rho, once, twice);
        ukCross(rho_dot, once, first);
        ukCross(rho, once_dot, second);
        for (int j = 0; j < 3; j++) local[j] = 0.5 * once_dot[j] + c * (first[j] + second[j]) + c_dot * twice[j];
        ukRotate(a->R, local, rate);
        ukRotate(a->R, u[k], axis);
        ukTurnRate(a, axis, turned);
        for (int j = 0; j < 3; j++) rate[j] += turned[j];
        ukBiasAxis(sink, i + k, rate, a, b);
    }
}

void ukRowsOrientation(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b,
                       const ukRowContext *context)
{
    double *J = sink->J + i * sink->stride, e[4], error[3];
    ukRotationError(joint, a, b, e);
    for (int k = 0; k < 3; k++) sink->cfm[i + k] = context->cfm;
    if (context->exact) {
        const double sine = sqrt(ukDot(e + 1, e + 1)), half = atan2(sine, fabs(e[0])), sign = e[0] < 0 ? -1 : 1;
        for (int k = 0; k < 3; k++) error[k] = sign * e[1 + k] * (sine > 0 ? 2 * half / sine : 2);
        orientationExact(sink, i, error, a, b, context->erp, context->h);
        return;
    }
    ukRotate(a->R, e + 1, error);
    const double twice = e[0] < 0 ? 2 : -2; /* small rotations have the rotation vector 2 e_v; q and -q are
                                             * equivalent */
    for (int k = 0; k < 3; k++) {
        J[k * sink->stride + 3 + k] = 1;
        if (b) J[k * sink->stride + 9 + k] = -1;
        ukRowError(sink, i + k, twice * error[k], context->erp, context->h);
    }
}

/* ukRowsAligned of a joint in a closed loop, for unit vectors ax1 and ax2 (ukRowSink.looped). Without transport terms an
 * error rotates with the body that carries k. That is a, or b if it spins at most half as fast: a fast wheel then does
 * not swing its light housing. (If the slower body carried it in any case, links of similar spins would alternate: the
 * energy of a shaken loop was up to ten times that with ODE's rows, and three times with this limit.) */
static void alignInLoop(ukRowSink *sink, int i, const double ax1[3], const double ax2[3], const ukState *a,
                        const ukState *b, double erp, double h)
{
    const double spin[2] = {ukDot(ax1, a->v + 3), b ? ukDot(ax2, b->v + 3) : 0};
    const bool of_b = fabs(spin[1]) < 0.5 * fabs(spin[0]);
    const double *const carried = of_b ? ax2 : ax1, *const other = of_b ? ax1 : ax2;
    double p[3], q[3], u[3];
    ukPlaneSpace(carried, p, q);
    for (int k = 0; k < 3; k++) p[k] = -p[k];
    const double *const across[2] = {q, p};
    for (int r = 0; r < 2; r++) {
        ukCross(across[r], other, u);
        ukRowAxis(sink, i + r, u, b != NULL);
        ukRowError(sink, i + r, (of_b ? -1 : 1) * ukDot(across[r], other), erp, h);
    }
}

void ukRowsAligned(ukRowSink *sink, int i, const ukJoint *joint, const double ax2[3], const ukState *a,
                   const ukState *b, double erp, const ukRowContext *context)
{
    double ax1[3], p[3], q[3], u[3]; /* u: rotation of a that would align ax1 with ax2, to first order */
    sink->cfm[i] = sink->cfm[i + 1] = context->cfm;
    ukRotate(a->R, joint->axis1, ax1);
    ukPlaneSpace(ax1, p, q);
    if (context->exact) {
        double y[3] = {ax2[0], ax2[1], ax2[2]}; /* of raw length if b is the world */
        ukNormalize(y);
        if (sink->looped) {
            alignInLoop(sink, i, ax1, y, a, b, erp, context->h);
            return;
        }
        for (int k = 0; k < 3; k++) p[k] = -p[k];
        const double *const across[2] = {q, p};
        ukRowsCosine(sink, i, across, y, a, b, erp, context->h);
        return;
    }
    ukCross(ax1, ax2, u);
    ukRowAxis(sink, i, p, b != NULL);
    ukRowAxis(sink, i + 1, q, b != NULL);
    ukRowError(sink, i, -ukDot(u, p), erp, context->h);
    ukRowError(sink, i + 1, -ukDot(u, q), erp, context->h);
}

/* velocity of the point with lever arm r */
static void pointVelocity(const ukState *s, const double r[3], double v[3])
{
    ukCross(s->v + 3, r, v);
    for (int i = 0; i < 3; i++) v[i] += s->v[i];
}

void ukRowDistance(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double h,
                   double D[3])
{
    static const double tiny = 1e-12; /* [m] if the anchors are closer, the row acts along their relative velocity */
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
        if (sqrt(ukDot(u, u)) < tiny) u[0] = u[1] = u[2] = 0; /* ukNormalize makes it e_x */
    }
    ukNormalize(u);
    ukRowPoint(sink, i, u, ra, b ? rb : NULL);
    ukRowError(sink, i, distance - joint->target, joint->erp, h);
    sink->cfm[i] = joint->cfm;
    if (!sink->bias) return;
    if (distance < tiny || joint->target < tiny) {
        sink->discrete_only[i] = 1; /* a distance of zero has no derivative */
    } else {
        ukBiasDistance(sink, i, D, ra, rb, a, b);
    }
}
