/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/active_rows.h: which rows of a joint belong to its motors and stops. */
#ifndef UKODE_BRIDGE_ANALYZE_ACTIVE_ROWS_H
#define UKODE_BRIDGE_ANALYZE_ACTIVE_ROWS_H

#include "bridge/island/island.h"

/* rows[k]: the row of motor k, or of its stops, among those that the joint writes at its frames' states; -1: none. Each
 * joint type writes them after all others, in the order of the motors. */
void ukActiveFindRows(ukJoint *joint, const ukIsland *island, const ukRowContext *context, int rows[3]);

#endif
