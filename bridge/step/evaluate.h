/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/evaluate.h: evaluates, projects or assembles a world at its present state, without a step. */
#ifndef UKODE_BRIDGE_STEP_LOOK_H
#define UKODE_BRIDGE_STEP_LOOK_H

#include "bridge/world/record.h"

/* Computes equations, forces, errors and report at the present state; with `project` the state is first projected onto
 * the constraints, and written to ODE (no callback, no damping, accumulators kept). ukOk, or a negative status with
 * every body unchanged. */
int ukEvaluateWorld(ukWorld *world, bool project);

/* Uses the assembled rows; returns ukOk, or a negative status. */
typedef int ukRowsUse(ukWorld *world, void *data);

/* Assembles the rows at the present state in the continuous form without a solve, for bridge/diagnose/, and calls `use`
 * (NULL: none). The last step's equations are overwritten; the joints' records are as before: what was read from ODE
 * for the rows is read again by the next step, perhaps at another pose, where it rounds differently. ukOk, or a
 * negative status. */
int ukEvaluateRows(ukWorld *world, ukRowsUse *use, void *data);

#endif
