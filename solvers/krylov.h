/* solvers/krylov.h: GMRES (Saad & Schultz 1986) for (1 + T) d = g, a small departure T from a factored system: the law
 * of Coulomb makes friction follow the normal force but not the other way round, so the coupled system is not
 * symmetric. */
#ifndef UKODE_SOLVERS_KRYLOV_H
#define UKODE_SOLVERS_KRYLOV_H

#include "solvers/arena.h"

enum { ukKrylovMax = 40 }; /* steps, without restart */

typedef struct ukKrylov {
    double *basis; /* ((ukKrylovMax + 1) x m) */
} ukKrylov;

/* y (m) = T x */
typedef void ukKrylovApply(void *context, const double *x, double *y);

void ukKrylovCarve(ukKrylov *K, int m, ukArena *arena);
/* g (m): the right-hand side, then the solution, until the residual is `tolerance` of the first, in the norm of
 * `weight` (m, > 0 where g and T x are not 0). Returns the steps taken. */
int ukKrylovSolve(ukKrylov *K, int m, const double *weight, ukKrylovApply *apply, void *context, double tolerance,
                  double *g);

#endif
