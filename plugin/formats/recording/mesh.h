/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/mesh.h: vertices and triangles of convex, trimesh and heightfield geoms, in the geom's own
 * frame. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_MESH_H
#define UKODE_PLUGIN_FORMATS_RECORDING_MESH_H

#include "bridge/ode/ode.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ukMeshHash = 16 };

typedef struct ukMesh {
    const char *kind; /* convex, trimesh, heightfield */
    double *vertices; /* (vertex_count x 3) owned */
    int32_t *faces;   /* (face_count x 3) owned */
    size_t vertex_count, face_count;
    unsigned char hash[ukMeshHash];
} ukMesh;

/* false: the geom has none, its data are not to be had, or there is no memory; then *mesh is empty. */
bool ukMeshOf(dGeomID geom, ukMesh *mesh);
void ukMeshFree(ukMesh *mesh);

#endif
