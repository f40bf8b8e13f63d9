/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/view/channel.h: the command's end of the socket between `ukode view` and the library in the program. One
 * process at a time is viewed: the one that connects first. */
#ifndef UKODE_PLUGIN_TOOLS_VIEW_CHANNEL_H
#define UKODE_PLUGIN_TOOLS_VIEW_CHANNEL_H

#include <stdbool.h>

#include "plugin/view/protocol.h"

/* Listens at `path`, which must not exist yet; frames go to the feed from now on. false after a message. */
bool channelOpen(const char *path);
/* Sends an order to the program; false: there is none, or it does not read. */
bool channelSend(const ukViewOrder *order);
void channelClose(void);

#endif
