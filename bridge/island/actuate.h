/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/actuate.h: rows of a servo constraint whose force is exerted by chosen actuators: replaced by
 * equivalent rows along these (docs/theory.md, "Actuators of a servo constraint").
 *
 * With N = M^-1 - (its part in the rigid rows A_h), E the actuators' wrenches (a column each) and R their costs, the
 * actuator forces u of least u'R u with A_s qdd = b_s are u = R^-1 S' nu, S = A_s N E. Let R^{-1/2} S' = K'L' with
 * orthonormal rows K and F = K R^{-1/2} E', H = F N F'. Then
 *
 *      A_u = L H^-1 F,   b_u = A_u qdd*,   qdd* = qdd_h + N F' z,   L z = b_s - A_s qdd_h,
 *
 * where qdd_h is the motion without actuators. The forces A_u'lambda are those of least cost, qdd* is the least of
 * Gauss's function over A_h qdd = b_h, A_u qdd = b_u, and where the rigid rows are satisfied, errors of A_u are those
 * of A_s. */
#ifndef UKODE_BRIDGE_ISLAND_ACTUATE_H
#define UKODE_BRIDGE_ISLAND_ACTUATE_H

#include "bridge/island/island.h"

/* The first constraint of the island that has actuators; NULL: there is none. */
struct ukConstraint *ukActuated(const ukIsland *island);

/* Replaces A, b, phi and rate of that constraint's rows in an assembled island. ukOk, ukErrorMemory,
 * ukErrorUnsupported, ukErrorContradiction (the actuators cannot satisfy a row). Beside rows with bounds the servo's
 * remain as assembled until the island is solved (bridge/solve/actuated.h). */
int ukActuateRows(ukIsland *island);

/* Whether the assembled island has a servo constraint with actuators and other rows with bounds. */
bool ukActuateBeside(const ukIsland *island);
/* Replaces the servo's rows in p, the island's problem or its ideal one, for given rows with bounds (by row of p):
 * `active` ones are among the rigid rows A_h, the others exert the force A'lambda; NULL, NULL: p has none. The forces C
 * of laws are applied forces. trial: rows that the actuators cannot satisfy are no error. Statuses as above. */
int ukActuateUnder(ukIsland *island, const ukProblem *p, const unsigned char *active, const double *lambda, bool trial);

/* The largest |A_s qdd - b_s| of the island's servo constraint over the size of its terms, by `work` of the Gauss check
 * (solvers/check/gauss_check.h). */
double ukActuateError(const ukIsland *island, const double *qdd, const double *work);

/* "user constraint 3: actuators together with <what> are not supported: <remedy>" */
int ukActuateRefuse(const struct ukConstraint *c, const char *what, const char *remedy);

#endif
