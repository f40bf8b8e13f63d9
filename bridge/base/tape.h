/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/tape.h: serialization of records, field by field, in little-endian 64-bit words: one function that lists
 * a record's fields measures, writes, checks and reads it, so that these cannot disagree.
 *
 * A tape is read twice: first it is checked as a whole, without a change to the world, then it is applied. Both times
 * values are read into copies of the caller, which writes them to the world only if `mode` is ukTapeRead. */
#ifndef UKODE_BRIDGE_BASE_TAPE_H
#define UKODE_BRIDGE_BASE_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ukTapeMode {
    ukTapeMeasure, /* only `at` moves */
    ukTapeWrite,
    ukTapeCheck,
    ukTapeRead
} ukTapeMode;

typedef struct ukTape {
    ukTapeMode mode;
    unsigned char *to;         /* write */
    const unsigned char *from; /* check, read */
    size_t size, at;           /* [bytes]; at: where the next word stands */
    int status;                /* of a check: ukOk, or that of the first refusal, whose message is the thread's error */
} ukTape;

static inline bool ukTapeReads(const ukTape *tape)
{
    return tape->mode >= ukTapeCheck;
}

/* Writes or reads one word (0 after the end, which is refused). Returns the word. */
uint64_t ukTapeWord(ukTape *tape, uint64_t word);
/* Numbers, to the bit. */
void ukTapeReals(ukTape *tape, double *x, int n);
/* The same, refused unless all are finite; `what` they are. */
void ukTapeFinite(ukTape *tape, double *x, int n, const char *what);
/* The same straight into the world's own arrays, which a check leaves alone. */
void ukTapeArray(ukTape *tape, double *x, int n);
/* Transfers an integer, which is refused outside of its range. */
void ukTapeInt(ukTape *tape, int *x, int least, int most, const char *what);
void ukTapeBool(ukTape *tape, bool *x);
/* A count of things of so many words each at least, refused where that many cannot follow. */
size_t ukTapeCount(ukTape *tape, size_t count, size_t words, const char *what);
/* A value of an object that the program must have created again, with the index `number`: refused unless it is the
 * same. False: refused. */
bool ukTapeSame(ukTape *tape, uint64_t value, const char *what, uint64_t number);
/* Refuses the state that is being checked, with the error set; only the first refusal counts. */
void ukTapeRefuse(ukTape *tape, int status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
