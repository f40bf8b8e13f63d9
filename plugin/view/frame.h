/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/view/frame.h: the state of a world after a step as a message to `ukode view` (plugin/view/protocol.h). */
#ifndef UKODE_PLUGIN_VIEW_FRAME_H
#define UKODE_PLUGIN_VIEW_FRAME_H

#include <stddef.h>

#include "bridge/world/record.h"
#include "plugin/view/protocol.h"

/* Writes it into `buffer` (size bytes). `ours`: ukode took the step, so that joints and contacts have forces; else they
 * are left out. `head`: world, time, number, paused and dragged are set; the counts are filled in. Returns its bytes;
 * 0: the bodies alone do not fit. Joints and contacts that do not fit are left out. */
size_t ukViewFrame(const ukWorld *world, bool ours, const ukViewHead *head, void *buffer, size_t size);

#endif
