/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/papers/solvers.h: the table of the reference solvers, and calls of one of them for dense matrices or for a
 * block problem. */
#ifndef UKODE_SOLVERS_PAPERS_SOLVERS_H
#define UKODE_SOLVERS_PAPERS_SOLVERS_H

#include "solvers/papers/dense.h"

#include <stdbool.h>

typedef struct ukDenseSolver { /* contract: papers/dense.h */
    const char *name;
    bool any_rank;
    size_t (*scratch)(int n, int m);
    int (*solve)(const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);
} ukDenseSolver;

enum { ukDenseMInverse, ukDenseOneFour, ukDenseDAlembert, ukDenseGaussQP, ukDenseLagrange, ukDenseSolverCount };

/* in the order of ukSolverMInverse ... of the public header */
extern const ukDenseSolver ukDenseSolvers[ukDenseSolverCount];

/* The door: takes softness, rows of any size, and any solver. A soft row gets a body of its own, an auxiliary unit mass
 * of acceleration y:
 *
 *      A qdd + sqrt(D) y = b,    y = sqrt(D) lambda,    hence M := diag(M, I), A := [A, sqrt(D)]
 *
 * and every formula of the papers applies unchanged; hard and soft rows mix exactly. Soft rows are never dependent, so
 * where there is one, rank_tolerance is ignored in favour of the rounding level. Then every row is divided by its size
 * in M^-1, and its multiplier after the solve: rank, least squares and least norm are those of unit rows
 * (solvers/problem/tolerance.h). What a solution leaves of the equations is solved once more, where that is more than
 * rounding of a component's own terms: the formulas' rounding is that of the largest force, which joints that
 * contradict one another make 1e9 times that on a body elsewhere. Errors: papers/dense.h. */
size_t ukDenseScratch(int which, const ukDense *p);
int ukDenseSolve(int which, const ukDense *p, double rank_tolerance, ukSolution *s, ukArena *scratch);

/* A block problem, n = 6 bodies, whose active set is known: the rows active[row] != 0 are equalities (NULL: all
 * rows; bounds are ignored), the others exert the given s->lambda[row], which stays. s->active is the number of active
 * rows. The scratch is that of all rows. */
size_t ukDenseProblemScratch(const ukProblem *p, int which);
/* An estimate of the multiply-adds of that, of the same order for all solvers. */
double ukDenseProblemProducts(const ukProblem *p);
int ukDenseSolveActive(const ukProblem *p, int which, const unsigned char *active, double rank_tolerance,
                       ukArena *scratch, ukSolution *s);

#endif
