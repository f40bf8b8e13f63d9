/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/running.h"

#include <string.h>

#include "bridge/joints/class.h"

void ukJointRuns(ukJoint *joint)
{
    if (joint->before.step == joint->world->steps) return;
    joint->before.step = joint->world->steps;
    if (joint->class->type == dJointTypeTransmission)
        joint->before.of.gear = joint->of.gear;
    else
        memcpy(joint->before.of.angle, joint->of.axes.angle, sizeof joint->before.of.angle);
}

void ukJointRunsBack(ukJoint *joint)
{
    if (!joint->class->running || !joint->world || joint->before.step != joint->world->steps) return;
    if (joint->class->type == dJointTypeTransmission)
        joint->of.gear = joint->before.of.gear;
    else if (joint->class->type == dJointTypeAMotor)
        memcpy(joint->of.axes.angle, joint->before.of.angle, sizeof joint->before.of.angle);
    joint->before.step = 0; /* the number of a failed step is given again */
}
