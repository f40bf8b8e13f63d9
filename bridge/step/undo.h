/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/undo.h: saves, before a step, what it changes of joints, user constraints and their laws before it is
 * known to succeed: reactions and dJointFeedback, multipliers for the warm start, modes of dry friction, records read
 * from ODE. States of bodies are restored from their frames, running values of joints by bridge/joints/running.h. */
#ifndef UKODE_BRIDGE_STEP_UNDO_H
#define UKODE_BRIDGE_STEP_UNDO_H

#include "bridge/island/stepper.h"

/* Saves the solvers' plans. ukOk or ukErrorMemory. */
int ukUndoBegin(ukStepper *stepper);
/* Saves the island's data, before any of it is assembled. Reactions of the last island need not be saved, because no
 * step fails after they are written. ukOk or ukErrorMemory. */
int ukUndoNote(ukStepper *stepper, const ukIsland *island);
/* Saves the records of the joints that the next evaluation reads from ODE. ukOk or ukErrorMemory. */
int ukUndoNoteReads(ukStepper *stepper);
/* Restores the saved data, but for the solvers' plans. */
void ukUndoEntries(ukStepper *stepper);
/* The step failed: restores the saved data; solvers restart with the plans that existed before the step. Objects that
 * were destroyed meanwhile are skipped. */
void ukUndoApply(ukStepper *stepper);
/* The step is over: discards the saved data. */
void ukUndoForget(ukStepper *stepper);

#endif
