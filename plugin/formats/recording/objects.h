/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/objects.h: the rows that are recorded once: a run, a world with its settings, bodies, and
 * joints with their anchors, axes and parameters. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_OBJECTS_H
#define UKODE_PLUGIN_FORMATS_RECORDING_OBJECTS_H

#include "bridge/world/record.h"
#include "plugin/formats/recording/queue.h"

void ukObjectsRun(ukQueue *queue, const ukRecordOptions *options);
void ukObjectsEnded(ukQueue *queue); /* the run has */
void ukObjectsWorld(ukQueue *queue, const ukWorld *world, int64_t key, double time);
/* Queues the rows of a body or joint whose key is set; `step`: key of the first step that it takes part in. */
void ukObjectsBody(ukQueue *queue, const ukBody *body, int64_t world, int64_t step);
void ukObjectsJoint(ukQueue *queue, const ukJoint *joint, int64_t world, int64_t step);

#endif
