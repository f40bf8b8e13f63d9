/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/touches.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"

/* a number that only this pair has, as the map wants addresses: it drops the lowest bits */
static const void *touchesNameOf(const int64_t key[2])
{
    return (const void *)(uintptr_t)((((uint64_t)key[0] << 30) ^ (uint64_t)key[1]) << 4);
}

static ukTouchingPair *addTouchingPair(ukTouches *t, const int64_t key[2])
{
    const size_t before = t->capacity;
    if (!ukArrayReserve(&t->list, sizeof *t->list, t->count + 1, &t->capacity)) return NULL;
    for (size_t i = before; i < t->capacity; i++) t->list[i] = NULL;
    ukTouchingPair *touch = t->list[t->count]; /* one that was forgotten */
    if (!touch) touch = t->list[t->count] = malloc(sizeof *touch);
    if (!touch || !ukMapPut(&t->map, touchesNameOf(key), touch)) return NULL;
    *touch = (ukTouchingPair){.key = {key[0], key[1]}};
    t->count++;
    return touch;
}

bool ukTouchesMeet(ukTouches *t, int64_t one, int64_t other, int64_t step)
{
    const int64_t key[2] = {one < other ? one : other, one < other ? other : one};
    ukTouchingPair *touch = ukMapFind(&t->map, touchesNameOf(key));
    const bool fresh = !touch;
    if (fresh) touch = addTouchingPair(t, key);
    if (touch) touch->step = step;
    return fresh && touch;
}

bool ukTouchesEnded(ukTouches *t, int64_t step, size_t *from, int64_t key[2])
{
    for (; *from < t->count; ++*from) {
        ukTouchingPair *const touch = t->list[*from], *const last = t->list[t->count - 1];
        if (touch->step == step) continue;
        memcpy(key, touch->key, sizeof touch->key);
        ukMapRemove(&t->map, touchesNameOf(key));
        t->list[*from] = last;
        t->list[--t->count] = touch;
        return true;
    }
    return false;
}

void ukTouchesFree(ukTouches *t)
{
    for (size_t i = 0; i < t->capacity; i++) free(t->list[i]);
    free(t->list);
    free(t->map.entries);
    *t = (ukTouches){0};
}
