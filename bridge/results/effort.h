/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/effort.h: each joint's share of Gauss's function.
 *
 * G_ni = (Qc - C)' M^-1 (Qc - C) with Qc - C = sum of A_k' lambda_k, so A_k' lambda_k . (qdd - a - c) is the share of
 * block k; and G_i = Qc' M^-1 Qc with Qc = sum of T_k, the whole force of joint k, so T_k . (qdd - a) is. */
#ifndef UKODE_BRIDGE_RESULTS_EFFORT_H
#define UKODE_BRIDGE_RESULTS_EFFORT_H

#include "bridge/island/stepper.h"

typedef struct ukEffort {
    double Gi, Gni; /* [N m/s^2] */
} ukEffort;

/* C (6 per body) := the prescription of a solved island with laws. */
void ukEffortPrescription(const ukIsland *island, double *C);

/* The contribution of block k of the solved island's ideal problem. nonideal (6 per slot): the non-ideal force of its
 * joint or constraint; C as above; both NULL for an island without laws. */
ukEffort ukEffortOfBlock(const ukIsland *island, int k, const double *nonideal, const double *C);

/* The contribution of a joint with a law and no row. */
ukEffort ukEffortOfLaw(const ukIsland *island, const ukJoint *joint);

/* The contribution of an existing joint, or user constraint, in the last step; zero: it took no part. ukOk;
 * ukErrorArgument if the world's last step or evaluation failed, or there was none; ukErrorMemory. */
int ukEffortOfJoint(const ukWorld *world, const ukJoint *joint, ukEffort *effort);
int ukEffortOfConstraint(const struct ukConstraint *constraint, ukEffort *effort);

#endif
