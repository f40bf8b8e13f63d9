/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/watch/geom.h"
#include "bridge/world/registry.h"
#include "plugin/formats/recording/mesh.h"

static const double soon = 0.25, late = 4; /* between two searches [s]: after something new; at most */

/* the recorded properties of a geom, to detect changes */
typedef struct Shape {
    const char *type;
    int64_t body; /* key; 0: static */
    double size[3], position[3], orientation[4];
    const void *data; /* of a heightfield */
} Shape;

typedef struct ShapeSearch {
    ukShapes *shapes;
    ukShapeMeshes *meshes;
    ukQueue *queue;
    const ukWorld *world;
    int64_t key, *last;
    bool alone, found; /* the only world; something is new */
    ukMap seen;        /* what `known` is to be */
    dSpaceID root[32]; /* outermost spaces of the bodies' geoms */
    int roots;
} ShapeSearch;

/* ---- one geom ---------------------------------------------------------------------------------------------------- */

static bool readSizes(dGeomID geom, Shape *s)
{
    dVector3 lengths;
    dReal *const x = s->size;
    for (int i = 0; i < 3; i++) x[i] = (double)NAN;
    switch (dGeomGetClass(geom)) {
    case dSphereClass:
        s->type = "sphere";
        x[0] = dGeomSphereGetRadius(geom);
        return true;
    case dBoxClass:
        s->type = "box";
        dGeomBoxGetLengths(geom, lengths);
        memcpy(x, lengths, 3 * sizeof *x);
        return true;
    case dCapsuleClass:
        s->type = "capsule";
        dGeomCapsuleGetParams(geom, &x[0], &x[1]);
        return true;
    case dCylinderClass:
        s->type = "cylinder";
        dGeomCylinderGetParams(geom, &x[0], &x[1]);
        return true;
    case dPlaneClass: s->type = "plane"; return true;
    case dConvexClass: s->type = "convex"; return true;
    case dTriMeshClass: s->type = "trimesh"; return true;
    case dHeightfieldClass:
        s->type = "heightfield";
        s->data = dGeomHeightfieldGetHeightfieldData(geom);
        return true;
    default: return false;
    }
}

/* the turn of z to the normal, and the point next to the origin */
static void planePose(dGeomID geom, Shape *s)
{
    dVector4 p;
    dGeomPlaneGetParams(geom, p);
    const double half = sqrt(fmax(0, (1 + p[2]) / 2)); /* cosine of half the angle */
    for (int i = 0; i < 3; i++) s->position[i] = p[3] * p[i];
    const double turn[4] = {half, half > 1e-8 ? -p[1] / (2 * half) : 1, half > 1e-8 ? p[0] / (2 * half) : 0, 0};
    memcpy(s->orientation, turn, sizeof turn);
}

static void readShapePose(dGeomID geom, bool on_body, Shape *s)
{
    dQuaternion q = {1, 0, 0, 0};
    if (dGeomGetClass(geom) == dPlaneClass) {
        planePose(geom, s);
        return;
    }
    const dReal *const x = on_body ? dGeomGetOffsetPosition(geom) : dGeomGetPosition(geom);
    if (on_body)
        dGeomGetOffsetQuaternion(geom, q);
    else
        dGeomGetQuaternion(geom, q);
    memcpy(s->position, x, sizeof s->position);
    memcpy(s->orientation, q, sizeof s->orientation);
}

/* odd, hence no null; where a static geom is does not count, for it may be moved */
static uintptr_t printOf(const Shape *s)
{
    uint64_t sum = (uint64_t)s->body * 31 + (uint64_t)(uintptr_t)s->type + (uint64_t)(uintptr_t)s->data, word[10];
    memcpy(word, s->size, sizeof s->size);
    memcpy(word + 3, s->position, sizeof s->position);
    memcpy(word + 6, s->orientation, sizeof s->orientation);
    for (int i = 0; i < (s->body > 0 ? 10 : 3); i++) sum = (sum ^ word[i]) * 0x9e3779b97f4a7c15u;
    return (uintptr_t)(sum ^ sum >> 32) | 1;
}

