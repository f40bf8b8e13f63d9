/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/run.h: `ukode run`: runs a program under libukode.so. */
#ifndef UKODE_PLUGIN_TOOLS_COMMAND_RUN_H
#define UKODE_PLUGIN_TOOLS_COMMAND_RUN_H

#include <stdbool.h>

/* Runs it, with the live line and the closing one. Returns the command's exit status. *stepped (may be NULL): a process
 * of it stepped a world. */
int runProgram(char **program, bool *stepped);
void runQuietly(void); /* without the closing line */

#endif
