/* solvers/dense.h: the equations of constrained motion as dense matrices, and the papers' formulas as reference solvers
 * through one door. They exist to be read, taught from, and to check the working solver.
 *
 *      M qdd = Q + C + A' lambda,    A qdd + D lambda = b        (every row an equality) */
#ifndef UKODE_SOLVERS_DENSE_H
#define UKODE_SOLVERS_DENSE_H

#include "solvers/arena.h"
#include "solvers/problem.h"

typedef struct ukDense { /* row-major, finite, the caller's */
    int n, m;
    const double *M;     /* (n x n) s.p.d. */
    const double *Q, *C; /* (n) impressed force; prescribed non-ideal force, NULL: 0 */
    const double *A, *b; /* (m x n) any rank, (m) */
    const double *D;     /* (m) softness >= 0, NULL: 0 */
} ukDense;

/* Common contract of all reference solvers:
 *   p               D is NULL (ukDenseSolve takes it away)
 *   rank_tolerance  singular values of B = A M^-1/2 at or below this times the largest count as zero; 0: rounding
 * level, ukDenseRankTolerance. Dependence is judged on B itself, so far below the 1e-8 that A M^-1 A' could tell s out:
 * qdd (n), lambda (m) of least norm with M qdd = Q + C + A' lambda, rank, active = m; untouched unless ukOk scratch
 * given back as found ukErrorMass: M not positive definite. ukErrorNotFinite: NaN or infinity in p or in what came out.
 * ukErrorMemory: scratch too small. ukErrorLapack. ukErrorSingular: only from a solver with any_rank == false, rank <
 * m. What each one returns when the rows contradict each other is said in its own header. */
typedef struct ukDenseSolver {
    const char *name;
    bool any_rank;
    size_t (*scratch)(int n, int m); /* bytes drawn from an arena whose `used` is a multiple of 64 */
    int (*solve)(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);
} ukDenseSolver;

enum { ukDenseMInverse, ukDenseOneFour, ukDenseDAlembert, ukDenseGaussQP, ukDenseLagrange, ukDenseSolverCount };
extern const ukDenseSolver
    ukDenseSolvers[ukDenseSolverCount]; /* in the order of ukSolverMInverse ... of the public header */

/* The door: takes softness and any solver. A soft row gets a body of its own, an auxiliary unit mass with acceleration
 * y: A qdd + sqrt(D) y = b,  y = sqrt(D) lambda,    hence M := diag(M, I), A := [A, sqrt(D)], and every formula of the
 * papers applies unchanged; hard and soft rows mix exactly. Soft rows are never dependent, so where there is one,
 * rank_tolerance is ignored in favour of the rounding level. Errors as above. */
size_t ukDenseScratch(int which, const ukDense *p);
int ukDenseSolve(int which, const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

/* A block problem, every row held (bounds are not looked at), n = 6 bodies. */
size_t ukDenseProblemScratch(const ukProblem *p, int which);
int ukDenseSolveProblem(const ukProblem *p, int which, double rank_tolerance, ukArena *scratch, ukSolution *s);

/* The same with only the rows held[row] != 0 (NULL: all) held; the others exert the given s->lambda[row], which stays:
 * the re-solve of a problem whose active set is known. active is the number of rows held. Scratch as for all rows. */
int ukDenseSolveHeld(const ukProblem *p, int which, const unsigned char *held, double rank_tolerance, ukArena *scratch,
                     ukSolution *s);

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
