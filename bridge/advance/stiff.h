/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/advance/stiff.h: how users' forces change with the state, and the rows that stand for that in an implicit stage.
 *
 * Where a stage's velocity and place hold its own acceleration a, as u' + g a and q' + g^2 a with g = h times the
 * method's diagonal, forces change with it by (g dF/dv + g^2 dF/dq) da. Of that the symmetric part which holds back,
 * -G'G, is a set of rows of compliance 1, so Newton's step is one solve of the equations of motion:
 *
 *   M a = Q + A'l + G'm,      A a = b,      G a + m = G a_old
 *
 * A spring or damper is one row, however stiff: what it costs is what a joint does. What is left out (what drives,
 * what is not symmetric) is for Newton's passes, as is the change of A and b. */
#ifndef UKODE_BRIDGE_ADVANCE_STIFF_H
#define UKODE_BRIDGE_ADVANCE_STIFF_H

#include "bridge/island/assemble.h"

/* Whether an island has forces that may be stiff, and none of what implicit stages do not know: laws. */
bool ukStiffPossible(const ukStepper *stepper, int island);

/* The derivatives of the island's forces at its frames' states, by differences of `angle` [rad] and `length` [m], and
 * of as much in the time `unit` [s]. They are kept in the frames of their bodies, where those of a spring stay what
 * they are however the whole turns. ukOk, ukErrorMemory, or a status of a force. */
int ukStiffDifferentiate(ukStepper *stepper, int island, const ukStepContext *at, double length, double unit);

/* The rows for g [s], and how strong they are: the largest change of a force over that of momentum, at least. */
void ukStiffRows(ukStepper *stepper, int island, double g, double *strength);

/* The rows as they are at the state of a stage that the island was just assembled for, of the subspace that they span:
 * S V (V'S V)^-1 V'S with V = M^-1 G' of the rows so far, one call of a force a row. `speed` is |u|_M. */
int ukStiffTurn(ukStepper *stepper, int island, const ukStepContext *at, double g, double speed);

/* bodies.qdd and rows.lambda of an island assembled at a stage's states, with its rows; a_old (6 a moving body). */
int ukStiffSolve(ukStepper *stepper, int island, const double *a_old);

#endif
