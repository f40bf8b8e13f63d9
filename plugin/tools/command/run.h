/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/run.h: `ukode run`: runs a program under libukode.so. */
#ifndef UKODE_PLUGIN_TOOLS_COMMAND_RUN_H
#define UKODE_PLUGIN_TOOLS_COMMAND_RUN_H

#include <stdbool.h>

/* Runs the program, with a line of its progress and a summary at its end. Returns the command's exit status. *stepped
 * (may be NULL): one of its processes stepped a world. */
int runProgram(char **program, bool *stepped);
void runSetQuiet(void); /* no summary at the end */

#endif
