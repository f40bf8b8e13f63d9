/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/papers/dense.h: the equations of constrained motion as dense matrices, and the common part of the papers'
 * solvers. These exist to be read, taught from, and to check the working solver; papers/solvers.h is their interface.
 *
 *      M qdd = Q + C + A' lambda,    A qdd + D lambda = b        (every row an equality) */
#ifndef UKODE_SOLVERS_PAPERS_DENSE_H
#define UKODE_SOLVERS_PAPERS_DENSE_H

#include "solvers/base/arena.h"
#include "solvers/problem/problem.h"

#include <stdbool.h>

typedef struct ukDense { /* row-major, finite, the caller's */
    int n, m;
    const double *M;      /* (n x n) s.p.d. */
    const double *Q, *C;  /* (n) impressed force; prescribed non-ideal force, NULL: 0 */
    const double *A, *b;  /* (m x n) any rank, (m) */
    const double *D;      /* (m) softness >= 0, NULL: 0 */
    const double *weight; /* (m) > 0, the inverse variances of measured b, NULL: 1 in unit rows; acts where rows
                             contradict each other, in ukDenseDAlembert alone (1997 [38]) */
} ukDense;

/* Common contract of the papers' solvers, ukXSolve(p, rank_tolerance, s, scratch):
 * - p: D is NULL and the rows are unit rows (solvers/problem/tolerance.h): the door, papers/solvers.h, sees to both.
 * - rank_tolerance: singular values of B = A M^-1/2 at or below this count as zero; 0 means ukRankRounding. Dependence
 *   is judged on B itself, so far below the 1e-8 that A M^-1 A' could resolve.
 * - s: qdd (n), lambda (m) of least norm with M qdd = Q + C + A' lambda, rank, active = m; untouched unless ukOk.
 * - scratch: an arena whose `used` is a multiple of 64, given back as found; ukDenseFrameScratch says how many bytes
 * are drawn (ukLagrangeScratch, for that one).
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

/* ---- what the papers' solvers share; column-major, as LAPACK has it ------------------------------------------------
 *
 * One solve in progress. M = L L', and any root R of M^-1 = R R' serves where the papers write M^-1/2: here R = L'^-1,
 * which differs from the symmetric root by an orthogonal factor, so B = A R has the papers' singular values. Then L'
 * stands for M^1/2 before an acceleration. */
typedef struct ukDenseFrame {
    const ukDense *p;
    const void *own;  /* further data of a paper's formula; NULL: none */
    int n, m, least;  /* least = min(n, m) */
    int rank;         /* of B; 0 until a paper has counted it */
    double tolerance; /* of the rank, resolved */
    double *L;        /* (n x n) lower */
    double *a;        /* (n) a' = M^-1 (Q + C) */
    double *Bt;       /* (n x m) B' = L^-1 A' */
    double *q;        /* (n) qdd as far as it is known; a' to begin with */
    double *r;        /* (m) b - A q */
    double *f;        /* (n) the scaled force of constraint, M^1/2 (qdd - a') = B' lambda; 0 to begin with */
    double *lambda;   /* (m) 0 to begin with */
    /* (n) singular values, (n x n), (n x max(n, m)) singular vectors of the last decomposition */
    double *sigma, *U, *Vt;
    double *copy, *N, *P;    /* (n x max(n, m)), ((m + n) x n), (n x n) a paper's own matrices */
    double *x, *y, *z, *tau; /* (m + n) its own vectors */
    double *work;            /* (nwork) for LAPACK */
    int nwork, *pivot;       /* (m) */
    ukArena *arena;
    size_t mark;
} ukDenseFrame;

size_t ukDenseFrameScratch(int n, int m); /* bytes */

/* A paper's solver in its two halves. */
typedef struct ukDensePaper {
    int (*prepare)(ukDenseFrame *f); /* once: decompositions, the rank, the q to begin with where it is not a' */
    /* q += the result of the formula for the residuals r = b - A q and a' - q; also computes f */
    int (*improve)(ukDenseFrame *f);
    bool has_multipliers; /* improve finds lambda, too; otherwise it is found of f, in the end */
} ukDensePaper;

/* Runs a solver: prepare, improve twice, end. The formula is applied a second time, to the residuals b - A qdd and a' -
 * qdd of the first: a single application has rounding errors that are small in comparison with the largest row only,
 * but rows may mix metres and radians, heavy and light bodies. */
int ukDenseRun(const ukDensePaper *paper, const void *own, const ukDense *p, double rank_tolerance, ukSolution *s,
               ukArena *scratch);

/* Begins: memory, M = L L', a', B', and `prepare` if all is well. ukOk, ukErrorMemory, ukErrorLapack, ukErrorNotFinite,
 * ukErrorMass, what prepare says. Whatever it says, ukDenseEnd gives the memory back. */
int ukDenseBegin(ukDenseFrame *f, int (*prepare)(ukDenseFrame *), const void *own, const ukDense *p,
                 double rank_tolerance, ukArena *scratch);

/* Ends: qdd, lambda and rank copied to s (NULL: nowhere) if `status` is ukOk and they are finite. The status. */
int ukDenseEnd(ukDenseFrame *f, int status, ukSolution *s);

/* M = L L', a', Bt = L^-1 A' of p without softness. ukOk, ukErrorLapack, ukErrorNotFinite, ukErrorMass. */
int ukDenseUnconstrained(const ukDense *p, double *L, double *a, double *Bt);

/* f->r = b - A f->q */
void ukDenseResidual(ukDenseFrame *f);

/* x (n) := M^-1/2 x = L'^-1 x, an acceleration of a scaled one; L' x, back */
void ukDenseUnscale(const ukDenseFrame *f, double *x);
void ukDenseScale(const ukDenseFrame *f, double *x);

/* X (n x columns) = f->U diag(f->sigma) f->Vt, sigma descending; X is overwritten. k is the lesser of n and columns.
 * - job "SS": U (n x k), Vt (k x columns)
 * - job "AN": U (n x n) alone
 * - job "NN": sigma alone
 *
 * ukOk, ukErrorLapack, ukErrorNotFinite (X is not; LAPACK is then not called, which would print). */
int ukDenseDecompose(ukDenseFrame *f, const char *job, int columns, double *X);

/* f->sigma and f->rank: those of B, f->Bt kept, by a copy; U for job "AN" */
int ukDenseCountRank(ukDenseFrame *f, const char *job);

/* f->rank from f->sigma, which is that of B */
void ukDenseSetRank(ukDenseFrame *f);

/* X (n x n) = I */
void ukDenseIdentity(int n, double *X);

/* ukErrorNotFinite, or ukOk and the result copied to s */
int ukDenseFinish(const ukDense *p, const double *qdd, const double *lambda, int rank, ukSolution *s);

#endif
