/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/export/gltf_shape.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* The key of a geometry. */
typedef struct Name {
    int type;          /* of `types`; -1: triangles of the recording */
    double proportion; /* of a capsule: length over radius */
    long long key;     /* of the triangles; 0: none */
} Name;

/* One geometry and, for each material, its mesh; -1: not made yet. */
typedef struct GltfShape {
    Name name;
    bool seen, missing; /* it has triangles; the recording has no such mesh */
    int positions, normals, indices, mesh[GltfMaterials];
} GltfShape;

enum { Box, Sphere, Capsule, Cylinder, Plane, Types };
static const char *const types[Types] = {"box", "sphere", "capsule", "cylinder", "plane"};

enum { Around = 24, Along = 12, MostVertices = 1024, MostIndices = 6 * MostVertices };

/* a geometry under construction */
typedef struct Build {
    float position[MostVertices][3], normal[MostVertices][3];
    uint32_t index[MostIndices];
    int vertices, indices;
} Build;

static void addVertex(Build *b, const double *x, const double *n)
{
    for (int c = 0; c < 3; c++) b->position[b->vertices][c] = (float)x[c], b->normal[b->vertices][c] = (float)n[c];
    b->vertices++;
}

static void addTriangle(Build *b, int x, int y, int z)
{
    b->index[b->indices++] = (uint32_t)x, b->index[b->indices++] = (uint32_t)y, b->index[b->indices++] = (uint32_t)z;
}

/* rings of vertices to quads between them; counter-clockwise from outside where rings rise along z */
static void joinRings(Build *b, int first, int rings)
{
    for (int r = 0; r + 1 < rings; r++)
        for (int k = 0; k < Around; k++) {
            const int at = first + r * (Around + 1) + k, above = at + Around + 1;
            addTriangle(b, at, at + 1, above + 1);
            addTriangle(b, at, above + 1, above);
        }
}

/* a ring of radius r at height z, normals leaning by `lean` out of the plane */
static void addRing(Build *b, double r, double z, double lean)
{
    for (int k = 0; k <= Around; k++) {
        const double a = 2 * pi * (k % Around) / Around, x = cos(a), y = sin(a);
        addVertex(b, (double[]){r * x, r * y, z}, (double[]){cos(lean) * x, cos(lean) * y, sin(lean)});
    }
}

/* Builds a capsule of radius 1; `half`: half the length of the cylinder between its hemispheres. */
static void buildCapsule(Build *b, double half)
{
    for (int k = 0; k <= Along / 2; k++)
        addRing(b, cos(pi * k / Along - pi / 2), sin(pi * k / Along - pi / 2) - half, pi * k / Along - pi / 2);
    for (int k = half > 0 ? 0 : 1; k <= Along / 2; k++)
        addRing(b, cos(pi * k / Along), sin(pi * k / Along) + half, pi * k / Along);
    joinRings(b, 0, b->vertices / (Around + 1));
}

/* Builds a cylinder of radius 1 and length 1. */
static void buildCylinder(Build *b)
{
    addRing(b, 1, -0.5, 0), addRing(b, 1, 0.5, 0);
    joinRings(b, 0, 2);
    for (int side = -1; side <= 1; side += 2) {
        const int centre = b->vertices;
        addVertex(b, (double[]){0, 0, 0.5 * side}, (double[]){0, 0, side});
        addRing(b, 1, 0.5 * side, side * pi / 2);
        for (int k = 1; k <= Around; k++) addTriangle(b, centre, centre + k + (side < 0), centre + k + (side > 0));
    }
}

/* faces of edge 1 across axis c, at both ends */
static void buildFace(Build *b, int c, int side)
{
    const int u = (c + 1) % 3, v = (c + 2) % 3, first = b->vertices;
    for (int k = 0; k < 4; k++) {
        double x[3] = {0}, n[3] = {0};
        x[c] = 0.5 * side, n[c] = side;
        x[u] = k == 1 || k == 2 ? 0.5 : -0.5, x[v] = k > 1 ? 0.5 : -0.5;
        addVertex(b, x, n);
    }
    addTriangle(b, first, first + (side > 0 ? 1 : 2), first + (side > 0 ? 2 : 1));
    addTriangle(b, first, first + (side > 0 ? 2 : 3), first + (side > 0 ? 3 : 2));
}

static void buildPlane(Build *b)
{
    buildFace(b, 2, 1);
    for (int k = 0; k < 4; k++) b->position[k][2] = 0;
}

static void storeShapeArrays(GltfShape *shape, GltfShapes *to, const Build *b)
{
    shape->positions = gltfArray(to->gltf, GltfVertices, b->position, (size_t)b->vertices);
    shape->normals = gltfArray(to->gltf, GltfVertices, b->normal, (size_t)b->vertices);
    shape->indices = gltfArray(to->gltf, GltfIndices, b->index, (size_t)b->indices);
    shape->seen = true;
}

