/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/contacts.h: saves and restores the forces of the last steps' contacts
 * (bridge/base/contact_memory.h), keyed by the names of their geoms. Contacts of geoms that have no name, or no
 * longer exist, are not saved. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_CONTACTS_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_CONTACTS_H

#include "bridge/base/contact_memory.h"
#include "plugin/formats/snapshot/names.h"

/* Writing: `memory` is saved. Checking: `memory` is empty, and is filled from the tape. */
void ukKeepContacts(ukTape *tape, ukContactMemory *memory, const ukNames *names);

#endif
