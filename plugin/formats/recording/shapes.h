/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/shapes.h: the geoms of a world: those of its bodies, and the static ones in the collision
 * spaces of the process. They are searched for now and then, and each is recorded once.
 *
 * Where a process has several worlds, a static geom belongs to those whose bodies have a geom in the same outermost
 * space. A quadtree space cannot be listed: of what is in one, only geoms of bodies are found. Rays, geom transforms
 * and geoms of a program's own classes have no row. Heightfields whose heights come from a callback have no mesh. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_SHAPES_H
#define UKODE_PLUGIN_FORMATS_RECORDING_SHAPES_H

#include "bridge/base/map.h"
#include "bridge/world/record.h"
#include "plugin/formats/recording/queue.h"

/* The meshes that a file contains already. */
typedef struct ukShapeMeshes {
    unsigned char (*hash)[16]; /* (count) of mesh 1, 2, ... */
    int64_t count;
    size_t capacity;
} ukShapeMeshes;

typedef struct ukShapes {
    ukMap known;       /* geom to the hash of its recorded properties */
    double next, wait; /* search again at this time, and in how long after it [s] */
    uint64_t changes;  /* of the world at the last search */
} ukShapes;

/* After a step, at `time`. *last: the last key of a shape. */
void ukShapesSearch(ukShapes *shapes, ukShapeMeshes *meshes, ukQueue *queue, const ukWorld *world, int64_t key,
                    int64_t *last, double time);
void ukShapesFree(ukShapes *shapes);

#endif
