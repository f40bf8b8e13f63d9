/* SPDX-License-Identifier: BSD-3-Clause */
#define UKODE_ODE_NAMES_ONLY
#include "bridge/ode/copy.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "bridge/ode/class.h"
#include "bridge/ode/object.h"
#include "bridge/ode/single.h"

enum { CopyCount = 16, NeedDepth = 6 };

typedef struct Copy {
    uintptr_t base, begin, end;
    void *step; /* its dWorldStep: another file of the same name may come to the same place */
    bool loaded, classified;
    char path[ukObjectPathLength];
    char refusal[ukOdeReasonLength]; /* "": it can be served */
    ukOdeFunctions own;              /* where it is not served */
    const ukOdeFunctions *current;   /* &own or &ukOde; NULL: it has not been used yet */
} Copy;

static Copy copies[CopyCount];
static int copy_count;
static const Copy *served;
static unsigned generation;
static _Atomic uint64_t changes; /* of the loaded objects, at the last look */
static bool searched;
static const ukOdeFunctions none;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- which copies there are -------------------------------------------------------------------------------------- */

static Copy *copyAt(const void *address)
{
    for (int i = 0; i < copy_count; i++)
        if (copies[i].loaded && (uintptr_t)address >= copies[i].begin && (uintptr_t)address < copies[i].end)
            return &copies[i];
    return NULL;
}

static Copy *newCopy(void)
{
    for (int i = 0; i < copy_count; i++)
        if (!copies[i].loaded && &copies[i] != served) return &copies[i];
    return copy_count < CopyCount ? &copies[copy_count++] : NULL;
}

static bool noteCopy(const ukObject *object, void *self)
{
    char path[ukObjectPathLength];
    void *const step = ukObjectHolds(object, self) ? NULL : ukObjectSymbol(object, "dWorldStep");
    if (!step || !ukObjectSymbol(object, "dWorldCreate")) return true;
    ukObjectPath(object, path);
    for (int i = 0; i < copy_count; i++)
        if (copies[i].base == object->base && copies[i].step == step && strcmp(copies[i].path, path) == 0) {
            copies[i].loaded = true;
            return true;
        }
    Copy *const copy = newCopy();
    if (!copy) return false;
    *copy = (Copy){.base = object->base, .begin = object->begin, .end = object->end, .step = step, .loaded = true};
    snprintf(copy->path, sizeof copy->path, "%s", path);
    return true;
}

static void findCopies(void)
{
    const uint64_t now = ukObjectsChanges();
    if (searched && now == changes) return;
    searched = true;
    changes = now;
    for (int i = 0; i < copy_count; i++) copies[i].loaded = false;
    ukObjectsVisit(noteCopy, &copies);
    if (served && !served->loaded) served = NULL;
}

/* ---- its functions ----------------------------------------------------------------------------------------------- */

static bool findObjectHolding(const ukObject *object, void *data)
{
    ukObject *const found = data;
    if (object->base != found->base || !ukObjectHolds(object, (const void *)found->begin)) return true;
    *found = *object;
    return false;
}

/* A function of the copy: its own, or, where the calls of the program reach the copy through the global scope, that of
 * an interposer between this library and the copy: `next`, the next one in scope. */
static void *functionOf(const ukObject *object, void *next, const char *name)
{
    const Copy *const other = next ? copyAt(next) : NULL;
    if (next && (!other || other->base == object->base)) return next;
    return ukObjectSymbol(object, name);
}

