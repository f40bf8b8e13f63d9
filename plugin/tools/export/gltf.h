/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/gltf.h: a binary glTF 2.0 file under construction: arrays of numbers, meshes, nodes, one
 * animation. Objects are identified by their index. A failed allocation is reported once, at the end. */
#ifndef UKODE_PLUGIN_TOOLS_EXPORT_GLTF_H
#define UKODE_PLUGIN_TOOLS_EXPORT_GLTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The lists of the JSON text, and the bytes of the arrays. */
typedef enum GltfListKind {
    GltfRoots,
    GltfNodes,
    GltfMeshes,
    GltfAccessors,
    GltfViews,
    GltfSamplers,
    GltfChannels,
    GltfData,
    GltfLists
} GltfListKind;

typedef struct Gltf {
    FILE *list[GltfLists]; /* in memory; members with commas between them */
    char *text[GltfLists]; /* their contents, once they are closed */
    size_t length[GltfLists];
    int count[GltfLists]; /* of members */
    size_t bytes;         /* of GltfData */
    bool starved;
} Gltf;

/* times; values of an animation; vertices and triangles of meshes */
typedef enum GltfKind { GltfTimes, GltfVectors, GltfQuaternions, GltfVertices, GltfIndices } GltfKind;

typedef struct GltfPose {
    double position[3], orientation[4], scale[3]; /* w, x, y, z */
} GltfPose;

typedef struct GltfList { /* of nodes */
    int *node, count;
    size_t capacity;
} GltfList;

enum { GltfMaterials = 7 }; /* 0: of what stands still */

/* false: no memory, and nothing to free. */
bool gltfBegin(Gltf *gltf);

/* `count` floats, vectors or quaternions (x, y, z, w) of floats, or indices of 32 bits. */
int gltfArray(Gltf *gltf, GltfKind kind, const void *numbers, size_t count);
/* A mesh of triangles; normals -1: flat faces. */
int gltfMesh(Gltf *gltf, int positions, int normals, int indices, int material);
/* A node; mesh -1, name NULL, children NULL: none. */
int gltfNode(Gltf *gltf, const char *name, const GltfPose *pose, int mesh, const GltfList *children);
void gltfRoot(Gltf *gltf, int node); /* it has no parent */
/* Appends a node to a list; list->node is to be freed in the end. */
void gltfAdd(Gltf *gltf, GltfList *list, int node);
/* Animates "translation", "rotation" or "scale" of a node by keys and values. `steps`: values jump. */
void gltfAnimate(Gltf *gltf, int node, const char *path, int times, int values, bool steps);

/* Writes the file, and frees its data in any case. false: `message` gives the reason. */
bool gltfWrite(Gltf *gltf, const char *path, char *message, size_t size);

#endif
