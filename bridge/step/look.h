/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/look.h: evaluates, projects or assembles a world at its present state, without a step. */
#ifndef UKODE_BRIDGE_STEP_LOOK_H
#define UKODE_BRIDGE_STEP_LOOK_H

#include "bridge/world/record.h"

/* Equations, forces, errors and report at the present state; with `project` the state is moved onto the constraints
 * first, and written to ODE (no callback, no damping, accumulators kept). ukOk, or a negative status with every body as
 * it was. */
int ukLookEvaluate(ukWorld *world, bool project);

/* The rows at the present state in the continuous form, assembled but not solved, for bridge/diagnose/diagnose.c to look
 * at; the last step's equations are gone. ukOk, or a negative status. */
int ukLookAssemble(ukWorld *world);

#endif
