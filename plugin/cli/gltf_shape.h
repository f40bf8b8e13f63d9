/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/gltf_shape.h: shapes of bodies as meshes of triangles. Those of one size, or of any size that a node can
 * scale to, are in the file once. */
#ifndef UKODE_PLUGIN_CLI_GLTF_SHAPE_H
#define UKODE_PLUGIN_CLI_GLTF_SHAPE_H

#include "plugin/cli/gltf.h"

typedef struct GltfShapes {
    Gltf *gltf;
    struct GltfShape *shape;
    int count;
} GltfShapes;

/* Vertices and triangles of a mesh of the recording; counts 0: it is not there. */
typedef struct GltfTriangles {
    double *vertices;
    int *faces;
    size_t vertex_count, face_count;
} GltfTriangles;

/* The mesh of a shape as the table `shape` has it, and how its node is to be scaled; -1: nothing to be seen. `key`: of
 * its triangles in the recording. A plane becomes a square of edge 1. */
int gltfShape(GltfShapes *shapes, const char *type, const double size[3], long long key, const GltfTriangles *triangles,
              int material, double scale[3]);
void gltfShapesFree(GltfShapes *shapes);

#endif
