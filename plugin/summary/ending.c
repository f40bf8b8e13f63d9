/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/summary/ending.h"

#include <stdio.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "plugin/formats/snapshot/digest.h"
#include "plugin/formats/snapshot/keep.h"

enum { HashBytes = 16, HashWords = 2 };

static bool wanted, out_of_memory;
static unsigned char (*hash_of)[HashBytes]; /* (capacity) by the world's number in this process, from 0 */
static int count;
static size_t capacity;

void ukEndingAsk(void)
{
    wanted = true;
}

void ukEndingBegin(void)
{
    count = 0;
    out_of_memory = false;
}

void ukEndingStep(const ukWorld *world)
{
    const int number = world->course.number;
    if (!wanted || out_of_memory) return;
    out_of_memory = !ukArrayReserve(&hash_of, sizeof *hash_of, (size_t)number, &capacity);
    if (out_of_memory) return;
    while (count < number) memset(hash_of[count++], 0, HashBytes);
    ukKeepHash(world, hash_of[number - 1]);
}

bool ukEndingText(char text[ukEndingLength])
{
    unsigned char whole[HashBytes];
    if (!wanted || out_of_memory || count == 0) return false;
    ukDigest digest = ukDigestBegin();
    for (int i = 0; i < count; i++) {
        uint64_t word[HashWords];
        memcpy(word, hash_of[i], sizeof word);
        for (int k = 0; k < HashWords; k++) ukDigestWord(&digest, k, word[k]);
    }
    ukDigestEnd(&digest, whole);
    const unsigned char *const hash = count == 1 ? hash_of[0] : whole;
    for (int i = 0; i < HashBytes; i++) snprintf(text + 2 * i, 3, "%02x", hash[i]);
    return true;
}
