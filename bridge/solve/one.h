/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/solve/one.h: solves one problem of an island, with the working solver or the reference solver that the user
 * chose. */
#ifndef UKODE_BRIDGE_SOLVE_ONE_H
#define UKODE_BRIDGE_SOLVE_ONE_H

#include "bridge/island/island.h"

/* The reference solver that the user chose, an index of ukDenseSolvers; -1: the working one solves. */
int ukDenseOf(const ukWorld *world);
bool ukSolvesSparse(const ukWorld *world);

/* Of the check's tolerance: what is solved to. */
extern const double ukSolveMargin;

/* The island's solver of bounded problems, made if there is none; NULL: no memory. */
ukLawSolver *ukSolverOf(ukIsland *island);

/* One problem of the island, with bounds: by `set` and, if the user chose one, the reference solver. The
 * start is lambda0 (rows) and out->loads where there are bounds. */
int ukSolveBounded(ukIsland *island, const ukProblem *p, ukLawSolver *set, double rank_tolerance, const double *lambda0,
                   ukSolution *out);
/* The same without bounds, dependence judged with the drift. */
int ukSolveRigid(ukIsland *island, const ukProblem *p, ukEquality *equality, ukSolution *out);
/* The rows that hold at the solution in `out`, as equalities, through reference solver `which`; rows at their bounds
 * keep their multipliers. */
int ukSolveDense(ukIsland *island, const ukProblem *p, int which, double rank_tolerance, ukSolution *out);

/* How many rows, from i on, share a bound, and whether x (rows) is inside it: lo < x < hi, or the ellipse of hi. */
int ukSolveInside(const ukProblem *p, const double *lo, const double *hi, int i, const double *x, bool *inside);
/* held (rows): whether the natural map lambda - w/d of a row lies inside its bounds; outside, it gives way. A
 * multiplier at its bound but for rounding is no row that holds. natural (rows): the map. */
void ukSolveHeld(const ukProblem *p, const ukSolution *out, const double *lo, const double *hi, double *natural,
                 unsigned char *held);

/* Notes `status`, with what p is of, as this thread's error and returns it. */
int ukSolveRefused(const ukIsland *island, const ukProblem *p, int status);

#endif
