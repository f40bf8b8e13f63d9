/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/user/gap.h: one-sided rows of user constraints: the gap of a row, and whether the row acts at a state. */
#ifndef UKODE_BRIDGE_USER_GAP_H
#define UKODE_BRIDGE_USER_GAP_H

#include "bridge/joints/class.h"
#include "bridge/world/element.h"

/* Whether row i of a constraint that was just evaluated has a position error; nonholonomic rows have none. */
static inline bool ukGapIsHolonomic(const struct ukConstraint *c, int i)
{
    return c->error && c->phi[i] == c->phi[i];
}

/* How an integrator that follows modes treats row i of a constraint that was evaluated: not by them (an equality, a
 * one-sided row, or a bounded row without continuous form: of a position, unless Baumgarte's gains correct it, or of a
 * rate that an unlimited force would have to change); as a motor, at a bound while its rate differs from the target; or
 * as a bounded row of accelerations. */
typedef enum ukBoundedKind { ukBoundedNone, ukBoundedMotor, ukBoundedAcceleration } ukBoundedKind;
ukBoundedKind ukGapBounded(const struct ukConstraint *c, int i);

/* The gap that counts as touching [m or rad]: 1e-11 of the reach of row i (solvers/problem/tolerance.h). */
double ukGapTouch(const struct ukConstraint *c, int i);

/* Whether row i of the constraint, one-sided or not, is written in the discrete form, or, where `follows`, in a
 * continuous form that follows one-sided rows by their modes. rows->flight: one-sided rows are left out;
 * rows->touching: the discrete form includes those that touch. */
bool ukGapActs(const struct ukConstraint *c, int i, bool follows, const ukRowContext *rows);

/* Whether an undecided row is violated by so much (1e-4 of its reach) that its position is corrected in the discrete
 * form, by ERP; less is projected, as that of joints is. */
bool ukGapIsDeep(const struct ukConstraint *c, int i);

#endif
