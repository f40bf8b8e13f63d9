/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/bytes.h: machine-independent encoding of numbers: integers in groups of seven bits, doubles by their
 * bits, the lowest byte first; of several doubles only those that are not +0. Unreadable data and a lack of memory are
 * reported at the end: after such an error, writer and reader do nothing. */
#ifndef UKODE_BRIDGE_BASE_BYTES_H
#define UKODE_BRIDGE_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ukBytes { /* all zero: empty */
    unsigned char *at;
    size_t size, capacity;
    bool failed; /* no memory: it is not whole */
} ukBytes;

void ukBytesFree(ukBytes *bytes);
void ukBytesRaw(ukBytes *bytes, const void *from, size_t size);
void ukBytesNumber(ukBytes *bytes, uint64_t number);
void ukBytesWord(ukBytes *bytes, uint64_t word);                 /* eight bytes */
void ukBytesDoubles(ukBytes *bytes, const double *x, int count); /* at most 64 */

typedef struct ukByteReader {
    const unsigned char *at, *end;
    bool bad; /* it ended too early, or says what cannot be */
} ukByteReader;

uint64_t ukReadNumber(ukByteReader *reader); /* 0 where it is bad */
uint64_t ukReadWord(ukByteReader *reader);
int ukReadInt(ukByteReader *reader, int most); /* 0 ... most, else it is bad */
void ukReadDoubles(ukByteReader *reader, double *x, int count);

#endif
