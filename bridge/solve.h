/* bridge/solve.h: one assembled island to accelerations and multipliers, and the certificate of what came out. */
#ifndef UKODE_BRIDGE_SOLVE_H
#define UKODE_BRIDGE_SOLVE_H

#include "bridge/stepper.h"

/* qdd and lambda of the island by the world's solver, warm-started from the joints' last multipliers. */
int ukSolveIsland(ukStepper *stepper, int island);

/* The Gauss check of the island, summed into the report; acts as the world's ukCheckAction says. ukOk, ukErrorCheck,
 * ukErrorNotFinite (accelerations that are not finite are never written to a body). */
int ukSolveCheck(ukStepper *stepper, int island);

#endif
