/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/state.h: a world being rebuilt (build.h): its objects by the recording's numbers, and the events
 * in progress. */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_STATE_H
#define UKODE_PLUGIN_TOOLS_REPLAY_STATE_H

#include "bridge/base/map.h"
#include "bridge/world/registry.h"
#include "plugin/formats/inputs/capture.h"
#include "plugin/formats/inputs/fields.h"
#include "plugin/tools/replay/play.h"

/* A body that stands, for a setter, where it stood when the program called it. */
typedef struct Placed {
    ukBody *body;
    double pose[ukPoseWords];
} Placed;

/* Calls during a callback of dBodySetMovedCallback. Those of one body form a list, in their order. */
typedef struct Call {
    uint64_t body;
    const unsigned char *at, *end;
    int next, last; /* of the list, places in `call`; next -1: none; last: of the first alone */
} Call;

typedef struct ukBuild {
    ukWorld *world;
    uint64_t imposed; /* settings that the recording does not change, and what they are */
    double field[ukWorldFields];
    ukMap bodies, joints, contacts, elements; /* records by number; of elements their handles */
    ukMap plays[2];                           /* of joints' laws; of elements */
    uint64_t last_body, last_joint, last_contact, last_element;
    ukSurface *surface;
    int surfaces;
    int setter[256]; /* of this library, by the recording's number */
    Placed *placed;
    int placed_count;
    size_t placed_capacity;
    ukMap placed_at; /* the bodies of `placed` */
    Call *call;
    int calls;
    size_t call_capacity;
    ukMap call_of;   /* by body: the first call that was not made yet, counted from 1 */
    uint64_t moment; /* counts steps and evaluations, each with its own answers */
    ukStepCall step;
    double h;
    int parts;    /* in which a step is taken; 0, 1: as it was recorded */
    bool pending; /* a step was read, and not taken yet */
    unsigned long seed;
    uint64_t guessed;
    size_t answered;  /* numbers that answers take, of all plays */
    uint64_t samples; /* of auto-disable, of all bodies */
    bool failed;
    char why[160]; /* it failed; "": the bytes themselves are not what they should be */
} ukBuild;

/* A serial is below this: keys of plays have a bit above it. */
#define UKODE_MOST_SERIAL ((uint64_t)1 << 32)
enum { ukMostSamples = 1 << 22, ukMostIterations = 10000 };

/* The functions below set `failed`, or the reader's `bad`, if the bytes are invalid. */
void ukBuildRefuse(ukBuild *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The serial of an object that is made: so many after `last`, which becomes it. 0: refused. */
uint64_t ukBuildSerial(ukBuild *b, ukByteReader *r, uint64_t *last, const char *what);
const void *ukBuildKey(uint64_t number);
void *ukBuildFound(ukBuild *b, const ukMap *map, uint64_t number);
ukBody *ukBuildReadBody(ukBuild *b, ukByteReader *r);
ukJoint *ukBuildReadJoint(ukBuild *b, ukByteReader *r, const void **name); /* its key in `joints`, or `contacts` */
void ukBuildPut(ukBuild *b, ukMap *map, uint64_t number, void *record);
/* The pose of a moment, which the body has until it is placed back. */
void ukBuildReadPose(ukBuild *b, ukByteReader *r, ukBody *body);
void ukBuildPlacesBack(ukBuild *b);

#endif
