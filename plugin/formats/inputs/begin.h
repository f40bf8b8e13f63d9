/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/inputs/begin.h: describes an existing world as if its program created it now, for a recording of
 * inputs that begins in the middle of a run. Fields (fields.h), and what ukode remembers of earlier steps, are recorded
 * separately. */
#ifndef UKODE_PLUGIN_FORMATS_INPUTS_BEGIN_H
#define UKODE_PLUGIN_FORMATS_INPUTS_BEGIN_H

#include "bridge/world/journal.h"

/* Into the world's journal, just begun: its bodies, joints and contacts in the order of their creation, each joint's
 * history, attachments in an order that gives every body its joints as it has them; users' constraints and forces. */
void ukBeginWrite(const ukWorld *world);

#endif
