/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/assemble.h: one island as equations M, Q, A, b, in one of two forms (docs/theory.md):
 *
 *   discrete    b = (c - A v)/h, rows softened by cfm/h: v + h qdd is the velocity of dWorldStep
 *   continuous  b = -Adot v - 2 alpha (A v - target) - beta^2 phi, rows rigid: for integrators of higher order */
#ifndef UKODE_BRIDGE_ISLAND_ASSEMBLE_H
#define UKODE_BRIDGE_ISLAND_ASSEMBLE_H

#include "bridge/island/context.h"

void ukAssembleContext(const ukWorld *world, double h, ukStepContext *context);

/* The starts of the island's slices in the step's arrays: to assemble the island again, rewind to them. */
typedef struct ukIslandStart {
    int moving, block, slot, row, spring;
    size_t coefficient;
} ukIslandStart;
ukIslandStart ukAssembleStart(const ukIsland *island);
void ukAssembleRewind(ukIsland *island, const ukIslandStart *start);

/* Builds the forces and rows of a gathered island at its frames' states, after those of the previous islands, and
 * describes them in island->problem. Joints with stale parameters are read again. ukOk, ukErrorNotFinite,
 * ukErrorParameter, ukErrorCallback, ukErrorChanged; the message names the joint or constraint. */
int ukAssembleIsland(ukIsland *island, const ukStepContext *given);

#endif
