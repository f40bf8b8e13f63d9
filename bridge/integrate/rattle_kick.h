/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/rattle_kick.h: the second kick of a RATTLE step (bridge/integrate/integrate_rattle.h), and the
 * accelerations and constraint forces at the end of the step. */
#ifndef UKODE_BRIDGE_INTEGRATE_RATTLE_KICK_H
#define UKODE_BRIDGE_INTEGRATE_RATTLE_KICK_H

#include "bridge/integrate/rattle_pose.h"

/* force (6) of a moving body, from its Q, without the gyroscopic torque at its frame's velocity */
void ukRattleForce(const ukProblem *p, const ukFrame *f, const double *Q, double force[6]);

/* y (rows) = A M^-1 of the gyroscopic torques at the frames' states; the stepper's qdd is scratch */
void ukRattleGyration(const ukRattle *r, const ukProblem *p, double *y);

/* whether the island has bare rows (ukRattleBare) */
bool ukRattleAnyBare(const ukRattle *r, const ukProblem *p);

/* whether the island has user constraints */
bool ukRattleAnyConstraint(const ukRattle *r);

/* Computes mu and v1 into the frames' states, after ukRattlePose. Forces or rows that depend on the velocity use the
 * one at the end. ukOk; ukErrorContradiction: no velocity satisfies all rows; ukErrorNotConverged, ukErrorNotFinite; a
 * status of the assembly or solver. */
int ukRattleKick(ukRattle *r);

/* Assembles the island at the end of the step and computes accelerations and multipliers there. At singular poses the
 * rows may be inconsistent in accelerations; the kick's are kept then. ukErrorContradiction: they are inconsistent
 * elsewhere, or in an island with user constraints. */
int ukRattleConclude(ukRattle *r);

#endif
