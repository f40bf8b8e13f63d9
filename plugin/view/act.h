/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/view/act.h: changes to a world that a viewer requests: a body that is dragged, motors, gravity, states saved
 * and restored. Each is made before a step, in the way in which the program itself would make it, and is an event of
 * kind "viewer" in the recording. */
#ifndef UKODE_PLUGIN_VIEW_ACT_H
#define UKODE_PLUGIN_VIEW_ACT_H

#include "bridge/world/record.h"
#include "plugin/view/protocol.h"

/* Called before the first step of a world that is viewed: saves its state, which a restart restores. */
void ukViewActKeep(ukWorld *world);
/* false: the order is about another world. Orders that cannot be met (a joint without motor, a number that is not
 * finite, a restart after the world was rebuilt) change nothing. */
bool ukViewAct(ukWorld *world, const ukViewOrder *order);
/* The body that is dragged in this world; 0: none. */
int32_t ukViewActDragged(const ukWorld *world);
/* The viewers are gone: nothing is dragged any more in this world. */
void ukViewActRelease(ukWorld *world);
/* Whether anything is dragged in any world. */
bool ukViewActDragging(void);
/* The world is destroyed: its kept state is freed, and its place is another's. */
void ukViewActForget(const ukWorld *world);

#endif
