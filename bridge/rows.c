/* bridge/rows.c: row kernels shared by the joint types. Every kernel writes what ODE's own rows contain, so that
 * the two right-hand sides agree to rounding; J, c and the position error phi come from one place each. */
#include "bridge/rows.h"

#include "bridge/bias.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double ukNormalize(double x[3])
{
    const double length = sqrt(ukDot(x, x));
    if (length > 0) {
        for (int i = 0; i < 3; i++) x[i] /= length;
    } else {
        x[0] = 1;
        x[1] = x[2] = 0;
    }
    return length;
}

void ukPlaneSpace(const double n[3], double p[3], double q[3])
{
    if (fabs(n[2]) > 0.70710678118654752440) {
        const double s = n[1] * n[1] + n[2] * n[2], k = 1 / sqrt(s);
        p[0] = 0;
        p[1] = -n[2] * k;
        p[2] = n[1] * k;
        q[0] = s * k;
        q[1] = -n[0] * p[2];
        q[2] = n[0] * p[1];
    } else {
        /* an axis that was never set (DHinge) spans nothing: its rows stay empty, where ODE divides by zero */
        const double s = n[0] * n[0] + n[1] * n[1], k = s > 0 ? 1 / sqrt(s) : 0;
        p[0] = -n[1] * k;
        p[1] = n[0] * k;
        p[2] = 0;
        q[0] = -n[2] * p[1];
        q[1] = n[2] * p[0];
        q[2] = s * k;
    }
}

