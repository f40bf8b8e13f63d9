/* SPDX-License-Identifier: BSD-3-Clause */
#define UKODE_ODE_NAMES_ONLY
#include <ode/ode.h>

#ifdef dSINGLE /* else ODE's headers are for double precision alone (bridge/ode/single.c) */
#include "bridge/ode/single_own.h"

ukOdeFunctions ukSingleOwn;
#endif
