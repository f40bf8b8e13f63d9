/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/sweep/text.h: bytes that grow. */
#ifndef UKODE_PLUGIN_SWEEP_TEXT_H
#define UKODE_PLUGIN_SWEEP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Text {
    char *at; /* owned; a 0 stands behind the last byte; NULL: nothing was put */
    size_t size, room;
    bool lost; /* there was no memory for something */
} Text;

void textPut(Text *text, const void *bytes, size_t size);
void textPrint(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void textFree(Text *text);

/* The last `most` bytes of a file at most, behind what is there; a file that is not there has none. */
void textReadEnd(Text *text, const char *path, size_t most);

#endif
