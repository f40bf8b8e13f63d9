/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/bounded_row.h: bounded rows of user constraints in the continuous form (ukGapBounded), by their
 * modes. A motor exerts the force of a bound until its rate is the target; it then keeps the rate by an equality until
 * the multiplier reaches a bound. A bounded row of accelerations is an equality until its multiplier reaches a bound,
 * and the force of this bound until A qdd = b: Gauss's principle subject to bounds. Undecided modes follow from a
 * problem with the bounds. */
#ifndef UKODE_BRIDGE_INTEGRATE_BOUNDED_ROW_H
#define UKODE_BRIDGE_INTEGRATE_BOUNDED_ROW_H

#include "bridge/island/assemble.h"

/* As the functions of one-sided rows (bridge/integrate/one_sided.h), for row i of constraint c. */
bool ukBoundedRowChoose(const ukIsland *island, struct ukConstraint *c, int i, double scale);
void ukBoundedRowCross(const ukIsland *island, struct ukConstraint *c, int i);
void ukBoundedRowTake(const ukIsland *island, struct ukConstraint *c, int i);
double ukBoundedRowMargin(const ukIsland *island, const struct ukConstraint *c, int i);

/* The largest multiplier that counts as zero, and the largest rate relative to the scale of rates (ukMeasureScale), of
 * a row with the compliance A M^-1 A'. */
double ukRowNegligibleForce(const ukIsland *island, double compliance);
double ukRowNegligibleRate(double compliance, double scale);

#endif
