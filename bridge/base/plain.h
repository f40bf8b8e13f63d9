/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/plain.h: makes text from a file safe to print. Names in a recording are chosen by whoever wrote it: a
 * control character in them would act on the terminal, a newline would forge a line of output, and a bidirectional
 * override would reverse one. */
#ifndef UKODE_BRIDGE_BASE_PLAIN_H
#define UKODE_BRIDGE_BASE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the bytes are valid UTF-8 without control characters (C0, DEL, C1), line separators, bidirectional
 * controls. */
bool ukPlainIs(const char *text, size_t length);

/* Copies `length` bytes; each byte of what ukPlainIs excludes becomes \xNN. Writes at most `size` bytes, the last one
 * 0; returns the length that the whole copy has without the 0 (at most 4 length). */
size_t ukPlainCopy(const char *text, size_t length, char *to, size_t size);

/* The same in place, in a buffer of `size` bytes that contains a string; what exceeds the buffer or 4095 bytes is cut
 * off. */
void ukPlainMake(char *text, size_t size);

#endif
