/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/split.h: split stabilization: corrects position errors without changing velocities (ukStabilizeSplit).
 * In the discrete form ERP asks the velocity for the correction, A v+ = w - (erp/h) phi, and the bodies keep it. Here
 * it is asked of a velocity of its own, u, which moves the poses of this step and is then forgotten:
 *
 *      A v+ = w,    x+ = x + h (v+ + u),    u = h M^-1 A' mu,    A u + cfm mu = -(erp/h) phi      (joints)
 *
 *      0 <= mu_n  |  A_n (v+ + u) + cfm mu_n >= what ODE would have the contact leave with        (contacts, stops)
 *
 * the least u in the kinetic metric: for problems without bounds v+ + u is ODE's velocity, to the last digit that
 * matters. Friction, motors of finite force and laws have no part in it; rows that CFM makes springs keep their ERP
 * (bridge/island/spring.h), as their force is made of it. */
#ifndef UKODE_BRIDGE_SOLVE_SPLIT_H
#define UKODE_BRIDGE_SOLVE_SPLIT_H

#include "bridge/island/island.h"

/* For an island that was assembled with context.rows.split and solved, in a step of h [s]: writes u to
 * stepper->bodies.shift and the residuals of its problem to outcomes[island].pose. ukOk, or a status of the solver. */
int ukSplitSolve(ukIsland *island, double h);

#endif
