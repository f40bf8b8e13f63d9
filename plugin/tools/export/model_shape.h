/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/model_shape.h: shapes of a recorded world for models of other engines: boxes, spheres, capsules,
 * cylinders, static planes. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_MODEL_SHAPE_H
#define UKODE_PLUGIN_TOOLS_EXPORT_MODEL_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "plugin/formats/recording/reader.h"

typedef enum ModelShapeType {
    ModelBox,
    ModelSphere,
    ModelCapsule,
    ModelCylinder,
    ModelPlane,
    ModelShapeTypes
} ModelShapeType;

typedef struct ModelShape {
    int64_t key, body;   /* body 0: static */
    ModelShapeType type; /* ModelShapeTypes: none of these, or not finite */
    double size[3];      /* ODE's: edges; radius and, of capsules and cylinders, length */
    double x[3], q[4];   /* in the body's frame; of static shapes in the world's */
} ModelShape;

typedef struct ModelShapes {
    ModelShape *shape; /* by body */
    int count;
} ModelShapes;

typedef void ModelShapePutter(const ModelShape *shape, void *to);

/* false: reader->error. modelShapesFree in either case. */
bool modelShapesRead(ukReader *reader, int64_t world, ModelShapes *shapes);
/* Calls `put` for each shape of a body; a line to `notes` for each shape that is none of the types above. */
void modelShapesPut(const ModelShapes *shapes, int64_t body, ModelShapePutter *put, void *to, FILE *notes);
void modelShapesFree(ModelShapes *shapes);

#endif
