/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/advance/integrate_rk4.h: the Runge-Kutta method of fourth order for second-order equations (Nyström 1925) on
 * the explicit acceleration (continuous form).
 *
 *   a_1 = f(q, u)                             a_2 = f(q + h/2 u + h^2/8 a_1, u + h/2 a_1)
 *   a_4 = f(q + h u + h^2/2 a_3, u + h a_3)   a_3 = f(q + h/2 u + h^2/8 a_1, u + h/2 a_2)
 *   q + h u + h^2/6 (a_1 + a_2 + a_3),   u + h/6 (a_1 + 2 a_2 + 2 a_3 + a_4)
 *
 * Its stages leave the constraints by h^3, where those of the method for first-order systems leave them by h^2: rank
 * decisions of redundant loops depend on that. Orientation advances on the group: R = exp(q) R_0 with a rotation vector
 * q that begins at zero, u = q', spin w = dexp_q u. */
#ifndef UKODE_BRIDGE_ADVANCE_INTEGRATE_RK4_H
#define UKODE_BRIDGE_ADVANCE_INTEGRATE_RK4_H

#include "bridge/island/assemble.h"

/* Whether the assembled island can be integrated in the continuous form: it has no one-sided or bounded row (an active
 * stop, a contact, a motor of finite force) and no row that the user made a spring by its CFM. */
bool ukContinuousEligible(const ukStepper *stepper, int island);

enum { ukNotContinuous = 1 }; /* a stage met a row that has no continuous form: states are those of the start */

/* Steps an island assembled at its start without commitment: four stages, the world's stabilisation, acceleration and
 * multipliers at the end state (for the report). The new states stand in the frames. ukOk, ukNotContinuous, or a
 * negative status. */
int ukIntegrateRK4(ukStepper *stepper, int island, const ukIslandStart *start, const ukStepContext *context);

#endif
