/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/one.h: solves one problem of an island, with the working solver or the reference solver that the user
 * chose. */
#ifndef UKODE_BRIDGE_SOLVE_ONE_H
#define UKODE_BRIDGE_SOLVE_ONE_H

#include "bridge/island/island.h"

/* The reference solver that the user chose, an index of ukDenseSolvers; -1: the sparse solver. */
int ukDenseOf(const ukWorld *world);
bool ukSolvesSparse(const ukWorld *world);

/* Accuracy of solves relative to the check's tolerance. */
extern const double ukSolveAccuracy;

/* The island's solver of bounded problems, created if there is none; NULL: no memory. */
ukFrictionSolver *ukSolverOf(ukIsland *island);

/* Solves one problem of the island, with bounds, by `set` and, if the user chose one, the reference solver. With
 * bounds, the solve starts from lambda0 (rows) and out->loads. */
int ukSolveBounded(ukIsland *island, const ukProblem *p, ukFrictionSolver *set, double rank_tolerance,
                   const double *lambda0, ukSolution *out);
/* The same without bounds, with the rank tolerance that follows the drift. */
int ukSolveRigid(ukIsland *island, const ukProblem *p, ukEquality *equality, ukSolution *out);
/* The same by the sparse solver, with a given rank tolerance: least squares in unit rows where rows contradict each
 * other. */
int ukSolveLeastSquares(ukIsland *island, const ukProblem *p, double rank_tolerance, ukSolution *out);
/* Solves the rows that are active at the solution in `out`, as equalities, with reference solver `which`; rows at their
 * bounds keep their multipliers. */
int ukSolveDense(ukIsland *island, const ukProblem *p, int which, double rank_tolerance, ukSolution *out);

/* Returns how many rows, from i on, share a bound; *inside: whether x (rows) is inside it: lo < x < hi, or the ellipse
 * of hi. */
int ukRowsInside(const ukProblem *p, const double *lo, const double *hi, int i, const double *x, bool *inside);
/* active (rows): whether the natural map lambda - w/d of a row lies inside its bounds, that is, whether the row is
 * active. A multiplier within rounding of its bound does not count as inside. natural (rows): the map. */
void ukFindActiveRows(const ukProblem *p, const ukSolution *out, const double *lo, const double *hi, double *natural,
                      unsigned char *active);

/* Sets `status`, with a description of p, as this thread's error and returns it; the message of ukErrorBudget is
 * kept. */
int ukRefuseSolve(const ukIsland *island, const ukProblem *p, int status);

#endif
