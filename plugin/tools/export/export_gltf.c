/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/export/export_gltf.c: a recording as a glTF scene: one node per world, rotated so that its gravity
 * points to -y, which is down in glTF; below it one node per body with its recorded motion, and below that one node per
 * shape. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/export/export.h"
#include "plugin/tools/export/export_motion.h"
#include "plugin/tools/export/gltf.h"
#include "plugin/tools/export/gltf_box.h"
#include "plugin/tools/export/gltf_shape.h"

/* Rows of a query sorted by its first two columns, the world's key and another. Several streams are traversed in
 * parallel (merge join). */
typedef struct Stream {
    ukReader *reader;
    sqlite3_stmt *query;
    bool has_row; /* world and key are those of a row that is not consumed yet */
    long long world, key;
} Stream;

typedef struct Export {
    ukReader *reader;
    Gltf gltf;
    GltfShapes shapes;
    Motions motions;
    Stream bodies, solids, ranges; /* solids: shapes of bodies, and static ones (key 0) */
    sqlite3_stmt *mesh;
    double middle[3], reach; /* of the world's motion */
    int times;               /* index of the last array of times */
    const Motion *timed;     /* the motion for which it was written */
} Export;

static void streamNext(Stream *s)
{
    s->has_row = s->query && ukReaderNext(s->reader, s->query);
    if (!s->has_row) return;
    s->world = ukSql.column_int64(s->query, 0);
    s->key = ukSql.column_int64(s->query, 1);
}

static bool streamBegin(Stream *s, ukReader *reader, const char *sql)
{
    *s = (Stream){.reader = reader, .query = ukReaderAsk(reader, sql)};
    streamNext(s);
    return s->query != NULL;
}

/* Skips the rows of earlier worlds; returns whether the next row belongs to this world. */
static bool streamOfWorld(Stream *s, long long world)
{
    while (s->has_row && s->world < world) streamNext(s);
    return s->has_row && s->world == world;
}

static bool streamAt(Stream *s, long long world, long long key)
{
    while (streamOfWorld(s, world) && s->key < key) streamNext(s);
    return s->has_row && s->world == world && s->key == key;
}

