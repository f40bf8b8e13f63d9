/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/parameters.h: saves and restores the parameters of a joint that a program may change during a run, as
 * ODE stores them: stops, motors, ERP, CFM, and further numbers of some types (bridge/base/tape.h). */
#ifndef UKODE_BRIDGE_JOINTS_PARAMETERS_H
#define UKODE_BRIDGE_JOINTS_PARAMETERS_H

#include "bridge/base/tape.h"
#include "bridge/world/record.h"

void ukParametersTape(ukTape *tape, const ukJoint *joint);

#endif
