/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/output_file.h: files written by the command. A name that the user gave is opened as a shell
 * would. One that is derived from another (run.html beside run.ukode, TABLE.csv in a folder) may have come along with
 * the recording: a symbolic link in its place is not followed, and nothing but a regular file is written to. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_OUTPUT_FILE_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* NULL: errno says why not. */
FILE *outputFileOpen(const char *path, bool derived);
/* What an errno of it means. */
const char *outputFileFault(int error);

#endif
