/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/advance/momentum.h: the angular momentum of bodies whose poses are projected. Poses that change at the same
 * velocities have another one, and joints among bodies give none: a turn of all bodies that rows join takes the difference
 * back, which leaves the rates of these rows, and the linear momentum, as they are. */
#ifndef UKODE_BRIDGE_ADVANCE_MOMENTUM_H
#define UKODE_BRIDGE_ADVANCE_MOMENTUM_H

#include "bridge/island/stepper.h"

/* Velocities of the frames' states of an island assembled there, with the angular momentum of the frames' starts, group by
 * group of the bodies that its rows join; of groups whose rows hinder such a turn (joints to the world, to kinematic
 * bodies) they stay. The stepper's qdd and scratch are used. ukOk or ukErrorMemory. */
int ukMomentumRestore(ukStepper *stepper, int island);

#endif
