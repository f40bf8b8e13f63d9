/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/element.h: saves and restores a user constraint or force. Its function and data belong to the
 * program; the bodies that it acts on are compared, and the last step's forces and multipliers are restored. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_ELEMENT_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_ELEMENT_H

#include "bridge/user/parts.h"
#include "plugin/formats/snapshot/names.h"

/* Parts of a world's constraints, in their order: allocated by a check, and exchanged for the present ones by a
 * read. */
typedef struct ukKeptParts {
    ukParts *at; /* (count) owned */
    size_t count, capacity;
    size_t next; /* to be exchanged */
} ukKeptParts;

void ukKeepElement(ukTape *tape, ukElement *element, uint64_t number, const ukNames *names, ukKeptParts *parts);
void ukKeptPartsFree(ukKeptParts *parts);

#endif
