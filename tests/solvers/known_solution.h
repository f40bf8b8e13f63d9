/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/known_solution.h: random problems with an exact solution that is made, not solved for: multipliers and
 * row residuals that are complementary come first, b follows from them. */
#ifndef UKODE_TESTS_KNOWN_SOLUTION_H
#define UKODE_TESTS_KNOWN_SOLUTION_H

#include "solvers/check/gauss_check.h"
#include "tests/solvers/random_system.h"

enum { ukKnownN = 6 * ukRandomMaxBodies, ukKnownM = ukRandomMaxRows };

typedef struct ukKnown {
    ukRandomBlocks g;
    double qdd[ukKnownN], lambda[ukKnownM], work[16 * ukRandomMaxBodies];
    ukGaussEvidence e;
} ukKnown;

typedef enum ukKnownKind { ukKnownEqualities, ukKnownSoft, ukKnownBoxes, ukKnownSoftBoxes, ukKnownCones } ukKnownKind;

/* Forces and multipliers of size `force` (0 allowed). The evidence points into the struct. */
void ukKnownMake(ukKnown *w, ukRandom *random, ukKnownKind kind, double force);

/* One body of 2 kg, inertia 1 about every axis, under one block of rows; no softness, no bounds. Everything is the
 * caller's, and must last. */
ukProblem ukKnownOneBody(const ukBlock *block, const double *Q, const double *A, const double *b);

/* qdd = M^-1 (Q + C + A' lambda) */
void ukKnownAccelerate(ukKnown *w);

/* (A M^-1 A')_ii of a row */
double ukKnownCompliance(const ukKnown *w, int row);

/* the Gauss check of it as it is */
ukResiduals ukKnownResiduals(ukKnown *w);

#endif
