/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/one_sided.h: one-sided rows of user constraints, and stops of joints, in the continuous form: the
 * times at which a row starts and ceases to act. An active row is an equality until its multiplier reaches zero; a
 * free row is left out until its gap is closed, where an impact takes the closing rate away or reverses it. Modes
 * are decided by a problem with the bounds 0 <= lambda of the rows whose gap and rate are zero: Gauss's principle
 * subject to inequalities. The bounded rows of user constraints that have a continuous form (bounded_row.h) are among
 * the rows of this header. */
#ifndef UKODE_BRIDGE_INTEGRATE_ONE_SIDED_H
#define UKODE_BRIDGE_INTEGRATE_ONE_SIDED_H

#include "bridge/island/assemble.h"

/* A one-sided or bounded row of an island: a row of a constraint, or a stop; none: both are NULL. */
typedef struct ukOneSided {
    struct ukConstraint *constraint;
    int row, element; /* row of the constraint; index of the constraint in island->element */
    ukStop *stop;
} ukOneSided;

static inline bool ukOneSidedIs(const ukOneSided *of)
{
    return of->constraint || of->stop;
}
/* The next row after *at, or the first one (none); false: there are no more, *at is none again. */
bool ukOneSidedNext(const ukIsland *island, ukOneSided *at);
static inline ukRowBounds *ukOneSidedLimit(const ukOneSided *of)
{
    return of->stop ? &of->stop->limit : &of->constraint->limit[of->row];
}

/* To be called at the start of a step, before modes are chosen. */
void ukOneSidedBegin(const ukIsland *island);
/* Chooses the mode at the assembled island's states: undecided (true) or free; *closing: the gap is closed and its rate
 * closes it; `scale`: of rates (ukMeasureScale). */
bool ukOneSidedChoose(const ukIsland *island, const ukOneSided *of, double scale, bool *closing);
/* The mode after an event of the row at the present time, which decides it until ukOneSidedForget: a solve, whose
 * multipliers are accurate to its tolerance only, could activate the row again, and the event would recur. */
void ukOneSidedCross(const ukIsland *island, const ukOneSided *of);
void ukOneSidedForget(const ukIsland *island);
/* Sets the mode of an undecided row, from the solved island. */
void ukOneSidedTake(const ukIsland *island, const ukOneSided *of);
/* After a solve in which other modes were decided: activates a row at rest that was released and now closes; false:
 * it is not such a row. scale: as for ukOneSidedChoose. */
bool ukOneSidedReactivate(const ukIsland *island, const ukOneSided *of, double scale);

/* The event function, positive before the event and zero at it: the multiplier of an active row; gap, rate or A qdd - b
 * of a free one. */
double ukOneSidedMargin(const ukIsland *island, const ukOneSided *of);
/* The largest value of the event function that counts as zero. */
double ukOneSidedNegligible(const ukIsland *island, const ukOneSided *of);
/* The multiplier of an active row of the solved island, not a bounded one, over sqrt(M), as an acceleration, if it
 * pulls; otherwise 0. */
double ukOneSidedPull(const ukIsland *island, const ukOneSided *of);
/* Stores the event function, and the rate of a gap, at the start of a part of a step. */
void ukOneSidedRemember(const ukIsland *island, const ukOneSided *of);
/* The time within a part of h [s], which ends at the assembled states, at which the gap of a free row is smallest and
 * closed, by the cubic through its values and rates at both ends; 0: it stays open, or it is closed at the end. */
double ukOneSidedDip(const ukIsland *island, const ukOneSided *of, double h);
/* Sets all these rows of the island to a mode, free or undecided. */
void ukOneSidedSet(const ukIsland *island, ukRowMode mode);
/* The number of undecided rows of the assembled island. */
int ukOneSidedUndecided(const ukIsland *island);
/* Releases all rows but those that a motor of unlimited force presses onto a stop. */
void ukOneSidedRelease(const ukIsland *island);
/* The largest violation of a stop or holonomic one-sided row, over the gap that counts as touching. */
double ukOneSidedViolation(const ukIsland *island);
/* Whether the island has one-sided rows that act or may act within h [s]: of constraints, any; a stop, where the gap is
 * smaller than the estimated motion. */
bool ukOneSidedNear(const ukIsland *island, double h);

#endif
