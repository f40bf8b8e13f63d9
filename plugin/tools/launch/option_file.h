/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/option_file.h: checks the files that options name, before the program starts. The library checks
 * them again, since the program may change them, and since environment variables may also name
 * them. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_OPTION_FILE_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_OPTION_FILE_H

#include <stdbool.h>

/* Whether the file can be used by the option `name` (without its dashes) of a run: read by config and restore, written
 * by save, report and diagnosis. false after a message. Nothing is changed. */
bool optionFileReady(const char *name, const char *path);

#endif
