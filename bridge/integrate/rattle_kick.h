/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/rattle_kick.h: the second kick of a RATTLE step (bridge/integrate/integrate_rattle.h), and the accelerations
 * and constraint forces at the end of the step. */
#ifndef UKODE_BRIDGE_INTEGRATE_RATTLE_KICK_H
#define UKODE_BRIDGE_INTEGRATE_RATTLE_KICK_H

#include "bridge/integrate/rattle_pose.h"

/* force (6) of a body that moves, from its Q, without the gyroscopic torque at its frame's velocity */
void ukRattleForce(const ukProblem *p, const ukFrame *f, const double *Q, double force[6]);

/* y (rows) = A M^-1 of the gyroscopic torques at the frames' states; the stepper's qdd is scratch */
void ukRattleGyration(const ukRattle *r, const ukProblem *p, double *y);

/* whether the island has bare rows (ukRattleBare) */
bool ukRattleAnyBare(const ukRattle *r, const ukProblem *p);

/* whether it has constraints of the user's */
bool ukRattleAnyConstraint(const ukRattle *r);

/* mu and v1, to the frames' states, after ukRattlePose. Where forces or rows depend on the velocity, it is the velocity at
 * the end that they see. ukOk; ukErrorContradiction: no velocity meets all rows; ukErrorNotConverged, ukErrorNotFinite; a
 * status of the assembly or solver. */
int ukRattleKick(ukRattle *r);

/* The island assembled at the end of the step, with the accelerations and multipliers there. Where constraints branch the
 * rows may have no acceleration in common: those of the kick stay then. ukErrorContradiction: they have none elsewhere, or
 * in an island with user constraints. */
int ukRattleConclude(ukRattle *r);

#endif
