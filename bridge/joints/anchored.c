/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/anchored.h"

#include <math.h>

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"
#include "bridge/joints/geometry.h"
#include "bridge/joints/row.h"
#include "bridge/ode/ode.h"

bool ukIsAnchored(const ukJoint *joint)
{
    switch ((int)joint->class->type) {
    case dJointTypeHinge:
    case dJointTypeUniversal: return true;
    case dJointTypeHinge2: return joint->body[1] != NULL;
    case dJointTypeBall:
    case dJointTypeDBall: return !(joint->cfm > ukSpringCfm());
    default: return false;
    }
}

/* The suspension of a hinge or hinge2 may yield along its axis. */
static bool mayYield(const ukJoint *joint)
{
    const dJointType type = joint->class->type;
    return (type == dJointTypeHinge2 || (type == dJointTypeHinge && ukSuspended(joint))) && joint->cfm > ukSpringCfm();
}

double ukAnchoredErp(const ukJoint *joint, double erp, double cfm)
{
    switch ((int)joint->class->type) {
    case dJointTypeHinge:
    case dJointTypeUniversal: return erp;
    case dJointTypeBall: return joint->cfm == cfm ? joint->erp : NAN;
    default: return NAN;
    }
}

double ukAnchoredGap(const ukJoint *joint, const ukState *a, const ukState *b, double *length)
{
    const double target = joint->class->type == dJointTypeDBall ? joint->target : 0;
    double Pa[3], Pb[3], ra[3], rb[3], gap[3];
    ukAnchor(a, joint->anchor1, Pa, ra);
    ukAnchor(b, joint->anchor2, Pb, rb);
    for (int k = 0; k < 3; k++) gap[k] = Pa[k] - Pb[k];
    if (mayYield(joint)) {
        double axis[3];
        ukAxis(a, ukSuspended(joint) ? joint->axisP : joint->axis1, axis);
        const double travel = ukDot(axis, gap);
        for (int k = 0; k < 3; k++) gap[k] -= travel * axis[k];
    }
    *length = ukSize(ra, 3) + (b ? ukSize(rb, 3) : 0) + target;
    return fabs(ukSize(gap, 3) - target);
}
