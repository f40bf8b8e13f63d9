/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/spaces.h"

#include <stdlib.h>

#include "solvers/base/status.h"

static const uint64_t nameless[2] = {UINT64_MAX, UINT64_MAX};

static bool inOrder(dSpaceID space, const dGeomID *geom, int count)
{
    for (int i = 0; i < count; i++)
        if (dSpaceGetGeom(space, i) != geom[i]) return false;
    return true;
}

/* What moves comes to the front of its space, once; a sweep and prune space puts it behind the others that did. */
static void order(dSpaceID space, const dGeomID *geom, int count)
{
    if (inOrder(space, geom, count)) return;
    for (int forwards = 0; forwards < 2; forwards++) {
        dSpaceClean(space);
        for (int i = 0; i < count; i++) dGeomMoved(geom[forwards ? i : count - 1 - i]);
        if (inOrder(space, geom, count)) return;
    }
}

static void readSpace(ukTape *t, const ukNames *names)
{
    uint64_t word[2];
    for (int k = 0; k < 2; k++) word[k] = ukTapeWord(t, 0);
    const void *handle;
    ukNamesCalled(names, word, &handle);
    const dSpaceID space = (dSpaceID)(void *)(uintptr_t)handle;
    const size_t count = ukTapeCount(t, 0, 2, "geoms");
    dGeomID *const geom = malloc((count + 1) * sizeof *geom);
    if (!geom) ukTapeRefuse(t, ukErrorMemory, "no memory");
    bool whole = geom && space && dSpaceGetNumGeoms(space) == (int)count;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) word[k] = ukTapeWord(t, 0);
        const bool known = ukNamesCalled(names, word, &handle) && handle;
        const dGeomID member = (dGeomID)(void *)(uintptr_t)handle;
        whole = whole && known && dGeomGetSpace(member) == space;
        if (whole) geom[i] = member;
    }
    if (whole && t->mode == ukTapeRead) order(space, geom, (int)count);
    free(geom);
}

static void writeName(ukTape *t, const ukNames *names, const void *handle)
{
    ukName name;
    const bool known = ukNamesFind(names, handle, &name);
    for (int k = 0; k < 2; k++) ukTapeWord(t, known ? name.word[k] : nameless[k]);
}

void ukKeepSpaces(ukTape *t, const ukNames *names)
{
    const size_t spaces = ukTapeCount(t, (size_t)names->spaces, 3, "spaces");
    for (size_t i = 0; i < spaces; i++) {
        if (ukTapeReads(t)) {
            readSpace(t, names);
            continue;
        }
        const dSpaceID space = names->space[i];
        const int count = dSpaceGetNumGeoms(space);
        writeName(t, names, space);
        ukTapeCount(t, (size_t)count, 2, "geoms");
        for (int k = 0; k < count; k++) writeName(t, names, dSpaceGetGeom(space, k));
    }
}
