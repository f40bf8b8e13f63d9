/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/closure.h: closed loops with redundant rows, in the discrete form.
 *
 * Rows that are dependent where the constraints are satisfied become independent in the drifted states that ERP leaves:
 * the singular value that should be zero is then a small multiple of the drift, and its row constrains the mechanism's
 * own motion. ODE's default CFM is about as large as that value's square at usual step sizes, too small to release the
 * motion: dWorldStep brakes Bricard's linkage to a stop, and so does CFM = 0. Such a step is taken without CFM and with
 * the rank that the rows have up to their drift (docs/ode-differences.md).
 *
 * The decision is made here, above the solvers, so that all of them solve the same problem. */
#ifndef UKODE_BRIDGE_SOLVE_CLOSURE_H
#define UKODE_BRIDGE_SOLVE_CLOSURE_H

#include "bridge/island/island.h"

/* Whether an assembled island without bounded rows, which has closed loops (ukProblemHasLoops), may be such a case: all
 * rows are of joints, and their CFM was not set by the program (it is ODE's default or less; with ukCfmOde, 0). A rank
 * tolerance that the user set takes precedence. */
bool ukClosureIsCandidate(const ukIsland *island);

/* Decides on such an island's problem and solves it (solvers/equality/): in ODE's form or, if a combination of rows is
 * dependent up to the drift and CFM does not release it, without CFM: the island's softness is then 0, and the
 * contradiction of its rows, which is the drift again, is removed from their right-hand sides. The outcome has the rank
 * tolerance of the problem. ukOk, or a status of the solver. */
int ukClosureSolve(ukIsland *island, ukSolution *out);

#endif
