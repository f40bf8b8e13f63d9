/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/unreached.h: why the calls of a program with ODE did not reach this library. */
#ifndef UKODE_BRIDGE_ODE_UNREACHED_H
#define UKODE_BRIDGE_ODE_UNREACHED_H

#include <stdbool.h>

#include "bridge/ode/object.h"

enum { ukUnreachedLength = 2 * ukObjectPathLength + 200 };

/* Looks through the loaded objects, for a process in which no world was stepped: a sentence without a full stop, and
 * true; false where there is no ODE. */
bool ukUnreached(char reason[ukUnreachedLength]);

#endif
