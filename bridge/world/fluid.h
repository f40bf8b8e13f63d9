/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/fluid.h: forces of fluids in Webots' fork of ODE, whose dWorldStep begins with dFluidDynamicsStep: it
 * adds them to the accumulators of force and torque, for which they are forces of the program, constant over the step.
 *
 * ukode does the same before it records the inputs of a step, so a recording has the forces themselves. A step that
 * fails or is left to ODE's own stepper, which adds them again, begins with the accumulators as the program left
 * them. */
#ifndef UKODE_BRIDGE_WORLD_FLUID_H
#define UKODE_BRIDGE_WORLD_FLUID_H

#include "bridge/world/record.h"

/* Adds the forces. Nothing without fluids in the served ODE, or within a step. ukOk; ukErrorMemory, with a message, and
 * nothing was added. */
int ukFluidApply(ukWorld *world);
/* Removes the forces that ukFluidApply has added since the last step: an accumulator that still has the value of then
 * is set to that of before; a moved callback's changes stay. */
void ukFluidRemove(ukWorld *world);
/* After a step. Taken: the forces have acted; else they are removed. Nothing within a step. */
void ukFluidEnd(ukWorld *world, bool taken);
void ukFluidFree(ukWorld *world);

#endif
