/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/ode/single.h"
#include "bridge/watch/geom.h"
#include "plugin/formats/recording/blake2b.h"

static bool reserveMesh(ukMesh *m, size_t vertices, size_t faces)
{
    m->vertices = malloc((3 * vertices + 1) * sizeof *m->vertices);
    m->faces = malloc((3 * faces + 1) * sizeof *m->faces);
    m->vertex_count = vertices;
    m->face_count = faces;
    return m->vertices && m->faces;
}

/* ODE returns triangles in the world's frame, three points each */
static bool readTrimesh(dGeomID geom, ukMesh *m)
{
    const int count = dGeomTriMeshGetTriangleCount ? dGeomTriMeshGetTriangleCount(geom) : 0;
    const dReal *const x = dGeomGetPosition(geom), *const R = dGeomGetRotation(geom);
    m->kind = "trimesh";
    if (count <= 0 || !reserveMesh(m, 3 * (size_t)count, (size_t)count)) return false;
    double *to = m->vertices;
    for (int i = 0; i < count; i++) {
        dVector3 v[3];
        dGeomTriMeshGetTriangle(geom, i, &v[0], &v[1], &v[2]);
        for (int k = 0; k < 3; k++, to += 3) {
            const double d[3] = {v[k][0] - x[0], v[k][1] - x[1], v[k][2] - x[2]};
            for (int c = 0; c < 3; c++) to[c] = R[c] * d[0] + R[4 + c] * d[1] + R[8 + c] * d[2];
            m->faces[3 * i + k] = 3 * i + k;
        }
    }
    return true;
}

static bool readConvex(dGeomID geom, ukMesh *m)
{
    const ukConvexGeom *const c = ukGeomConvexOf(geom);
    m->kind = "convex";
    if (!c || !c->points || !c->polygons) return false;
    size_t faces = 0;
    const unsigned int *p = c->polygons;
    for (unsigned int i = 0; i < c->polygon_count; p += *p + 1, i++) faces += *p > 2 ? *p - 2 : 0;
    if (!reserveMesh(m, c->count, faces)) return false;
    for (size_t i = 0; i < 3 * (size_t)c->count; i++) m->vertices[i] = ukSingleElement(c->points, i);
    int32_t *to = m->faces;
    p = c->polygons;
    for (unsigned int i = 0; i < c->polygon_count; p += *p + 1, i++)
        for (unsigned int k = 2; k < *p; k++, to += 3) {
            to[0] = (int32_t)p[1];
            to[1] = (int32_t)p[k];
            to[2] = (int32_t)p[k + 1];
        }
    return true;
}

static double heightAt(const ukHeightfield *h, size_t i)
{
    double x = 0;
    switch (h->kind) {
    case ukHeightsByte: x = ((const unsigned char *)h->data)[i]; break;
    case ukHeightsShort: x = ((const short *)h->data)[i]; break;
    case ukHeightsSingle: x = ((const float *)h->data)[i]; break;
    case ukHeightsDouble: x = ((const double *)h->data)[i]; break;
    case ukHeightsFunction: break;
    }
    return x * h->scale + h->offset;
}

/* width along x, depth along z, heights along y; centred */
static bool readHeightfield(dGeomID geom, ukMesh *m)
{
    const ukHeightfield *const h = ukGeomHeightfieldOf(dGeomHeightfieldGetHeightfieldData(geom));
    m->kind = "heightfield";
    if (!h || !h->data || h->samples[0] < 2 || h->samples[1] < 2) return false;
    const size_t wide = (size_t)h->samples[0], deep = (size_t)h->samples[1];
    if (!reserveMesh(m, wide * deep, 2 * (wide - 1) * (deep - 1))) return false;
    double *to = m->vertices;
    int32_t *face = m->faces;
    for (size_t z = 0; z < deep; z++)
        for (size_t x = 0; x < wide; x++, to += 3) {
            to[0] = h->width * ((double)x / (double)(wide - 1) - 0.5);
            to[1] = heightAt(h, x + z * wide);
            to[2] = h->depth * ((double)z / (double)(deep - 1) - 0.5);
            if (x + 1 == wide || z + 1 == deep) continue;
            const int32_t a = (int32_t)(x + z * wide), b = a + 1, c = a + (int32_t)wide, d = c + 1;
            const int32_t two[6] = {a, c, b, b, c, d};
            memcpy(face, two, sizeof two);
            face += 6;
        }
    return true;
}

bool ukMeshOf(dGeomID geom, ukMesh *m)
{
    ukBlake2b hash;
    unsigned char whole[ukHashBytes];
    const int class = dGeomGetClass(geom);
    *m = (ukMesh){0};
    bool good = false;
    if (class == dTriMeshClass) good = readTrimesh(geom, m);
    if (class == dConvexClass) good = readConvex(geom, m);
    if (class == dHeightfieldClass) good = readHeightfield(geom, m);
    if (!good) {
        ukMeshFree(m);
        return false;
    }
    ukBlake2bBegin(&hash);
    ukBlake2bAdd(&hash, m->vertices, 3 * m->vertex_count * sizeof *m->vertices);
    ukBlake2bAdd(&hash, m->faces, 3 * m->face_count * sizeof *m->faces);
    ukBlake2bEnd(&hash, whole);
    memcpy(m->hash, whole, sizeof m->hash);
    return true;
}

void ukMeshFree(ukMesh *m)
{
    free(m->vertices);
    free(m->faces);
    *m = (ukMesh){0};
}
