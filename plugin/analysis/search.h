/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/search.h: the searches of <ukode/analysis.h> on a world that is preserved during a search, and then
 * moved to the poses found. Arguments were checked. */
#ifndef UKODE_PLUGIN_ANALYSIS_SEARCH_H
#define UKODE_PLUGIN_ANALYSIS_SEARCH_H

#include <ukode/analysis.h>

#include "bridge/world/record.h"

/* As ukWorldAssemble, ukWorldEquilibrium. */
int ukSearchPoses(ukWorld *world, const ukTarget *target, int count, ukAssembly *found);
int ukSearchBalance(ukWorld *world, double tolerance, ukEquilibrium *found);

typedef struct ukForceSearch {
    const ukSignal *actuator; /* (count) forces */
    int count;
    const dReal *weights;      /* (count); NULL: 1 */
    const dReal *acceleration; /* (6 x bodies of the world); NULL: 0 */
} ukForceSearch;

/* As ukWorldInverseDynamics; forces (count). */
int ukSearchForces(ukWorld *world, const ukForceSearch *search, dReal *forces, ukInverse *found);

#endif
