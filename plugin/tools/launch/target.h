/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/target.h: whether a library can be preloaded into a program, from its file. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_TARGET_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_TARGET_H

#include <stdbool.h>
#include <stddef.h>

/* Why the dynamic linker preloads nothing into `program` (a path, or a name on PATH; of a script, its interpreter
 * counts as well): a sentence without a full stop, and true; false: nothing is in the way. */
bool targetRefuses(const char *program, char *reason, size_t size);

#endif