/* dlsym yields an object pointer, which C does not convert to a function pointer: POSIX says to copy its bytes */
#define UKODE_NEXT(function)                                                                                           \
    {                                                                                                                  \
        void *const found = dlsym(RTLD_NEXT, #function);                                                               \
        memcpy(&functions->function, &found, sizeof found);                                                            \
    }
#define UKODE_NEXT_WRAPPED(function, ...) UKODE_NEXT(function)

/* Without the lock: dlsym takes the loader's, which a thread holds whose constructors call ODE. */
static void findNext(ukOdeFunctions *functions)
{
    UKODE_WRAPPED(UKODE_NEXT_WRAPPED)
    UKODE_CALLED(UKODE_NEXT)
    UKODE_CALLED_FORK(UKODE_NEXT)
}

#define UKODE_RESOLVE(function)                                                                                        \
    {                                                                                                                  \
        void *found = NULL;                                                                                            \
        if (next) memcpy(&found, &next->function, sizeof found);                                                       \
        found = functionOf(&object, found, #function);                                                                 \
        memcpy(&functions->function, &found, sizeof found);                                                            \
        if (!found && !missing[0] && ukClassNeeds(#function)) snprintf(missing, missing_size, "%s", #function);        \
    }
#define UKODE_RESOLVE_WRAPPED(function, ...) UKODE_RESOLVE(function)

/* `next`: the next functions in the global scope; NULL: the copy is not there. `missing`: the first function without
 * which the copy cannot be served; "": none */
static void resolveFunctions(const Copy *copy, const ukOdeFunctions *next, ukOdeFunctions *functions, char *missing,
                             size_t missing_size)
{
    ukObject object = {.base = copy->base, .begin = copy->begin};
    missing[0] = 0;
    ukObjectsVisit(findObjectHolding, &object);
    UKODE_WRAPPED(UKODE_RESOLVE_WRAPPED)
    UKODE_CALLED(UKODE_RESOLVE)
    UKODE_CALLED_FORK(UKODE_RESOLVE)
}

/* The copy is used: its class is determined, and the first one that can be served is served. */
static void serveCopy(Copy *copy, const ukOdeFunctions *next)
{
    if (!copy->classified) {
        ukObject object = {.base = copy->base, .begin = copy->begin};
        ukObjectsVisit(findObjectHolding, &object);
        char missing[80];
        resolveFunctions(copy, next, &copy->own, missing, sizeof missing);
        const ukClassMarks marks = ukClassMarksOf(&object);
        ukClassRefuse(&marks, copy->path, &copy->own, missing, copy->refusal);
        copy->classified = true;
        copy->current = &copy->own;
    }
    if (served || copy->refusal[0] || copy->current == &ukOde) return;
    ukOdeSingle = !ukClassDouble(&copy->own);
    if (ukOdeSingle)
        ukSingleServe(&ukOde, &copy->own);
    else
        ukOde = copy->own;
    copy->current = &ukOde;
    served = copy;
    generation++;
}

/* ---- which copy a call belongs to -------------------------------------------------------------------------------- */

typedef struct Search {
    const void *caller;
    const ukObject *from; /* whose needs are searched */
    const Copy *found;
    int depth;
} Search;

static bool searchNeeded(const ukObject *object, void *data);

/* The copy that an object needs, at any depth. */
static void searchNeeds(const ukObject *object, Search *search)
{
    for (int i = 0; i < copy_count && !search->found; i++) {
        if (copies[i].loaded && ukObjectNeeds(object, ukObjectFileName(copies[i].path))) search->found = &copies[i];
    }
    if (search->found || search->depth >= NeedDepth) return;
    Search below = {.from = object, .depth = search->depth + 1};
    ukObjectsVisit(searchNeeded, &below);
    search->found = below.found;
}

/* another object, if the one in data->caller needs it */
static bool searchNeeded(const ukObject *object, void *data)
{
    Search *const search = data;
    const ukObject *const from = search->from;
    if (object->base != from->base && object->path[0] && ukObjectNeeds(from, ukObjectFileName(object->path)))
        searchNeeds(object, search);
    return !search->found;
}

static bool searchCaller(const ukObject *object, void *data)
{
    Search *const search = data;
    if (!ukObjectHolds(object, search->caller)) return true;
    searchNeeds(object, search);
    return false;
}

static int countLoaded(void)
{
    int n = 0;
    for (int i = 0; i < copy_count; i++) n += copies[i].loaded;
    return n;
}

/* The copy outside the global scope that serves `caller`. A function that ends in a call of ODE leaves by a jump, so
 * that the return address is its caller's, which may be an object without ODE: then the served copy's objects are known
 * by their handles, and others belong to the last copy that is not served. */
static Copy *localCopyOf(const void *caller, bool known)
{
    Copy *last = NULL;
    Copy *const own = caller ? copyAt(caller) : NULL;
    if (own) return own;
    for (int i = 0; i < copy_count; i++) {
        if (!copies[i].loaded) continue;
        if (known && &copies[i] == served) return &copies[i];
        if (!last || &copies[i] != served) last = &copies[i];
    }
    if (countLoaded() < 2 || !caller) return countLoaded() == 1 ? last : NULL;
    Search search = {.caller = caller};
    ukObjectsVisit(searchCaller, &search);
    return search.found ? &copies[search.found - copies] : last;
}

static const ukOdeFunctions *useFound(Copy *copy, const Copy *global, const ukOdeFunctions *next)
{
    if (!copy) return &none;
    serveCopy(copy, copy == global ? next : NULL);
    const bool only = countLoaded() == 1 || (copy == global && (!served || served == copy));
    atomic_store_explicit(&ukOdeOnly, only ? copy->current : NULL, memory_order_release);
    return copy->current;
}

static const ukOdeFunctions *findCallerFunctions(const void *caller, bool known)
{
    /* Without the lock, see findNext. The first one may be another interposer's; the second is not wrapped, so that
     * this library does not define it, and is found before this library, too, where ODE was linked first. */
    void *const steps = dlsym(RTLD_NEXT, "dWorldStep"), *const reads = dlsym(RTLD_DEFAULT, "dBodyGetPosition");
    const ukOdeFunctions *functions = NULL;
    ukOdeFunctions next;
    for (int round = 0; !functions; round++) {
        if (round > 0) findNext(&next);
        pthread_mutex_lock(&lock);
        findCopies();
        Copy *const next_copy = steps ? copyAt(steps) : NULL;
        Copy *const global = next_copy ? next_copy : reads ? copyAt(reads) : NULL;
        Copy *const copy = known && served ? &copies[served - copies] : global ? global : localCopyOf(caller, known);
        if (round > 0 || !copy || copy->classified) functions = useFound(copy, global, &next);
        pthread_mutex_unlock(&lock);
    }
    return functions;
}

const ukOdeFunctions *ukOdeSearch(const void *caller, bool known, bool creates)
{
    const ukOdeFunctions *const only = atomic_load_explicit(&ukOdeOnly, memory_order_acquire);
    if (only && (!creates || ukObjectsChanges() == changes)) return only;
    return findCallerFunctions(caller, known);
}

const ukOdeFunctions *ukOdeSearchGeom(const void *geom, const void *caller)
{
    const ukOdeFunctions *found = atomic_load_explicit(&ukOdeOnly, memory_order_acquire);
    if (found) return found;
    pthread_mutex_lock(&lock);
    findCopies();
    const Copy *const copy = geom ? copyAt(*(void *const *)geom) : NULL;
    if (copy) found = copy->current;
    pthread_mutex_unlock(&lock);
    return found ? found : ukOdeSearch(caller, false, false);
}

bool ukOdeReady(void)
{
    ukOdeSearch(NULL, false, false);
    return served != NULL;
}

/* ---- properties of the copies ------------------------------------------------------------------------------------ */

void ukOdeReason(const ukOdeFunctions *functions, char reason[ukOdeReasonLength])
{
    reason[0] = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < copy_count; i++) {
        if (copies[i].current != functions) continue;
        if (copies[i].refusal[0])
            snprintf(reason, ukOdeReasonLength, "%s", copies[i].refusal);
        else
            snprintf(reason, ukOdeReasonLength,
                     "%.360s is a second copy of ODE in this process: ukode steps worlds of %.360s", copies[i].path,
                     served ? served->path : "the first");
    }
    pthread_mutex_unlock(&lock);
}

const char *ukOdePath(void)
{
    return served ? served->path : "";
}

bool ukOdeEmbedded(void)
{
    return false;
}

unsigned ukOdeGeneration(void)
{
    return generation;
}

static void lockForFork(void)
{
    pthread_mutex_lock(&lock);
}

static void unlockAfterFork(void)
{
    pthread_mutex_unlock(&lock);
}

/* before the constructors that read the environment and may want to call ODE */
__attribute__((constructor(101))) static void findAtLoad(void)
{
    pthread_atfork(lockForFork, unlockAfterFork, unlockAfterFork);
    ukOdeReady();
}
