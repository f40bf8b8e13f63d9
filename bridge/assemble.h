/* bridge/assemble.h: one island as equations: M, Q, A, and ODE's discrete right-hand side b = (c - A v)/h with the rows
 * softened by cfm/h, so that v + h qdd is the velocity of dWorldStep (docs/theory.md). */
#ifndef UKODE_BRIDGE_ASSEMBLE_H
#define UKODE_BRIDGE_ASSEMBLE_H

#include "bridge/stepper.h"

/* What the whole step shares. */
typedef struct ukStepContext {
    ukRowContext rows;
    double gravity[3];
    bool cone; /* pairs of contact tangents share an elliptic cone */
} ukStepContext;

void ukAssembleContext(const ukWorld *world, double h, ukStepContext *context);

/* Gathers the bodies of `island`, builds its rows behind those of the islands before, and describes them in
 * stepper->problems[island]. Joints with stale parameters are read again. ukOk, ukErrorNotFinite, ukErrorMass,
 * ukErrorParameter; the message names the body or joint. */
int ukAssembleIsland(ukStepper *stepper, int island, const ukStepContext *context);

/* The most that the step's joints and constraints can write. */
typedef struct ukRowBound {
    int rows, slots;
    size_t coefficients;
} ukRowBound;
ukRowBound ukAssembleRowBound(const ukStepper *stepper);

#endif
