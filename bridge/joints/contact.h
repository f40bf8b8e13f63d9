/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/contact.h: copies the data of a contact joint into its record. */
#ifndef UKODE_BRIDGE_JOINTS_CONTACT_H
#define UKODE_BRIDGE_JOINTS_CONTACT_H

#include "bridge/world/record.h"

void ukContactRecord(ukJoint *joint, const dContact *contact);

/* Names the datum that is NaN, infinite or invalid ("fdir1 is not finite"); NULL: there is none. */
const char *ukContactFault(const ukContact *contact);

#endif
