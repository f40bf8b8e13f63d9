/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/view.h: the offsets and sizes of an assembled island. */
#ifndef UKODE_BRIDGE_ISLAND_VIEW_H
#define UKODE_BRIDGE_ISLAND_VIEW_H

#include "bridge/island/stepper.h"

/* Where an island begins in the stepper's arrays: those by row (b, lambda, softness, cfm, phi ...), by block (blocks,
 * owners), by moving body (mass, moving_frame ...), and by coordinate, 6 a moving body (Q, C, qdd). */
typedef struct ukIslandView {
    size_t row0, block0, moving0, column0;
} ukIslandView;

/* Of p, a problem whose b, block, mass and Q are the stepper's own; the one place that asks the pointers. */
static inline ukIslandView ukViewOf(const ukStepper *s, const ukProblem *p)
{
    return (ukIslandView){.row0 = (size_t)(p->b - s->rows.b),
                          .block0 = (size_t)(p->block - s->rows.blocks),
                          .moving0 = (size_t)(p->mass - s->bodies.mass),
                          .column0 = (size_t)(p->Q - s->bodies.Q)};
}

/* The stepper's arrays for p, a problem of its own, as a solution that is not there yet. */
ukSolution ukSolutionOf(const ukStepper *stepper, const ukProblem *p);

/* The laws of an island: law i (0 ... joints + elements - 1) of its joints, then user constraints; NULL: none there. */
struct ukLaw *ukIslandLaw(const ukStepper *stepper, int island, int i);
int ukIslandLawCount(const ukStepper *stepper, int island); /* the number of places to ask for */

/* How the world's present step couples friction to normal forces. */
ukFrictionLaw ukFrictionOf(const ukWorld *world);

/* Whether a row of the stepper's arrays is to hold exactly: no bound lets it go, and its CFM is no spring of the
 * user's. */
bool ukRowExact(const ukStepper *stepper, size_t row);

/* Whether any of the flags of an island's rows is set. */
static inline bool ukAnySet(const unsigned char *flag, int count)
{
    unsigned char any = 0;
    for (int i = 0; i < count; i++) any |= flag[i];
    return any != 0;
}

/* Largest |phi| of the holonomic rows of the assembled island, seen as an angle: over the row's reach
 * (solvers/problem/tolerance.h). */
double ukDrift(const ukStepper *stepper, const ukProblem *p);

/* The relative cut-off on the singular values of A M^-1/2 in the continuous form: the user's, or one that follows the
 * drift of the stage, within the window where redundant loops are known to keep their rank (docs/theory.md). */
double ukRankTolerance(const ukStepper *stepper, const ukProblem *p);
double ukRankToleranceAt(const ukStepper *stepper, double drift); /* where that is known */

#endif
