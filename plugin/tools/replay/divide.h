/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/divide.h: one recorded step taken as several shorter ones, under the same forces. */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_DIVIDE_H
#define UKODE_PLUGIN_TOOLS_REPLAY_DIVIDE_H

#include "bridge/world/registry.h"

typedef int ukStepFunction(dWorldID, dReal);

/* Takes `parts` steps of h / parts. ODE clears the forces and torques that a program added [N, N m; world frame] at the
 * end of a step: each part begins with those that the bodies have now. What `step` returned, 1: it was taken; the parts
 * end with the first that is not; 0 without memory. */
int ukDivideStep(ukWorld *world, int parts, double h, ukStepFunction *step);

#endif
