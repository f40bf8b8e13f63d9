/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/output.h: files and lines that the library writes in a user's process: files that a user asked for, and
 * lines to the `ukode` command that started the program.
 *
 * Such a program may close files that it did not open, change its directory, fork, start others, and become a daemon.
 * Therefore names are made absolute when the library is loaded, no file is kept open, the pipe's descriptor is used
 * only while it still refers to the pipe, and a closed pipe raises no SIGPIPE. */
#ifndef UKODE_BRIDGE_BASE_OUTPUT_H
#define UKODE_BRIDGE_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

enum { ukOutputPathLength = 1024 };

/* A file to append to; zeroed: none is wanted. */
typedef struct ukOutput {
    char path[ukOutputPathLength]; /* absolute; "": none, or closed after an error */
} ukOutput;

/* path: NULL or "": none. */
void ukOutputOpen(ukOutput *output, const char *path);
static inline bool ukOutputWanted(const ukOutput *output)
{
    return output->path[0] != 0;
}
/* Appends by one write (where the file system allows), so that several processes can share a file. The first error is
 * reported on stderr and ends the output. */
void ukOutputAppend(ukOutput *output, const void *data, size_t size);

/* Number of files that the user requested and this process could not write; Failed adds one. */
void ukOutputFailed(void);
int ukOutputFailures(void);

/* The pipe to the `ukode` command, by its address "DESCRIPTOR:PROCESS:DEVICE:INODE" (UKODE_PIPE): the descriptor that
 * the program inherited, or, if it is closed or something else by now, the command's own, which /proc shows. */
enum { ukPipeAddressLength = 96, ukPipeLine = 4096 /* PIPE_BUF: longer lines could mix with others' */ };

/* Writes one whole line. false: no process reads the output (any more). */
bool ukPipeWrite(const char *address, const char *line, size_t size);
/* Writes the address of the pipe whose writing end is `file` in this process. */
void ukPipeAddress(char address[ukPipeAddressLength], int file);

#endif
