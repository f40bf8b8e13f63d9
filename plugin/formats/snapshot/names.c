/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/snapshot/names.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/joints/class.h"
#include "plugin/formats/snapshot/digest.h"

/* the first byte of a name */
typedef enum Kind { Nothing, OfBody, OfGeom, OfInnerGeom, OfStaticGeom, OfSpace, OfNumber } Kind;

static uint64_t wordOf(Kind kind, uint64_t rest)
{
    return (uint64_t)kind << 56 | rest;
}

static void addName(ukNames *names, uint64_t first, uint64_t second, const void *handle)
{
    names->out_of_memory |=
        !ukArrayReserve(&names->by_handle, sizeof *names->by_handle, (size_t)names->count + 1, &names->capacity);
    if (!names->out_of_memory) names->by_handle[names->count++] = (ukName){{first, second}, handle};
}

/* ODE aborts where a quadtree is asked for its geoms: it stays without a name */
static void addSpace(ukNames *names, dSpaceID space)
{
    if (dGeomGetClass((dGeomID)space) == dQuadTreeSpaceClass) return;
    for (int i = 0; i < names->spaces; i++)
        if (names->space[i] == space) return;
    names->out_of_memory |=
        !ukArrayReserve(&names->space, sizeof *names->space, (size_t)names->spaces + 1, &names->space_capacity);
    if (!names->out_of_memory) names->space[names->spaces++] = space;
}

/* the geom that a (deprecated) transform carries: contacts name it, not the transform */
static dGeomID innerOf(dGeomID g)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return dGeomGetClass(g) == dGeomTransformClass ? dGeomTransformGetGeom(g) : NULL;
#pragma GCC diagnostic pop
}

static void addGeoms(ukNames *names, dBodyID body, uint64_t number)
{
    uint64_t k = 0;
    for (dGeomID g = dBodyGetFirstGeom(body); g; g = dBodyGetNextGeom(g), k++) {
        addName(names, wordOf(OfGeom, number), k, g);
        if (innerOf(g)) addName(names, wordOf(OfInnerGeom, number), k, innerOf(g));
        dSpaceID outermost = dGeomGetSpace(g);
        while (outermost && dGeomGetSpace((dGeomID)outermost)) outermost = dGeomGetSpace((dGeomID)outermost);
        if (outermost) addSpace(names, outermost);
    }
}

/* class and place of a geom without a body */
static void addStatic(ukNames *names, dGeomID g)
{
    const int class = dGeomGetClass(g);
    dReal box[6];
    dVector4 plane;
    unsigned char sum[16];
    uint64_t place = 0;
    ukDigest digest = ukDigestBegin();
    dGeomGetAABB(g, box);
    ukDigestReals(&digest, box, 6);
    if (class == dPlaneClass) {
        dGeomPlaneGetParams(g, plane);
        ukDigestReals(&digest, plane, 4);
    }
    ukDigestEnd(&digest, sum);
    for (int k = 0; k < 8; k++) place |= (uint64_t)sum[k] << 8 * k;
    addName(names, wordOf(OfStaticGeom, (uint64_t)(unsigned)class << 32), place, g);
}

static int compareWords(const ukName *x, const ukName *y)
{
    for (int k = 0; k < 2; k++)
        if (x->word[k] != y->word[k]) return x->word[k] < y->word[k] ? -1 : 1;
    return 0;
}

static int compareNames(const void *x, const void *y)
{
    return compareWords(x, y);
}

static int compareHandles(const void *x, const void *y)
{
    const uintptr_t a = (uintptr_t)((const ukName *)x)->handle, b = (uintptr_t)((const ukName *)y)->handle;
    return a < b ? -1 : a > b;
}

/* (qsort takes no null pointer, even for no names) */
static void sortNames(ukName *names, int count, int (*compare)(const void *, const void *))
{
    if (count > 0) qsort(names, (size_t)count, sizeof *names, compare);
}

/* Sorts the names. Equal names get a counter; which object gets which number does not matter. */
static void sortByName(ukNames *names)
{
    ukName *sorted = names->by_handle;
    sortNames(sorted, names->count, compareNames);
    for (int i = 0, end; i < names->count; i = end) {
        const ukName first = sorted[i];
        for (end = i + 1; end < names->count && compareWords(&sorted[end], &first) == 0; end++)
            sorted[end].word[0] += (uint64_t)(end - i);
    }
}

/* among the first `sorted`, which are in the order of their handles, or the others */
static const ukName *findName(const ukNames *names, int sorted, const void *handle)
{
    const ukName key = {.handle = handle};
    const ukName *const found =
        sorted > 0 ? bsearch(&key, names->by_handle, (size_t)sorted, sizeof key, compareHandles) : NULL;
    for (int i = sorted; !found && i < names->count; i++)
        if (names->by_handle[i].handle == handle) return &names->by_handle[i];
    return found;
}

/* Names each space by an order-independent hash of its contents. Inner spaces follow outer ones in the list, and are
 * named before them. */