static int64_t meshKey(ShapeSearch *search, dGeomID geom)
{
    ukMesh mesh;
    ukShapeMeshes *const all = search->meshes;
    if (!ukMeshOf(geom, &mesh)) return ukNullInt;
    int64_t k = 0;
    while (k < all->count && memcmp(all->hash[k], mesh.hash, sizeof mesh.hash) != 0) k++;
    const bool kept = k < all->count || ukArrayReserve(&all->hash, sizeof *all->hash, (size_t)k + 1, &all->capacity);
    if (k == all->count && kept) {
        memcpy(all->hash[all->count++], mesh.hash, sizeof mesh.hash);
        ukQueuePut(search->queue, ukInsertMesh, (long long)(k + 1), mesh.kind, (const void *)mesh.hash,
                   sizeof mesh.hash, (long long)mesh.vertex_count, (long long)mesh.face_count,
                   (const void *)mesh.vertices, 3 * mesh.vertex_count * sizeof *mesh.vertices, (const void *)mesh.faces,
                   3 * mesh.face_count * sizeof *mesh.faces);
    }
    ukMeshFree(&mesh);
    return kept ? k + 1 : ukNullInt;
}

static void writeShape(ShapeSearch *search, dGeomID geom, const ukBody *body)
{
    Shape s = {.body = body ? body->recorded.key : 0};
    if (!readSizes(geom, &s)) return;
    readShapePose(geom, body != NULL, &s);
    void *const print = (void *)printOf(&s); /* NOLINT: a number in a map of pointers */
    const bool known = ukMapFind(&search->shapes->known, geom) == print;
    if (!ukMapPut(&search->seen, geom, print) || known) return;
    search->found = true;
    const bool meshed =
        strcmp(s.type, "convex") == 0 || strcmp(s.type, "trimesh") == 0 || strcmp(s.type, "heightfield") == 0;
    const int64_t mesh = meshed ? meshKey(search, geom) : ukNullInt;
    ukQueuePut(search->queue, ukInsertShape, (long long)++*search->last, (long long)search->key,
               body ? (long long)s.body : ukNullInt, s.type, s.size[0], s.size[1], s.size[2], s.position[0],
               s.position[1], s.position[2], s.orientation[0], s.orientation[1], s.orientation[2], s.orientation[3],
               (long long)mesh);
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static dSpaceID rootOf(dSpaceID space)
{
    for (dSpaceID outer; space && (outer = dGeomGetSpace((dGeomID)space)); space = outer) {}
    return space;
}

static bool isRoot(const ShapeSearch *search, dSpaceID space)
{
    for (int i = 0; i < search->roots; i++)
        if (search->root[i] == space) return true;
    return false;
}

static void writeShapesOfBodies(ShapeSearch *search)
{
    for (const ukBody *b = search->world->oldest_body; b; b = b->newer)
        for (dGeomID g = dBodyGetFirstGeom(b->handle); g; g = dBodyGetNextGeom(g)) {
            const dSpaceID root = rootOf(dGeomGetSpace(g));
            if (root && !isRoot(search, root) && search->roots < 32) search->root[search->roots++] = root;
            writeShape(search, g, b);
        }
}

static void writeStaticShapes(void *context, dSpaceID space)
{
    ShapeSearch *const search = context;
    if (!search->alone && !isRoot(search, rootOf(space))) return;
    for (int i = 0; i < dSpaceGetNumGeoms(space); i++) {
        const dGeomID g = dSpaceGetGeom(space, i);
        if (g && !dGeomIsSpace(g) && !dGeomGetBody(g)) writeShape(search, g, NULL);
    }
}

void ukShapesSearch(ukShapes *shapes, ukShapeMeshes *meshes, ukQueue *queue, const ukWorld *world, int64_t key,
                    int64_t *last, double time)
{
    const bool changed = shapes->changes != world->changes;
    if (changed && shapes->next > time + soon) shapes->next = time + soon;
    if (time < shapes->next) return;
    ukRegistryLock();
    const bool alone = ukRegistry.oldest_world == ukRegistry.newest_world;
    ukRegistryUnlock();
    ShapeSearch search = {
        .shapes = shapes, .meshes = meshes, .queue = queue, .world = world, .key = key, .last = last, .alone = alone};
    writeShapesOfBodies(&search);
    ukGeomSpaces(writeStaticShapes, &search);
    free(shapes->known.entries);
    shapes->known = search.seen;
    shapes->changes = world->changes;
    shapes->wait = search.found || changed ? soon : fmin(2 * shapes->wait, late);
    shapes->next = time + shapes->wait;
}

void ukShapesFree(ukShapes *shapes)
{
    free(shapes->known.entries);
    *shapes = (ukShapes){0};
}
