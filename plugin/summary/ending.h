/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/summary/ending.h: the hash of a process's final state: ukWorldHash of each of its worlds after its last step
 * (UKODE_HASH). Repeatable runs have the same hash. The caller ensures that one thread at a time calls these
 * functions. */
#ifndef UKODE_PLUGIN_SUMMARY_ENDING_H
#define UKODE_PLUGIN_SUMMARY_ENDING_H

#include <stdbool.h>

#include "bridge/world/record.h"

enum { ukEndingLength = 33 };

/* Once, at load: it will be asked for. */
void ukEndingAsk(void);
/* The first step of this process: nothing has ended yet. */
void ukEndingBegin(void);
/* A step of a world was taken. */
void ukEndingStep(const ukWorld *world);
/* Of one world its hash, of several the hash of theirs in the order of first steps; 32 hexadecimal digits. false: it
 * was not asked for, nothing was stepped, or there was no memory for a world's. */
bool ukEndingText(char text[ukEndingLength]);

#endif
