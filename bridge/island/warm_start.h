/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/warm_start.h: the multipliers of the last step as the initial guess of this one. Lasting joints keep
 * their own; contacts' are found again by what they did (bridge/island/contact_memory.h). A guess only saves passes of
 * the active set; the answer does not rest on it. */
#ifndef UKODE_BRIDGE_ISLAND_WARM_START_H
#define UKODE_BRIDGE_ISLAND_WARM_START_H

#include "bridge/island/stepper.h"

/* Fills stepper->rows.lambda0 and stepper->rows.loads for the rows of `island`; 0 where nothing is known. */
void ukWarmStartGuess(ukStepper *stepper, int island);

/* Remembers the contacts of a finished step; allocates only where there are more than ever before. Without memory
 * nothing is remembered. */
void ukWarmStartRemember(ukStepper *stepper);

#endif
