/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"

void ukBytesFree(ukBytes *bytes)
{
    free(bytes->at);
    *bytes = (ukBytes){0};
}

static bool reserveBytes(ukBytes *bytes, size_t more)
{
    bytes->failed |= !ukArrayReserve(&bytes->at, 1, bytes->size + more, &bytes->capacity);
    return !bytes->failed;
}

void ukBytesRaw(ukBytes *bytes, const void *from, size_t size)
{
    if (size == 0 || !reserveBytes(bytes, size)) return;
    memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
}

void ukBytesNumber(ukBytes *bytes, uint64_t number)
{
    if (!reserveBytes(bytes, 10)) return;
    for (; number >= 0x80; number >>= 7) bytes->at[bytes->size++] = (unsigned char)(number | 0x80);
    bytes->at[bytes->size++] = (unsigned char)number;
}

void ukBytesWord(ukBytes *bytes, uint64_t word)
{
    if (!reserveBytes(bytes, 8)) return;
    for (int i = 0; i < 8; i++) bytes->at[bytes->size++] = (unsigned char)(word >> 8 * i);
}

void ukBytesDoubles(ukBytes *bytes, const double *x, int count)
{
    uint64_t word[64], mask = 0;
    memcpy(word, x, (size_t)count * sizeof *word);
    for (int i = 0; i < count; i++)
        if (word[i] != 0) mask |= (uint64_t)1 << i;
    ukBytesNumber(bytes, mask);
    for (int i = 0; i < count; i++)
        if (word[i] != 0) ukBytesWord(bytes, word[i]);
}

uint64_t ukReadNumber(ukByteReader *reader)
{
    uint64_t number = 0;
    for (int shift = 0; shift < 64 && !reader->bad; shift += 7) {
        if (reader->at == reader->end) break;
        const unsigned char byte = *reader->at++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) return number;
    }
    reader->bad = true;
    return 0;
}

uint64_t ukReadWord(ukByteReader *reader)
{
    uint64_t word = 0;
    if (reader->bad || reader->end - reader->at < 8) {
        reader->bad = true;
        return 0;
    }
    for (int i = 0; i < 8; i++) word |= (uint64_t)*reader->at++ << 8 * i;
    return word;
}

int ukReadInt(ukByteReader *reader, int most)
{
    const uint64_t number = ukReadNumber(reader);
    if (number <= (uint64_t)most) return (int)number;
    reader->bad = true;
    return 0;
}

void ukReadDoubles(ukByteReader *reader, double *x, int count)
{
    const uint64_t mask = ukReadNumber(reader);
    if (count < 64 && mask >> count != 0) reader->bad = true;
    for (int i = 0; i < count; i++) {
        const uint64_t word = !reader->bad && (mask >> i & 1) ? ukReadWord(reader) : 0;
        memcpy(&x[i], &word, sizeof word);
    }
}
