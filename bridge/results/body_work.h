/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/body_work.h: the terms of the energy ledger that are sums over bodies. Two bodies are computed at a
 * time, a lane each, and added in their order, so that the sums are those of a loop over the bodies to the bit. */
#ifndef UKODE_BRIDGE_RESULTS_BODY_WORK_H
#define UKODE_BRIDGE_RESULTS_BODY_WORK_H

#include "bridge/island/island.h"

/* Powers of the frames' forces [W], by cause; `motors` is the total less the other causes. */
typedef struct ukBodyPower {
    double gravity, user, gyroscopic, motors;
} ukBodyPower;

/* Powers at the velocity v + h qdd/2 of each moving body, with v and the gyroscopic torque of the frames' start (h > 0:
 * the discrete form) or of their state (h = 0). */
ukBodyPower ukBodyPowers(const ukIsland *island, double h);

/* Books the changes of the bodies' energies from v + h qdd to their new states: speed cap, orientation, fall. */
void ukBodyFollow(const ukIsland *island, double h, ukLedger *l);

/* Kinetic and potential energy of all dynamic bodies of a world [J], disabled ones included, as stored by ODE; returns
 * whether any has a moved callback. */
bool ukBodyEnergies(const ukWorld *world, dReal *kinetic, dReal *potential);

#endif
