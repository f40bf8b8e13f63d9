/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/text.h: a growable buffer of bytes. */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_TEXT_H
#define UKODE_PLUGIN_TOOLS_SWEEP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Text {
    char *at; /* owned; a 0 stands after the last byte; NULL: nothing was put */
    size_t size, capacity;
    bool lost; /* there was no memory for something */
} Text;

void textPut(Text *text, const void *bytes, size_t size);
void textPrint(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void textFree(Text *text);

/* Appends the last `most` bytes of a file at most; nothing if it does not exist or is not a regular file (a run may
 * have created a link or a pipe in its place). */
void textReadEnd(Text *text, const char *path, size_t most);
/* The whole of a regular file. NULL, or why not: errno's words, or that it is another kind, or longer than `most`. */
const char *textReadFile(Text *text, const char *path, size_t most);
/* Reads the rest of an open file, at most `most` bytes. */
void textReadAll(Text *text, int file, size_t most);

#endif
