/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/unserved.h: steps of worlds of a copy of ODE that ukode does not serve (bridge/ode/copy.h). */
#ifndef UKODE_PLUGIN_UNSERVED_H
#define UKODE_PLUGIN_UNSERVED_H

#include "bridge/ode/ode.h"

/* Such a step begins. The first one of each copy is reported with the reason. */
void ukUnservedStepped(const ukOdeFunctions *functions);
/* A world that the program did not create is stepped: with several threads, Webots' fork moves bodies into worlds of
 * its own. Reported once. */
void ukUnservedWorld(void);

#endif
