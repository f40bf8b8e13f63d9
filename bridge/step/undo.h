/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/undo.h: saves, before a step, what it changes of joints, user constraints and their laws before it is
 * known to succeed: reactions and dJointFeedback, multipliers for the warm start, modes of dry friction, records read
 * from ODE. States of bodies are restored from their frames, running values of joints by bridge/joints/running.h. */
#ifndef UKODE_BRIDGE_STEP_UNDO_H
#define UKODE_BRIDGE_STEP_UNDO_H

#include "bridge/island/stepper.h"

/* Notes the solvers' plans. ukOk or ukErrorMemory. */
int ukUndoBegin(ukStepper *stepper);
/* Notes what belongs to the island, before anything of it is assembled. Reactions of the last island need no note:
 * after them no step fails. ukOk or ukErrorMemory. */
int ukUndoNote(ukStepper *stepper, const ukIsland *island);
/* The step failed: puts back what was noted; solvers restart with the plans that the step found. Objects that were
 * destroyed meanwhile are left alone. */
void ukUndoApply(ukStepper *stepper);
/* The step is over: nothing is noted any more. */
void ukUndoForget(ukStepper *stepper);

#endif
