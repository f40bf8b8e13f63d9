/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/unsymmetric.h: factorization of the same system along the same plan (symbolic.h) where the multipliers
 * of friction rows are proportional to those of their normal rows,
 *
 *      M x - A' l = f,    A_i x + s_i l_i = r_i (active),    l_j = [active_j] (r_j - A_j x)/s_j + c_j l_normal(j),
 *
 * The friction force of a sliding contact is proportional to its normal force, and so are the bounds in which the
 * interior-point method keeps it. Condensed blocks are eliminated as in the symmetric case, but the Schur complement of
 * a contact on its bodies, A' T A with T lower triangular, is not symmetric: fronts have two panels and two triangles
 * of a Schur complement, H = L D R'. Pivots are not exchanged; M on the diagonal keeps them away from zero as a rule,
 * and the caller's refinement recovers the digits that are lost. */
#ifndef UKODE_SOLVERS_FACTOR_UNSYMMETRIC_H
#define UKODE_SOLVERS_FACTOR_UNSYMMETRIC_H

#include "solvers/factor/kernel.h"
#include "solvers/factor/symbolic.h"

#include <stdbool.h>

typedef struct ukUnsymmetric {
    const ukKernel *kernel;
    double *L, *R;            /* panels of all fronts, as ukFactor.L; condensed: 1/s in L */
    double *lower, *upper;    /* Schur complements for parents, the upper ones transposed */
    double *pivot, *y, *work; /* (unknowns), (unknowns), (16 unknowns) */
    unsigned char *condensed; /* (rows) eliminated first, on its own softness */
    /* the problems of the last factorization */
    const ukProblem *p, *columns; /* its A is below the diagonal; its A' is above the diagonal */
    const unsigned char *active;
    const double *softness, *coupling;
    size_t capacity[8];
} ukUnsymmetric;

/* Memory for the plan; zero before first use. ukOk, ukErrorMemory. */
int ukUnsymmetricReserve(ukUnsymmetric *factor, const ukSymbolic *plan);
void ukUnsymmetricFree(ukUnsymmetric *factor);

/* active, softness > 0, coupling c: (rows), kept by reference until solved. p->normal of a row is in its own block,
 * before it, and its coupling is 0 outside condensed blocks but for rows on nothing that moves. ukOk,
 * ukErrorSingular. */
int ukUnsymmetricCompute(ukUnsymmetric *factor, const ukSymbolic *plan, const ukProblem *p, const unsigned char *active,
                         const double *softness, const double *coupling);
/* The factor of  M x - B' l = f,  A x = r  instead: M and A those of `rows`, M' and B those of `columns`, two problems
 * of one structure, whose softness does not count; no condensed blocks. ukErrorSingular: a pivot of a row is not
 * negative, that is, the symmetric part is not definite. */
int ukUnsymmetricComputeBetween(ukUnsymmetric *factor, const ukSymbolic *plan, const ukProblem *rows,
                                const ukProblem *columns);

/* l (rows) of r (rows) and f = 0, either factor's */
void ukUnsymmetricSolveBetween(ukUnsymmetric *factor, const ukSymbolic *plan, const double *r, double *l);
void ukUnsymmetricSolve(ukUnsymmetric *factor, const ukSymbolic *plan, const double *r, double *l);

#endif
