/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/traversal.h: beginning and end of a traversal of a world's islands, for a step or an evaluation
 * (evaluate.h): memory, islands, counters, and what prevents a state from being saved. */
#ifndef UKODE_BRIDGE_STEP_TRAVERSAL_H
#define UKODE_BRIDGE_STEP_TRAVERSAL_H

#include "bridge/island/stepper.h"

/* Whether all bodies and joints of the world are recorded; otherwise the equations would be incomplete. ukOk,
 * ukErrorMemory. */
int ukTraversalWhole(const ukWorld *world);
/* Sets the error, returns ukErrorMemory. */
int ukTraversalNoMemory(const ukWorld *world);

/* Allocates memory, finds the islands and resets the counters, for a step of h [s]; `wake`: auto-disable is applied,
 * too. */
int ukTraversalBegin(ukWorld *world, ukStepper *stepper, double h, bool wake);
void ukTraversalFinish(ukStepper *stepper);
/* Disables the bodies again that the search for islands woke: after an evaluation, or a step that failed. */
void ukTraversalUnwake(ukStepper *stepper);

/* The end of a batch of islands from `first` on, of `count`, that may all be assembled, then solved, then written:
 * discrete form, no law, no user function. first + 1 if threads are not to be used. */
int ukTraversalTogether(const ukIsland *islands, int first, int count);

#endif
