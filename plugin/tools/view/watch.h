/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/view/watch.h: examines the recording of a running program, for its model and the findings so
 * far. A check works on a copy, made while SQLite's lock of readers is held, so that the program's writing thread waits
 * for the copying alone. */
#ifndef UKODE_PLUGIN_TOOLS_VIEW_WATCH_H
#define UKODE_PLUGIN_TOOLS_VIEW_WATCH_H

#include <stdbool.h>

/* From now on, about once a second, or less often if a check takes long, the findings of the recording at `recording`,
 * and its model if a viewer asks for it, are put into the feed. `copy`: a file to be used for the copies. `text`: each
 * new finding is printed on standard error, too. The strings stay the caller's. false after a message. */
bool watchBegin(const char *recording, const char *copy, bool text);
/* The program has ended: a last check, for findings and model. */
void watchEnd(void);

#endif
