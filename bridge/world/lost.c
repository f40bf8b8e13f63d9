/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/lost.h"

#include "bridge/base/log.h"
#include "solvers/base/status.h"

typedef struct Lost {
    const void *handle, *group;
    ukWorld *world;
} Lost;

enum { Most = 256 };
static Lost list[Most];
static int count;

static int indexOfLost(const void *handle)
{
    for (int i = 0; i < count; i++)
        if (list[i].handle == handle) return i;
    return -1;
}

static void removeAt(int i)
{
    list[i].world->lost--;
    list[i] = list[--count];
}

void ukLostNote(ukWorld *world, const char *what, const void *handle, const void *group)
{
    ukErrorSet(ukErrorMemory, "no memory for the record of %s", what);
    ukLog("%s", ukErrorMessage());
    if (indexOfLost(handle) >= 0) return;
    world->lost++;
    if (count < Most) list[count++] = (Lost){handle, group, world};
}

void ukLostForget(const void *handle)
{
    const int i = count > 0 ? indexOfLost(handle) : -1;
    if (i >= 0) removeAt(i);
}

void ukLostDestroyed(const void *handle)
{
    const int i = count > 0 ? indexOfLost(handle) : -1;
    if (i >= 0 && !list[i].group) removeAt(i);
}

void ukLostEmptied(const void *group)
{
    for (int i = count; i-- > 0;)
        if (list[i].group == group) removeAt(i);
}

void ukLostWorldDestroyed(const ukWorld *world)
{
    for (int i = count; i-- > 0;)
        if (list[i].world == world) removeAt(i);
}

void ukLostFound(ukWorld *world, bool (*recorded)(const void *handle))
{
    for (int i = count; i-- > 0;)
        if (list[i].world == world && recorded(list[i].handle)) removeAt(i);
}
