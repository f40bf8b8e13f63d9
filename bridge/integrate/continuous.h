/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/continuous.h: evaluates an island in the continuous form at any state of its frames. */
#ifndef UKODE_BRIDGE_INTEGRATE_CONTINUOUS_H
#define UKODE_BRIDGE_INTEGRATE_CONTINUOUS_H

#include "bridge/island/assemble.h"

enum { ukNotContinuous = 1 }; /* status: a state has a row without continuous form */

/* Whether the assembled island can be integrated in the continuous form: it has no one-sided or bounded row (an active
 * stop, a contact, a motor of finite force without modes), no row that the user made a spring by its CFM, and no more
 * springs that act as forces than the implicit method couples. */
bool ukContinuousEligible(const ukIsland *island);

/* Assembles the island again at its frames' states. ukOk, ukNotContinuous, or a negative status. */
int ukContinuousAssemble(ukIsland *island, const ukIslandStart *start, const ukStepContext *at);

/* whether the island has joints with running values, which advance once per step */
bool ukContinuousRuns(const ukIsland *island);

/* Whether forces are to be evaluated that only the ledger or impulses read: where one of these is kept, and, of an
 * island with functions of the user's, where these are recorded or replayed. A recording lends a ledger and its replay
 * does not, but both must call these functions equally often. */
bool ukContinuousBooks(const ukIsland *island);

/* Whether rows are consistent at the start of a step, if the island was solved for its motion. That solve leaves rows
 * out; a least-squares solution then determines whose rows are violated. */
int ukContinuousConsistent(ukIsland *island);

/* Resets the frames' states to their starts. */
void ukContinuousReset(ukIsland *island);

#endif
