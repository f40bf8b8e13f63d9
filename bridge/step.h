/* bridge/step.h: one step of a world, read top to bottom in step.c. */
#ifndef UKODE_BRIDGE_STEP_H
#define UKODE_BRIDGE_STEP_H

#include "bridge/world/record.h"

/* One step of h [s]; `quick`: asked for by dWorldQuickStep (its friction law). ukOk, or a negative status with every
 * body as it was. */
int ukStepWorld(ukWorld *world, double h, bool quick);

/* Equations, forces, errors and report at the present state; with `project` the state is moved onto the constraints
 * first, and written to ODE (no callback, no damping, accumulators kept). ukOk, or a negative status with every body as
 * it was. */
int ukStepEvaluate(ukWorld *world, bool project);

/* The rows at the present state in the continuous form, assembled but not solved, for bridge/diagnose.c to look at; the
 * last step's equations are gone. ukOk, or a negative status. */
int ukStepAssemble(ukWorld *world);

/* Whether ODE's own stepper can be given the world: what is not finite it would abort on. ukOk, ukErrorNotFinite or
 * ukErrorMass, with the body named. */
int ukStepHandOver(const ukWorld *world);
/* ODE's own stepper answers for a step that failed with `status`: counted, and named in the log. */
void ukStepCountFallback(ukWorld *world, int status);

/* Of the last step; a world that was never stepped has a report of zeros. */
void ukStepReport(const ukWorld *world, ukReport *report);
/* The last step's equations, dense; memory is the stepper's. ukOk, ukErrorArgument before the first step and after one
 * that failed, ukErrorMemory. */
int ukStepEquations(ukWorld *world, ukEquations *equations);

#endif
