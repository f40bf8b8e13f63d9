/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/each.h"

#include "bridge/base/pool.h"

typedef struct Each {
    ukEachRange *task;
    void *context;
    int count;
} Each;

static void runRange(void *context, int k)
{
    const Each *each = context;
    each->task(each->context, ukPartitionBegin(each->count, ukPartitionParts, k),
               ukPartitionBegin(each->count, ukPartitionParts, k + 1));
}

void ukEachShared(const ukIsland *island, int count, ukEachRange *task, void *context)
{
    Each each = {task, context, count};
    ukPoolRun(island->world->settings.threads, ukPartitionParts, runRange, &each);
}
