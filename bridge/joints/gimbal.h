/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/gimbal.h: stops of an AMotor's Euler angles near their singular pose, where axes 1 and 3 coincide.
 *
 * The motor acts as a gimbal without mass would: angle t0 turns body 1 about its axis x, t2 about axis z of body 2, and
 * t1 is free in between. At t1 = +-pi/2 x and z are parallel: ODE's angles t0 and t2 jump by pi, and their gradients
 * grow like 1/rho, where rho is the sine of the angle between x and z. The gimbal itself passes: (t0, t1, t2) continue
 * smoothly, and describe the same pose as (t0 + pi, pi - t1, t2 + pi). Three functions are smooth there:
 *   rho sin(t0 - s), rho sin(t2 - s)  a vector of one body times one of the other, zero at the stop s
 *   t2 - q t0                         the turn about the common line; q = 1 where x = -z, -1 where x = z
 * Where both outer angles are at their stops, the first two have one gradient in common at the pole, and the third
 * constrains the other direction. */
#ifndef UKODE_BRIDGE_JOINTS_GIMBAL_H
#define UKODE_BRIDGE_JOINTS_GIMBAL_H

#include "bridge/joints/limit.h"
#include "bridge/ode/class.h"

/* Angle 0 or 2: -atan2(y . m, y . r), where r and m are carried by `from` and y by `to` (NULL: the world). */
typedef struct ukAzimuth {
    const ukState *from, *to;
    double r[3], m[3];
    const double *y;
    double
        sign; /* the gradient with respect to w_a - w_b is `sign` times that of atan2 with respect to w_to - w_from */
} ukAzimuth;

/* The internal body, 0 or 1, that carries axis 0 of Euler mode: the user's body 1. Before ODE 0.15 it is a: of a motor
 * attached as (0, B), the axis that the program gave for the world then rotates with B, and that of B is fixed. */
static inline int ukGimbalCarrier(const ukJoint *joint)
{
    const bool former = joint->world && joint->world->rules & ukRuleFormerAMotor;
    return joint->reverse && !former ? 1 : 0;
}

/* Whether the axes were perpendicular when the program set them, as ODE's manual requires. Otherwise ODE's angle 0 is
 * not an Euler angle, and its rows stay ODE's. */
bool ukGimbalProper(const ukJoint *joint);
/* Whether the stops act on other functions than the angles, near the singular pose, or the angles are not Euler angles:
 * the value of a stop is then no function of the pose that an integrator could follow to an event. */
bool ukGimbalIsSingular(const ukJoint *joint, double ax[3][3]);
/* ax: the motor's axes in the world frame. The references need not be perpendicular to the axes. */
ukAzimuth ukGimbalAzimuth(const ukJoint *joint, int i, const ukState *const state[2], double ax[3][3]);
/* Near the singular pose, replaces the stops of limits 0 and 2, whose values are set, by stops of the smooth functions;
 * `turn`, the gradients of the angles, is overwritten. count: the number of the motor's axes. */
void ukGimbalStops(const ukJoint *joint, const ukState *const state[2], double ax[3][3], int count, ukLimit limit[3],
                   ukTurn turn[3]);

#endif
