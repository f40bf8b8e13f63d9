/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/kkt/kkt.h: factorization, solution and iterative refinement of the KKT system of one given active set,
 *
 *      [ M  -A' ] [ x ]   [ f ]
 *      [ A   S  ] [ l ] = [ r ]        S = diag(softness) >= 0, rows that are not active left out (l = 0),
 *
 * block-sparse over the graph of bodies and blocks (solvers/factor/): an ordering and a symbolic plan that are kept
 * while the structure stays, then a numeric factorization, then any number of solves.
 *
 * A factorization returns a value that its solve takes. There is one type per system, so that only the calls that are
 * defined for a factorization compile:
 *
 *      ukKktFactorize         ukKktFactor         ukKktSolve, ukKktRefine         symmetric
 *      ukKktFactorizeCoupled  ukKktCoupledFactor  ukKktSolveCoupled   coupled.h   friction rows follow normal rows
 *      ukKktFactorizeMixed    ukKktMixedFactor    ukKktSolveMixed     coupled.h   rows and columns of two problems
 *
 * The numbers are in the memory of the ukKkt: a factor is valid until the next factorization of its type (of either of
 * the last two types for these; of contacts alone, of any type), and as long as the arrays that it was made of stay
 * unchanged. Dependent rows are handled by solvers/equality/equality.h. */
#ifndef UKODE_SOLVERS_KKT_KKT_H
#define UKODE_SOLVERS_KKT_KKT_H

#include "solvers/kkt/plans.h"
#include "solvers/problem/problem.h"

#include <stdbool.h>

typedef struct ukKktFactor {
    ukKkt *kkt;
    ukKktStorage storage;
    const ukProblem *p;
    const unsigned char *active; /* (rows) kkt's copy, NULL: all */
    const double *softness;      /* (rows) NULL: 0 */
} ukKktFactor;

/* Factors for the rows with active[row] != 0 (NULL: all) and the given softness (rows; NULL: p->softness). The plan
 * must be that of p's structure; neither activity nor softness changes it. No allocation.
 * ukOk, ukErrorMass (M not positive definite), ukErrorSingular (a pivot of the active rows vanished: rank deficient and
 * no softness; the caller adds a proximal term). */
int ukKktFactorize(ukKkt *kkt, const ukProblem *p, const unsigned char *active, const double *softness,
                   ukKktFactor *factor);
/* x (bodies x 6), l (rows) for f (bodies x 6; NULL: 0) and r (rows; NULL: 0) by one substitution. No allocation. */
void ukKktSolve(const ukKktFactor *factor, const double *f, const double *r, double *x, double *l);

/* ukKktFactorize for dependent rows (solvers/equality/): by fronts, all rows active, softness NULL: 0. Pivots at or
 * below `least` times their row's own size are shifted (ukFactorCompute). If one of those rows was eliminated before
 * its bodies, the plan is changed and kept. ukOk, ukErrorMass, ukErrorMemory. */
int ukKktFactorizeShifted(ukKkt *kkt, const ukProblem *p, const double *softness, double least, ukKktFactor *factor);

/* The unknowns that are not refined if pivots were shifted (ukKktFactorizeShifted): H is then not the system's
 * matrix. */
typedef enum ukRefineScope {
    ukRefineNoShiftedTree, /* any unknown of a component with a shifted pivot */
    ukRefineNoShiftedRow   /* the shifted rows only: they are left out of the system */
} ukRefineScope;

/* Refines x and l of  M x - A' l = f,  A x + S l = b  (f, b NULL: 0) until the residual is rounding, or as long as it
 * decreases. sound: no pivot is weak; the first correction is then made only if the residual exceeds the rounding of
 * the terms of A x. */
void ukKktRefine(const ukKktFactor *factor, const double *f, const double *b, ukRefineScope scope, bool sound,
                 double *x, double *l);

#endif
