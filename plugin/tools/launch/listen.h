/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/listen.h: receives what the library in the program reports, over a pipe of its own
 * (bridge/base/output.h), which neither the program's changes of files and directories nor the user's report file
 * disturb. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_LISTEN_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_LISTEN_H

#include <stdbool.h>

/* Called before the program is started: sets UKODE_PIPE, and listens from now on. false after a message. */
bool listenBegin(void);
/* Called after the program has ended: returns all lines received (the caller frees them; NULL: no memory). Does not
 * wait for processes that the program left running. Lines for the process that started this command are passed on
 * to it. */
char *listenEnd(void);

#endif
