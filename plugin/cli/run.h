/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/run.h: a program under libukode.so, its options read already. */
#ifndef UKODE_PLUGIN_CLI_RUN_H
#define UKODE_PLUGIN_CLI_RUN_H

/* Runs it, with the live line and the closing one. Returns the command's exit status. */
int runProgram(char **program);

#endif
