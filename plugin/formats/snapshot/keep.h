/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/keep.h: the state of a world as bytes, from which the same world, rebuilt by the same
 * program, continues with identical bits; and a 128-bit hash of its state of motion.
 *
 * Each record of a world has one function that writes, checks and reads it (bridge/base/tape.h). Instead of addresses,
 * names are written (names.h). A buffer is checked as a whole before anything is changed; memory is allocated during
 * the check. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_KEEP_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_KEEP_H

#include "bridge/world/journal.h"
#include "plugin/formats/snapshot/whole.h"

/* The bytes that the state takes, written where `size` is enough; 0 with the error set: ukErrorMemory, ukErrorChanged
 * (from within a step). */
size_t ukKeepSave(ukWorld *world, void *buffer, size_t size);
/* The same for the inputs of a recording: geoms are identified by the numbers of its journal, and the journal's data
 * are saved as well, for a replay that starts here. */
size_t ukKeepSaveNumbered(ukWorld *world, ukJournal *geoms, void *buffer, size_t size);
int ukKeepRestoreNumbered(ukWorld *world, const void *buffer, size_t size);
/* Takes a saved state over. ukOk; ukErrorArgument (no saved state, corrupt, or of a world that was built otherwise; the
 * message names what differs), ukErrorUnsupported (of another version), ukErrorNotFinite, ukErrorMass, ukErrorLapack,
 * ukErrorMemory, ukErrorChanged: the world is as it was. */
int ukKeepRestore(ukWorld *world, const void *buffer, size_t size);
/* See ukWorldHash. */
void ukKeepHash(const ukWorld *world, unsigned char hash[16]);

#endif
