/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/split.h: split stabilization: corrects position errors without changing velocities (ukStabilizeSplit).
 * In the discrete form ERP adds the correction to the velocity, A v+ = w - (erp/h) phi, which the bodies keep. Here a
 * separate velocity u moves the poses of this step and is then discarded:
 *
 *      A v+ = w,    x+ = x + h (v+ + u),    u = h M^-1 A' mu,    A u + cfm mu = -(erp/h) phi      (joints)
 *
 *      0 <= mu_n  |  A_n (v+ + u) + cfm mu_n >= what ODE would have the contact leave with        (contacts, stops)
 *
 * with the least u in the kinetic metric; for problems without bounds v+ + u is ODE's velocity, to rounding. Friction,
 * motors of finite force and laws take no part in it; rows that CFM makes springs keep their ERP
 * (bridge/island/spring.h), as their force is made of it. */
#ifndef UKODE_BRIDGE_SOLVE_SPLIT_H
#define UKODE_BRIDGE_SOLVE_SPLIT_H

#include "bridge/island/island.h"

/* For an island that was assembled with context.rows.split and solved, in a step of h [s]: writes u to
 * island->bodies.shift and the residuals of its problem to island->outcome->pose. ukOk, or a status of the solver. */
int ukSplitSolve(ukIsland *island, double h);

#endif
