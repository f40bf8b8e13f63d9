/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/angle.h"

#include <math.h>

#include "bridge/base/vector.h"

static const double pi = 3.14159265358979323846;

void ukRotationError(const ukJoint *joint, const ukState *a, const ukState *b, double e[4])
{
    static const double identity[4] = {1, 0, 0, 0};
    const double inverse[4] = {joint->qrel[0], -joint->qrel[1], -joint->qrel[2], -joint->qrel[3]};
    double relative[4];
    ukQuaternionDifference(a->q, b ? b->q : identity, relative);
    ukQuaternionMultiply(relative, inverse, e);
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
    ukRotationError(joint, a, b, e);
    const double sine = sqrt(ukDot(e + 1, e + 1)); /* sine of half the angle; q and -q are the same rotation */
    double theta = 2 * atan2(sine, ukDot(e + 1, joint->axis1) >= 0 ? e[0] : -e[0]);
    if (theta > pi) theta -= 2 * pi;
    return -theta;
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
    /* qrel differs from the relative rotation by -angle about axis1 (see ukHingeAngle): qrel = turn^-1 (q_a^-1 q_b) */
    double relative[4], turn[4] = {cos(angle / 2)};
    for (int i = 0; i < 3; i++) turn[1 + i] = -sin(angle / 2) * joint->axis1[i];
    ukRelativeRotation(joint, relative);
    ukQuaternionDifference(turn, relative, joint->qrel);
}
