/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/passive.h: energies of an island whose rows do no work, by which a step can be judged: what the
 * forces do not supply to the kinetic energy is an error of the method. A step that satisfies its rows at its end may
 * still be far too long for its motion, and gain or lose energy every time. */
#ifndef UKODE_BRIDGE_INTEGRATE_PASSIVE_H
#define UKODE_BRIDGE_INTEGRATE_PASSIVE_H

#include "bridge/island/island.h"

/* Whether the assembled island's rows do no work: all are rows of joints with a prescribed rate of zero and without
 * law. */
bool ukPassive(const ukIsland *island);

/* Whether the change of the island's kinetic energy equals the work of its forces: it is passive, has no functions of
 * the user, whose forces may jump within a step, no moving kinematic bodies, and no body that lacks the gyroscopic
 * torque, without which its rotation is not that of a rigid body. */
bool ukPassiveWholly(const ukIsland *island);

/* Power [W] of the forces with which the island is assembled, at the frames' states; gyroscopic torques have none. */
double ukPassivePower(const ukIsland *island);

/* Energies of a step of h [s] of a wholly passive island. */
typedef struct ukPassiveStep {
    bool judged;  /* false: the island is not wholly passive, or off its constraints; nothing below is set */
    double T, P;  /* kinetic energy [J] and power of the forces [W] at the start */
    double rest;  /* kinetic energy [J] of velocities within rounding */
    double scale; /* [J] kinetic energy at the speed of the start plus that of the forces alone, work, and rounding */
} ukPassiveStep;

/* For an island assembled at its start. */
ukPassiveStep ukPassiveBegin(const ukIsland *island, double h);

/* The energy error of the step, at whose end the island is now assembled, relative to the scale, and *error: in J. A
 * rotation of h w per step makes one of about (h w)^3/12 under a method of second order. 0: not judged. */
double ukPassiveError(const ukIsland *island, const ukPassiveStep *begin, double h, double *error);

/* Adds the error [J] of a part of the world's step, `share` of it, to those of the step (ukEnergyError). */
void ukPassiveAddError(const ukIsland *island, const ukPassiveStep *begin, double error, double share);

#endif
