/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/recording.h: the state of a recording that is being written, and of each world in it. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_RECORDING_H
#define UKODE_PLUGIN_FORMATS_RECORDING_RECORDING_H

#include "bridge/world/record.h"
#include "plugin/formats/recording/certificate.h"
#include "plugin/formats/recording/queue.h"
#include "plugin/formats/recording/rows.h"
#include "plugin/formats/recording/shapes.h"
#include "plugin/formats/recording/starts.h"
#include "plugin/formats/recording/touches.h"
#include "plugin/formats/recording/unique.h"

/* One file, and the last key of each kind that it gave. */
typedef struct ukRecording {
    ukQueue *queue;
    char path[1024]; /* absolute */
    ukRecordOptions options;
    struct {
        int64_t world, body, joint, step, event, shape;
    } last;
    int tapes;        /* worlds that it records */
    bool environment; /* of UKODE_RECORD: kept until the process ends */
    ukShapeMeshes meshes;
    struct ukRecording *next;
} ukRecording;

typedef struct ukRecordedWorld {
    ukRecording *recording;
    int64_t world, number; /* key; steps so far */
    int64_t step;          /* key of the last one; 0: none yet */
    double time, next;     /* after the last step; of the next rows of body_step and the like [s] */
    uint64_t changes;      /* of the world when its objects were written; 0: never */
    int64_t *body, *joint; /* (bodies), (joints) keys then, in order */
    int bodies, joints;
    int deficit;      /* active rows beyond their rank, in the last step */
    bool compromised; /* it was */
    bool introduced;  /* the world has its row */
    ukStarts starts;
    ukTouches touches;
    ukShapes shapes;
    ukUnique unique;
    struct ukBook *book;    /* owned, lent to the world: its work by cause (plugin/formats/recording/work.h) */
    ukRowsWorld *rows;      /* the writing thread's */
    ukEquationRow equation; /* of certificates; its memory is kept from step to step */
} ukRecordedWorld;

#endif
