/* bridge/solve.h: one assembled island to accelerations and multipliers, and the certificate of what came out. */
#ifndef UKODE_BRIDGE_SOLVE_H
#define UKODE_BRIDGE_SOLVE_H

#include "bridge/stepper.h"

/* qdd and lambda of the island by the world's solver, warm-started from the joints' last multipliers. */
int ukSolveIsland(ukStepper *stepper, int island);
/* The same for an island without laws whose warm start is in stepper->lambda0 already. It touches nothing but the
 * island's own part of the stepper's arrays and its solver, unless ukSolveNeedsCaller: then what islands share, too. */
int ukSolveGuessed(ukStepper *stepper, int island);
bool ukSolveNeedsCaller(const ukStepper *stepper, int island);
/* The law of friction of the world's present step. */
ukFrictionLaw ukSolveLaw(const ukWorld *world);
/* The stepper's arrays for p, a problem of its own, as a solution that is not there yet. */
ukSolution ukSolutionOf(const ukStepper *stepper, const ukProblem *p);
/* Notes `status`, with what p is of, as this thread's error and returns it. */
int ukSolveRefused(const ukStepper *stepper, const ukProblem *p, int status);

/* The island's solver of bounded problems, made if there is none; NULL: no memory. */
ukActiveSet *ukSolverOf(ukStepper *stepper, int island);
/* Whether the working solver solves, not a dense reference. */
bool ukSolvesSparse(const ukWorld *world);

/* The same for the continuous form: rows rigid, no bounds; dependence is judged with the drift (ukRankTolerance). */
int ukSolveContinuous(ukStepper *stepper, int island);

/* The same for an inner stage: qdd alone counts. Of rows that depend on others some are left out, and lambda is one of
 * many that belong to qdd (ukSparseSolveMotion). */
int ukSolveMotion(ukStepper *stepper, int island);

/* Whether the solved island's continuous rows can be met together: A qdd = b within `contradiction` of the
 * accelerations in play. ukOk, or ukErrorContradiction, which names the joint or constraint with the largest residual.
 * For states on the constraints: at the inner stages of an integrator redundant rows disagree by the drift. */
int ukSolveConsistent(ukStepper *stepper, int island);

/* Whether the solved island, whatever its form, has user constraints and misses a row that is to hold exactly by more
 * than that. */
bool ukSolveContested(const ukStepper *stepper, int island);

/* Solves those rows of the island, assembled in the continuous form, that are to hold exactly, without laws, and
 * answers as ukSolveConsistent, but for what the joints alone disagree by. Leaves the island to be assembled again. */
int ukSolveIdealConsistent(ukStepper *stepper, int island);

/* How many rows, from i on, share a bound, and whether x (rows) is inside it: lo < x < hi, or the ellipse of hi. */
int ukSolveInside(const ukProblem *p, const double *lo, const double *hi, int i, const double *x, bool *inside);
/* held (rows): whether the natural map lambda - w/d of a row lies inside its bounds; outside, it gives way. A
 * multiplier at its bound but for rounding is no row that holds. natural (rows): the map. */
void ukSolveHeld(const ukProblem *p, const ukSolution *out, const double *lo, const double *hi, double *natural,
                 unsigned char *held);

/* One problem of the island, with bounds: by `set` and, if the user chose one, the reference solver. The
 * start is lambda0 (rows) and out->frictionless where there are bounds. */
int ukSolveBounded(ukStepper *stepper, int island, const ukProblem *p, ukActiveSet *set, double rank_tolerance,
                   const double *lambda0, ukSolution *out);
/* The same without bounds, dependence judged with the drift. */
int ukSolveRigid(ukStepper *stepper, const ukProblem *p, ukSparse *sparse, ukSolution *out);

/* The relative cut-off on the singular values of A M^-1/2 in the continuous form: the user's, or one that follows the
 * drift of the stage, within the window where redundant loops are known to keep their rank (docs/theory.md). */
double ukRankTolerance(const ukStepper *stepper, const ukProblem *p);

/* CFM from which a row counts as a spring of the user's [velocity per force], in the continuous form. */
extern const double ukSpringCfm;

/* The Gauss check of the island, summed into the report; acts as the world's ukCheckAction says. ukOk, ukErrorCheck,
 * ukErrorNotFinite (accelerations that are not finite are never written to a body). */
int ukSolveCheck(ukStepper *stepper, int island);

#endif
