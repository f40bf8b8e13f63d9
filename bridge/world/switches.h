/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/switches.h: the switching times of a world: times at which a function of the user's (a law, a force, a
 * constraint) changes abruptly. Steps of the continuous form are divided there, so that each part integrates a smooth
 * function, and functions are called with a time that lies on the side of the part. */
#ifndef UKODE_BRIDGE_WORLD_SWITCHES_H
#define UKODE_BRIDGE_WORLD_SWITCHES_H

#include <stdbool.h>

enum { ukMostSwitches = 64 };

typedef struct ukSwitches {
    int count;
    double at[ukMostSwitches]; /* [s], ascending, all different */
} ukSwitches;

/* The times between two consecutive switching times: from <= t < until; without any -INFINITY, INFINITY. */
typedef struct ukSwitchWindow {
    double from, until;
} ukSwitchWindow;

/* Adds a time; one that is there already is not added again. false: there is no place left. */
bool ukSwitchesAdd(ukSwitches *switches, double time);

/* Removes those before `time`. */
void ukSwitchesPrune(ukSwitches *switches, double time);

/* The window of a step, or of a part of one, that starts at `time` and is h [s] long. A switching time within rounding
 * of the start has passed. */
ukSwitchWindow ukSwitchesWindow(const ukSwitches *switches, double time, double h);

/* How much of a step of h [s] from `time` on lies in the window: h where the rest is rounding. */
double ukSwitchesPart(const ukSwitchWindow *window, double time, double h);

/* The time that functions of the user's get at `time`: in the window. */
double ukSwitchesTime(const ukSwitchWindow *window, double time);

#endif
