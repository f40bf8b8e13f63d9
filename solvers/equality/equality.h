/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/equality.h: problems without bounds, of any rank: all rows are equalities, some may depend on
 * others.
 *
 *      least |A qdd - b|, then nearest to M^-1 (Q + C) in the metric of M, with lambda of least norm:
 *
 * the solution by the Moore-Penrose inverse of B = A M^-1/2 (Udwadia 2004, [9], [13]). Plan and factorization are those
 * of solvers/kkt/kkt.h; rank and null vectors are found component by component (pseudoinverse.h). Bounds in p are
 * ignored; s->qdd includes C. Tolerances are relative, on the singular values of unit rows
 * (solvers/problem/tolerance.h); 0: rounding. */
#ifndef UKODE_SOLVERS_EQUALITY_EQUALITY_H
#define UKODE_SOLVERS_EQUALITY_EQUALITY_H

#include "solvers/kkt/kkt.h"

#include <stdbool.h>

typedef struct ukEquality ukEquality; /* owns a ukKkt and scratch; grows, never shrinks */

ukEquality *ukEqualityCreate(void); /* NULL: no memory */
void ukEqualityDestroy(ukEquality *equality);
/* The ukKkt with which it plans and factorizes. Both share one memory: a factorization of either replaces the
 * other's. */
ukKkt *ukEqualityKkt(ukEquality *equality);

/* Plans, factorizes and solves. ukOk or a status of these; ukErrorNotFinite. */
int ukEqualitySolve(ukEquality *equality, const ukProblem *p, double rank_tolerance, ukSolution *s);

/* How a solve examines dependence, and what it returns about it. */
typedef struct ukRankChoice {
    double tolerance; /* as rank_tolerance */
    /* Rows with pivots up to this multiple of their own size are examined by singular values; 0: those that may belong
     * to the tolerance. For a singular value sigma, the row's pivot is sigma^2 over the square of its part in the
     * singular vector; if that part is small, the row before shows sigma: the smaller of the two pivots is at most some
     * 30 sigma, which is more than 0 examines for a tolerance of sigma. */
    double suspect;
    const double *springs; /* (rows) softness with which the dependent combinations are judged; NULL: none */
} ukRankChoice;

/* The factorization that a solve leaves; valid until the next one of the same ukEquality, with p's arrays unchanged. */
typedef struct ukEqualityFactor {
    ukEquality *equality;
    ukKktFactor factor;
    /* as ukEqualityRigidity, of the combinations that counted as dependent, with the softness choice->springs */
    double rigidity;
} ukEqualityFactor;

int ukEqualitySolveBy(ukEquality *equality, const ukProblem *p, const ukRankChoice *choice, ukEqualityFactor *factor,
                      ukSolution *s);

/* Whether some row has a pivot up to `suspect` times its own size. */
bool ukEqualityIsWeak(const ukEqualityFactor *factor, double suspect);

/* How far softness S leaves dependent combinations u of rows rigid: about the largest Rayleigh quotient
 *      u' A M^-1 A' u / u' (A M^-1 A' + S) u
 * among those that are dependent up to `tolerance` and show in pivots up to `suspect` times their row's own size.
 * 0: there are none; 1: dependent without softness. */
double ukEqualityRigidity(ukEqualityFactor *factor, double tolerance, double suspect);

/* The factorization of ukEqualitySolveMotion, for ukEqualitySolveAgain; zero: none. */
typedef struct ukMotionFactor {
    bool serves; /* no pivot is doubtful: singular values would decide nothing else */
    unsigned serial;
} ukMotionFactor;

/* The same qdd if the rows are consistent, in a fraction of the time if many of them are dependent: a row that depends
 * on rows eliminated before it (its pivot is rounding, or below the pivot that belongs to rank_tolerance) is left out.
 * If rows are inconsistent, the others are satisfied, and lambda is one of many that belong to qdd. A row that is kept
 * with a small pivot amplifies the inconsistency by the root of the pivot: if by more than `growth`, singular values
 * decide as in ukEqualitySolve. For the inner stages of an integrator, whose multipliers are not reported. */
int ukEqualitySolveMotion(ukEquality *equality, const ukProblem *p, double rank_tolerance, double growth,
                          ukMotionFactor *factor, ukSolution *s);

/* As ukEqualitySolve if M, A and softness are those that ukEqualitySolveMotion was given, in the same arrays or in
 * copies. Its factor is used if nothing was factorized since and a new one would be identical to the bit. */
int ukEqualitySolveAgain(ukEquality *equality, const ukMotionFactor *factor, const ukProblem *p, double rank_tolerance,
                         ukSolution *s);

/* Finds independent rows: independent (rows) is 0 for as many rows as singular values count as zero, those with the
 * largest parts in the null vectors. *all: every row is independent; independent is then not written. ukOk or a status
 * of plan and factorization. */
int ukEqualityIndependent(ukEquality *equality, const ukProblem *p, double rank_tolerance, unsigned char *independent,
                          bool *all);

#endif
