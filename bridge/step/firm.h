/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/step/firm.h: an adaptive step that treats joints as rigid where the world's CFM alone would make them stiff
 * springs.
 *
 * ODE's world CFM regularizes its solve; where cfm/h is below a hundredth of a row's compliance A M^-1 A', the row is a
 * spring that swings by more than four radians a step and gives by less than a twentieth of what a free body falls in
 * one, but costs the adaptive integrator implicit stages. So the island is first stepped with rigid rows. Where these
 * refuse the step, contradict one another for example, it is undone, and taken with the springs. */
#ifndef UKODE_BRIDGE_STEP_FIRM_H
#define UKODE_BRIDGE_STEP_FIRM_H

#include <stdbool.h>

#include "bridge/island/assemble.h"
#include "bridge/island/stepper.h"
#include "bridge/results/ledger.h"

/* what an attempt found */
typedef struct ukFirm {
    ukReport report;
    ukLedger sum;
} ukFirm;

/* Whether the gathered island has joints to which the world's CFM belongs, and is to be tried without. */
bool ukFirmBegin(ukIsland *island, ukFirm *firm);
/* The attempt has ended. Whether it failed and the springs are to be tried. */
bool ukFirmFailed(ukIsland *island, int status);
/* The island as it was gathered. The same as ukAssembleGather. */
int ukFirmUndo(ukIsland *island, const ukIslandStart *start, const ukFirm *firm);

#endif
