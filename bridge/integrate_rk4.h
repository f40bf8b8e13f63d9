/* bridge/integrate_rk4.h: classical Runge-Kutta on the explicit acceleration (continuous form). Orientation advances on
 * the group: each stage is R = exp(theta) R0 with theta' = dexp^-1(theta) w, so no stage leaves the unit quaternions. */
#ifndef UKODE_BRIDGE_INTEGRATE_RK4_H
#define UKODE_BRIDGE_INTEGRATE_RK4_H

#include "bridge/assemble.h"

/* Whether the assembled island can be integrated in the continuous form: it has no one-sided or bounded row (an active
 * stop, a contact, a motor of finite force) and no row that the user made a spring by its CFM. */
bool ukContinuousEligible(const ukStepper *stepper, int island);

/* Steps the gathered island: four stages, the world's stabilisation, acceleration and multipliers at the end state (for
 * the report), velocity and pose written back with callbacks and damping. ukOk or a status. */
int ukIntegrateRK4(ukStepper *stepper, int island, const ukIslandStart *start, const ukStepContext *context);

#endif
