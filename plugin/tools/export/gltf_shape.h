/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/gltf_shape.h: shapes of bodies as meshes of triangles. Those of one size, or of any size that a
 * node can scale to, are in the file once. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_GLTF_SHAPE_H
#define UKODE_PLUGIN_TOOLS_EXPORT_GLTF_SHAPE_H

#include "plugin/tools/export/gltf.h"

/* Vertices and triangles of a mesh of the recording, both owned; counts 0: it is not there. */
typedef struct GltfTriangles {
    double *vertices;
    int *faces;
    size_t vertex_count, face_count;
} GltfTriangles;

typedef struct GltfShapes {
    Gltf *gltf;
    void (*read)(void *context, long long key, GltfTriangles *to); /* called once for each mesh of the recording */
    void *context;
    struct GltfShape *shape;
    int count, capacity;
    int *place; /* (places) of a shape in `shape`, from 1, by its hash; 0: free */
    size_t places;
} GltfShapes;

/* The mesh of a shape as the table `shape` has it, and how its node is to be scaled; -1: nothing to be seen. `key`: of
 * its triangles in the recording; 0: it has none. A plane becomes a square of edge 1. */
int gltfShape(GltfShapes *shapes, const char *type, const double size[3], long long key, int material, double scale[3]);
void gltfShapesFree(GltfShapes *shapes);

#endif
