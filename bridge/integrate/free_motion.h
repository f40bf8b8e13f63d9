/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/free_motion.h: a rigid body on which nothing acts, by discrete Euler-Lagrange equations on SO(3) with
 * Cayley's map (Moser & Veselov 1991; Bou-Rabee & Marsden 2009):
 *
 *   R1 = R0 cay(h W),   R0' L = I W + h/2 W x I W + h^2/4 (W' I W) W,   R1' L = I W - h/2 W x I W + h^2/4 (W' I W) W
 *
 * L, the angular momentum in the world, is the same at both ends, to rounding; backwards in time it is the same map. */
#ifndef UKODE_BRIDGE_INTEGRATE_FREE_MOTION_H
#define UKODE_BRIDGE_INTEGRATE_FREE_MOTION_H

#include "bridge/world/frame.h"

/* The state of f's body after h [s], from f->start with the velocity v (6) there: pose and velocity to f->state. A
 * kinematic body, or one without gyroscopic torque, keeps its spin. spin (3): W, in its first guess or 0, out. ukOk;
 * ukErrorNotConverged: it turns too far for the equations to have a solution near. */
int ukFreeMotion(ukFrame *f, const double v[6], double h, double spin[3]);

/* T (9), world frame: a small change L of the angular momentum at the start turns the end by h T L, for that W. False:
 * not known, where a body has no gyroscopic torque. */
bool ukFreeMobility(const ukFrame *f, const double spin[3], double h, double T[9]);

/* M (9), world frame, the inverse of it: a small turn of the end takes M times that, over h, of the angular momentum at
 * the start; of any body. */
void ukFreeInertia(const ukFrame *f, const double spin[3], double h, double M[9]);

/* The velocity (6) at that end once more, from the two poses, with the digits that a long run needs: what is rounded is
 * then as often too much as too little. */
void ukFreeMomentum(const ukFrame *f, const double v[6], double end[6]);

#endif
