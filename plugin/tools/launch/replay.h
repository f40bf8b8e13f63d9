/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/replay.h: finds and starts ukode-replay. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_REPLAY_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_REPLAY_H

#include <stdbool.h>
#include <stddef.h>

/* Path of ukode-replay: next to the command in a build tree, else where it was installed. false after a message. */
bool replayFind(char *path, size_t size);

#endif
