/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/idle.h: stops and motors that are set and cannot act. */
#ifndef UKODE_BRIDGE_JOINTS_IDLE_H
#define UKODE_BRIDGE_JOINTS_IDLE_H

#include "bridge/world/record.h"

enum { ukIdleLength = 200 };

typedef void ukIdleReport(void *context, const char *text);

/* Calls `report` with one text for every stop or motor of the world's joints that cannot act: the joint, the setting,
 * and why it has no effect. Returns the number of texts. */
int ukIdleEach(const ukWorld *world, ukIdleReport *report, void *context);

#endif
