/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/nonideal.h: non-ideal constraint forces, which do work (Udwadia 2000, 2004). The ideal force Qi = M
 * A_M^+ (b - A a) does not depend on the prescription C, so an island with laws is solved twice: with C = 0, then,
 * with C for that Qi,
 *
 *      qdd = a' + A_M^+ (b - A a'),  a' = a + M^-1 C      (2004 [9]).
 *
 * Rows of laws follow all others of their island: the rows before them are the ideal problem (ukIsland.ideal). Discrete
 * form: dry friction is a row along each axis, c = 0, |lambda| <= radius, so that sliding gives the prescription at its
 * bound, against the rate at the end of the step, and sticking an active row; viscous friction is a row of softness
 * 1/(viscous h). Both are reported as C. Axes that share one law share one bound, a disc or a ball of the solvers,
 * whose force is opposite to the sliding. */
#ifndef UKODE_BRIDGE_SOLVE_NONIDEAL_H
#define UKODE_BRIDGE_SOLVE_NONIDEAL_H

#include "bridge/island/island.h"
#include "bridge/user/joint_law.h"

/* Solves the ideal problem, prescribes the laws' forces, then solves the whole: in the discrete form, or, in the
 * continuous form, for slides at rest (their rows are bounded as well). slide->sticks: the slide sticks. Statuses of
 * the solver, ukErrorCallback, ukErrorChanged. */
int ukNonIdealSolve(ukIsland *island);

/* The same for the continuous form if all modes are known: friction of moving slides is part of C, and rows with the
 * multipliers slide->force fix stuck slides. */
int ukNonIdealSolveContinuous(ukIsland *island);

/* Solves the whole problem once more with the C of the last of these calls, if only b has changed. */
int ukNonIdealSolvePrescribed(ukIsland *island);

/* The C of every law of the island, and the radius of its slides, for the multipliers in rows.lambda_ideal; without
 * friction of slides and viscous friction. ukOk, ukErrorCallback, ukErrorChanged. */
int ukNonIdealPrescribe(ukIsland *island);
/* bodies.C (6 per body): the sum of the laws' C. */
void ukNonIdealCollect(ukIsland *island);

/* The row of axis i of a slide, applied to x (6 per body of the island's problem). */
double ukSlideAlong(const ukIsland *island, const ukLaw *law, const ukSlide *slide, int i, const double *x);

/* Mean of A M^-1 A' of a slide's axes: acceleration per force. */
double ukSlideScale(const ukIsland *island, const ukProblem *p, const ukLaw *law, const ukSlide *slide);

#endif
