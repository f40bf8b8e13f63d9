/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/watch/geom.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/world/registry.h"

static ukMap convexes, heightfields;
static struct {
    dSpaceID *list; /* (count) in the order of creation */
    size_t count, capacity;
} spaces;
static bool keep;

void ukGeomKeep(void)
{
    keep = true;
}

void ukGeomSpaceCreated(dSpaceID space)
{
    ukRegistryLock();
    if (ukArrayReserve(&spaces.list, sizeof *spaces.list, spaces.count + 1, &spaces.capacity))
        spaces.list[spaces.count++] = space;
    ukRegistryUnlock();
}

static void forgetSpace(const void *gone)
{
    size_t i = 0;
    while (i < spaces.count && (const void *)spaces.list[i] != gone) i++;
    if (i == spaces.count) return;
    memmove(spaces.list + i, spaces.list + i + 1, (spaces.count - i - 1) * sizeof *spaces.list);
    spaces.count--;
}

static void forgetHeights(const void *data)
{
    ukHeightfield *const h = ukMapFind(&heightfields, data);
    if (!h) return;
    ukMapRemove(&heightfields, data);
    free(h->copy);
    free(h);
}

void ukGeomDestroyed(const void *gone)
{
    ukRegistryLock();
    forgetSpace(gone);
    ukConvexGeom *const convex = ukMapFind(&convexes, gone);
    if (convex) ukMapRemove(&convexes, gone);
    free(convex);
    forgetHeights(gone);
    ukRegistryUnlock();
}

void ukGeomConvex(dGeomID geom, const ukConvexGeom *convex)
{
    ukRegistryLock();
    ukConvexGeom *c = ukMapFind(&convexes, geom);
    const bool fresh = !c;
    if (fresh) c = malloc(sizeof *c);
    if (c) *c = *convex;
    if (c && fresh && !ukMapPut(&convexes, geom, c)) free(c);
    ukRegistryUnlock();
}

void ukGeomHeightfield(dHeightfieldDataID data, const ukHeightfield *heightfield, bool copied)
{
    static const size_t sizes[] = {sizeof(char), sizeof(short), sizeof(float), sizeof(double), 0};
    const size_t count = (size_t)heightfield->samples[0] * (size_t)heightfield->samples[1];
    ukRegistryLock();
    forgetHeights(data);
    ukHeightfield *const h = malloc(sizeof *h);
    if (h) {
        *h = *heightfield;
        if (copied && keep && h->data) h->copy = malloc(count * sizes[h->kind] + 1);
        if (h->copy) memcpy(h->copy, h->data, count * sizes[h->kind]);
        if (copied) h->data = h->copy;
        if (!ukMapPut(&heightfields, data, h)) {
            free(h->copy);
            free(h);
        }
    }
    ukRegistryUnlock();
}

const ukConvexGeom *ukGeomConvexOf(dGeomID geom)
{
    ukRegistryLock();
    const ukConvexGeom *const c = ukMapFind(&convexes, geom);
    ukRegistryUnlock();
    return c;
}

const ukHeightfield *ukGeomHeightfieldOf(dHeightfieldDataID data)
{
    ukRegistryLock();
    const ukHeightfield *const h = ukMapFind(&heightfields, data);
    ukRegistryUnlock();
    return h;
}

void ukGeomSpaces(void (*visit)(void *context, dSpaceID space), void *context)
{
    ukRegistryLock();
    for (size_t i = 0; i < spaces.count; i++) visit(context, spaces.list[i]);
    ukRegistryUnlock();
}
