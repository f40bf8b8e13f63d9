/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/targets.h: inverse kinematics: min |e|^2 over the poses that satisfy the joints, where e are the
 * weighted errors of the targets, by the Levenberg-Marquardt method on the constraint manifold. With T = de/dy and P
 * the projector onto the null space of B,
 *
 *      dy = -(T P)' ((T P)(T P)' + mu)^-1 e,
 *
 * after which the joints are satisfied again (bridge/analyze/approach.h). */
#ifndef UKODE_BRIDGE_ANALYZE_TARGETS_H
#define UKODE_BRIDGE_ANALYZE_TARGETS_H

#include <ukode/analysis.h>

#include "bridge/analyze/approach.h"

/* Remaining errors of the targets. */
typedef struct ukTargetsLeft {
    double error; /* |e| */
    bool met;     /* up to rounding */
} ukTargetsLeft;

/* Moves the bodies from poses that satisfy the joints towards the targets, along such poses. The targets were checked.
 * ukOk, a status of the assembly, ukErrorMemory, ukErrorLapack. */
int ukTargetsApproach(ukApproach *a, const ukTarget *target, int count, ukTargetsLeft *left);

#endif
