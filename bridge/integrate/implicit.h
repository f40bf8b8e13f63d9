/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/implicit.h: the method for stiff forces, Radau IIA of three stages and order 5 (Hairer & Wanner,
 * Solving ODEs II, IV.8), as a method for second-order equations on the group (nystrom.h): rates 1 to 3 are those of a
 * polynomial that satisfies the equations of motion at three times, the last of which is the end. Rates 0, of the
 * start, are used only in the error estimate. Newton's method solves for the rates, with three assemblies and solves
 * per iteration (stiff.h). */
#ifndef UKODE_BRIDGE_INTEGRATE_IMPLICIT_H
#define UKODE_BRIDGE_INTEGRATE_IMPLICIT_H

#include "bridge/integrate/measure.h"
#include "bridge/island/assemble.h"

enum { ukImplicitStages = 3 };
static const double ukImplicitFilter = 0.27488882959567734; /* the real eigenvalue of the method */

/* The method, and its state for an island. */
typedef struct ukImplicit {
    ukStage stage[ukImplicitStages + 1]; /* 1 ...: the stages of rates 1 to 3; the last one is the end */
    ukStage difference;                  /* difference from a solution of order 3; node: of the filter */
    double before, longer;               /* [s] length of the previous sub-step, and of a rejected one that was too
                                          * long; 0: none */
    double shrinks;                      /* the fraction of an error that an iteration leaves, as far as known */
    int iterations;                      /* iterations of the last sub-step, */
    double strength;                     /* and the strength of its stiff forces (stiff.h) */
} ukImplicit;

ukImplicit ukImplicitMethod(void);

/* Computes the stages of a sub-step of h [s] that starts at the time `begin`: rates 1 to 3. The forces must have been
 * differentiated in this step (ukStiffDifferentiate). ukOk, ukNotContinuous, or negative: ukErrorNotConverged if the
 * iteration does not converge. */
int ukImplicitSolve(ukIsland *island, const ukIslandStart *start, ukStepContext *at, ukImplicit *of,
                    const ukMeasure *measure, double begin, double h);

/* The sub-step of h is accepted: stores the data for the next one's initial guess, before its end becomes the next
 * start. */
void ukImplicitKeep(ukIsland *island, ukImplicit *of, double h);

/* The difference of the solution from one of order 3, filtered of its stiff part, over the error allowed at order 5: an
 * error of h^4 is converted to one of h^6, as in Hairer & Wanner's code. */
int ukImplicitError(ukIsland *island, const ukImplicit *of, const ukMeasure *measure, double h, double *error,
                    const ukBody **body);

#endif
