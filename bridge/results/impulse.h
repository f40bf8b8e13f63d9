/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/impulse.h: impulses of joints and user constraints over a step in the continuous form: the integral of
 * their forces as the integrator weights its stages, the velocity jumps at the start of the step and those of the
 * projection. Divided by h they are what dJointFeedback reports, the mean force of the step: h times the forces on a body
 * is the change of its momentum.
 *
 * As the ledger's, a part of a step is open until it is accepted. Of joints only those are kept whose forces somebody
 * reads: with a dJointFeedback, or in a recorded world. */
#ifndef UKODE_BRIDGE_RESULTS_IMPULSE_H
#define UKODE_BRIDGE_RESULTS_IMPULSE_H

#include "bridge/island/island.h"

/* Of a joint [N s, N m s]: [linear; angular] on internal a and b, world frame, about the centres of mass. */
typedef struct ukImpulse {
    double total[2][6], nonideal[2][6];
    double motor[6], stop[6]; /* of total, on a */
} ukImpulse;

/* The island's step begins, with none. ukOk or ukErrorMemory. */
int ukImpulseBegin(ukIsland *island);

/* Whether any joint or constraint of the island keeps them. */
bool ukImpulseKept(const ukIsland *island);

/* A part begins; the solved island's forces for `weight` [s]; the part is accepted; all parts are given up, jumps are
 * not. */
void ukImpulseOpen(ukIsland *island);
void ukImpulseStage(ukIsland *island, double weight);
void ukImpulseLaws(ukIsland *island, double weight); /* what laws prescribe without rows, alone */
void ukImpulseAccept(ukIsland *island);
void ukImpulseReject(ukIsland *island);
/* The open part as it is now is noted; what was added to it since is given up. */
void ukImpulseHold(ukIsland *island);
void ukImpulseBack(ukIsland *island);

/* `weight` A' lambda of the island's rows: of the open part; of a jump at the start of the step. */
void ukImpulseRows(ukIsland *island, const double *A, const double *lambda, double weight);
void ukImpulseJump(ukIsland *island, const double *lambda, double weight);

/* Of the step in progress, or the last one: false: the joint had no impulses kept in it. */
bool ukImpulseOf(const ukImpulseArray *impulses, const ukJoint *joint, ukImpulse *sum);
/* Of a user constraint: sum (6 count). */
void ukImpulseOfConstraint(const struct ukConstraint *c, double *sum);

#endif
