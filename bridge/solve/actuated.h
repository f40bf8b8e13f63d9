/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/actuated.h: islands in the discrete form with a servo constraint with actuators and rows with bounds
 * (contacts, stops, motors of finite force, dry friction of joints): a fixed-point iteration on the active set. Given
 * the active rows with bounds, and the multipliers of those at their bounds, the servo's rows are replaced by rows
 * along its actuators (bridge/island/actuate.h), and the bounded problem of the island is solved with these. Its
 * solution has the next active set. At the fixed point the actuators' forces are those of least cost that satisfy the
 * servo's rows, the rigid rows and the active rows with bounds, under the forces of those at their bounds. */
#ifndef UKODE_BRIDGE_SOLVE_ACTUATED_H
#define UKODE_BRIDGE_SOLVE_ACTUATED_H

#include "bridge/solve/soften.h"

/* Solves p, the island's problem or its ideal one. `solve` solves it with the present rows, from the guess lambda0
 * or lambda_ideal, to rows.lambda or rows.lambda_ideal. `before` (NULL: nothing) is called once the rows are final,
 * before they are solved for the last time. Without bounds in p, the servo's rows depend on no active set, and are
 * replaced once. ukOk; statuses of the solver and of ukActuateRows; ukErrorNotConverged: no fixed point was found. */
int ukActuatedSolve(ukIsland *island, const ukProblem *p, ukIslandSolve *solve, ukIslandSolve *before);

#endif
