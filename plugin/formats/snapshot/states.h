/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/states.h: a file of saved states (plugin/formats/snapshot/file.h): its format, and its
 * reading. Needs no world: the `ukode` command checks the file before it starts a program. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_STATES_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words of 64 bits, little-endian: magic, version, number of states; before each state its world's number and size. */
enum { ukStatesHeaderWords = 3, ukStatesEntryWords = 2, ukStatesWordBytes = 8 };
static const uint64_t ukStatesMagic = 0x65766173646f6b75u, ukStatesVersion = 1; /* "ukodsave" */

/* The saved state of one world. */
typedef struct ukSavedState {
    uint64_t number; /* of the world in its process, in the order of first steps */
    size_t size;
    unsigned char *bytes; /* owned */
    bool taken;           /* restored */
    bool lives;           /* whether its world exists; valid while file.c searches for destroyed worlds */
    bool fresh;           /* saved, and not in the file yet */
} ukSavedState;

typedef struct ukSavedStates {
    ukSavedState *at;
    size_t count, capacity;
} ukSavedStates;

/* A new entry at that place, those from there on moved up; NULL: no memory. */
ukSavedState *ukStatesInsert(ukSavedStates *states, size_t place, uint64_t number);
void ukStatesForget(ukSavedStates *states);

/* Reads the states from a regular file; returns NULL, or the fault of the file in words. */
const char *ukStatesRead(const char *path, ukSavedStates *states);
/* Why the file of that name must not be replaced by one of saved states; NULL: nothing is there, an empty file, or an
 * older one of saved states. In a folder of others' there may be anything in its place: a link is not followed. */
const char *ukStatesOccupied(const char *path);

#endif
