/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/jump.h: velocity jumps at the start of a step in the continuous form, by impulses p of the rows:
 *
 *   M (v' - v) = A' p,   A v' = target
 *
 * where a motor of unlimited force has a new speed, or the program set velocities that its joints do not allow. The
 * step continues from v' at the same pose; linear and angular momentum are conserved, and so is the energy except for
 * the work of the impulses. In worlds without projection joints keep their drift rates, and only motors reach their
 * speed. Impacts are in impact.h. */
#ifndef UKODE_BRIDGE_INTEGRATE_JUMP_H
#define UKODE_BRIDGE_INTEGRATE_JUMP_H

#include "bridge/island/assemble.h"
#include "bridge/results/ledger.h"

/* Impulses at the start of a step, which change the velocities of the frames' starts and states, for an island
 * assembled at its start in the continuous form; *jumped: velocities have changed, and the island must be assembled
 * again. ukOk or a status of the solver. */
int ukJump(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, bool *jumped);

/* Whether some rates differ from those of their rows by more than rounding, as ukJump judges it: after a jump, rows
 * contradict each other. */
bool ukJumpAsked(const ukIsland *island, double h);

/* Joints with a smaller drift (ukDrift) count as closed: an impulse on the rows of either anchor is one wrench, to
 * rounding. */
extern const double ukJumpMeets;

/* The fraction of a row's A v - target that an impulse at the start removes: 1 or 0. */
double ukJumpShare(const ukIsland *island, const ukProblem *p, int block, int row);

/* Velocities of the frames' starts and states += factor times qdd of the problem. */
void ukJumpMove(ukIsland *island, double factor);

/* The ledger's entry for a jump of joints' rates. */
ukMark ukJumpCause(const ukIsland *island);
/* The island has ended a step: records whether it was in the discrete form, as all of Euler's steps are; a step after
 * which joints are apart or stops violated counts as such. */
void ukJumpRemember(ukIsland *island, bool discrete);
/* The step failed: restores these records. */
void ukJumpUndo(const ukIsland *island);

#endif
