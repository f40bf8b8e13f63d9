/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/output_file.h: files written by the command. A name that the user gave is opened as a shell
 * would. One that is derived from another (run.html next to run.ukode, TABLE.csv in a folder) may have come along with
 * the recording: a symbolic link in its place is not followed, and nothing but a regular file is written to. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_OUTPUT_FILE_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* NULL: errno says why not. */
FILE *outputFileOpen(const char *path, bool derived);
/* Closes it. `written`: all that was printed to it is in it so far. false: errno says why not; a regular file is removed
 * then, since half of its contents could be mistaken for all. */
bool outputFileClose(FILE *file, const char *path, bool written);
/* Before work whose result goes there: whether a file of that name could be opened for writing, as far as is known
 * without a change: 0 or an errno. */
int outputFileCheck(const char *path);
/* Text for an errno of these functions. */
const char *outputFileFault(int error);

#endif