/* Triangles of the recording, as flat faces; those with a vertex that is not there, or no number, are left out. */
static bool keepTriangles(GltfShape *shape, GltfShapes *to, const GltfTriangles *t)
{
    float *const position = malloc((3 * t->vertex_count + 1) * sizeof *position);
    uint32_t *const index = malloc((3 * t->face_count + 1) * sizeof *index);
    size_t count = 0;
    for (size_t i = 0; position && i < 3 * t->vertex_count; i++)
        position[i] = fabs(t->vertices[i]) < 1e30 ? (float)t->vertices[i] : 0;
    for (size_t f = 0; index && f < t->face_count; f++) {
        const int *v = t->faces + 3 * f;
        bool whole = true;
        for (int k = 0; k < 3; k++) whole = whole && v[k] >= 0 && (size_t)v[k] < t->vertex_count;
        for (int k = 0; whole && k < 3; k++) index[count++] = (uint32_t)v[k];
    }
    const bool any = position && index && count > 0;
    if (!position || !index) to->gltf->starved = true;
    if (any) {
        shape->positions = gltfArray(to->gltf, GltfVertices, position, t->vertex_count);
        shape->normals = -1;
        shape->indices = gltfArray(to->gltf, GltfIndices, index, count);
    }
    free(position);
    free(index);
    return any;
}

static void makeTriangles(GltfShape *shape, GltfShapes *to)
{
    GltfTriangles triangles = {0};
    to->read(to->context, shape->name.key, &triangles);
    shape->missing = triangles.face_count == 0;
    shape->seen = !shape->missing && keepTriangles(shape, to, &triangles);
    free(triangles.vertices);
    free(triangles.faces);
}

static void makeSolid(GltfShape *shape, GltfShapes *to)
{
    Build *const b = calloc(1, sizeof *b);
    if (!b) {
        to->gltf->starved = true;
        return;
    }
    switch (shape->name.type) {
    case Box:
        for (int c = 0; c < 6; c++) buildFace(b, c / 2, c % 2 ? 1 : -1);
        break;
    case Cylinder: buildCylinder(b); break;
    case Plane: buildPlane(b); break;
    default: buildCapsule(b, shape->name.proportion / 2); break;
    }
    storeShapeArrays(shape, to, b);
    free(b);
}

/* ---- each geometry once ------------------------------------------------------------------------------------------ */

/* The place of the geometry's number in the hash table `place`, or the empty place for it. */
static int *gltfShapePlaceOf(const GltfShapes *in, const Name *name)
{
    uint64_t hash = (uint64_t)name->key ^ (uint64_t)(name->type + 1) << 56, bits;
    memcpy(&bits, &name->proportion, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    for (size_t i = (size_t)(hash >> 20) & (in->places - 1);; i = (i + 1) & (in->places - 1)) {
        if (in->place[i] == 0) return &in->place[i];
        const Name *const there = &in->shape[in->place[i] - 1].name;
        if (there->type == name->type && there->key == name->key && there->proportion == name->proportion)
            return &in->place[i];
    }
}

/* Reserves capacity for one more, in a table that is half empty. */
static bool reserveGltfShape(GltfShapes *to)
{
    if (to->count < to->capacity) return true;
    const int capacity = to->capacity > 0 ? 2 * to->capacity : 64;
    GltfShape *const grown = realloc(to->shape, (size_t)capacity * sizeof *grown);
    if (grown) to->shape = grown;
    int *const place = grown ? calloc(2 * (size_t)capacity, sizeof *place) : NULL;
    if (!place) {
        to->gltf->starved = true;
        return false;
    }
    free(to->place);
    to->place = place;
    to->places = 2 * (size_t)capacity;
    to->capacity = capacity;
    for (int k = 0; k < to->count; k++) *gltfShapePlaceOf(to, &to->shape[k].name) = k + 1;
    return true;
}

/* The geometry, made if there is none yet; NULL: no memory. */
static GltfShape *geometryOf(GltfShapes *to, const Name *name)
{
    if (!reserveGltfShape(to)) return NULL;
    int *const place = gltfShapePlaceOf(to, name);
    if (*place > 0) return &to->shape[*place - 1];
    GltfShape *const shape = &to->shape[to->count];
    *shape = (GltfShape){.name = *name, .positions = -1, .normals = -1, .indices = -1};
    for (int k = 0; k < GltfMaterials; k++) shape->mesh[k] = -1;
    if (name->key > 0)
        makeTriangles(shape, to);
    else
        makeSolid(shape, to);
    *place = ++to->count;
    return shape;
}

static int typeOf(const char *type)
{
    for (int k = 0; k < Types; k++)
        if (strcmp(type, types[k]) == 0) return k;
    return -1;
}

int gltfShape(GltfShapes *shapes, const char *type, const double size[3], long long key, int material, double scale[3])
{
    Name name = {.type = typeOf(type)};
    for (int c = 0; c < 3; c++) scale[c] = 1;
    if (name.type == Box) memcpy(scale, size, 3 * sizeof *scale);
    if (name.type == Sphere || name.type == Capsule) scale[0] = scale[1] = scale[2] = size[0];
    if (name.type == Cylinder) scale[0] = scale[1] = size[0], scale[2] = size[1];
    if (name.type == Capsule) name.proportion = size[0] > 0 ? size[1] / size[0] : 0;
    for (int c = 0; c < 3; c++)
        if (!(scale[c] > 0 && scale[c] < 1e30)) return -1;
    if (!(name.proportion >= 0 && name.proportion < 1e9)) return -1;
    GltfShape *shape = key > 0 ? geometryOf(shapes, &(Name){.type = -1, .key = key}) : NULL;
    if (!shape || shape->missing) shape = name.type >= 0 ? geometryOf(shapes, &name) : NULL;
    if (!shape || !shape->seen) return -1;
    if (shape->mesh[material] < 0)
        shape->mesh[material] = gltfMesh(shapes->gltf, shape->positions, shape->normals, shape->indices, material);
    return shape->mesh[material];
}

void gltfShapesFree(GltfShapes *shapes)
{
    free(shapes->shape);
    free(shapes->place);
}
