/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/massless.h: bodies without mass (ukBodySetMassless): M >= 0 is singular.
 *
 * The equations M qdd = Q + C + A' lambda, A qdd = b have one solution where [M; A] has full column rank (Udwadia &
 * Phohomsiri 2006). A body without mass gets an auxiliary mass M0, small against the masses of its island, and the
 * force M0 qdd that it needs:
 *
 *      (M + M0) qdd = Q + M0 qdd + C + A' lambda
 *
 * Each solve takes qdd on the right-hand side from the one before it, the proximal point method: it converges at the
 * rate M0 / (M0 + inertia that the motion has), to the solution of the equations as stated, whichever solver and bounds
 * are used. In `problem` mass and inertia are those with M0, and Q has M0 qdd: its residuals are those of the equations
 * as stated. */
#ifndef UKODE_BRIDGE_ISLAND_MASSLESS_H
#define UKODE_BRIDGE_ISLAND_MASSLESS_H

#include "bridge/island/island.h"

/* The iterations of one solve; zero at first. */
typedef struct ukMasslessLoop {
    int iterations;
    double change; /* of the last iteration: |M0 (qdd - that of the one before)|, in the inverse of the masses */
} ukMasslessLoop;

/* Whether the world's settings allow bodies without mass: ukOk, or ukErrorUnsupported with the body named. */
int ukMasslessAdmit(const ukIsland *island);

/* Gives auxiliary masses to the bodies without mass of an assembled island, and marks them. ukOk; ukErrorMass: its rows
 * without bounds leave a motion without inertia undetermined, which the message names; ukErrorMemory. */
int ukMasslessAssemble(ukIsland *island);

/* After a solve of p, the island's problem or that without its joint laws: updates Q by out->qdd. true: is to be solved
 * again. *status: unchanged, or ukErrorNotConverged. At once false in islands in which every body has a mass. */
bool ukMasslessAgain(ukIsland *island, const ukProblem *p, ukMasslessLoop *loop, const ukSolution *out, int *status);

/* A M^-1 A' of a row of p, the island's problem, with the least mass of its bodies in place of the auxiliary one: what
 * decides whether the row is a spring (bridge/island/spring.h) must not depend on that. */
double ukMasslessCompliance(const ukIsland *island, const ukProblem *p, const ukBlock *block, int row);

/* Adds the force `amount` along J (6) to Q of a body of an assembled island, if the body moves (not -1). */
void ukMasslessPush(ukIsland *island, int body, const double *J, double amount);

#endif
