/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/bounded_row.h: bounded rows of user constraints in the continuous form (ukGapBounded), by their modes.
 * A motor exerts the force of a bound until its rate is the target; it then holds the rate by an equality until the
 * multiplier reaches a bound. A bounded row of accelerations is an equality until its multiplier reaches a bound, and the
 * force of this bound until A qdd = b: Gauss's principle subject to bounds. Undecided modes follow from a problem with the
 * bounds. */
#ifndef UKODE_BRIDGE_INTEGRATE_BOUNDED_ROW_H
#define UKODE_BRIDGE_INTEGRATE_BOUNDED_ROW_H

#include "bridge/island/assemble.h"

/* As the functions of one-sided rows (bridge/integrate/one_sided.h), for row i of constraint c. */
bool ukBoundedRowChoose(const ukIsland *island, struct ukConstraint *c, int i, double h);
void ukBoundedRowTake(const ukIsland *island, struct ukConstraint *c, int i);
double ukBoundedRowMargin(const ukIsland *island, const struct ukConstraint *c, int i);

/* Of a row of the assembled and solved island: A qdd - b; the largest multiplier that counts as zero; the largest rate
 * that counts as zero, relative to the speed and to the change of speed by forces in h [s]. */
double ukUserRowResidual(const ukIsland *island, const struct ukConstraint *c, int i);
double ukUserRowLeastForce(const ukIsland *island, double compliance);
double ukUserRowLeastRate(const ukIsland *island, const struct ukConstraint *c, int i, double h);

#endif
