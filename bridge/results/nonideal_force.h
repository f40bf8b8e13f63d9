/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/nonideal_force.h: the forces of a solved island with laws, in their two parts
 * (bridge/solve/nonideal.h): ideal, of the constraints alone, and non-ideal. */
#ifndef UKODE_BRIDGE_RESULTS_NONIDEAL_FORCE_H
#define UKODE_BRIDGE_RESULTS_NONIDEAL_FORCE_H

#include "bridge/island/island.h"

/* Computes ideal and non-ideal force of the island's joints and constraints; the latter is C and the constraints'
 * response. */
void ukForcesOfLaws(ukIsland *island);

/* C (6 per body) += the island's prescription, including friction that is represented by rows */
void ukPrescriptionOfLaws(const ukIsland *island, double *C);

#endif
