/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/listen.h: receives what the library in the program reports, over a pipe of its own
 * (bridge/base/output.h), which neither the program's changes of files and directories nor the user's report file
 * disturb. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_LISTEN_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_LISTEN_H

#include <stdbool.h>

/* Before the program is started: sets UKODE_PIPE, and listens from now on. false after a message. */
bool listenBegin(void);
/* After it has ended: all lines that were received (the caller frees it; NULL: no memory). Processes that it left
 * running are not waited for. What this command's own starter listens to is passed on to it. */
char *listenEnd(void);

#endif
