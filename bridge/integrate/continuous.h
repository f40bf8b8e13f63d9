/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/continuous.h: evaluates an island in the continuous form at any state of its frames. */
#ifndef UKODE_BRIDGE_INTEGRATE_CONTINUOUS_H
#define UKODE_BRIDGE_INTEGRATE_CONTINUOUS_H

#include "bridge/island/assemble.h"

enum { ukNotContinuous = 1 }; /* a state meets a row that has no continuous form */

/* Whether the assembled island can be integrated in the continuous form: it has no one-sided or bounded row (an active
 * stop, a contact, a motor of finite force unless it has modes), no row that the user made a spring by its CFM, and no more
 * of those that are forces than a method for stiff ones couples. */
bool ukContinuousEligible(const ukIsland *island);

/* The island assembled again at its frames' states. ukOk, ukNotContinuous, or a negative status. */
int ukContinuousAssemble(ukIsland *island, const ukIslandStart *start, const ukStepContext *at);

/* whether the island has joints with running values, which advance once a step */
bool ukContinuousRuns(const ukIsland *island);

/* Whether forces are to be evaluated that only the ledger or impulses read: where one of these is kept, and, of an island
 * with functions of the user's, where these are recorded or replayed. A recording lends a ledger and its replay does not,
 * but both must call these functions equally often. */
bool ukContinuousBooks(const ukIsland *island);

/* Whether rows agree at the start of a step, where the island was solved for its motion. That solve leaves some out:
 * least squares are to say who is missed. */
int ukContinuousConsistent(ukIsland *island);

/* The frames' states back to their starts. */
void ukContinuousReset(ukIsland *island);

#endif
