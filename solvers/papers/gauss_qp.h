/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/papers/gauss_qp.h: reference solver after Kalaba & Udwadia 1994, Gauss's principle as a quadratic programme.
 * Dense, any rank. (Their A is our M, their D our A, their g our b, their Q - f our Q + C.) Arguments and errors of all
 * functions: papers/dense.h. */
#ifndef UKODE_SOLVERS_PAPERS_GAUSS_QP_H
#define UKODE_SOLVERS_PAPERS_GAUSS_QP_H

#include "solvers/papers/dense.h"

/* Every possible acceleration is A^- b + (I - A^- A) h [20]; the h of least Gaussian is H^- z [22]-[25],
 *
 *      H = M^1/2 (I - A^- A) [23],    z = M^1/2 (a' - A^- b) [24],
 *
 * and so qdd = A^- b + (I - A^- A) H^- z [29], with A^+ and H^+ [30].
 * Contradictory rows: least |A qdd - b|_2, then least Gaussian, that is nearest to a' in the M-norm. */
int ukGaussQPSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

/* Any g-inverse A^- and any least-squares g-inverse H^- will do [29]. All of them are
 *
 *      A^- = A^+ + U - A^+ A U A A^+,    H^- = H^+ + (I - H^+ H) W
 *
 * with U (n x m) and W (n x n) arbitrary, row-major; NULL: 0. */
typedef struct ukGaussQPChoice {
    const double *U, *W;
} ukGaussQPChoice;

/* The solver with chosen inverses (NULL: those of [30]). On consistent rows they do not change qdd.
 * Contradictory rows: A qdd = A A^- b, a projection of b onto the range of A, oblique where U is not 0; then least
 * Gaussian. */
int ukGaussQPSolveWith(const ukDense *p, const ukGaussQPChoice *choice, double rank_tolerance, ukSolution *s,
                       ukArena *scratch);

#endif
