/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/values.h: saves and restores the additional data of motors' and gears' records. */
#ifndef UKODE_BRIDGE_JOINTS_VALUES_H
#define UKODE_BRIDGE_JOINTS_VALUES_H

#include "bridge/base/tape.h"
#include "bridge/world/record.h"

/* Saves or restores the values of a record of kind ukRecordRunning. */
void ukValuesTape(ukTape *tape, ukJoint *joint);
/* ODE's mode of an AMotor or a transmission; 0 for other types. */
uint64_t ukValuesMode(const ukJoint *joint);
enum { ukValuesMost = 3 };
/* The values that advance once per step, of a class that has such values; returns their number. */
int ukValuesRunning(const ukJoint *joint, double x[ukValuesMost]);

#endif
