/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/file.h: the states of a process's worlds in a file (UKODE_SAVE, UKODE_SAVE_EVERY), and from
 * there into the worlds of a process that builds them again (UKODE_RESTORE).
 *
 * The file contains the last state of every world that was stepped and is still there, each as ukWorldSave writes it,
 * after its number and size, in 64-bit little-endian words. It is written under another name, synchronised to the disk
 * and then renamed, so that a complete file exists at any moment. Both names are regular files or do not exist. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_FILE_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_FILE_H

#include <stdbool.h>

#include "bridge/world/record.h"

/* Called once, at load: sets the file to which states are saved. every: simulated time between two states [s]. The name
 * is copied. */
void ukKeepFileSave(const char *path, double every);
/* Reads the file; returns its fault in words, or NULL. */
const char *ukKeepFileRestore(const char *path);
/* Called before the process ends or is replaced without its exit handlers: writes states that are not in the file yet,
 * unless another thread is writing. */
void ukKeepFileFlush(void);
/* Called at exit: does the same, and ends saving and restoring. */
void ukKeepFileClose(void);

/* Called before a step: restores the first saved state that fits the world, once; false: there is none. The state is
 * that after a step, so it replaces the present step. */
bool ukKeepFileTake(ukWorld *world);
/* Whether this process saves states of worlds. */
bool ukKeepFileSaves(void);
/* Called after a step of h [s]: saves the state if it is due; writes the file when all worlds that are saved have a new
 * state, or one has its second. */
void ukKeepFileStep(ukWorld *world, double h);

/* Saves the present state of the world, between steps, and writes the file at once, if states are saved. */
void ukKeepFileNow(ukWorld *world);

#endif
