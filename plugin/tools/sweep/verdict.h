/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/verdict.h: the result of a study, on stderr: how many runs, the first failure of each kind, and
 * whether repeated runs ended in equal states. */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_VERDICT_H
#define UKODE_PLUGIN_TOOLS_SWEEP_VERDICT_H

#include "plugin/tools/sweep/crew.h"
#include "plugin/tools/sweep/store.h"

/* Whether all runs are there, and repeated ones ended alike. `wall`: [s] that the sweep took. */
bool verdictPrint(Store *store, const Study *study, const CrewResult *result, double wall);

#endif
