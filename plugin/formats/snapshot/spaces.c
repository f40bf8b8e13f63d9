/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/spaces.h"

static const uint64_t nameless[2] = {UINT64_MAX, UINT64_MAX};

/* The geoms of a space as a tape names them, looked up one by one: a reading allocates nothing. */
typedef struct Listed {
    ukTape tape; /* at the first name */
    const ukNames *names;
    dSpaceID space;
    int count;
} Listed;

/* Geom i of the list; NULL: it is not in this space. */
static dGeomID geomListed(const Listed *l, int i)
{
    ukTape t = l->tape;
    uint64_t word[2];
    t.at += 16 * (size_t)i;
    for (int k = 0; k < 2; k++) word[k] = ukTapeWord(&t, 0);
    const dGeomID geom = ukNamesGeom(l->names, word);
    return geom && dGeomGetSpace(geom) == l->space ? geom : NULL;
}

static bool isInOrder(const Listed *l)
{
    for (int i = 0; i < l->count; i++)
        if (dSpaceGetGeom(l->space, i) != geomListed(l, i)) return false;
    return true;
}

/* Restores the order of a space. A geom that moves is put at the front of its space, once; in a sweep and prune space,
 * after the others that have moved. */
static void orderSpace(const Listed *l)
{
    for (int i = 0; i < l->count; i++)
        if (!geomListed(l, i)) return;
    if (isInOrder(l)) return;
    for (int forwards = 0; forwards < 2; forwards++) {
        dSpaceClean(l->space);
        for (int i = 0; i < l->count; i++) dGeomMoved(geomListed(l, forwards ? i : l->count - 1 - i));
        if (isInOrder(l)) return;
    }
}

static void readSpace(ukTape *t, const ukNames *names)
{
    uint64_t word[2];
    for (int k = 0; k < 2; k++) word[k] = ukTapeWord(t, 0);
    const dSpaceID space = ukNamesSpace(names, word);
    const size_t count = ukTapeCount(t, 0, 2, "geoms");
    const Listed listed = {.tape = *t, .names = names, .space = space, .count = (int)count};
    for (size_t i = 0; i < 2 * count; i++) ukTapeWord(t, 0);
    if (t->mode == ukTapeRead && space && dSpaceGetNumGeoms(space) == (int)count) orderSpace(&listed);
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
