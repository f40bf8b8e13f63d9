/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/answers.h"

#include "bridge/joints/class.h"
#include "bridge/ode/class.h"
#include "bridge/world/registry.h"

const ukJoint *ukAnswersOf(dJointID handle, dJointType type)
{
    const ukJoint *joint = ukRegistryJoint(handle);
    return joint && joint->class->type == type && joint->world && joint->world->answers ? joint : NULL;
}

bool ukAnswerAMotorAngle(dJointID handle, int axis, dReal *angle)
{
    const ukJoint *joint = ukAnswersOf(handle, dJointTypeAMotor);
    if (!joint || joint->of.axes.mode != dAMotorEuler || axis < 0 || axis > 2) return false;
    if (joint->world->rules & ukRuleWebots) return false;
    *angle = joint->of.axes.angle[axis];
    return true;
}

bool ukAnswerGearAxis(dJointID handle, int axis, dVector3 result)
{
    const ukJoint *joint = ukAnswersOf(handle, dJointTypeTransmission);
    if (!joint || !joint->body[axis]) return false;
    const double *x = joint->of.gear.axis[axis];
    dBodyVectorToWorld(joint->body[axis]->handle, x[0], x[1], x[2], result);
    return true;
}
