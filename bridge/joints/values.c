/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/values.h"

#include <string.h>

#include "bridge/joints/class.h"

static void valuesAxes(ukTape *t, ukMotorAxes *axes)
{
    ukTapeInt(t, &axes->mode, dAMotorUser, dAMotorEuler, "a mode");
    ukTapeInt(t, &axes->count, 0, 3, "a number of axes");
    for (int i = 0; i < 3; i++) ukTapeInt(t, &axes->rel[i], 0, 2, "a frame of an axis");
    for (int i = 0; i < 3; i++) ukTapeReals(t, axes->axis[i], 3);
    for (int i = 0; i < 2; i++) ukTapeReals(t, axes->reference[i], 3);
    ukTapeReals(t, axes->angle, 3);
}

static void transferGear(ukTape *t, ukGear *gear)
{
    ukTapeInt(t, &gear->mode, dTransmissionParallelAxes, dTransmissionChainDrive, "a mode");
    ukTapeBool(t, &gear->mesh_stale);
    ukTapeBool(t, &gear->exact);
    ukTapeReals(t, &gear->ratio, 1);
    ukTapeReals(t, &gear->backlash, 1);
    ukTapeReals(t, gear->radius, 2);
    ukTapeReals(t, gear->phase, 2);
    ukTapeReals(t, &gear->delta, 1);
    for (int i = 0; i < 2; i++) {
        ukTapeReals(t, gear->anchor[i], 3);
        ukTapeReals(t, gear->axis[i], 3);
        ukTapeReals(t, gear->contact[i], 3);
        ukTapeReals(t, gear->tangent[i], 3);
        ukTapeReals(t, gear->reference[i], 9);
    }
}

void ukValuesTape(ukTape *t, ukJoint *joint)
{
    if (joint->class->type == dJointTypeTransmission)
        transferGear(t, &joint->of.gear);
    else
        valuesAxes(t, &joint->of.axes);
}

uint64_t ukValuesMode(const ukJoint *joint)
{
    if (joint->class->type == dJointTypeAMotor) return (uint64_t)dJointGetAMotorMode(joint->handle);
    if (joint->class->type == dJointTypeTransmission) return (uint64_t)dJointGetTransmissionMode(joint->handle);
    return 0;
}

int ukValuesRunning(const ukJoint *joint, double x[ukValuesMost])
{
    const ukGear *const gear = &joint->of.gear;
    if (joint->class->type == dJointTypeTransmission) {
        x[0] = gear->phase[0], x[1] = gear->phase[1], x[2] = gear->delta;
    } else {
        memcpy(x, joint->of.axes.angle, 3 * sizeof *x);
    }
    return 3;
}
