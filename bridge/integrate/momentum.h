/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/momentum.h: restores the angular momentum of bodies whose poses are projected. Poses that change at
 * the same velocities have another one, and joints among bodies give none: a turn of all bodies that rows join takes
 * the difference back, which leaves the rates of these rows, and the linear momentum, as they are. */
#ifndef UKODE_BRIDGE_INTEGRATE_MOMENTUM_H
#define UKODE_BRIDGE_INTEGRATE_MOMENTUM_H

#include "bridge/island/island.h"

/* Velocities of the frames' states of an island assembled there, with the angular momentum of the frames' starts, group by
 * group of the bodies that its rows join; of groups whose rows hinder such a turn (joints to the world, to kinematic
 * bodies) they stay. It uses the solvers' scratch. ukOk or ukErrorMemory. */
int ukMomentumRestore(ukIsland *island);

/* The discrete form with exact rows: a fixed-point iteration on the gyroscopic torques of groups that turn freely. R I R' w
 * changes when a step turns the body at constant w, by the gyroscopic torque to first order; ODE's torque, from the start
 * of the step, leaves an error of the order of h |w| of it in each step. Here it becomes the torque that keeps the
 * angular momentum. */
typedef struct ukSpin {
    double off;     /* the last pass's error [N m s]; INFINITY before the first */
    bool again;     /* the torques have changed: the island is to be solved and moved again from its starts */
    bool withdrawn; /* they do not converge (h |w| of about 1): ODE's torques stand */
} ukSpin;

/* One pass, from the island solved and moved to its new states. It uses the solvers' scratch. ukOk or ukErrorMemory. */
int ukMomentumSpin(ukIsland *island, double h, ukSpin *spin);

#endif
