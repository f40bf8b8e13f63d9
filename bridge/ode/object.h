/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/object.h: the objects that are loaded into the process (the program, its libraries and plugins), and the
 * symbols of one of them, read from its dynamic symbol table.
 *
 * dlsym searches a scope, and dlopen(RTLD_NOLOAD) runs constructors that have not run yet; this reads memory only. */
#ifndef UKODE_BRIDGE_ODE_OBJECT_H
#define UKODE_BRIDGE_ODE_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

enum { ukObjectPathLength = 512 };

typedef struct ukObject {
    uintptr_t base, begin, end; /* load address, and the addresses of its segments: begin <= address < end */
    const ElfW(Dyn) * dynamic;
    const ElfW(Phdr) * segment; /* NULL: of another namespace, whose segments are not known */
    int segments;
    const char *path; /* "": the program; valid during the visit */
} ukObject;

/* Calls `visit` for every object of this namespace, in load order, until it returns false. The loader's lock is held:
 * the visitor may neither load nor look up by dlsym. */
void ukObjectsVisit(bool (*visit)(const ukObject *object, void *data), void *data);
/* The same for the namespaces made by dlmopen, where the C library lists them. */
void ukObjectsVisitOthers(bool (*visit)(const ukObject *object, void *data), void *data);

/* Changes whenever an object was loaded or unloaded. */
uint64_t ukObjectsChanges(void);

/* The address of a function that the object defines and exports; NULL: none. */
void *ukObjectSymbol(const ukObject *object, const char *name);
/* Whether the object needs a library of this file name (DT_NEEDED). */
bool ukObjectNeeds(const ukObject *object, const char *file_name);
/* Where the object's calls of an undefined function `name` are bound to, by its relocations; NULL: it has none. */
void *ukObjectBinding(const ukObject *object, const char *name);
/* Whether a text occurs in the object's segments that are not writable. */
bool ukObjectHasText(const ukObject *object, const char *text);

static inline bool ukObjectHolds(const ukObject *object, const void *address)
{
    return (uintptr_t)address >= object->begin && (uintptr_t)address < object->end;
}

/* The path of an object; the program's by /proc. */
void ukObjectPath(const ukObject *object, char path[ukObjectPathLength]);
/* The part of the path after the last slash. */
const char *ukObjectFileName(const char *path);

#endif
