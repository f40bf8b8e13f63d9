/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/running.h"

#include <string.h>

#include "bridge/joints/class.h"

bool ukJointRuns(ukJoint *joint)
{
    if (joint->before.step == joint->world->steps) return false;
    joint->before.step = joint->world->steps;
    if (joint->class->type == dJointTypeTransmission)
        joint->before.of.gear = joint->of.gear;
    else
        memcpy(joint->before.of.angle, joint->of.axes.angle, sizeof joint->before.of.angle);
    return true;
}

bool ukJointRan(const ukJoint *joint)
{
    return joint->world && joint->before.step == joint->world->steps;
}

void ukJointRunsEnd(ukJoint *joint)
{
    if (joint->class->running) joint->before.step = 0; /* of no step */
}

void ukJointRunsBack(ukJoint *joint)
{
    if (!joint->class->running || !ukJointRan(joint)) return;
    ukJointRunsEnd(joint);
    if (joint->class->type == dJointTypeTransmission)
        joint->of.gear = joint->before.of.gear;
    else if (joint->class->type == dJointTypeAMotor)
        memcpy(joint->of.axes.angle, joint->before.of.angle, sizeof joint->before.of.angle);
    joint->before.step = 0; /* the number of a failed step is given again */
}
