/* solvers/papers/gauss_qp.h: reference solver after Kalaba & Udwadia 1994, Gauss's principle as a quadratic programme.
 * Dense, any rank. (Their A is our M, their D our A, their g our b, their Q - f our Q + C.) */
#ifndef UKODE_SOLVERS_PAPERS_GAUSS_QP_H
#define UKODE_SOLVERS_PAPERS_GAUSS_QP_H

#include "solvers/papers/dense.h"

size_t ukGaussQPScratch(int n, int m);

/* Every possible acceleration is A^- b + (I - A^- A) h [20]; the h of least Gaussian is H^- z [22]-[25],
 *      H = M^1/2 (I - A^- A),  z = M^1/2 (a' - A^- b),
 * with A^+ and H^+ [30]. Arguments and errors: solvers/papers/dense.h.
 * Contradictory rows: least |A qdd - b|_2, then least Gaussian, that is nearest to a' in the M-norm. */
int ukGaussQPSolve(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

/* The same with any g-inverse A^- and any least-squares g-inverse H^- [29]. All of them are
 *      A^- = A^+ + U - A^+ A U A A^+,    H^- = H^+ + (I - H^+ H) W
 * with U (n x m) and W (n x n) arbitrary, row-major; NULL: 0. On consistent rows they do not change qdd.
 * Contradictory rows: A qdd = A A^- b, a projection of b onto the range of A, oblique where U is not 0; then least
 * Gaussian. */
int ukGaussQPSolveWith(const ukDense *p, const double *U, const double *W, double rank_tolerance, ukSolution *s,
                       ukArena *scratch);

#endif
