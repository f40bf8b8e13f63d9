/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/active_contacts.h: the rows of active contacts in the continuous form, by their modes
 * (bridge/analyze/active.h) and the geometry of bridge/analyze/touch.h. */
#ifndef UKODE_BRIDGE_ANALYZE_ACTIVE_CONTACTS_H
#define UKODE_BRIDGE_ANALYZE_ACTIVE_CONTACTS_H

#include "bridge/analyze/active.h"

/* Writes the contacts' rows of an island that has just been assembled in the continuous form, and adds the forces of
 * those that are soft, or at bounds that do not follow the normal force. Rows that are not there get
 * ukActiveNoRow. activity->slides: those of the other islands, and this one's. */
void ukActiveContactsWrite(ukActivity *activity, ukIsland *island);

/* Contacts of the island keep the places that they have at its frames' states. */
void ukActiveContactsSettle(ukActivity *activity, ukIsland *island);

/* After the solution: the multipliers of soft rows and of friction at its bound, for forces that are reported. */
void ukActiveContactsFinish(const ukActivity *activity, ukIsland *island);

#endif
