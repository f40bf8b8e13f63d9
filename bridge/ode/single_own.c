/* SPDX-License-Identifier: BSD-3-Clause */
#define UKODE_ODE_NAMES_ONLY
#include "bridge/ode/earlier.h"

#if UKODE_ODE_SINGLE /* else ODE's headers are for double precision alone (bridge/ode/single.c) */
#include "bridge/ode/single_own.h"

ukOdeFunctions ukSingleOwn;
#endif
