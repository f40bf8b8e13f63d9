/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/table.h: the classes of all joint types. */
#ifndef UKODE_BRIDGE_JOINTS_TABLE_H
#define UKODE_BRIDGE_JOINTS_TABLE_H

#include "bridge/joints/class.h"

/* The class of a type; never NULL for the 17 types of ODE. */
const ukJointClass *ukJointClassOf(dJointType type);

#endif
