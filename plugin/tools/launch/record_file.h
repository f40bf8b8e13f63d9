/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/record_file.h: checks whether the file of a recording may be written, before the run. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_RECORD_FILE_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_RECORD_FILE_H

#include <stdbool.h>

/* Where UKODE_RECORD names a file: whether it can be recorded into; an earlier recording of that name is removed. false
 * after a message. */
bool recordPrepare(void);

#endif
