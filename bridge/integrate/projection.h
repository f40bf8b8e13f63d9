/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/projection.h: M-weighted projection of poses and velocities onto the constraints, with minimal
 * change in the kinetic metric:
 *      dq = -A_M^+ phi,   dv = -A_M^+ psi,   psi = A v - target   (numerics: M-weighted projection; Udwadia 2004 [13]).
 *      */
#ifndef UKODE_BRIDGE_INTEGRATE_PROJECTION_H
#define UKODE_BRIDGE_INTEGRATE_PROJECTION_H

#include "bridge/island/assemble.h"

/* Projects the frames' states of an island, assembled in the continuous form at the present state, onto its
 * constraints: pose (Newton steps, halved if they overshoot, until phi no longer decreases), then velocity. Rows
 * without position error constrain the velocity only. The island is assembled again at the projected states. drift: its
 * ukDrift. ukOk or a status of the assembly or solver. */
int ukProjectIsland(ukIsland *island, double drift, const ukIslandStart *start, const ukStepContext *context);

/* For an island, assembled in the continuous form at the present state: whether there are poses that satisfy its exact
 * rows (ukRowExact), if some of them are a user's. ukErrorContradiction, with the row: there are none near; joints that
 * contradict each other by themselves are not reported. The frames' states may be moved, and the island must then be
 * assembled again. */
int ukProjectExact(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* Assembles the island again at the same poses with other velocities. If the rows are unchanged, as they usually are,
 * ukSolveContinuous then uses the factor of the last projection, solvers->motion (ukSolveMotion). */
int ukProjectAssembleMoving(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* Right-hand sides for a pose that satisfies the assembled island's constraints: b = -phi; rows without position error
 * are made ineffective. */
void ukProjectTargetPose(ukIsland *island, const ukProblem *p);
/* Moves the poses by dq (6 per moving body: [x, rotation vector]). */
void ukProjectMovePose(ukIsland *island, const double *dq);
/* The part of the assembled island's drift that rounding can cause, as an angle. */
double ukProjectRounding(const ukIsland *island);

/* Whether the assembled island satisfies its constraints, up to rounding. */
bool ukProjected(const ukIsland *island);
bool ukProjectedAt(const ukIsland *island, double drift); /* the same for a known drift */
/* The same for a part of a step, at whose end the drift is to be zero: less the shorter it is, because the correction
 * changes the rates by the drift over its length. */
bool ukProjectedFor(const ukIsland *island, double drift, const ukRowContext *rows);
/* Whether rows of the island are gradients of their position errors only where other joints are satisfied, as gears need
 * bearings. Newton's first step satisfies those joints, and may increase the errors of these rows; the second one
 * decreases them. */
bool ukProjectInStages(const ukIsland *island);
/* Sets the error, ukErrorNotConverged, which names the joint or constraint with the largest position error, and returns
 * it. */
int ukProjectRefuse(const ukIsland *island);
/* Appends a remedy to the error, if the status is ukErrorNotConverged, and returns the status: a condition that the
 * type of that joint needs, as gears need bearings; else `remedy`, NULL: none. */
int ukProjectAdvise(const ukIsland *island, int status, const char *remedy);

/* Velocities x (bodies.qdd) of least M-norm with A x = b, for the present b of the island's arrays, the impulses
 * (rows.lambda) that cause them, and the rank of A. ukOk or a status of the solver. */
int ukProjectRates(ukIsland *island, double drift, int *rank);

/* Reduces the rates of an assembled island's stuck slides to zero (bridge/integrate/stick.h), with the least change in
 * the M-norm; the other rows keep theirs. The island is not assembled for the new velocities. */
int ukProjectStuck(ukIsland *island);

#endif
