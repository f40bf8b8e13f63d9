/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/equilibrium.h: poses at which the forces of a world balance at rest (<ukode/analysis.h>): Newton's
 * method for the energy on the constraint manifold, with eigenvalues of the Hessian made positive (Nocedal & Wright,
 * 3.4), and a line search on the slope, which needs no energy. */
#ifndef UKODE_BRIDGE_ANALYZE_EQUILIBRIUM_H
#define UKODE_BRIDGE_ANALYZE_EQUILIBRIUM_H

#include <ukode/analysis.h>

#include "bridge/world/record.h"

/* ukOk, whatever was found (out->found); the arrays of *out belong to the stepper. Or a status as ukWorldEquilibrium's.
 * ODE's bodies stay where they are. */
int ukEquilibriumFind(ukWorld *world, double tolerance, ukEquilibrium *out);

#endif
