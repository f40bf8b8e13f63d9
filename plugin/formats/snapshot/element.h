/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/element.h: saves and restores a user constraint or force. Its function and data belong to the
 * program; the bodies that it acts on are compared, and the last step's forces and multipliers are restored. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_ELEMENT_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_ELEMENT_H

#include "bridge/world/element.h"
#include "plugin/formats/snapshot/names.h"

void ukKeepElement(ukTape *tape, ukElement *element, uint64_t number, const ukNames *names);

#endif
