/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/grow.h: arrays that grow: capacity for more elements, doubled, so that appending takes constant time on
 * average. */
#ifndef UKODE_BRIDGE_BASE_GROW_H
#define UKODE_BRIDGE_BASE_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Ensures capacity for `count` elements of `size` bytes. `array` is the address of the pointer to the elements, which
 * the caller frees (NULL: none yet), `*capacity` the number of elements that fit; both change together. What is added
 * is not set. false, and nothing has changed: no memory, or more bytes than an object can have. */
static inline bool ukArrayReserve(void *array, size_t size, size_t count, size_t *capacity)
{
    if (count <= *capacity) return true;
    if (count > PTRDIFF_MAX / 2 / size) return false;
    const size_t least = 64 / size + 1, wanted = count > least ? count : least,
                 grown = wanted > 2 * *capacity ? wanted : 2 * *capacity;
    void *at;
    memcpy(&at, array, sizeof at);
    at = realloc(at, grown * size);
    if (!at) return false;
    memcpy(array, &at, sizeof at);
    *capacity = grown;
    return true;
}

#endif
