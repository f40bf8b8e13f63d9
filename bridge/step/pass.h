/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/pass.h: beginning and end of a traversal of a world's islands, for a step or a look (look.h): memory,
 * islands, counters, and what prevents a state from being saved. */
#ifndef UKODE_BRIDGE_STEP_PASS_H
#define UKODE_BRIDGE_STEP_PASS_H

#include "bridge/island/stepper.h"

/* Whether everything of the world is recorded: what is not would be missing. ukOk, ukErrorMemory. */
int ukPassWhole(const ukWorld *world);
/* Sets the error, returns ukErrorMemory. */
int ukPassNoMemory(const ukWorld *world);
/* A failure always leaves an error to ask for. `errors`: ukErrorCount before. Returns status. */
int ukPassTold(int status, unsigned errors);

/* Memory, islands and counters of a new pass, for a step of h [s]; `wake`: auto-disable has its turn, too. */
int ukPassBegin(ukWorld *world, ukStepper *stepper, double h, bool wake);
void ukPassFinish(ukStepper *stepper);
/* Bodies that the search for islands woke sleep again: of a look, or of a step that failed. */
void ukPassUnwake(ukStepper *stepper);

/* The angles that stops bound follow from the frames' starts to their states, a step of h away (bridge/joints/turn.h). */
void ukPassTurns(ukStepper *stepper, double h);

/* Whether the island's new states are finite: nothing else is written. ukOk, or ukErrorNotFinite with the body named.
 */
int ukPassHoldable(const ukIsland *island);

#endif
