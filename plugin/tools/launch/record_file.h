/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/record_file.h: checks whether the file of a recording may be written, before the run. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_RECORD_FILE_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_RECORD_FILE_H

#include <stdbool.h>

/* Prepares the file that UKODE_RECORD names, if any: an earlier recording of that name is removed. false after a
 * message: it cannot be written. */
bool recordPrepare(void);

#endif