void ukQuaternionMultiply(const double p[4], const double q[4], double r[4])
{
    r[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    r[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    r[2] = p[0] * q[2] + p[2] * q[0] + p[3] * q[1] - p[1] * q[3];
    r[3] = p[0] * q[3] + p[3] * q[0] + p[1] * q[2] - p[2] * q[1];
}

void ukQuaternionDifference(const double p[4], const double q[4], double r[4])
{
    const double inverse[4] = {p[0], -p[1], -p[2], -p[3]};
    ukQuaternionMultiply(inverse, q, r);
}

ukState ukStateOf(const ukBody *body)
{
    ukState s;
    for (int i = 0; i < 3; i++) {
        s.x[i] = body->position[i];
        s.v[i] = body->linear[i];
        s.v[3 + i] = body->angular[i];
        for (int j = 0; j < 3; j++) s.R[3 * i + j] = body->rotation[4 * i + j];
    }
    for (int i = 0; i < 4; i++) s.q[i] = body->quaternion[i];
    return s;
}

void ukAnchor(const ukState *s, const double anchor[3], double P[3], double r[3])
{
    if (!s) {
        for (int i = 0; i < 3; i++) P[i] = anchor[i], r[i] = 0;
        return;
    }
    ukRotate(s->R, anchor, r);
    for (int i = 0; i < 3; i++) P[i] = s->x[i] + r[i];
}

void ukAxis(const ukState *s, const double axis[3], double out[3])
{
    if (s) {
        ukRotate(s->R, axis, out);
    } else {
        for (int i = 0; i < 3; i++) out[i] = axis[i];
    }
}

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
    sink->c[i] = -(erp / h) * phi;
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
    if (!sink->bias) return;
    for (int k = 0; k < 3; k++) {
        const double u[3] = {k == 0, k == 1, k == 2}, still[3] = {0};
        ukBiasPoint(sink, i + k, u, still, ra, rb, a, b);
    }
}

/* e = (q_a^-1 q_b) qrel^-1: what is left of the relative rotation once qrel is taken out, in a's frame */
static void rotationError(const ukJoint *joint, const ukState *a, const ukState *b, double e[4])
{
    static const double identity[4] = {1, 0, 0, 0};
    const double inverse[4] = {joint->qrel[0], -joint->qrel[1], -joint->qrel[2], -joint->qrel[3]};
    double relative[4];
    ukQuaternionDifference(a->q, b ? b->q : identity, relative);
    ukQuaternionMultiply(relative, inverse, e);
}

void ukRowsOrientation(ukRowSink *sink, int i, const ukJoint *joint, const ukState *a, const ukState *b, double erp,
                       double cfm, double h)
{
    double *J = sink->J + i * sink->stride, e[4], error[3];
    rotationError(joint, a, b, e);
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
                   double erp, double cfm, double h)
{
    double p[3], q[3], u[3]; /* u: rotation of a that would bring ax1 to ax2, to first order */
    ukPlaneSpace(ax1, p, q);
    ukCross(ax1, ax2, u);
    ukRowAxis(sink, i, p, b != NULL);
    ukRowAxis(sink, i + 1, q, b != NULL);
    ukRowError(sink, i, -ukDot(u, p), erp, h);
    ukRowError(sink, i + 1, -ukDot(u, q), erp, h);
    sink->cfm[i] = sink->cfm[i + 1] = cfm;
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

double ukRateAbout(const double axis[3], const ukState *a, const ukState *b)
{
    return ukDot(axis, a->v + 3) - (b ? ukDot(axis, b->v + 3) : 0);
}

double ukRateAlong(const double axis[3], const ukState *a, const ukState *b)
{
    double rate = ukDot(axis, a->v), half[3], lever[3];
    if (!b) return rate;
    for (int k = 0; k < 3; k++) half[k] = 0.5 * (b->x[k] - a->x[k]);
    ukCross(half, axis, lever);
    return rate - ukDot(axis, b->v) + ukDot(lever, a->v + 3) + ukDot(lever, b->v + 3);
}

double ukRateAtAnchor(const double axis[3], const double anchor2[3], const ukState *a, const ukState *b)
{
    double P[3], ra[3], rb[3], turning[3];
    ukAnchor(b, anchor2, P, rb);
    for (int i = 0; i < 3; i++) ra[i] = P[i] - a->x[i];
    ukCross(a->v + 3, ra, turning);
    double rate = ukDot(axis, a->v) + ukDot(axis, turning);
    if (b) {
        ukCross(b->v + 3, rb, turning);
        rate -= ukDot(axis, b->v) + ukDot(axis, turning);
    }
    return rate;
}

bool ukStopsTested(const ukMotor *motor, bool rotational)
{
    if (!(motor->lo_stop <= motor->hi_stop)) return false;
    return rotational ? motor->lo_stop >= -pi || motor->hi_stop <= pi
                      : motor->lo_stop > -INFINITY || motor->hi_stop < INFINITY;
}

/* velocity along the row as ODE's bounce measures it: of a half-lever row without its levers */
static double incoming(const ukLimit *limit, const double *J, const ukState *a, const ukState *b)
{
    const int first = limit->linear ? 0 : 3;
    double u = ukDot(limit->axis, a->v + first);
    if (b) u -= ukDot(limit->axis, b->v + first);
    if (limit->linear && limit->ra) u += ukDot(J + 3, a->v + 3) + (b ? ukDot(J + 9, b->v + 3) : 0);
    return u;
}

static void limitBias(ukRowSink *sink, int i, const ukLimit *limit, const ukState *a, const ukState *b)
{
    double rate[3];
    if (limit->axis_rate) {
        for (int k = 0; k < 3; k++) rate[k] = limit->axis_rate[k];
    } else {
        ukTurnRate(limit->carrier, limit->axis, rate);
    }
    if (!limit->linear) {
        ukBiasAxis(sink, i, rate, a, b);
    } else if (limit->ra) {
        ukBiasAtAnchor(sink, i, limit->axis, rate, limit->ra, limit->rb, a, b);
    } else {
        ukBiasSlide(sink, i, limit->axis, rate, a, b);
    }
}

static void motorRow(ukRowSink *sink, int i, const ukMotor *motor)
{
    sink->c[i] = sink->target[i] = motor->vel;
    sink->cfm[i] = motor->cfm;
    sink->lo[i] = -motor->fmax;
    sink->hi[i] = motor->fmax;
    sink->velocity[i] = 1;
}

int ukRowLimit(ukRowSink *sink, int i, const ukLimit *limit, const ukState *a, const ukState *b, double h)
{
    const ukMotor *motor = limit->motor;
    const bool powered = motor->fmax > 0;
    int side = 0; /* -1 at the low stop, 1 at the high one */
    if (limit->tested) side = limit->value <= motor->lo_stop ? -1 : limit->value >= motor->hi_stop ? 1 : 0;
    if (!side && !powered) return 0;

    double *J = sink->J + i * sink->stride;
    if (!limit->linear) {
        ukRowAxis(sink, i, limit->axis, b != NULL);
    } else if (limit->ra) {
        ukRowPoint(sink, i, limit->axis, limit->ra, b ? limit->rb : NULL);
    } else {
        ukRowSlide(sink, i, limit->axis, a, b);
    }
    if (sink->bias) limitBias(sink, i, limit, a, b);
    if (!side) {
        motorRow(sink, i, motor);
        return 1;
    }

    /* Stop and motor share one row. The stop has it, and the motor becomes a force of known sign and size. */
    const bool locked = motor->lo_stop == motor->hi_stop; /* the motor cannot move it */
    bool pressed = false;
    if (powered && !locked) {
        const int push = motor->vel > 0 ? 1 : motor->vel < 0 ? -1 : side;
        const double share = push == side ? 1 : motor->fudge;
        if (motor->fmax < INFINITY) {
            const double F = push * share * motor->fmax;
            for (int j = 0; j < 6; j++) sink->force_a[j] += F * J[j];
            if (b)
                for (int j = 0; j < 6; j++) sink->force_b[j] += F * J[6 + j];
        } else if (push == side) {
            pressed = true; /* ODE adds an infinite force and aborts; its limit holds the joint at the stop */
        } else if (share > 0) {
            motorRow(sink, i, motor); /* and nothing keeps it from leaving the stop at the motor's velocity */
            return 1;
        }
    }

    const double error = limit->value - (side < 0 ? motor->lo_stop : motor->hi_stop);
    ukRowError(sink, i, error, motor->stop_erp, h);
    if (sink->bias && limit->gain != 0) sink->phi[i] *= limit->gain;
    sink->cfm[i] = motor->stop_cfm;
    if (locked) return 1;
    sink->stop[i] = 1;
    if (pressed) return 1;
    if (side < 0) {
        sink->lo[i] = 0;
    } else {
        sink->hi[i] = 0;
    }
    if (motor->bounce > 0) {
        const double u = incoming(limit, J, a, b), rebound = -motor->bounce * u;
        if (side * u > 0 && side * rebound < side * sink->c[i]) {
            sink->target[i] = rebound - sink->c[i];
            sink->c[i] = rebound;
        }
    }
    return 1;
}

double ukWrapAngle(double angle)
{
    if (angle >= pi) return angle - 2 * pi;
    if (angle < -pi) return angle + 2 * pi;
    return angle;
}

double ukHingeAngle(const ukJoint *joint, const ukState *a, const ukState *b)
{
    double e[4];
    rotationError(joint, a, b, e);
    const double sine = sqrt(ukDot(e + 1, e + 1)); /* of half the angle; q and -q are one rotation */
    double theta = 2 * atan2(sine, ukDot(e + 1, joint->axis1) >= 0 ? e[0] : -e[0]);
    if (theta > pi) theta -= 2 * pi;
    return -theta;
}

double ukTwistAngle(const ukJoint *joint, const ukState *a, const ukState *b)
{
    double e[4];
    rotationError(joint, a, b, e);
    const double along = ukDot(e + 1, joint->axis1);
    return -2 * (e[0] < 0 ? atan2(-along, -e[0]) : atan2(along, e[0]));
}

double ukCrossAngle(const ukState *s, const double axis[3], const double other[3])
{
    double n[3] = {axis[0], axis[1], axis[2]}, p[3], q[3], local[3];
    ukNormalize(n);
    ukPlaneSpace(n, p, q);
    if (!s) return atan2(ukDot(q, other), ukDot(p, other));
    ukUnrotate(s->R, other, local);
    return atan2(ukDot(q, local), ukDot(p, local));
}

void ukRelativeRotation(const ukJoint *joint, double qrel[4])
{
    static const double identity[4] = {1, 0, 0, 0};
    ukQuaternionDifference(joint->body[0]->quaternion, joint->body[1] ? joint->body[1]->quaternion : identity, qrel);
}

void ukAssumeRotation(ukJoint *joint, double angle)
{
    /* the turn of -angle about axis1 (see ukHingeAngle) is all that differs from qrel: qrel = turn^-1 (q_a^-1 q_b) */
    double relative[4], turn[4] = {cos(angle / 2)};
    for (int i = 0; i < 3; i++) turn[1 + i] = -sin(angle / 2) * joint->axis1[i];
    ukRelativeRotation(joint, relative);
    ukQuaternionDifference(turn, relative, joint->qrel);
}

void ukLocalPoint(const ukBody *body, const double point[3], double local[3])
{
    if (!body) {
        for (int i = 0; i < 3; i++) local[i] = point[i];
        return;
    }
    const ukState s = ukStateOf(body);
    double r[3];
    for (int i = 0; i < 3; i++) r[i] = point[i] - s.x[i];
    ukUnrotate(s.R, r, local);
}

void ukLocalAxis(const ukBody *body, const double axis[3], double local[3])
{
    if (!body) {
        for (int i = 0; i < 3; i++) local[i] = axis[i];
        return;
    }
    const ukState s = ukStateOf(body);
    ukUnrotate(s.R, axis, local);
}

void ukAnchorsRefresh(ukJoint *joint, void (*get1)(dJointID, dReal *), void (*get2)(dJointID, dReal *))
{
    dVector3 Pa, Pb;
    get1(joint->handle, joint->reverse ? Pb : Pa);
    get2(joint->handle, joint->reverse ? Pa : Pb);
    ukLocalPoint(joint->body[0], Pa, joint->anchor1);
    ukLocalPoint(joint->body[1], Pb, joint->anchor2);
}

void ukMotorCreate(ukMotor *motor, const ukWorld *world)
{
    const double cfm = dWorldGetCFM(world->handle);
    *motor = (ukMotor){.lo_stop = -INFINITY,
                       .hi_stop = INFINITY,
                       .fudge = 1,
                       .cfm = cfm,
                       .stop_cfm = cfm,
                       .stop_erp = dWorldGetERP(world->handle)};
}

void ukMotorRefresh(ukMotor *motor, dJointID joint, dReal (*get)(dJointID, int), int group)
{
    const int base = group * dParamGroup;
    motor->vel = get(joint, base + dParamVel);
    motor->fmax = get(joint, base + dParamFMax);
    motor->lo_stop = get(joint, base + dParamLoStop);
    motor->hi_stop = get(joint, base + dParamHiStop);
    motor->fudge = get(joint, base + dParamFudgeFactor);
    motor->bounce = get(joint, base + dParamBounce);
    motor->cfm = get(joint, base + dParamCFM);
    motor->stop_erp = get(joint, base + dParamStopERP);
    motor->stop_cfm = get(joint, base + dParamStopCFM);
}