static void readFiniteNumbers(sqlite3_stmt *row, int column, double *x, int count)
{
    for (int k = 0; k < count; k++) {
        const double value = ukReaderReal(row, column + k);
        x[k] = isfinite(value) ? value : 0;
    }
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static uint64_t readLittleEndian(const unsigned char *bytes, int size)
{
    uint64_t x = 0;
    for (int i = size - 1; i >= 0; i--) x = x << 8 | bytes[i];
    return x;
}

/* The triangles of a mesh of the recording. */
static void readMesh(void *context, long long key, GltfTriangles *to)
{
    Export *const e = context;
    ukSql.reset(e->mesh);
    ukSql.bind_int64(e->mesh, 1, key);
    if (!ukReaderNext(e->reader, e->mesh)) return;
    const long long vertices = ukSql.column_int64(e->mesh, 0), faces = ukSql.column_int64(e->mesh, 1);
    if (vertices < 1 || faces < 1 || vertices > INT32_MAX / 24 || faces > INT32_MAX / 12) return;
    const size_t doubles = 3 * (size_t)vertices, indices = 3 * (size_t)faces;
    const unsigned char *const v = ukReaderBlob(e->mesh, 2, 8 * doubles), *const f =
                                                                              ukReaderBlob(e->mesh, 3, 4 * indices);
    if (!v || !f) return;
    to->vertices = malloc(doubles * sizeof *to->vertices);
    to->faces = malloc(indices * sizeof *to->faces);
    if (!to->vertices || !to->faces) {
        e->gltf.starved = true;
        return;
    }
    for (size_t i = 0; i < doubles; i++) {
        const uint64_t bits = readLittleEndian(v + 8 * i, 8);
        memcpy(to->vertices + i, &bits, sizeof bits);
    }
    for (size_t i = 0; i < indices; i++) to->faces[i] = (int)(uint32_t)readLittleEndian(f + 4 * i, 4);
    to->vertex_count = (size_t)vertices, to->face_count = (size_t)faces;
}

/* Replaces an infinite plane by a square of it, centred below the middle of the motion. */
static void cutPlane(const Export *e, GltfPose *pose)
{
    const double *q = pose->orientation;
    const double n[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                         1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    double above = 0;
    for (int k = 0; k < 3; k++) above += n[k] * (e->middle[k] - pose->position[k]);
    for (int k = 0; k < 3; k++) pose->position[k] = e->middle[k] - above * n[k];
    pose->scale[0] = pose->scale[1] = 4 * e->reach;
}

/* The nodes of a body's shapes; body 0: of the static ones. */
static void addShapes(Export *e, long long world, long long body, int material, GltfList *to)
{
    sqlite3_stmt *const row = e->solids.query;
    for (; streamAt(&e->solids, world, body); streamNext(&e->solids)) {
        GltfPose pose;
        double size[3];
        const char *const type = (const char *)ukSql.column_text(row, 2);
        const long long mesh = ukSql.column_int64(row, 13);
        readFiniteNumbers(row, 3, size, 3);
        readFiniteNumbers(row, 6, pose.position, 3);
        readFiniteNumbers(row, 9, pose.orientation, 4);
        const int which = type ? gltfShape(&e->shapes, type, size, mesh, material, pose.scale) : -1;
        if (which < 0) continue;
        if (strcmp(type, "plane") == 0) cutPlane(e, &pose);
        gltfAdd(&e->gltf, to, gltfNode(&e->gltf, NULL, &pose, which, NULL));
    }
}

static void addStandIn(Export *e, double mass, const double *inertia, int material, GltfList *to)
{
    GltfPose pose = {.position = {0, 0, 0}};
    double size[3];
    gltfBox(mass, inertia, size, pose.orientation);
    const int mesh = gltfShape(&e->shapes, "box", size, 0, material, pose.scale);
    gltfAdd(&e->gltf, to, gltfNode(&e->gltf, NULL, &pose, mesh, NULL));
}

/* ---- motion ------------------------------------------------------------------------------------------------------ */

/* the array of its times, which most bodies share with the one before */
static int timesOf(Export *e, const Motion *m)
{
    const bool same =
        e->timed && e->timed->count == m->count && memcmp(e->timed->time, m->time, m->count * sizeof *m->time) == 0;
    if (!same) e->times = gltfArray(&e->gltf, GltfTimes, m->time, m->count);
    e->timed = m;
    return e->times;
}

/* Animates the scale of a node: 0 before the creation of the body and after its destruction at `gone` (NaN: never). A
 * disabled body has no samples, and stays visible. */
static void animateScale(Export *e, int node, const Motion *m, double begin, double gone)
{
    float time[3], scale[9];
    size_t count = 0;
    const float first = m->time[0], after = nextafterf(m->time[m->count - 1], INFINITY);
    if (first > (float)begin) time[0] = (float)begin, scale[3 * count++] = 0;
    time[count] = first, scale[3 * count++] = 1;
    if (isfinite(gone)) time[count] = fmaxf(after, (float)gone), scale[3 * count++] = 0;
    if (count == 1) return;
    for (size_t k = 0; k < count; k++) scale[3 * k + 1] = scale[3 * k + 2] = scale[3 * k];
    const int times = gltfArray(&e->gltf, GltfTimes, time, count);
    gltfAnimate(&e->gltf, node, "scale", times, gltfArray(&e->gltf, GltfVectors, scale, count), true);
}

static void animateNode(Export *e, int node, const Motion *m, double begin, double gone)
{
    const int times = timesOf(e, m);
    gltfAnimate(&e->gltf, node, "translation", times, gltfArray(&e->gltf, GltfVectors, m->position, m->count), false);
    gltfAnimate(&e->gltf, node, "rotation", times, gltfArray(&e->gltf, GltfQuaternions, m->orientation, m->count),
                false);
    animateScale(e, node, m, begin, gone);
}

/* ---- bodies and worlds ------------------------------------------------------------------------------------------- */

/* Adds the node of a body, from a row of world, body, name, mass, inertia, and the time of its destruction. */
static int addBody(Export *e, sqlite3_stmt *row, double begin)
{
    const long long key = e->bodies.key;
    const char *const known = (const char *)ukSql.column_text(row, 2);
    const int material = 1 + (int)((unsigned long long)key % (GltfMaterials - 1));
    GltfPose pose = {.position = {0, 0, 0}, .orientation = {1, 0, 0, 0}, .scale = {1, 1, 1}};
    GltfList shapes = {0};
    double inertia[6];
    char name[64];
    readFiniteNumbers(row, 4, inertia, 6);
    snprintf(name, sizeof name, "body %lld", key);
    addShapes(e, e->bodies.world, key, material, &shapes);
    if (shapes.count == 0) addStandIn(e, ukReaderReal(row, 3), inertia, material, &shapes);
    const Motion *const m = motionOf(&e->motions, key);
    const bool moves = m && m->count > 0;
    for (int k = 0; k < 3 && moves; k++) pose.position[k] = (double)m->position[k];
    for (int k = 0; k < 4 && moves; k++) pose.orientation[(k + 1) % 4] = (double)m->orientation[k];
    const int node = gltfNode(&e->gltf, known ? known : name, &pose, -1, &shapes);
    free(shapes.node);
    if (moves) animateNode(e, node, m, begin, ukReaderReal(row, 10));
    return node;
}

/* Quaternion that rotates the direction of gravity to -y; without gravity, z to y. */
static void uprightRotation(const double g[3], double q[4])
{
    const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    const double up[3] = {size > 0 ? -g[0] / size : 0, size > 0 ? -g[1] / size : 0, size > 0 ? -g[2] / size : 1};
    const double w = 1 + up[1]; /* half-way between up and y; axis up x y */
    q[0] = w > 1e-9 ? w : 0, q[1] = w > 1e-9 ? -up[2] : 1, q[2] = 0, q[3] = w > 1e-9 ? up[0] : 0;
}

/* Computes centre and half extent of the region that the world's bodies visit, and the first recorded time. */
static void computeRegion(Export *e, long long world, double *begin)
{
    double range[7] = {0};
    if (streamOfWorld(&e->ranges, world)) readFiniteNumbers(e->ranges.query, 2, range, 7);
    *begin = range[0];
    e->reach = 1;
    for (int k = 0; k < 3; k++) {
        e->middle[k] = (range[1 + k] + range[4 + k]) / 2;
        e->reach = fmin(1e6, fmax(e->reach, (range[4 + k] - range[1 + k]) / 2));
    }
}

static void addWorld(Export *e, sqlite3_stmt *row)
{
    const long long key = ukSql.column_int64(row, 0);
    const char *const known = (const char *)ukSql.column_text(row, 1);
    GltfPose pose = {.position = {0, 0, 0}, .scale = {1, 1, 1}};
    double gravity[3], begin;
    char name[64];
    GltfList children = {0};
    readFiniteNumbers(row, 2, gravity, 3);
    uprightRotation(gravity, pose.orientation);
    computeRegion(e, key, &begin);
    addShapes(e, key, 0, 0, &children);
    for (; streamOfWorld(&e->bodies, key); streamNext(&e->bodies))
        gltfAdd(&e->gltf, &children, addBody(e, e->bodies.query, begin));
    snprintf(name, sizeof name, "world %lld", key);
    gltfRoot(&e->gltf, gltfNode(&e->gltf, known ? known : name, &pose, -1, &children));
    free(children.node);
}

static bool openStreams(Export *e)
{
    return streamBegin(&e->bodies, e->reader,
                       "SELECT world, body, name, mass, inertia_xx, inertia_yy, inertia_zz, inertia_xy, inertia_xz, "
                       "inertia_yz, (SELECT time FROM step WHERE step.step = destroyed_step) FROM body ORDER BY "
                       "world, body") &&
           streamBegin(&e->solids, e->reader,
                       "SELECT world, coalesce(body, 0), type, size_1, size_2, size_3, position_x, position_y, "
                       "position_z, orientation_w, orientation_x, orientation_y, orientation_z, mesh FROM shape "
                       "ORDER BY world, coalesce(body, 0), shape") &&
           streamBegin(&e->ranges, e->reader,
                       "SELECT world, 0, min(time), min(position_x), min(position_y), min(position_z), "
                       "max(position_x), max(position_y), max(position_z) FROM body_step JOIN step USING (step) GROUP "
                       "BY world ORDER BY world");
}

bool exportGltf(ukReader *reader, const char *path)
{
    Export e = {.reader = reader};
    if (!gltfBegin(&e.gltf)) {
        snprintf(reader->error, sizeof reader->error, "%.300s: no memory", path);
        return false;
    }
    e.shapes = (GltfShapes){.gltf = &e.gltf, .read = readMesh, .context = &e};
    e.mesh = ukReaderAsk(reader, "SELECT vertex_count, face_count, vertices, faces FROM mesh WHERE mesh = ?1");
    sqlite3_stmt *const worlds =
        ukReaderAsk(reader, "SELECT world, name, gravity_x, gravity_y, gravity_z FROM world ORDER BY world");
    const bool asked = motionsRead(reader, &e.motions) && openStreams(&e) && e.mesh && worlds;
    while (asked && ukReaderNext(reader, worlds)) addWorld(&e, worlds);
    sqlite3_stmt *const all[] = {e.bodies.query, e.solids.query, e.ranges.query, e.mesh, worlds};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) ukReaderDone(all[k]);
    char message[300];
    const bool written = gltfWrite(&e.gltf, path, message, sizeof message);
    if (!written && !reader->error[0]) snprintf(reader->error, sizeof reader->error, "%s", message);
    gltfShapesFree(&e.shapes);
    motionsFree(&e.motions);
    return !reader->error[0];
}
