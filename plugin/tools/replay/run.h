/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/run.h: replays the worlds of a recording: with its settings, and with other settings for
 * comparison. */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_RUN_H
#define UKODE_PLUGIN_TOOLS_REPLAY_RUN_H

#include "plugin/tools/replay/recording.h"

typedef struct ukReplayOptions {
    const char *path;
    long long world;  /* key; 0: all */
    double from, to;  /* [s] of the world's time; other settings apply from `from` on */
    int bench;        /* > 0: so often, and nothing is compared */
    int substeps;     /* in which each recorded step is taken, as another setting; 0, 1: as it is */
    uint64_t imposed; /* set of the fields of the world that are replaced; their values follow; 0: as recorded */
    double field[ukWorldFields];
    char settings[400]; /* the same in words */
} ukReplayOptions;

/* Replays the worlds and prints the result. Returns the exit status: 0; 1: states differ from those that were recorded,
 * or the recording cannot be read. */
int ukReplayRun(const ukReplayOptions *options);

#endif
