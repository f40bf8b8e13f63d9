/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/map.h"

#include <stdlib.h>

static void insertMap(ukMap *map, const void *key, void *value)
{
    size_t i = ukMapHome(map, key);
    while (map->entries[i].key && map->entries[i].key != key) i = (i + 1) & (map->capacity - 1);
    if (!map->entries[i].key) map->count++;
    map->entries[i] = (ukMapEntry){key, value};
}

static bool growMap(ukMap *map)
{
    const ukMap old = *map;
    ukMap fresh = {.capacity = old.capacity ? 2 * old.capacity : 64, .shift = old.capacity ? old.shift - 1 : 58};
    fresh.entries = calloc(fresh.capacity, sizeof *fresh.entries);
    if (!fresh.entries) return false;
    for (size_t i = 0; i < old.capacity; i++)
        if (old.entries[i].key) insertMap(&fresh, old.entries[i].key, old.entries[i].value);
    *map = fresh;
    free(old.entries);
    return true;
}

bool ukMapPut(ukMap *map, const void *key, void *value)
{
    if (2 * (map->count + 1) > map->capacity && !growMap(map)) return false;
    insertMap(map, key, value);
    return true;
}

void ukMapRemove(ukMap *map, const void *key)
{
    if (map->count == 0) return;
    const size_t mask = map->capacity - 1;
    size_t hole = ukMapHome(map, key);
    while (map->entries[hole].key != key) {
        if (!map->entries[hole].key) return;
        hole = (hole + 1) & mask;
    }
    /* whoever was pushed on past the hole moves back into it */
    for (size_t i = (hole + 1) & mask; map->entries[i].key; i = (i + 1) & mask) {
        const size_t home = ukMapHome(map, map->entries[i].key);
        if (((i - home) & mask) < ((i - hole) & mask)) continue; /* lives between the hole and here */
        map->entries[hole] = map->entries[i];
        hole = i;
    }
    map->entries[hole] = (ukMapEntry){NULL, NULL};
    map->count--;
}
