/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/file.h: the states of a process's worlds in a file (UKODE_SAVE, UKODE_SAVE_EVERY), and from
 * there into the worlds of a process that builds them again (UKODE_RESTORE).
 *
 * The file holds the last state of every world that was stepped and is still there, each as ukWorldSave writes it,
 * after its number and size, in 64-bit little-endian words. It is written under another name, synchronised to the disk
 * and then renamed, so that a complete file exists at any moment. Both names are regular files or do not exist. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_FILE_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_FILE_H

#include <stdbool.h>

#include "bridge/world/record.h"

/* Once, at load; every: simulated time between two states [s]. The name is copied. */
void ukKeepFileSave(const char *path, double every);
/* Reads the file; returns its fault in words, or NULL. */
const char *ukKeepFileRestore(const char *path);
/* Before the process ends or is replaced without its exit handlers: states that are not in the file yet are written,
 * unless another thread is writing. */
void ukKeepFileFlush(void);
/* At exit: the same, and no states are saved or restored from now on. */
void ukKeepFileClose(void);

/* Before a step: whether the world took over the first saved state that fits it, which it does once. The state is one
 * that a step left: it stands in the place of this one. */
bool ukKeepFileTake(ukWorld *world);
/* Whether this process saves states of worlds. */
bool ukKeepFileSaves(void);
/* After a step of h [s]: the state is saved if it is time; the file is written when all worlds that are saved have a
 * new state, or one has its second. */
void ukKeepFileStep(ukWorld *world, double h);

/* The state of the world as it is, between steps, and the file at once, where states are saved. */
void ukKeepFileNow(ukWorld *world);

#endif
