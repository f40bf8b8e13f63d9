/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/difference.h: the distance between the states of two worlds with the same bodies. */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_DIFFERENCE_H
#define UKODE_PLUGIN_TOOLS_REPLAY_DIFFERENCE_H

#include "bridge/ode/ode.h"
#include <stdbool.h>

typedef enum ukApart { ukApartPosition, ukApartTurn, ukApartVelocity, ukApartSpin, ukAparts } ukApart;

/* The largest so far, of a body by its number. */
typedef struct ukBodyApart {
    double most[ukAparts];
    double time[ukAparts]; /* when it was [s] */
} ukBodyApart;

typedef struct ukDifference {
    ukBodyApart *body; /* (bodies), by serial - 1 */
    int bodies;
    double energy;  /* largest difference of the whole energy [J] */
    double last[2]; /* energies of the two now */
} ukDifference;

/* Takes the present states in. false: no memory. */
bool ukDifferenceTake(ukDifference *difference, dWorldID x, dWorldID y, double time);
void ukDifferenceFree(ukDifference *difference);
/* Kinetic and potential energy of a world [J]. */
double ukEnergyOf(dWorldID world);

#endif
