/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/names.h: names of objects that are valid in any process that rebuilds the world, instead of
 * addresses: bodies by number, their geoms by the number in the body's list, static geoms by class and position,
 * spaces by their contents.
 *
 * ODE has no list of geoms. Those of the bodies are found, and those in the spaces that contain these, up to the
 * outermost. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_NAMES_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_NAMES_H

#include "bridge/base/map.h"
#include "bridge/base/tape.h"
#include "bridge/world/journal.h"

typedef struct ukName {
    uint64_t word[2]; /* both 0: of NULL, the static world */
    const void *handle;
} ukName;

typedef struct ukNames {
    ukMap number;      /* of bodies (ukBody), and of joints (ukJoint) but contacts, in their world, from 1 */
    ukName *by_handle; /* (count) sorted */
    ukName *by_name;   /* (count) sorted */
    int count;
    size_t capacity;
    dSpaceID *space; /* (spaces) outermost first */
    int spaces;
    size_t space_capacity;
    bool out_of_memory;
    bool numbered; /* geoms are called by the numbers of a journal, and nothing is asked of them (replays have none) */
    ukJournal *geoms; /* it, where names are asked for; NULL: a number stands for itself */
} ukNames;

/* Begins the names; false: no memory. ukNamesEnd is to be called in any case. */
bool ukNamesBegin(ukNames *names, const ukWorld *world);
/* The same for the inputs of a recording: of geoms only what their contacts bore is kept. */
bool ukNamesBeginNumbered(ukNames *names, const ukWorld *world, ukJournal *geoms);
void ukNamesEnd(ukNames *names);

/* Number of a body or joint, from 1; 0: NULL, or a contact. */
uint64_t ukNamesNumber(const ukNames *names, const void *record);
/* Finds the name of a geom, space, ukBody or NULL. false: it has none. */
bool ukNamesFind(const ukNames *names, const void *handle, ukName *name);
/* Finds the object of this name; false: there is none. */
bool ukNamesCalled(const ukNames *names, const uint64_t word[2], const void **handle);
/* The space, or the geom or space, that is called so; NULL: none is, though something else may be. Unlike the handles
 * of ukNamesCalled, which may be of any kind and, of numbered geoms, no addresses, these may be dereferenced. */
dSpaceID ukNamesSpace(const ukNames *names, const uint64_t word[2]);
dGeomID ukNamesGeom(const ukNames *names, const uint64_t word[2]);

#endif
