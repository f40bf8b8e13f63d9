/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/agree.h: friction whose bounds agree with the normal forces of the same solution, where an island
 * affords to look for it: not a convex problem any more, and there may be several solutions, or rows on the way that
 * no method gets past. Ways, each from the last step's forces:
 *
 *   its set          a Newton method whose friction rows follow their normals (newton.h);
 *   few rows         along the path on the dense complement, whose bounds move with it (path.h); no discs;
 *   not so few       an interior point in bounds that move along (interior.h), and the Newton method from its end. */
#ifndef UKODE_SOLVERS_BOUNDED_AGREE_H
#define UKODE_SOLVERS_BOUNDED_AGREE_H

#include "solvers/bounded/convex.h"

typedef struct ukAgree {
    double *guess, *best; /* (m) */
    double residual;      /* of best, by the law */
} ukAgree;

void ukAgreeCarve(ukAgree *G, const ukProblem *p, ukArena *arena);
/* Nothing is known yet of the problem that X has taken over. */
void ukAgreeBegin(ukAgree *G);
/* Judges X->lambda by the law itself; the best stays in G. */
void ukAgreeJudge(ukAgree *G, ukConvex *X);
/* All ways that the island affords, and the first one only, from X->lambda, which stays as it is; the bounds in force
 * do not. G->residual <= tolerance: G->best is the solution. ukOk, or a status of ukSparseFactor. */
int ukAgreeSearch(ukAgree *G, ukConvex *X, double tolerance);
int ukAgreeSettle(ukAgree *G, ukConvex *X, double tolerance);
/* The interior point from X->lambda, in an island of any size, to a residual of `rough` by the law, which it reaches far
 * more often than a small one; in a small island with discs again from nothing. Bounds are then those of X->lambda.
 * Returns the residual. */
double ukAgreeNear(ukConvex *X, double rough);

#endif
