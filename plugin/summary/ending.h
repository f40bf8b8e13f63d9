/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/summary/ending.h: the hash of a process's final state: ukWorldHash of each of its worlds after its last step
 * (UKODE_HASH). Repeatable runs have the same hash. The caller ensures that one thread at a time calls these
 * functions. */
#ifndef UKODE_PLUGIN_SUMMARY_ENDING_H
#define UKODE_PLUGIN_SUMMARY_ENDING_H

#include <stdbool.h>

#include "bridge/world/record.h"

enum { ukEndingLength = 33 };

/* Called once, at load, if the hash will be requested. */
void ukEndingAsk(void);
/* The first step of this process: nothing has ended yet. */
void ukEndingBegin(void);
/* A step of a world was taken. */
void ukEndingStep(const ukWorld *world);
/* Writes the hash of the final states in 32 hexadecimal digits: that of a single world, or a hash of those of
 * several worlds in the order of their first steps. false: it was not requested, nothing was stepped, or there was
 * no memory. */
bool ukEndingText(char text[ukEndingLength]);

#endif
