/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/geometry.h"

void ukAxisBack(const ukState *s, const double vector[3], double out[3])
{
    if (s) {
        ukUnrotate(s->R, vector, out);
    } else {
        for (int i = 0; i < 3; i++) out[i] = vector[i];
    }
}

void ukAxisForward(const ukJoint *joint, const double axis[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = joint->reverse ? -axis[i] : axis[i];
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

int ukAxesHinge(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                int is_translation[3])
{
    ukRotate(a->R, joint->axis1, axis[0]);
    rate[0] = ukRateAbout(axis[0], a, b);
    is_translation[0] = 0;
    return 1;
}

void ukTurnRate(const ukState *s, const double u[3], double u_dot[3])
{
    if (s) {
        ukCross(s->v + 3, u, u_dot);
    } else {
        u_dot[0] = u_dot[1] = u_dot[2] = 0;
    }
}

double ukNormalizeRate(double x[3], double x_dot[3])
{
    const double length = ukNormalize(x);
    if (length > 0) {
        const double along = ukDot(x, x_dot);
        for (int k = 0; k < 3; k++) x_dot[k] = (x_dot[k] - along * x[k]) / length;
    } else {
        x_dot[0] = x_dot[1] = x_dot[2] = 0;
    }
    return length;
}

void ukLocalPointAt(const ukState *s, const double point[3], double local[3])
{
    double r[3];
    for (int i = 0; i < 3; i++) r[i] = s ? point[i] - s->x[i] : point[i];
    ukAxisBack(s, r, local);
}

void ukLocalPoint(const ukBody *body, const double point[3], double local[3])
{
    const ukState s = body ? ukStateOf(body) : (ukState){0};
    ukLocalPointAt(body ? &s : NULL, point, local);
}

void ukLocalAxis(const ukBody *body, const double axis[3], double local[3])
{
    const ukState s = body ? ukStateOf(body) : (ukState){0};
    ukAxisBack(body ? &s : NULL, axis, local);
}

void ukRecordAxis2(ukJoint *joint, const double axis[3])
{
    double unit[3] = {axis[0], axis[1], axis[2]};
    ukNormalize(unit);
    ukLocalAxis(joint->body[1], joint->body[1] ? unit : axis, joint->axis2);
}

void ukRigidityCreate(ukJoint *joint)
{
    joint->erp = dWorldGetERP(joint->world->handle);
    joint->cfm = dWorldGetCFM(joint->world->handle);
}

void ukRigidityRefresh(ukJoint *joint, dReal (*get)(dJointID, int))
{
    joint->erp = get(joint->handle, dParamERP);
    joint->cfm = get(joint->handle, dParamCFM);
}

void ukAnchorsRefresh(ukJoint *joint, void (*get1)(dJointID, dReal *), void (*get2)(dJointID, dReal *))
{
    dVector3 Pa, Pb;
    get1(joint->handle, joint->reverse ? Pb : Pa);
    get2(joint->handle, joint->reverse ? Pa : Pb);
    ukLocalPoint(joint->body[0], Pa, joint->anchor1);
    ukLocalPoint(joint->body[1], Pb, joint->anchor2);
}
