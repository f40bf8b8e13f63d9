/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/blake2b.h"

#include <stdbool.h>
#include <string.h>

/* RFC 7693, 2.6 and 2.7 */
static const uint64_t initial[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
static const unsigned char sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

static uint64_t rotateRight(uint64_t x, int by)
{
    return x >> by | x << (64 - by);
}

static inline void mixQuarter(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d, uint64_t x, uint64_t y)
{
    *a += *b + x, *d = rotateRight(*d ^ *a, 32);
    *c += *d, *b = rotateRight(*b ^ *c, 24);
    *a += *b + y, *d = rotateRight(*d ^ *a, 16);
    *c += *d, *b = rotateRight(*b ^ *c, 63);
}

static inline uint64_t readWord(const unsigned char *bytes)
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 | (uint64_t)bytes[3] << 24 |
           (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 | (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

static void compressBlock(ukBlake2b *hash, const unsigned char *block, bool last)
{
    uint64_t v[16], m[16];
    for (int i = 0; i < 16; i++) m[i] = readWord(block + 8 * i);
    memcpy(v, hash->state, sizeof hash->state);
    memcpy(v + 8, initial, sizeof initial);
    v[12] ^= hash->count;
    if (last) v[14] = ~v[14];
    for (int round = 0; round < 12; round++) {
        const unsigned char *s = sigma[round % 10];
        mixQuarter(&v[0], &v[4], &v[8], &v[12], m[s[0]], m[s[1]]);
        mixQuarter(&v[1], &v[5], &v[9], &v[13], m[s[2]], m[s[3]]);
        mixQuarter(&v[2], &v[6], &v[10], &v[14], m[s[4]], m[s[5]]);
        mixQuarter(&v[3], &v[7], &v[11], &v[15], m[s[6]], m[s[7]]);
        mixQuarter(&v[0], &v[5], &v[10], &v[15], m[s[8]], m[s[9]]);
        mixQuarter(&v[1], &v[6], &v[11], &v[12], m[s[10]], m[s[11]]);
        mixQuarter(&v[2], &v[7], &v[8], &v[13], m[s[12]], m[s[13]]);
        mixQuarter(&v[3], &v[4], &v[9], &v[14], m[s[14]], m[s[15]]);
    }
    for (int i = 0; i < 8; i++) hash->state[i] ^= v[i] ^ v[8 + i];
}

void ukBlake2bBegin(ukBlake2b *hash)
{
    *hash = (ukBlake2b){0};
    memcpy(hash->state, initial, sizeof initial);
    hash->state[0] ^= 0x01010000 ^ ukHashBytes; /* no key, no tree */
}

/* The last block is another one, so a full one waits for what follows. */
void ukBlake2bAdd(ukBlake2b *hash, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        if (hash->used == sizeof hash->block) {
            hash->count += sizeof hash->block;
            compressBlock(hash, hash->block, false);
            hash->used = 0;
        }
        for (; hash->used == 0 && size > sizeof hash->block; from += 128, size -= 128) {
            hash->count += sizeof hash->block;
            compressBlock(hash, from, false);
        }
        const size_t room = sizeof hash->block - hash->used, part = size < room ? size : room;
        memcpy(hash->block + hash->used, from, part);
        hash->used += part, from += part, size -= part;
    }
}

void ukBlake2bEnd(ukBlake2b *hash, unsigned char out[ukHashBytes])
{
    hash->count += hash->used;
    memset(hash->block + hash->used, 0, sizeof hash->block - hash->used);
    compressBlock(hash, hash->block, true);
    for (int i = 0; i < ukHashBytes; i++) out[i] = (unsigned char)(hash->state[i / 8] >> 8 * (i % 8));
}
