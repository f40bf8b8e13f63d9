/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/ode/ode.h"

ukOdeFunctions ukOde;
bool ukOdeSingle;
_Atomic(const ukOdeFunctions *) ukOdeOnly;
