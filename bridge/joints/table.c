/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/table.h"

#include <stddef.h>

static const ukJointClass *const classes[] = {
    [dJointTypeBall] = &ukBallClass,
    [dJointTypeHinge] = &ukHingeClass,
    [dJointTypeSlider] = &ukSliderClass,
    [dJointTypeContact] = &ukContactClass,
    [dJointTypeUniversal] = &ukUniversalClass,
    [dJointTypeHinge2] = &ukHinge2Class,
    [dJointTypeFixed] = &ukFixedClass,
    [dJointTypeNull] = &ukNullClass,
    [dJointTypeAMotor] = &ukAMotorClass,
    [dJointTypeLMotor] = &ukLMotorClass,
    [dJointTypePlane2D] = &ukPlane2DClass,
    [dJointTypePR] = &ukPRClass,
    [dJointTypePU] = &ukPUClass,
    [dJointTypePiston] = &ukPistonClass,
    [dJointTypeDBall] = &ukDBallClass,
    [dJointTypeDHinge] = &ukDHingeClass,
    [dJointTypeTransmission] = &ukTransmissionClass,
};

const ukJointClass *ukJointClassOf(dJointType type)
{
    return (size_t)type < sizeof classes / sizeof *classes ? classes[type] : NULL;
}
