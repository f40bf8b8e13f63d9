/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/base/slab.h"

#include <stdlib.h>
#include <string.h>

void ukSlabGive(ukSlab *pool, void *record)
{
    memcpy((char *)record + pool->link, &pool->free, sizeof pool->free);
    pool->free = record;
}

void *ukSlabTake(ukSlab *pool)
{
    if (!pool->free) {
        const size_t header = _Alignof(max_align_t), count = 1 + 16384 / pool->size;
        char *slab = calloc(1, header + count * pool->size);
        if (!slab) return NULL;
        memcpy(slab, &pool->slabs, sizeof pool->slabs);
        pool->slabs = slab;
        for (size_t i = count; i-- > 0;) ukSlabGive(pool, slab + header + i * pool->size);
    }
    char *record = pool->free;
    memcpy(&pool->free, record + pool->link, sizeof pool->free);
    return record;
}
