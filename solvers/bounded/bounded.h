/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/bounded.h: the common part of the methods for bounded rows. Within one convex problem friction
 * bounds are constants (solvers/bounded/friction_law.h decides from which normal forces), lambda lies in a set C that
 * is a product of intervals and discs, and the problem is convex,
 *
 *      lambda = P_C(lambda - w / d)  for every row,   w = A x + softness lambda - b,   x = a + M^-1 A' lambda,
 *
 * Gauss's principle in its dual form. Two tangent rows that share an elliptic cone are scaled by their mu, so that the
 * ellipse becomes a disc and the force of greatest dissipation is opposite to the scaled slip. A disc of three rows is
 * a ball. */
#ifndef UKODE_SOLVERS_BOUNDED_BOUNDED_H
#define UKODE_SOLVERS_BOUNDED_BOUNDED_H

#include "solvers/bounded/rows.h"

/* Carves the arrays for a problem of these sizes (`pairs`: row and slot pairs). */
void ukBoundedCarve(ukBounded *B, const ukProblem *p, size_t pairs, ukArena *arena);
/* Copies p, scales its cones, and computes a, diagonals and norms. Bounds are those of p for rows without normal and 0
 * for the others. shift: relative proximal term. */
void ukBoundedSet(ukBounded *B, const ukProblem *p, double shift);
/* Sets the proximal term of every row, relative to K_ii, reduced by the softness that the row has. */
void ukBoundedShift(ukBounded *B, double relative);
/* Unit of row i's multiplier, relative to the caller's: mu for rows of elliptic cones, else 1. */
double ukBoundedUnit(const ukBounded *B, int i);
/* Coefficient of a friction row: its bounds are -+ coefficient |lambda_normal|. */
double ukBoundedCoefficient(const ukBounded *B, int i);
/* (row, slot) pairs of p */
size_t ukBoundedPairs(const ukProblem *p);
/* Sets the bounds of rows with a normal to mu |lambda_normal| of the given lambda; 0 inf = 0. */
void ukBoundedFreeze(ukBounded *B, const double *lambda);
/* lambda <- P_C(lambda) */
void ukBoundedProject(const ukBounded *B, double *lambda);
/* whether any multiplier is nonzero */
bool ukBoundedLoaded(const ukBounded *B, const double *lambda);
/* computes x and w of lambda */
void ukBoundedEvaluate(ukBounded *B, const double *lambda);
/* x, w of lambda (in C), and the natural residual, the largest of
 *      d_i |lambda - P_C(lambda - w / d)|_i / scale_i,   d_i = K_ii + softness_i.
 * scale_i is the sum of the magnitudes of the terms of w_i: |b_i|, softness |lambda_i| and, by the accelerations of its
 * bodies without and with the rows' forces, in the metric of M, what Cauchy and Schwarz allow A_i x to be: independent
 * of frames and units. Rounding of forces that cancel is subtracted from the residual: it would raise an alarm at rest,
 * and as part of the scale it would excuse a contradiction. */
double ukBoundedResidual(ukBounded *B, const double *lambda);
/* The same at lower cost: values up to `least` may be returned as 0, and values above `most` as any number above
 * `most`. */
double ukBoundedResidualWithin(ukBounded *B, const double *lambda, double least, double most);
/* computes B->scale and B->rounding of all rows at lambda */
void ukBoundedMeasure(ukBounded *B, const double *lambda);
/* Factorizes for the rows of B->turned with active != 0 and softness `pivot`, unless these and `turn` are those of the
 * last factorization; plans before the first one. follow (m; in the frames of the discs): coupling of friction rows to
 * their normal rows; NULL: none. Statuses of ukKktPlan, ukKktFactorize. */
int ukBoundedFactor(ukBounded *B, const unsigned char *active, const double *pivot, const double *follow);
/* step (m) of the multipliers, [M -A'; A S] [dx; step] = [0; r], r (m; in p's frame, overwritten) */
void ukBoundedSolve(ukBounded *B, double *r, double *step);

#endif
