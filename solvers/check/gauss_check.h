/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/check/gauss_check.h: the Gauss check of one solve: its residuals, from the equations and the results alone,
 * independent of how they were computed. Two traversals of A, no allocation, no solve, plain C.
 *
 * Every residual is divided by what rounding can make of it: the sum of the magnitudes of its terms, a body's
 * acceleration counted with all the forces that cancelled on the body. A correct solve in double precision leaves 1e-12
 * and less, whatever the units; 0 of 0 is 0, and NaN stays NaN. Numbers below DBL_MIN round as DBL_MIN does. Where a
 * sum of magnitudes is near overflow the residual is infinite, because it cannot be computed. */
#ifndef UKODE_SOLVERS_CHECK_GAUSS_CHECK_H
#define UKODE_SOLVERS_CHECK_GAUSS_CHECK_H

#include "solvers/problem/problem.h"

#include <stdbool.h>

typedef struct ukGaussEvidence { /* what is checked; the caller's arrays */
    const double *qdd;           /* (bodies x 6) */
    const double *lambda;        /* (rows) */
    const double *lo, *hi;       /* (rows) the current bounds: those of friction rows already mu |lambda_n|, as in
                                    ukSolution; NULL: all rows are equalities. p->lo and p->hi are not read */
    bool elliptic;               /* rows marked in p->cone with a normal are judged on the ellipse with the semi-axes hi
                                    of the pair; those without a normal always are */
    const double *lambda_ideal;  /* (rows) multipliers of the same rows with C = 0, which the split of the Gaussian
                                    needs where C != 0; NULL: none */
    const unsigned char
        *massless; /* (bodies) 1: M of the body is auxiliary, it has no part in the Gaussians; NULL: none */
} ukGaussEvidence;

typedef struct ukResiduals {
    double feasibility;     /* largest |A qdd + S lambda - b| of the equality rows, scaled */
    double stationarity;    /* largest |M qdd - Q - C - A' lambda| of the bodies, force or torque, scaled together */
    double complementarity; /* natural residual of the bounded rows, |lambda - P(lambda - w/k)| k with the row residual
                               w = A qdd + S lambda - b, the projection P onto [lo, hi] (or the ellipse) and the row's
                               own k ~ A M^-1 A' + S, scaled as w */
    int worst_row;          /* of the largest feasibility or complementarity; -1: none above 0 */
    int worst_body;         /* of the stationarity; -1: none above 0 */
    double minimum;         /* G_ni = (M qdd - Q - C)' M^-1 (M qdd - Q - C) [N m/s^2], Udwadia 2000 [15] */
    double gaussian;        /* (M qdd - Q)' M^-1 (M qdd - Q), of the whole constraint force, and its parts */
    double gaussian_ideal;  /* Qi' M^-1 Qi, Udwadia 2004 [11] */
    double gaussian_nonideal; /* Qni' M^-1 Qni, [12]; the parts are NaN where C != 0 and lambda_ideal is NULL */
    double orthogonality;     /* |Qi' M^-1 Qni| / (|Qi| |Qni|): 0 up to rounding where no row is soft or bounded */
    double distance;          /* |qdd - qdd*|_M is at most this [kg^1/2 m/s^2], */
    double missed;            /* if this is 0: |b - A qdd|_2 of hard equality rows; see below */
} ukResiduals;

/* number of doubles of scratch */
size_t ukGaussCheckWork(const ukProblem *p);

void ukGaussCheck(const ukProblem *p, const ukGaussEvidence *e, double *work, ukResiduals *residuals);

/* After ukGaussCheck, with its `work`: the sizes (6) of the terms of a body's accelerations, by which rows are scaled.
 * An acceleration that the forces cancel is of the size of their rounding and no scale of its own. */
const double *ukGaussCheckSizes(const double *work, int body);

/* all three scaled residuals at most `tolerance`, none NaN */
bool ukResidualsHold(const ukResiduals *residuals, double tolerance);

/* The residuals bound the distance to qdd*, the exact solution with the bounds used. The Gaussian is strongly
 * convex (Fenchel-Young gap), so that with u = b - A qdd
 *
 *      |qdd - qdd*|_M^2 <= distance^2 = |M qdd - Q - C - A' lambda|^2_{M^-1} + 2 sum gap_i,
 *      gap_i = psi_i(u) - lambda u + S lambda^2 / 2 >= 0,
 *      psi_i(u) = max over the bounds of mu u - S mu^2 / 2.
 *
 * - A multiplier out of its bounds is put into them, and the difference added.
 * - A hard equality (S = 0) has no finite psi_i unless u = 0. It is left out of the sum, and `missed` is |u|_2 of these
 *   rows. For problems of equalities alone |qdd - qdd*|_M <= distance + missed / sigma, for every lower bound sigma > 0
 *   of the smallest non-zero singular value of [A M^-1/2, S^1/2], with qdd* the least-squares solution where hard rows
 *   contradict each other. With further bounded rows there is no bound: `missed` is then infinite, or 0.
 * - Rounding of the check itself is not counted. */

#endif
