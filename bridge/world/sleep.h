/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/sleep.h: auto-disable: which bodies fall asleep. ODE does not expose its auto-disable counters, so
 * ukBody.sleep has copies of them, by ODE's rules (docs/conventions.md): a body with a joint, whose velocity, averaged
 * over its last samples, stays below both thresholds for the idle steps and the idle time, is disabled and loses its
 * velocity. */
#ifndef UKODE_BRIDGE_WORLD_SLEEP_H
#define UKODE_BRIDGE_WORLD_SLEEP_H

#include "bridge/world/record.h"

void ukSleepCreated(ukBody *body); /* start values of a new body */
void ukSleepReset(ukBody *body);   /* dBodyEnable: both countdowns begin again, the samples stay */
void ukSleepForget(ukBody *body);  /* the samples are gone (a new sample count), the countdowns stay */

/* Ensures capacity for `samples` velocities; those in the ring stay. Allocates only for more than ever before. */
bool ukSleepReserve(ukBody *body, unsigned int samples);

/* The update of all bodies at the start of a step of h [s]; *slept: one of them fell asleep. ukOk, or ukErrorMemory, to
 * be followed by ukSleepUndo. */
int ukSleepUpdate(ukWorld *world, double h, bool *slept);
/* Undoes the last update, for a step that failed: velocities, countdowns, samples, and the enabled flags. */
void ukSleepUndo(ukWorld *world);
/* Enables a sleeping body that an awake one reaches; its countdowns stay used up, as ODE leaves them. */
void ukSleepWake(ukBody *body);

#endif
