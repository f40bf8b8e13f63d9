/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/map.h: hash map from pointer to pointer, with open addressing. Removal leaves no tombstones, so that a
 * table into which hundreds of contact joints are put in every step, and removed, neither grows nor slows down. Not
 * locked. */
#ifndef UKODE_BRIDGE_BASE_MAP_H
#define UKODE_BRIDGE_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ukMapEntry {
    const void *key; /* NULL: free */
    void *value;
} ukMapEntry;

typedef struct ukMap { /* all zero: empty */
    ukMapEntry *entries;
    size_t count, capacity; /* capacity: a power of two, or 0 */
    int shift;              /* 64 - log2(capacity) */
} ukMap;

/* Where the search for a key begins. Addresses differ in their middle bits, which the product moves to the top. */
static inline size_t ukMapHome(const ukMap *map, const void *key)
{
    return (size_t)(((uint64_t)(uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u >> map->shift);
}

/* NULL: not there. */
static inline void *ukMapFind(const ukMap *map, const void *key)
{
    if (map->count == 0) return NULL;
    for (size_t i = ukMapHome(map, key);; i = (i + 1) & (map->capacity - 1)) {
        if (map->entries[i].key == key) return map->entries[i].value;
        if (!map->entries[i].key) return NULL;
    }
}

/* Key and value are not NULL; the key's earlier value is replaced. false: no memory, nothing changed. */
bool ukMapPut(ukMap *map, const void *key, void *value);
void ukMapRemove(ukMap *map, const void *key); /* nothing if it is not there */

#endif
