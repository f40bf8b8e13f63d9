/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/parameters.h: what a program sets of a joint while it runs, as ODE holds it: stops, motors, ERP and CFM,
 * and the numbers that some types have besides; on tape (bridge/base/tape.h). */
#ifndef UKODE_BRIDGE_JOINTS_PARAMETERS_H
#define UKODE_BRIDGE_JOINTS_PARAMETERS_H

#include "bridge/base/tape.h"
#include "bridge/world/record.h"

void ukParametersTape(ukTape *tape, const ukJoint *joint);

#endif
