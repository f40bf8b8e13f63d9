/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/recording.h: reads a recording's inputs, world by world and step by step, and its states. */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_RECORDING_H
#define UKODE_PLUGIN_TOOLS_REPLAY_RECORDING_H

#include "plugin/formats/recording/reader.h"
#include "plugin/tools/replay/build.h"

/* Writes the keys of the worlds that can be replayed, in their order, at most `most`; returns their number. Negative:
 * the recording cannot be read (reader->error). */
int ukReplayWorlds(ukReader *reader, long long *world, int most);

/* The steps of one world that have inputs, from the first on. */
typedef struct ukReplaySteps {
    ukReader *reader;
    sqlite3_stmt *query;
    long long world;
    long long step, number; /* the present one */
    double time, h;
    bool ukode;
    double energy;                         /* recorded: kinetic and potential [J] */
    unsigned char hash[16];                /* recorded, of the state after the step */
    bool has_hash;                         /* it is */
    const unsigned char *snapshot, *input; /* NULL: none; valid until the next step */
    size_t snapshot_size, input_size;
} ukReplaySteps;

/* false: reader->error says why not. */
bool ukReplayBegin(ukReplaySteps *steps, ukReader *reader, long long world);
bool ukReplayNext(ukReplaySteps *steps);
void ukReplayEnd(ukReplaySteps *steps);

/* Feeds the inputs of the present step's row to a world being built, with the first row all earlier inputs; each input
 * but the last belongs to a step that failed, and is stepped. false: it cannot be read. */
bool ukReplayFeed(const ukReplaySteps *steps, ukBuild *build);
/* The surfaces of a world's contacts. */
bool ukReplaySurfaces(ukReader *reader, long long world, ukBuild *build);

/* Compares the states recorded after the present step with the world's, to the bit. Returns the first difference: the
 * body's rank among the world's, from 1, and the number of the field (plugin/formats/inputs/fields.h); 0: none;
 * -1: the step has no states. */
int ukReplayDiffers(const ukReplaySteps *steps, dWorldID world, int *field, double *recorded, double *replayed);

#endif
