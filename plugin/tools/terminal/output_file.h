/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/output_file.h: files written by the command. A name that the user gave is opened as a shell
 * would. One that is derived from another (run.html next to run.ukode, TABLE.csv in a folder) may have come along with
 * the recording: a symbolic link in its place is not followed, and nothing but a regular file is written to. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_OUTPUT_FILE_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Opens a file for output; `derived`: its path was derived from another one, and no link is followed. NULL: errno says
 * why. */
FILE *outputFileOpen(const char *path, bool derived);
/* Closes the file. `written`: all writes to it have succeeded. false: not all data could be written, errno says why; a
 * regular file is then removed, since half of its contents could be mistaken for all. */
bool outputFileClose(FILE *file, const char *path, bool written);
/* Tests, as far as possible without a change, whether the file could be opened for writing, before work whose result
 * goes there: 0 or an errno. */
int outputFileCheck(const char *path);
/* Text for an errno of these functions. */
const char *outputFileFault(int error);

#endif
