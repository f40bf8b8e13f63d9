/* bridge/warm_start.h: the multipliers of the last step as a first guess of this one. Lasting joints keep their own;
 * contacts are made anew every step and are matched by their pair of geoms (of bodies, where a program gives no geoms)
 * and by position. A guess only saves passes of the active set; the answer does not rest on it. */
#ifndef UKODE_BRIDGE_WARM_START_H
#define UKODE_BRIDGE_WARM_START_H

#include "bridge/stepper.h"

typedef struct ukWarmStart ukWarmStart;

ukWarmStart *ukWarmStartCreate(void);
void ukWarmStartDestroy(ukWarmStart *warm);

/* Before the first island of a step: every contact remembered may be taken, once. */
void ukWarmStartBegin(ukWarmStart *warm);
/* Fills stepper->lambda0 and stepper->frictionless for the rows of `island`; 0 where nothing is known. */
void ukWarmStartGuess(ukWarmStart *warm, ukStepper *stepper, int island);

/* Remembers the contacts of a finished step; allocates only where there are more than ever before. Without memory
 * nothing is remembered. */
void ukWarmStartRemember(ukWarmStart *warm, const ukStepper *stepper);

#endif
