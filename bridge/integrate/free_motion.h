/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/free_motion.h: a rigid body on which nothing acts, by discrete Euler-Lagrange equations on SO(3)
 * with Cayley's map (Moser & Veselov 1991; Bou-Rabee & Marsden 2009):
 *
 *   R1 = R0 cay(h W),   R0' L = I W + h/2 W x I W + h^2/4 (W' I W) W,   R1' L = I W - h/2 W x I W + h^2/4 (W' I W) W
 *
 * L, the angular momentum in the world, is the same at both ends, to rounding; backwards in time it is the same map. */
#ifndef UKODE_BRIDGE_INTEGRATE_FREE_MOTION_H
#define UKODE_BRIDGE_INTEGRATE_FREE_MOTION_H

#include "bridge/world/frame.h"

/* Computes the state of f's body after h [s] from f->start, with the velocity v (6) there, into f->state. A kinematic
 * body, or one without gyroscopic torque, keeps its angular velocity. spin (3): W; in: an initial guess or 0. ukOk;
 * ukErrorNotConverged: the body rotates too far for the equations to have a solution nearby. */
int ukFreeMotion(ukFrame *f, const double v[6], double h, double spin[3]);

/* T (9), world frame: for that W, a small change L of the angular momentum at the start rotates the end by h T L.
 * False: T is not defined, because the body has no gyroscopic torque. */
bool ukFreeMobility(const ukFrame *f, const double spin[3], double h, double T[9]);

/* M (9), world frame, the inverse of T, for any body: a small rotation of the end takes M times that rotation, over h,
 * of the angular momentum at the start. */
void ukFreeInertia(const ukFrame *f, const double spin[3], double h, double M[9]);

/* Recomputes the velocity (6) at that end from the two poses, with the digits that a long run needs: the rounding error
 * is then unbiased. */
void ukFreeMomentum(const ukFrame *f, const double v[6], double end[6]);

#endif
