/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/implicit.h: the method for stiff forces, Radau IIA of three stages and order 5 (Hairer & Wanner,
 * Solving ODEs II, IV.8), as a method for second-order equations on the group (nystrom.h): rates 1 to 3 are those of a
 * polynomial that meets the equations of motion at three times, the last of which is the end. Rates 0, of the start, are
 * only in the error's estimate. Newton's method solves for them, three assemblies and solves a pass (stiff.h). */
#ifndef UKODE_BRIDGE_INTEGRATE_IMPLICIT_H
#define UKODE_BRIDGE_INTEGRATE_IMPLICIT_H

#include "bridge/integrate/measure.h"
#include "bridge/island/assemble.h"

enum { ukImplicitStages = 3 };
static const double ukImplicitFilter = 0.27488882959567734; /* the real eigenvalue of the method */

/* The method, and an island's way along it. */
typedef struct ukImplicit {
    ukStage stage[ukImplicitStages + 1]; /* 1 ...: of rates 1 to 3; the last one is the end */
    ukStage difference;                  /* of a solution of order 3 less this one; node: of the filter */
    double before, longer;               /* length of the sub-step before, of one that was too long; 0: none [s] */
    double shrinks;                      /* the part of an error that a pass leaves, as far as known */
    int passes;                          /* of the last sub-step, */
    double strength;                     /* and how strong its stiff forces were (stiff.h) */
} ukImplicit;

ukImplicit ukImplicitMethod(void);

/* The stages of a sub-step of h [s] that begins at the time `begin`: rates 1 to 3. The forces' derivatives are those of
 * this step (ukStiffDifferentiate). ukOk, ukNotContinuous, or negative: ukErrorNotConverged where passes come no nearer. */
int ukImplicitSolve(ukIsland *island, const ukIslandStart *start, ukStepContext *at, ukImplicit *of,
                    const ukMeasure *measure, double begin, double h);

/* The sub-step of h is accepted: before its end is the next one's start, what that one's first guess needs. */
void ukImplicitKeep(ukIsland *island, ukImplicit *of, double h);

/* How far the solution is from one of order 3, freed of its stiff part, over what is allowed of order 5: an error of h^4
 * is taken for one of h^6, as Hairer & Wanner's code does. */
int ukImplicitError(ukIsland *island, const ukImplicit *of, const ukMeasure *measure, double h, double *error,
                    const ukBody **body);

#endif
