/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/label.h: how messages and results call a joint. */
#ifndef UKODE_BRIDGE_JOINTS_LABEL_H
#define UKODE_BRIDGE_JOINTS_LABEL_H

#include "bridge/world/record.h"

/* text (size bytes): the joint's name, as the program has set it, or "hinge joint 3", cut where it is too long. */
void ukJointLabel(const ukJoint *joint, char *text, size_t size);

#endif
