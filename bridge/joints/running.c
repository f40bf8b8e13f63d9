/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/running.h"

#include <string.h>

#include "bridge/joints/class.h"

static bool ranInLastStep(const ukJoint *joint)
{
    return joint->world && joint->world->steps > 0 && joint->before.step == joint->world->steps;
}

bool ukJointRuns(ukJoint *joint)
{
    if (ranInLastStep(joint)) return false;
    joint->before.step = joint->world->steps;
    if (joint->class->type == dJointTypeTransmission)
        joint->before.of.gear = joint->of.gear;
    else
        memcpy(joint->before.of.angle, joint->of.axes.angle, sizeof joint->before.of.angle);
    return true;
}

void ukJointRunsBack(ukJoint *joint)
{
    if (!joint->class->running || !ranInLastStep(joint)) return;
    if (joint->class->type == dJointTypeTransmission)
        joint->of.gear = joint->before.of.gear;
    else if (joint->class->type == dJointTypeAMotor)
        memcpy(joint->of.axes.angle, joint->before.of.angle, sizeof joint->before.of.angle);
    joint->before.step = 0; /* a failed step's number is used again */
}
