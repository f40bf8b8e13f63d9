/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/each.h: loops over the bodies or joints of a large island, on the threads of the world's settings. */
#ifndef UKODE_BRIDGE_ISLAND_EACH_H
#define UKODE_BRIDGE_ISLAND_EACH_H

#include "bridge/island/island.h"
#include "solvers/problem/block.h"

/* Processes elements begin ... end - 1, which no other call reads or writes. */
typedef void ukEachRange(void *context, int begin, int end);

enum { ukFewThings = 2000 }; /* fewer are done before another thread has woken up */

/* Calls task for ranges that make up 0 ... count - 1, on several threads. */
void ukEachShared(const ukIsland *island, int count, ukEachRange *task, void *context);

/* The same, on several threads only if there are thousands of things. The ranges must not matter to the result, and the
 * task calls no user function. Tasks are UKODE_INLINE, so that small islands do not pay for a call. */
UKODE_INLINE void ukEach(const ukIsland *island, int count, ukEachRange *task, void *context)
{
    if (count >= ukFewThings && island->world->settings.threads > 1)
        ukEachShared(island, count, task, context);
    else
        task(context, 0, count);
}

#endif
