/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/digest.h: a fast 128-bit hash of a sequence of 64-bit words. Four lanes take the words in
 * turns; each word changes its lane one to one, so that a change of a single word is never missed, and a random change
 * is missed with a probability of 2^-128. Against accidents, not against forgers. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_DIGEST_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_DIGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ukDigest {
    uint64_t lane[4];
} ukDigest;

static inline ukDigest ukDigestBegin(void)
{
    return (ukDigest){{0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u}}; /* pi */
}

static inline void ukDigestWord(ukDigest *digest, int lane, uint64_t word)
{
    uint64_t x = (digest->lane[lane] ^ word) * 0x9e3779b97f4a7c15u;
    digest->lane[lane] = x << 29 | x >> 35;
}

static inline void ukDigestReal(ukDigest *digest, int lane, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    ukDigestWord(digest, lane, bits);
}

/* n numbers, by their bits; the first one into lane 0 */
static inline void ukDigestReals(ukDigest *digest, const double *x, int n)
{
    for (int i = 0; i < n; i++) ukDigestReal(digest, i & 3, x[i]);
}

/* The same for three: of a local digest, the lanes stay in registers. */
static inline void ukDigestThree(ukDigest *digest, const double x[3])
{
    ukDigestReal(digest, 0, x[0]);
    ukDigestReal(digest, 1, x[1]);
    ukDigestReal(digest, 2, x[2]);
}

/* every bit of the lanes on all bits (the end of MurmurHash3, by A. Appleby, in the public domain) */
static inline uint64_t ukDigestMix(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdu;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

/* out: little-endian */
static inline void ukDigestEnd(const ukDigest *digest, unsigned char out[16])
{
    uint64_t half[2] = {0x452821e638d01377u, 0xbe5466cf34e90c6cu};
    for (int k = 0; k < 4; k++) {
        half[0] = ukDigestMix(half[0] + digest->lane[k]);
        half[1] = ukDigestMix(half[1] ^ digest->lane[3 - k]) + half[0];
    }
    for (int k = 0; k < 16; k++) out[k] = (unsigned char)(half[k / 8] >> 8 * (k % 8));
}

#endif
