/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/tape.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/log.h"
#include "solvers/base/status.h"

enum { WordBytes = 8 };

void ukTapeRefuse(ukTape *tape, int status, const char *format, ...)
{
    char text[200];
    va_list args;
    if (tape->mode != ukTapeCheck || tape->status != ukOk) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tape->status = status;
    ukErrorSet(status, "saved state: %s", text);
}

uint64_t ukTapeWord(ukTape *tape, uint64_t word)
{
    const size_t at = tape->at;
    const bool fits = at + WordBytes <= tape->size;
    tape->at += WordBytes;
    if (tape->mode == ukTapeMeasure) return word;
    if (!fits) {
        ukTapeRefuse(tape, ukErrorArgument, "it is truncated");
        return 0;
    }
    if (tape->mode == ukTapeWrite) {
        for (int k = 0; k < WordBytes; k++) tape->to[at + (size_t)k] = (unsigned char)(word >> 8 * k);
        return word;
    }
    word = 0;
    for (int k = 0; k < WordBytes; k++) word |= (uint64_t)tape->from[at + (size_t)k] << 8 * k;
    return word;
}

static double transferReal(ukTape *tape, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = ukTapeWord(tape, bits);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

void ukTapeReals(ukTape *tape, double *x, int n)
{
    for (int i = 0; i < n; i++) {
        const double y = transferReal(tape, ukTapeReads(tape) ? 0 : x[i]);
        if (ukTapeReads(tape)) x[i] = y;
    }
}

void ukTapeFinite(ukTape *tape, double *x, int n, const char *what)
{
    ukTapeReals(tape, x, n);
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) ukTapeRefuse(tape, ukErrorNotFinite, "%s is not finite", what);
}

void ukTapeArray(ukTape *tape, double *x, int n)
{
    for (int i = 0; i < n; i++) {
        const double y = transferReal(tape, ukTapeReads(tape) ? 0 : x[i]);
        if (tape->mode == ukTapeRead) x[i] = y;
    }
}

void ukTapeInt(ukTape *tape, int *x, int least, int most, const char *what)
{
    const int64_t y = (int64_t)ukTapeWord(tape, (uint64_t)(int64_t)*x);
    if (!ukTapeReads(tape)) return;
    if (y < least || y > most)
        ukTapeRefuse(tape, ukErrorArgument, "%s is %lld, which is not a valid value", what, (long long)y);
    else
        *x = (int)y;
}

void ukTapeBool(ukTape *tape, bool *x)
{
    int value = *x;
    ukTapeInt(tape, &value, 0, 1, "a flag");
    *x = value != 0;
}

size_t ukTapeCount(ukTape *tape, size_t count, size_t words, const char *what)
{
    const uint64_t saved = ukTapeWord(tape, count);
    if (!ukTapeReads(tape)) return count;
    const size_t left = tape->at < tape->size ? (tape->size - tape->at) / WordBytes : 0;
    if (saved <= left / (words > 0 ? words : 1) && saved <= INT_MAX) return (size_t)saved;
    ukTapeRefuse(tape, ukErrorArgument, "it is too short for the stated number of %s", what);
    return 0;
}

bool ukTapeSame(ukTape *tape, uint64_t value, const char *what, uint64_t number)
{
    const uint64_t saved = ukTapeWord(tape, value);
    if (!ukTapeReads(tape) || saved == value) return true;
    ukTapeRefuse(tape, ukErrorArgument,
                 "%s %llu: %llu was saved, here it is %llu: the world was not built the same way", what,
                 (unsigned long long)number, (unsigned long long)saved, (unsigned long long)value);
    return false;
}
