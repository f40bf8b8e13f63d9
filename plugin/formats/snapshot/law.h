/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/law.h: saves and restores the non-ideal law of a joint or constraint: coefficients, sticking
 * or sliding, and the last step's multipliers. Functions belong to the program: only their presence is compared. A
 * missing law is created while a tape is checked, and a surplus one is destroyed when the tape is applied. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_LAW_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_LAW_H

#include "bridge/base/tape.h"
#include "bridge/world/element.h"

void ukKeepLawOfJoint(ukTape *tape, ukJoint *joint, uint64_t number);
void ukKeepLawOfConstraint(ukTape *tape, struct ukConstraint *constraint, uint64_t number);
/* Called after a check: keeps (`stay`) or frees the laws that it has created. */
void ukKeepLawsMade(ukWorld *world, bool stay);

#endif
