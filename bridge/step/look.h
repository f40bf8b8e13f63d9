/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/look.h: evaluates, projects or assembles a world at its present state, without a step. */
#ifndef UKODE_BRIDGE_STEP_LOOK_H
#define UKODE_BRIDGE_STEP_LOOK_H

#include "bridge/world/record.h"

/* Computes equations, forces, errors and report at the present state; with `project` the state is first projected onto
 * the constraints, and written to ODE (no callback, no damping, accumulators kept). ukOk, or a negative status with
 * every body unchanged. */
int ukLookEvaluate(ukWorld *world, bool project);

/* Assembles the rows at the present state in the continuous form without a solve, for bridge/diagnose/diagnose.c; the
 * last step's equations are overwritten. ukOk, or a negative status. */
int ukLookAssemble(ukWorld *world);

#endif
