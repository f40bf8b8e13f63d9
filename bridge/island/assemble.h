/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/assemble.h: one island as equations M, Q, A, b, in one of two forms (docs/theory.md):
 *
 *   discrete    b = (c - A v)/h, rows softened by cfm/h: v + h qdd is the velocity of dWorldStep
 *   continuous  b = -Adot v - 2 alpha (A v - target) - beta^2 phi, rows rigid: for integrators of higher order */
#ifndef UKODE_BRIDGE_ISLAND_ASSEMBLE_H
#define UKODE_BRIDGE_ISLAND_ASSEMBLE_H

#include "bridge/island/island.h"
#include "bridge/joints/class.h"

/* Whether stops of joints, and one-sided rows of user constraints, have modes within a step of the continuous form
 * (bridge/integrate/one_sided.h): no; yes, and they are undecided; yes. */
typedef enum ukStopModes { ukStopsApart, ukStopsUndecided, ukStopsFollowed } ukStopModes;

/* The parameters that all islands of a step share. */
typedef struct ukStepContext {
    ukRowContext rows;
    double time;           /* time of the states: start of the step, or of a stage [s] */
    ukSwitchWindow window; /* of the step, or of its part: the times that user functions receive lie in it */
    double gravity[3];
    ukFrictionLaw friction;
    bool modal_rows;   /* motors of bounded force have modes (ukIsland.modal_motor): continuous form only */
    ukStopModes stops; /* continuous form only */
    bool springs;      /* rows with a CFM that the user set are forces (spring.h): continuous form only */
    bool damped;       /* ... also in islands with laws, where none depends on loads: not for stiff steps */
    bool firm;         /* ... except where the world's CFM is small: such rows are rigid (bridge/step/firm.h) */
    bool sided;        /* switching functions keep their sides (bridge/integrate/switching.h) */
    bool continuous;   /* the continuous form, with Baumgarte's gains: */
    double alpha, beta;
} ukStepContext;

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
