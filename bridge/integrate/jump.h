/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/jump.h: velocity jumps at the start of a step in the continuous form, by impulses p of the rows:
 *
 *   M (v' - v) = A' p,   A v' = target
 *
 * where a motor of unlimited force has a new speed, or the program set velocities that its joints do not allow. The step
 * goes on from v', at the same pose, so that what it preserves is preserved: linear and angular momentum, and the
 * energy but for what the rows take. In worlds that do not project, joints keep the rates they drift by and only motors
 * reach their speed. Impacts are in impact.h. */
#ifndef UKODE_BRIDGE_INTEGRATE_JUMP_H
#define UKODE_BRIDGE_INTEGRATE_JUMP_H

#include "bridge/island/assemble.h"
#include "bridge/results/ledger.h"

/* Velocities of the frames' starts and states, for an island assembled at its start in the continuous form; *jumped: they
 * have changed, and the island is to be assembled again. ukOk or a status of the solver. */
int ukJump(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool *jumped);

/* |v|_M, and what forces add to it in h [s]: differences of velocities below a small part of it are rounding. */
double ukJumpScale(const ukIsland *island, double h);
/* such a part */
extern const double ukJumpLeast;
/* Joints whose drift (ukDrift) is less meet: an impulse on the rows of either anchor is one wrench, to rounding. */
extern const double ukJumpMeets;

/* Which part of a row's A v - target an impulse at the start takes away: 1 or 0. */
double ukJumpShare(const ukIsland *island, const ukProblem *p, int block, int row);

/* Velocities of the frames' starts and states += factor times qdd of the problem. */
void ukJumpMove(ukIsland *island, double factor);

/* What the ledger books a jump of joints' rates under. */
ukMark ukJumpCause(const ukIsland *island);
/* The island has ended a step: whether in the discrete form; one that its joints are apart after counts as such. */
void ukJumpRemember(ukIsland *island, bool discrete);
/* The step failed: as it found them. */
void ukJumpUndo(const ukIsland *island);

#endif
