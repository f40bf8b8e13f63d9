/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/consistent.h: whether the accelerations can satisfy all rows of a solved island together. */
#ifndef UKODE_BRIDGE_SOLVE_CONSISTENT_H
#define UKODE_BRIDGE_SOLVE_CONSISTENT_H

#include "bridge/island/island.h"

/* Whether the solved island's continuous rows are consistent: A qdd = b within `contradiction` of the largest
 * acceleration. ukOk, or ukErrorContradiction, which names the joint or constraint with the largest residual. For
 * states on the constraints: at the inner stages of an integrator redundant rows are inconsistent by the drift. */
int ukSolveConsistent(ukIsland *island);

/* The equations in which a solved island's user constraints may contradict other rows. */
typedef enum ukPossibleConflict {
    ukNoConflict,
    ukConflictOfRates, /* accelerations and rates */
    ukConflictOfPoses  /* positions, too */
} ukPossibleConflict;

/* Whether the solved island, in either form, has user constraints and an exact row with a larger residual than that
 * (split: or whose position error would cause one, were it not corrected by the split correction), or, in the first
 * step of one of its constraints or joints, rows whose errors are not yet significant. */
ukPossibleConflict ukFindConflict(const ukIsland *island, bool split);

/* Solves the exact rows of the island, assembled in the continuous form, without laws, for accelerations and for
 * velocities A v = w (ukRowRate), and returns the status of ukSolveConsistent, except for contradictions among the
 * joints alone. The island must then be assembled again. */
int ukSolveIdealConsistent(ukIsland *island);

/* For an island, assembled in the continuous form, whose projection ended at a pose with `drift`: whether a user
 * constraint is the cause, because the rows of the joints alone have a common pose to first order. ukOk: it is not;
 * ukErrorContradiction, with the row: no pose satisfies all rows, to first order; ukErrorNotConverged, without a
 * message: the drift is large. The island must then be assembled again. */
int ukSolvePoseConsistent(ukIsland *island, double drift);

#endif
