/* solvers/papers/dense.h: the equations of constrained motion as dense matrices, and what the papers' solvers share.
 * These exist to be read, taught from, and to check the working solver; papers/solvers.h is the door to them.
 *
 *      M qdd = Q + C + A' lambda,    A qdd + D lambda = b        (every row an equality) */
#ifndef UKODE_SOLVERS_PAPERS_DENSE_H
#define UKODE_SOLVERS_PAPERS_DENSE_H

#include "solvers/arena.h"
#include "solvers/problem.h"

typedef struct ukDense { /* row-major, finite, the caller's */
    int n, m;
    const double *M;     /* (n x n) s.p.d. */
    const double *Q, *C; /* (n) impressed force; prescribed non-ideal force, NULL: 0 */
    const double *A, *b; /* (m x n) any rank, (m) */
    const double *D;     /* (m) softness >= 0, NULL: 0 */
} ukDense;

/* Common contract of the papers' solvers, ukXScratch(n, m) and ukXSolve(p, rank_tolerance, s, scratch):
 * - p: D is NULL (the door, papers/solvers.h, takes it away).
 * - rank_tolerance: singular values of B = A M^-1/2 at or below this times the largest count as zero; 0 means rounding
 *   level, ukDenseRankTolerance. Dependence is judged on B itself, so far below the 1e-8 that A M^-1 A' could tell.
 * - s: qdd (n), lambda (m) of least norm with M qdd = Q + C + A' lambda, rank, active = m; untouched unless ukOk.
 * - scratch: an arena whose `used` is a multiple of 64, given back as found; ukXScratch says how many bytes are drawn.
 *
 * Errors:
 * - ukErrorMass: M is not positive definite.
 * - ukErrorNotFinite: NaN or infinity in p, or in what came out.
 * - ukErrorMemory: scratch too small.
 * - ukErrorSingular: rank < m, from the one solver that needs full row rank.
 * - ukErrorLapack: LAPACK failed, or is not there.
 *
 * What each returns when the rows contradict each other is said in its own header. */

/* p as dense matrices, in memory of the arena (arrays that need no change stay p's own). ukOk, ukErrorMemory. */
int ukDenseFromProblem(const ukProblem *p, ukDense *dense, ukArena *arena);

/* ---- what the reference solvers share; column-major, as LAPACK has it ------------------------------------------- */

/* rank_tolerance, or the rounding level 64 max(n, m) eps for 0 */
double ukDenseRankTolerance(int n, int m, double rank_tolerance);

/* M = L L' (n x n, lower), a' = M^-1 (Q + C) (n), Bt = L^-1 A' (n x m). R = L'^-1 has R R' = M^-1: any such root serves
 * where the papers write M^-1/2, the symmetric one differs from it by an orthogonal factor, so B = A R has its singular
 * values. ukOk, ukErrorNotFinite, ukErrorMass. */
int ukDenseUnconstrained(const ukDense *p, double *L, double *a, double *Bt);

/* r (m) = b - A a */
void ukDenseResidual(const ukDense *p, const double *a, double *r);

/* x (n) := M^-1/2 x = L'^-1 x */
void ukDenseUnscale(int n, const double *L, double *x);

/* Number of the `count` descending singular values above rank_tolerance (resolved) times the first. */
int ukDenseCountRank(const double *sigma, int count, double rank_tolerance);

/* lambda (m) of least norm with B' lambda = f (n), f in range(B'), by a complete orthogonal factorization of Bt, which
 * is overwritten; Bt's rank is given (Kalaba & Udwadia 1994 [35] for any rank). work (ukDenseMultipliersWork), pivot
 * (m). ukOk, ukErrorLapack. */
size_t ukDenseMultipliersWork(int n, int m);
int ukDenseMultipliers(int n, int m, int rank, double *Bt, const double *f, double *lambda, double *work, int *pivot);

/* ukErrorNotFinite, or ukOk and the result copied to s */
int ukDenseFinish(const ukDense *p, const double *qdd, const double *lambda, int rank, ukSolution *s);

#endif
