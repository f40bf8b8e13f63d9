/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/column.h: numbers over time as a page stores them: quantized, as differences in one byte each
 * where they are small, with run lengths of zeros, base64. plugin/tools/page/data.js decodes them.
 *
 * A column is JSON: a number, where all samples are alike; null, where there is none; else
 *     {"n": samples, "o": least value, "s": step, "k": 1 or 2: order of the differences, "d": base64}
 * whose bytes are unsigned integers, 7 bits a byte, lowest first, the top bit set on all but the last: 2 |x| - (x < 0)
 * of each difference x; a 0 is followed by how many more zeros there are. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_COLUMN_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_COLUMN_H

#include <stddef.h>
#include <stdio.h>

/* Writes `count` samples, `stride` doubles apart, quantized to 2^-bits of their range (bits <= 24). A sample that is
 * not finite is written as the one before it. */
void columnWrite(FILE *file, const double *samples, size_t count, size_t stride, int bits);

/* A text as a JSON string that is safe within a <script> element. */
void columnWriteText(FILE *file, const char *text);
/* A number as JSON; null where it is not finite. */
void columnWriteNumber(FILE *file, double number);

#endif
