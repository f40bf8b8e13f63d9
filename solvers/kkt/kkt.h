/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/kkt/kkt.h: plan, factorization and solution of the KKT system of one given active set,
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
 *      ukKktFactorize         ukKktFactor         ukKktSolve      symmetric; ukKktRefine refines it
 *      ukKktFactorizeCoupled  ukKktCoupledFactor  ukKktSolveCoupled               friction rows follow normal rows
 *      ukKktFactorizeMixed    ukKktMixedFactor    ukKktSolveMixed                 rows and columns of two problems
 *
 * The numbers are in the memory of the ukKkt: a factor is valid until the next factorization of its type (of either of
 * the last two types for these; of contacts alone, of any type), and as long as the arrays that it was made of stay
 * unchanged. Dependent rows are handled by solvers/equality/equality.h. */
#ifndef UKODE_SOLVERS_KKT_KKT_H
#define UKODE_SOLVERS_KKT_KKT_H

#include "solvers/problem/problem.h"

#include <stdbool.h>

typedef struct ukKkt ukKkt; /* owns plans, numerical factors and scratch; grows, never shrinks */

ukKkt *ukKktCreate(void); /* NULL: no memory */
void ukKktDestroy(ukKkt *kkt);

/* Orders and plans for the structure of `p` (bodies, blocks, their slots and row counts); returns at once if the
 * structure is that of the last call (compared, not trusted). Allocates only if the new structure is larger than any
 * before. soft (blocks; NULL: none): for these blocks the caller promises, in every factorization, a softness of at
 * least some 1e-10 of a row's own K_ii. Their rows, if they are on one or two bodies, are eliminated first, each on its
 * own softness (static condensation): the remaining system has 6 unknowns per body, however many rows a contact has and
 * however dependent they are. This loses log10(|1/softness| / |M|) digits. ukOk, ukErrorMemory. */
int ukKktPlan(ukKkt *kkt, const ukProblem *p, const unsigned char *soft);

/* ukKktPlanOf: the plans of the last two structures, the one in use first; bodies -1: none yet. ukKktRestorePlan:
 * restores a plan that another ukKkt's ukKktPlanOf returned, with structure and wishes (ukSymbolicRenew). ukOk,
 * ukErrorMemory. */
const struct ukSymbolic *ukKktPlanOf(const ukKkt *kkt, int which);
int ukKktRestorePlan(ukKkt *kkt, int which, const ukProblem *structure, const unsigned char *wish);

/* How the numbers of a factor are stored. */
typedef enum ukKktStorage {
    ukKktNothing, /* no factor */
    ukKktFronts,  /* fronts of the plan (solvers/factor/factor.h; unsymmetric.h) */
    ukKktPairs    /* contacts alone: one block per pair of bodies (solvers/factor/pairs.h) */
} ukKktStorage;

typedef struct ukKktFactor {
    ukKkt *kkt;
    ukKktStorage storage;
    const ukProblem *p;
    const unsigned char *active; /* (rows) kkt's copy, NULL: all */
    const double *softness;      /* (rows) NULL: 0 */
} ukKktFactor;

typedef struct ukKktCoupledFactor {
    ukKkt *kkt;
    ukKktStorage storage;
    const ukProblem *p;
} ukKktCoupledFactor;

typedef struct ukKktMixedFactor {
    ukKkt *kkt;
} ukKktMixedFactor;

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

/* The multipliers of friction rows follow those of their normal rows, by coupling (rows): solvers/factor/unsymmetric.h.
 * All three arrays (rows) must stay unchanged until the last solve. Rows that follow are in soft blocks. f = 0; l and r
 * (rows). ukOk, ukErrorMemory, ukErrorSingular. */
int ukKktFactorizeCoupled(ukKkt *kkt, const ukProblem *p, const unsigned char *active, const double *softness,
                          const double *coupling, ukKktCoupledFactor *factor);
void ukKktSolveCoupled(const ukKktCoupledFactor *factor, const double *r, double *l);

/* Rows and columns differ,  M x - B' l = 0,  A x = r:  M and A are those of `rows`, M' and B those of `columns`, two
 * problems of one structure, without softness. The plan must be without soft blocks. ukOk, ukErrorMemory,
 * ukErrorSingular (the symmetric part is not definite). */
int ukKktFactorizeMixed(ukKkt *kkt, const ukProblem *rows, const ukProblem *columns, ukKktMixedFactor *factor);
void ukKktSolveMixed(const ukKktMixedFactor *factor, const double *r, double *l);

#endif