static void nameSpaces(ukNames *names)
{
    const int geoms = names->count;
    sortNames(names->by_handle, geoms, compareHandles);
    for (int i = names->spaces - 1; i >= 0; i--) {
        const dSpaceID space = names->space[i];
        uint64_t sum = 0;
        for (int k = 0; k < dSpaceGetNumGeoms(space); k++) {
            const ukName *const name = findName(names, geoms, dSpaceGetGeom(space, k));
            if (name) sum += ukDigestMix(name->word[0] ^ ukDigestMix(name->word[1] + 1));
        }
        addName(names, wordOf(OfSpace, 0), sum, space);
    }
}

/* bodies with their geoms, unless these have numbers; joints */
static void addRecords(ukNames *names, const ukWorld *world)
{
    uint64_t number = 0;
    for (ukBody *b = world->oldest_body; b && !names->out_of_memory; b = b->newer) {
        number++;
        names->out_of_memory |= !ukMapPut(&names->number, b, (void *)(uintptr_t)number);
        addName(names, wordOf(OfBody, number), 0, b);
        if (!names->numbered) addGeoms(names, b->handle, number);
    }
    number = 0;
    for (ukJoint *j = world->oldest_joint; j && !names->out_of_memory; j = j->newer)
        if (!ukIsContact(j)) names->out_of_memory |= !ukMapPut(&names->number, j, (void *)(uintptr_t)++number);
}

static bool sortBoth(ukNames *names)
{
    sortByName(names);
    nameSpaces(names);
    sortByName(names);
    names->by_name = malloc((size_t)(names->count + 1) * sizeof *names->by_name);
    if (!names->by_name || names->out_of_memory) return false;
    if (names->count > 0) memcpy(names->by_name, names->by_handle, (size_t)names->count * sizeof *names->by_name);
    sortNames(names->by_handle, names->count, compareHandles);
    return true;
}

bool ukNamesBegin(ukNames *names, const ukWorld *world)
{
    *names = (ukNames){0};
    addRecords(names, world);
    for (int i = 0; i < names->spaces && !names->out_of_memory; i++) /* more are found on the way */
        for (int k = 0; k < dSpaceGetNumGeoms(names->space[i]); k++) {
            const dGeomID g = dSpaceGetGeom(names->space[i], k);
            if (dGeomIsSpace(g))
                addSpace(names, (dSpaceID)g);
            else if (!dGeomGetBody(g))
                addStatic(names, g);
        }
    return !names->out_of_memory && sortBoth(names);
}

bool ukNamesBeginNumbered(ukNames *names, const ukWorld *world, ukJournal *geoms)
{
    *names = (ukNames){.numbered = true, .geoms = geoms};
    addRecords(names, world);
    return !names->out_of_memory && sortBoth(names);
}

void ukNamesEnd(ukNames *names)
{
    free(names->number.entries);
    free(names->by_handle);
    free(names->by_name);
    free(names->space);
}

uint64_t ukNamesNumber(const ukNames *names, const void *record)
{
    return record ? (uint64_t)(uintptr_t)ukMapFind(&names->number, record) : 0;
}

bool ukNamesFind(const ukNames *names, const void *handle, ukName *name)
{
    const ukName key = {.handle = handle};
    *name = key;
    if (!handle) return true;
    const ukName *const found =
        names->count > 0 ? bsearch(&key, names->by_handle, (size_t)names->count, sizeof key, compareHandles) : NULL;
    if (found) *name = *found;
    if (found || !names->geoms) return found != NULL;
    name->word[0] = wordOf(OfNumber, 0);
    name->word[1] = ukJournalGeom(names->geoms, handle);
    return name->word[1] != 0;
}

bool ukNamesCalled(const ukNames *names, const uint64_t word[2], const void **handle)
{
    const ukName key = {.word = {word[0], word[1]}};
    *handle = NULL;
    if (word[0] == 0 && word[1] == 0) return true;
    if (names->numbered && word[0] == wordOf(OfNumber, 0)) {
        *handle = ukGeomNumbered(word[1]);
        return true;
    }
    const ukName *const found =
        names->count > 0 ? bsearch(&key, names->by_name, (size_t)names->count, sizeof key, compareNames) : NULL;
    if (found) *handle = found->handle;
    return found != NULL;
}

/* The geom of this name among the kinds from `first` to `last`, whose handles are geoms. */
static dGeomID geomCalled(const ukNames *names, const uint64_t word[2], Kind first, Kind last)
{
    const uint64_t kind = word[0] >> 56;
    const void *handle = NULL;
    if (kind >= (uint64_t)first && kind <= (uint64_t)last) ukNamesCalled(names, word, &handle);
    return (dGeomID)(void *)(uintptr_t)handle;
}

dSpaceID ukNamesSpace(const ukNames *names, const uint64_t word[2])
{
    return (dSpaceID)geomCalled(names, word, OfSpace, OfSpace);
}

dGeomID ukNamesGeom(const ukNames *names, const uint64_t word[2])
{
    return geomCalled(names, word, OfGeom, OfSpace);
}
