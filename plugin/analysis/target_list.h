/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/target_list.h: targets of an assembly as text: BODY:X,Y,Z, several separated by semicolons. BODY is a
 * name or a number in the order of creation from 1; X, Y, Z [m] is where its centre of mass is to be. */
#ifndef UKODE_PLUGIN_ANALYSIS_TARGET_LIST_H
#define UKODE_PLUGIN_ANALYSIS_TARGET_LIST_H

#include <ukode/analysis.h>

#include "bridge/world/record.h"

enum { ukMostTargets = 64 };

typedef struct ukTargetList {
    int count;
    ukTarget target[ukMostTargets];
} ukTargetList;

/* ukOk; ukErrorArgument: the message has the target that cannot be read. */
int ukTargetListRead(ukWorld *world, const char *text, ukTargetList *list);

#endif
