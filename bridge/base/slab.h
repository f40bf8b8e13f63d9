/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/base/slab.h: records of one size, never returned to the system: a pointer to a freed record still points to
 * memory. */
#ifndef UKODE_BRIDGE_BASE_SLAB_H
#define UKODE_BRIDGE_BASE_SLAB_H

#include <stddef.h>

typedef struct ukSlab {
    size_t size, link; /* of a record; where it links to the next free one */
    char *free;
    void *slabs; /* linked through their first word: keeps all memory reachable */
} ukSlab;

void ukSlabGive(ukSlab *slab, void *record);
/* a record as it was given back (zero if it is new); NULL: no memory */
void *ukSlabTake(ukSlab *slab);

#endif
