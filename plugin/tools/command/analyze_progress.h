/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/analyze_progress.h: prints how far an analysis is (bridge/base/progress.h): on a terminal one
 * line, with
 * --progress whole lines, a second each. */
#ifndef UKODE_PLUGIN_TOOLS_COMMAND_ANALYZE_PROGRESS_H
#define UKODE_PLUGIN_TOOLS_COMMAND_ANALYZE_PROGRESS_H

#include <stdbool.h>

/* Makes the page of memory in the folder of the answer. until: when the world is
 * analysed [s]. always: stderr need not be a terminal. */
void analyzeProgressBegin(const char *folder, double until, bool always);
void analyzeProgressEnd(void);

#endif
