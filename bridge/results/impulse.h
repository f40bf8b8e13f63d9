/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/impulse.h: impulses of joints and user constraints over a step in the continuous form: the integral of
 * their forces as the integrator weights its stages, the velocity jumps at the start of the step and those of the
 * projection. Divided by h they are what dJointFeedback reports, the mean force of the step: h times the forces on a
 * body is the change of its momentum.
 *
 * As in the ledger, a part of a step is provisional until it is accepted. Impulses are kept only for joints whose
 * forces are read: those with a dJointFeedback, or in a recorded world. */
#ifndef UKODE_BRIDGE_RESULTS_IMPULSE_H
#define UKODE_BRIDGE_RESULTS_IMPULSE_H

#include "bridge/island/island.h"

/* Impulses of a joint [N s, N m s]: [linear; angular] on internal a and b, world frame, about the centres of mass. */
typedef struct ukImpulse {
    double total[2][6], nonideal[2][6];
    double motor[6], stop[6]; /* the parts of `total` by motors and stops, on a */
} ukImpulse;

/* Starts the island's step with zero impulses. ukOk or ukErrorMemory. */
int ukImpulseBegin(ukIsland *island);

/* Whether impulses are kept for any joint or constraint of the island. */
bool ukImpulseKept(const ukIsland *island);

/* Open: a sub-step begins; Stage: adds the solved island's forces for `weight` [s]; Accept: the sub-step is accepted;
 * Reject: all sub-steps are discarded, jumps are kept. */
void ukImpulseOpen(ukIsland *island);
void ukImpulseStage(ukIsland *island, double weight);
void ukImpulseLaws(ukIsland *island, double weight); /* only the forces of laws without rows */
void ukImpulseAccept(ukIsland *island);
void ukImpulseReject(ukIsland *island);
/* Saves the impulses of the open sub-step. */
void ukImpulseSaveOpen(ukIsland *island);
/* Replaces the impulses of the open sub-step by the saved ones, or by `factor` times these. */
void ukImpulseRestoreOpen(ukIsland *island);
void ukImpulseRestoreScaled(ukIsland *island, double factor);

/* Adds `weight` A' lambda of the island's rows: to the open sub-step; to the jumps at the start of the step. ideal:
 * the multipliers without laws; NULL: there are no laws, or lambda does not balance any. */
void ukImpulseRows(ukIsland *island, const double *A, const double *lambda, const double *ideal, double weight);
void ukImpulseJump(ukIsland *island, const double *lambda, double weight);

/* The sum for the step in progress, or the last one; false: no impulses are kept for the joint. */
bool ukImpulseOf(const ukImpulseArray *impulses, const ukJoint *joint, ukImpulse *sum);
/* The same for a user constraint: sum (6 count). */
void ukImpulseOfConstraint(const struct ukConstraint *c, double *sum);

#endif
