/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/terminal/column.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Bytes {
    unsigned char *byte;
    size_t count, zeros; /* zeros under way, not written yet */
} Bytes;

static void putInteger(Bytes *bytes, uint64_t x)
{
    for (; x >= 128; x >>= 7) bytes->byte[bytes->count++] = (unsigned char)(x | 128);
    bytes->byte[bytes->count++] = (unsigned char)x;
}

static void endZeros(Bytes *bytes)
{
    if (bytes->zeros > 0) {
        putInteger(bytes, 0);
        putInteger(bytes, bytes->zeros - 1);
    }
    bytes->zeros = 0;
}

static void putDifference(Bytes *bytes, int64_t x)
{
    if (x == 0) {
        bytes->zeros++;
        return;
    }
    endZeros(bytes);
    putInteger(bytes, x < 0 ? 2 * (uint64_t)-x - 1 : 2 * (uint64_t)x);
}

/* differences of this order; the samples before the first are zeros */
static void putAll(Bytes *bytes, const int64_t *x, size_t count, int order)
{
    bytes->count = bytes->zeros = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t last = i > 0 ? x[i - 1] : 0, before = i > 1 ? x[i - 2] : last;
        putDifference(bytes, x[i] - (order == 2 && i > 1 ? 2 * last - before : last));
    }
    endZeros(bytes);
}

static void putBase64(FILE *file, const Bytes *bytes)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes->count; i += 3) {
        const size_t left = bytes->count - i;
        const unsigned x = (unsigned)bytes->byte[i] << 16 | (left > 1 ? (unsigned)bytes->byte[i + 1] << 8 : 0) |
                           (left > 2 ? (unsigned)bytes->byte[i + 2] : 0);
        putc(digit[x >> 18], file);
        putc(digit[x >> 12 & 63], file);
        putc(left > 1 ? digit[x >> 6 & 63] : '=', file);
        putc(left > 2 ? digit[x & 63] : '=', file);
    }
}

/* false: there is no finite sample */
static bool columnRange(const double *samples, size_t count, size_t stride, double *least, double *greatest)
{
    *least = INFINITY, *greatest = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double x = samples[i * stride];
        if (!isfinite(x)) continue;
        *least = fmin(*least, x), *greatest = fmax(*greatest, x);
    }
    return *least <= *greatest;
}

void columnWrite(FILE *file, const double *samples, size_t count, size_t stride, int bits)
{
    double least, greatest;
    if (!columnRange(samples, count, stride, &least, &greatest)) {
        fprintf(file, "null");
        return;
    }
    const double step = (greatest - least) / (double)((1 << bits) - 1);
    if (!(step > 0) || !isfinite(step)) {
        columnWriteNumber(file, least);
        return;
    }
    int64_t *const x = malloc(count * sizeof *x);
    Bytes bytes[2] = {{malloc(count * 10 + 20), 0, 0}, {malloc(count * 10 + 20), 0, 0}};
    if (x && bytes[0].byte && bytes[1].byte) {
        for (size_t i = 0; i < count; i++) {
            const double sample = samples[i * stride];
            x[i] = isfinite(sample) ? llround((sample - least) / step) : i > 0 ? x[i - 1] : 0;
        }
        putAll(&bytes[0], x, count, 1);
        putAll(&bytes[1], x, count, 2);
        const int shorter = bytes[1].count < bytes[0].count;
        fprintf(file, "{\"n\":%zu,\"o\":%.9g,\"s\":%.9g,\"k\":%d,\"d\":\"", count, least, step, shorter + 1);
        putBase64(file, &bytes[shorter]);
        fprintf(file, "\"}");
    } else {
        fprintf(file, "null");
    }
    free(x);
    free(bytes[0].byte);
    free(bytes[1].byte);
}

void columnWriteText(FILE *file, const char *text)
{
    putc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < ' ' || *c == '"' || *c == '\\' || *c == '<' || *c == '>' || *c == '&')
            fprintf(file, "\\u%04x", *c);
        else
            putc(*c, file);
    }
    putc('"', file);
}

void columnWriteNumber(FILE *file, double number)
{
    if (isfinite(number))
        fprintf(file, "%.9g", number);
    else
        fprintf(file, "null");
}
