/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/law_force.h: the forces that laws of joints and constraints prescribe at an assembled state, for given
 * ideal forces, outside of a step. Where a slide moves, dry friction is its bound against the rate; a slide at rest
 * (below 1e-9 m/s or rad/s) that is to accelerate has it against the acceleration, any other none: there it may be
 * anything within its bound. */
#ifndef UKODE_BRIDGE_ANALYZE_LAW_FORCE_H
#define UKODE_BRIDGE_ANALYZE_LAW_FORCE_H

#include "bridge/island/island.h"

/* Whether the island has laws; whether one has a function of the program. */
bool ukLawForcePresent(const ukIsland *island);
bool ukLawForceCalls(const ukIsland *island);

/* C (6 per body) of all laws, to the island's bodies.C, for the ideal multipliers lambda (rows) and accelerations qdd
 * (6 per body; NULL: at rest, where dry and viscous friction count as none). ukOk, ukErrorCallback, ukErrorChanged. */
int ukLawForceFill(ukIsland *island, const double *lambda, const double *qdd);

/* Whether C depends on the joints' loads: it is filled again for other multipliers, and then is as it was; ideal (rows)
 * as in ukLawForceFill, the same afterwards. ukOk, ukErrorMemory or a status of ukLawForceFill. */
int ukLawForceDepends(ukIsland *island, double *ideal, const double *qdd, bool *depends);

/* Refuses laws whose force would depend on contacts or active stops: the first of the island. ukErrorUnsupported. */
int ukLawForceRefuseOneSided(const ukIsland *island);

#endif
