/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/projection.h: M-weighted projection of poses and velocities onto the constraints, with minimal
 * change in the kinetic metric:
 *      dq = -A_M^+ phi,   dv = -A_M^+ psi,   psi = A v - target   (numerics: M-weighted projection; Udwadia 2004 [13]). */
#ifndef UKODE_BRIDGE_INTEGRATE_PROJECTION_H
#define UKODE_BRIDGE_INTEGRATE_PROJECTION_H

#include "bridge/island/assemble.h"

/* Moves the frames' states of an island, assembled in the continuous form where it stands, onto its constraints: pose
 * (Newton steps, halved where they overshoot, until phi no longer shrinks), then velocity. Rows without position error
 * bind the velocity only. The island is assembled again at the projected states. drift: its ukDrift. ukOk or a status of
 * the assembly or solver. */
int ukProjectIsland(ukIsland *island, double drift, const ukIslandStart *start, const ukStepContext *context);

/* The island assembled again at the same poses with other velocities. As a rule the rows stay the same, which is found out
 * here: ukSolveContinuous then takes the factor of the last projection, solvers->motion (ukSolveMotion). */
int ukProjectAssembleMoving(ukIsland *island, const ukIslandStart *start, const ukStepContext *context);

/* Towards a pose on the assembled island's constraints: b = -phi; rows without position error do not bind. */
void ukProjectTargetPose(ukIsland *island, const ukProblem *p);
/* Poses moved by dq (6 a moving body: [x, rotation vector]). */
void ukProjectMovePose(ukIsland *island, const double *dq);
/* What the assembled island's drift cannot be told from zero by, seen as an angle. */
double ukProjectRounding(const ukIsland *island);

/* Whether the assembled island is on its constraints, up to what rounding leaves. */
bool ukProjected(const ukIsland *island);
bool ukProjectedAt(const ukIsland *island, double drift); /* where that is known */
/* The owner of the row of the assembled island that is farthest off, and by what; NULL: no row has a position error. */
const ukBlockOwner *ukProjectWorst(const ukIsland *island, double *largest);
/* Sets the error, ukErrorNotConverged, which names that joint or constraint, and returns it. */
int ukProjectRefuse(const ukIsland *island);
/* Appends a remedy to the error, if the status is ukErrorNotConverged, and returns the status: what the type of that joint
 * needs beside it, as gears need bearings; else `remedy`, NULL: none. */
int ukProjectAdvise(const ukIsland *island, int status, const char *remedy);

/* Velocities x (bodies.qdd) nearest zero in the M-norm with A x = b, for the b that stand in the island's
 * arrays, and the impulses (rows.lambda) that make them. ukOk or a status of the solver. */
int ukProjectRates(ukIsland *island, double drift);

/* Takes the rates of an assembled island's held slides to zero (bridge/integrate/stick.h), nearest in the M-norm; the
 * other rows keep theirs. Assembled for the new velocities it is not. */
int ukProjectStuck(ukIsland *island);

#endif
