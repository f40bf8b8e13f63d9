/* solvers/bounded/lemke.h: Lemke's complementary pivoting for bounded rows: the finite method behind the quick ones.
 *
 * With tau >= 0 every row gets a dead zone, and friction a bound of its own beside mu lambda_n:
 *
 *      lambda = 0:                    -d tau <= w <= d tau
 *      0 < lambda < hi + e tau:       w = -d tau
 *      lambda = hi + e tau:           w <= -d tau               (and the same with the signs turned, towards lo)
 *
 * where w = K lambda + A a - b, K = A M^-1 A' + softness, and hi = mu lambda_n, e > 0 for friction, hi constant, e = 0
 * for other rows. For large tau lambda = 0 is the solution; along the path of solutions from there, piecewise linear,
 * one row at a time changes its state, and the path ends at tau = 0. It is the path of Lemke's algorithm on the
 * linear complementarity problem of Stewart & Trinkle (1996) and Anitescu & Potra (1997), whose matrix is copositive:
 * with K positive definite it meets no ray, so that the coupled law of friction has a solution whatever mu, and this
 * finds one. Here it runs on a tableau of one row a multiplier instead of their five. d and e are random
 * (always the same), so that no two rows change at once. Dense: meant for islands of some hundred rows. */
#ifndef UKODE_SOLVERS_BOUNDED_LEMKE_H
#define UKODE_SOLVERS_BOUNDED_LEMKE_H

#include "solvers/bounded/bounded.h"

enum { ukLemkeMostRows = 640 };

typedef struct ukLemke {
    void *memory; /* owned; grows, never shrinks */
    size_t size;
} ukLemke;

void ukLemkeFree(ukLemke *L);
/* coupled: bounds of friction rows go along with lambda_n; else the bounds in force (B->lo, B->hi) are constants.
 * A pair of rows with a disc (coupled only) is treated as a box in the frame that B->turn gives it.
 * lambda (m) out: a solution; coupled sets the bounds in force to it. *pivots: how many it took. ukOk;
 * ukErrorUnsupported: discs that are not coupled, or more than ukLemkeMostRows; ukErrorMemory; ukErrorSingular: a ray,
 * or no end within a multiple of the rows, which only rounding brings about; lambda is then untouched. */
int ukLemkeSolve(ukLemke *L, ukBounded *B, bool coupled, double *lambda, int *pivots);

#endif
