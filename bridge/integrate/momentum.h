/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/momentum.h: restores the angular momentum of bodies whose poses are projected. A change of poses at
 * constant velocities changes the angular momentum, which joints between the bodies cannot do: a common rotation rate
 * of all bodies that rows connect compensates the difference, and leaves the rates of these rows and the linear
 * momentum unchanged. */
#ifndef UKODE_BRIDGE_INTEGRATE_MOMENTUM_H
#define UKODE_BRIDGE_INTEGRATE_MOMENTUM_H

#include "bridge/island/island.h"

/* Gives the velocities of the frames' states of an island assembled there the angular momentum of the frames' starts,
 * for each group of bodies that rows connect; groups whose rows prevent a rotation (joints to the world, to kinematic
 * bodies) are unchanged. Uses the solvers' scratch. ukOk or ukErrorMemory. */
int ukMomentumRestore(ukIsland *island);

/* The discrete form with exact rows: a fixed-point iteration on the gyroscopic torques of groups that rotate freely. R
 * I R' w changes when a step rotates the body at constant w, by the gyroscopic torque to first order; ODE's torque,
 * from the start of the step, leaves an error of the order of h |w| of it in each step. The iteration determines the
 * torque that conserves the angular momentum. */
typedef struct ukSpin {
    double off;     /* error of the last iteration [N m s]; INFINITY before the first */
    bool again;     /* the torques have changed: the island must be solved and moved again from its starts */
    bool withdrawn; /* they do not converge (h |w| of about 1): ODE's torques are used */
} ukSpin;

/* Performs one iteration, from the island solved and moved to its new states. Uses the solvers' scratch. ukOk or
 * ukErrorMemory. */
int ukMomentumSpin(ukIsland *island, double h, ukSpin *spin);

#endif
