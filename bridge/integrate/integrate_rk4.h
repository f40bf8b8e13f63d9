/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/integrate_rk4.h: the Runge-Kutta method of fourth order for second-order equations on the explicit
 * acceleration (continuous form).
 *
 *   a_1 = f(q, u)                             a_2 = f(q + h/2 u + h^2/8 a_1, u + h/2 a_1)
 *   a_4 = f(q + h u + h^2/2 a_3, u + h a_3)   a_3 = f(q + h/2 u + h^2/8 a_1, u + h/2 a_2)
 *   q + h u + h^2/6 (a_1 + a_2 + a_3),   u + h/6 (a_1 + 2 a_2 + 2 a_3 + a_4)
 *
 * Its stages violate the constraints by h^3, those of the method for first-order systems by h^2: rank decisions of
 * redundant loops depend on that. */
#ifndef UKODE_BRIDGE_INTEGRATE_INTEGRATE_RK4_H
#define UKODE_BRIDGE_INTEGRATE_INTEGRATE_RK4_H

#include "bridge/island/assemble.h"

/* Steps an island assembled at its start without commitment: four stages, the world's stabilisation, acceleration and
 * multipliers at the end state (for the report). The new states are in the frames; *done is the step. ukOk,
 * ukNotContinuous, or a negative status; ukErrorNotConverged, with the joint: the projection did not return to the
 * constraints, or only with a change of velocity above the velocity itself, or the step gained energy where the rank of
 * its rows changed. */
int ukIntegrateRK4(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, double *done);

/* The world's step: a start with a drift is projected first (tidy.h), if the world projects; the same for
 * bridge/integrate/stick.h, before the first part. */
int ukIntegrateRK4Step(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);
int ukRK4Tidy(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

#endif
