/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/sparse/sparse.h: the working solver, a block-sparse direct factorization of the quasi-definite system
 *
 *      [ M  -A' ] [ x ]   [ f ]
 *      [ A   S  ] [ l ] = [ r ]        S = diag(softness) >= 0, rows that are not active left out (l = 0)
 *
 * over the graph of bodies and blocks: order (solvers/factor/ordering.h), symbolic plan kept while the structure stays
 * (solvers/factor/symbolic.h), numeric factor and solve here. Rank deficiency is normal. */
#ifndef UKODE_SOLVERS_SPARSE_SPARSE_H
#define UKODE_SOLVERS_SPARSE_SPARSE_H

#include "solvers/problem/problem.h"

typedef struct ukSparse ukSparse; /* owns plan, factor and scratch; grows, never shrinks */

ukSparse *ukSparseCreate(void); /* NULL: no memory */
void ukSparseDestroy(ukSparse *sparse);

/* Orders and plans for the structure of `p` (bodies, blocks, their slots and row counts); returns at once when it is
 * that of the last call (compared, not trusted). Allocates only where the new structure is larger than any before.
 * ukOk, ukErrorMemory. */
int ukSparsePlan(ukSparse *sparse, const ukProblem *p);

/* The same for a caller that promises a softness of at least some 1e-10 of a row's own K_ii in every factorization, in
 * the blocks with soft[block] != 0. Their rows go first, each on its own softness, and cost next to nothing: what is
 * left is a system of 6 unknowns a body, however many rows a contact has and however dependent they are. Solving is
 * refined to make up for the digits that this takes. */
int ukSparsePlanSoft(ukSparse *sparse, const ukProblem *p, const unsigned char *soft);

/* The plans kept, of the last two structures, the one in use first; bodies -1: none yet. And one of them again, as
 * another solver's ukSparsePlanOf gave it: structure and wishes (ukSymbolicRenew). ukOk, ukErrorMemory. */
const struct ukSymbolic *ukSparsePlanOf(const ukSparse *sparse, int which);
int ukSparseRenewPlan(ukSparse *sparse, int which, const ukProblem *structure, const unsigned char *wish);

/* Factors for the rows with active[row] != 0 (NULL: all) and the given softness (rows; NULL: p->softness). The plan
 * must be that of p's structure; neither activity nor softness changes it. No allocation.
 * ukOk, ukErrorMass (M not positive definite), ukErrorSingular (a pivot of the active rows vanished: rank deficient and
 * no softness; the caller adds a proximal term). */
int ukSparseFactor(ukSparse *sparse, const ukProblem *p, const unsigned char *active, const double *softness);

/* x (bodies x 6), l (rows) for f (bodies x 6; NULL: 0) and r (rows; NULL: 0) with the last factor. No allocation. The
 * arrays of the problem and the softness factored must still be there, unchanged. */
void ukSparseSolve(ukSparse *sparse, const double *f, const double *r, double *x, double *l);
/* The same without refinement, for a caller that corrects its own residual: with soft blocks (ukSparsePlanSoft)
 * 1/softness stands beside M, which costs as many digits as the two are apart. */
void ukSparseSolveOnce(ukSparse *sparse, const double *f, const double *r, double *x, double *l);

/* As ukSparseFactor and ukSparseSolveOnce where friction rows follow their normals (solvers/factor/unsymmetric.h); all
 * three arrays (rows) must be there, unchanged, when it comes to solving. Rows that follow are in soft blocks. Takes
 * the other factor's place. ukOk, ukErrorMemory, ukErrorSingular. */
int ukSparseFactorFollowing(ukSparse *sparse, const ukProblem *p, const unsigned char *active, const double *softness,
                            const double *coupling);
void ukSparseSolveFollowing(ukSparse *sparse, const double *r, double *l);

/* As ukSparseFactor and ukSparseSolveOnce where rows and columns are not the same,  M x - B' l = 0,  A x = r:  M and A
 * those of `rows`, M' and B those of `columns`, two problems of one structure, without softness. The plan is that of
 * ukSparsePlan. ukOk, ukErrorMemory, ukErrorSingular (the symmetric part is not definite). */
int ukSparseFactorBetween(ukSparse *sparse, const ukProblem *rows, const ukProblem *columns);
void ukSparseSolveBetween(ukSparse *sparse, const double *r, double *l);

/* The whole equality-constrained solve, every row held: plan, factor, solve, and where the rows are dependent the
 * proximal refinement  l <- l + (K + eps I)^-1 (r - K l)  from 0, which ends at the least-squares, least-norm
 * multipliers of the Moore-Penrose inverse (Udwadia 2004, [9], [13]). s->qdd includes C. rank_tolerance: relative, on
 * the singular values of B = A M^-1/2; 0 automatic. Bounds in p are ignored. */
int ukSparseSolveProblem(ukSparse *sparse, const ukProblem *p, double rank_tolerance, ukSolution *s);

/* The same, with singular values asked wherever a pivot is at most `suspect` times its row's own size. Of a singular
 * value sigma the row's pivot shows sigma^2 over the square of its part in the vector; where that part is small the row
 * before shows it: the smaller of the two is some 30 sigma at most, which is more than ukSparseSolveProblem asks about
 * for a tolerance of sigma. */
int ukSparseSolveSuspect(ukSparse *sparse, const ukProblem *p, double rank_tolerance, double suspect, ukSolution *s);

/* The same, and *grip, as ukSparseGrip tells it, that softness `springs` (rows) would leave in the combinations of rows
 * that count as dependent: the largest share u' A M^-1 A' u of u' (A M^-1 A' + springs) u. */
int ukSparseSolveHeld(ukSparse *sparse, const ukProblem *p, double rank_tolerance, double suspect,
                      const double *springs, double *grip, ukSolution *s);

/* Which rows are independent: held (rows) is 0 for as many as singular values count as zero, those with the largest
 * parts in the null vectors. *all: every row is. Plans and factors; ukOk or a status of these. */
int ukSparseIndependent(ukSparse *sparse, const ukProblem *p, double rank_tolerance, unsigned char *held, bool *all);

/* Whether the problem solved last has a row with a pivot up to `suspect` times its own size. */
bool ukSparseWeak(const ukSparse *sparse, double suspect);

/* Whether softness lets go of combinations of rows that are dependent up to `tolerance`: about the largest share that
 * u' A M^-1 A' u has in u' (A M^-1 A' + S) u, for those that show in pivots up to `suspect` times their row's own
 * size. Of the problem solved last, whose arrays must still be there, unchanged. 0: there are none; 1: dependent, and
 * hard. */
double ukSparseGrip(ukSparse *sparse, double tolerance, double suspect);

/* The same qdd where the rows agree with one another, for a fraction of the time where many of them are dependent: a
 * row that depends on rows eliminated before it (its pivot is rounding, or below what rank_tolerance makes of it) is
 * left out, so where rows disagree the others have their way, and lambda is one of many that belong to qdd. A row that
 * stays with a small pivot makes that disagreement grow, by the pivot's root: where by more than `growth`, singular values
 * decide as in ukSparseSolveProblem. For the inner stages of an integrator, whose forces nobody sees. */
int ukSparseSolveMotion(ukSparse *sparse, const ukProblem *p, double rank_tolerance, double growth, ukSolution *s);

/* As ukSparseSolveProblem where M, A and softness are those that ukSparseSolveMotion has just been given, in arrays of
 * their own or the same: its factor serves where it is to the bit what would be made anew. */
int ukSparseSolveAgain(ukSparse *sparse, const ukProblem *p, double rank_tolerance, ukSolution *s);

#endif
