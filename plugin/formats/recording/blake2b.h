/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/blake2b.h: the hash function BLAKE2b of RFC 7693, without a key, 32 bytes long: Python's
 * hashlib.blake2b(digest_size=32), `b2sum -l 256`. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_BLAKE2B_H
#define UKODE_PLUGIN_FORMATS_RECORDING_BLAKE2B_H

#include <stddef.h>
#include <stdint.h>

enum { ukHashBytes = 32 };

typedef struct ukBlake2b {
    uint64_t state[8], count;
    unsigned char block[128];
    size_t used;
} ukBlake2b;

void ukBlake2bBegin(ukBlake2b *hash);
void ukBlake2bAdd(ukBlake2b *hash, const void *bytes, size_t size);
void ukBlake2bEnd(ukBlake2b *hash, unsigned char out[ukHashBytes]);

#endif
