/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes and meshes of a recording: geoms of bodies with their offsets, static ones wherever their spaces are, meshes
 * once however often they are used, and what comes later; worlds are counted under the registry's lock. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/world/registry.h"
#include "plugin/formats/recording/reader.h"
#include "plugin/formats/recording/shapes.h"
#include "tests/check.h"
#include "tests/plugin/recording/ask.h"

/* a tetrahedron */
static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const dTriIndex sides[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const dReal planes[] = {0,
                               0,
                               -1,
                               0,
                               0,
                               -1,
                               0,
                               0,
                               -1,
                               0,
                               0,
                               0,
                               0.5773502691896258,
                               0.5773502691896258,
                               0.5773502691896258,
                               0.5773502691896258};
static const dReal points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static const unsigned int polygons[] = {3, 0, 2, 1, 3, 0, 1, 3, 3, 0, 3, 2, 3, 1, 2, 3};
static const float heights[6] = {0, 1, 2, 3, 4, 5};

/* column of the vertices of the first mesh of a kind, its least or largest */
static double extent(const char *kind, size_t column, bool largest)
{
    char sql[100];
    ukReader r;
    double x = (double)NAN;
    snprintf(sql, sizeof sql, "SELECT vertices, vertex_count FROM mesh WHERE kind = '%s'", kind);
    if (!CHECK(ukReaderOpen(&r, path))) return x;
    sqlite3_stmt *const q = ukReaderAsk(&r, sql);
    if (CHECK(ukReaderNext(&r, q))) {
        const size_t count = (size_t)ukReaderReal(q, 1);
        const double *const v = ukReaderBlob(q, 0, 24 * count);
        for (size_t i = 0; v && i < count; i++)
            if (isnan(x) || (largest ? v[3 * i + column] > x : v[3 * i + column] < x)) x = v[3 * i + column];
    }
    ukReaderDone(q);
    ukReaderClose(&r);
    return x;
}

static void allKinds(void)
{
    const dWorldID world = dWorldCreate();
    const dSpaceID moving = dHashSpaceCreate(0), still = dSimpleSpaceCreate(0), inner = dSimpleSpaceCreate(still);
    const dBodyID body = dBodyCreate(world);
    const dGeomID box = dCreateBox(moving, 1, 2, 3), capsule = dCreateCapsule(moving, 0.25, 2);
    dGeomSetBody(box, body);
    dGeomSetBody(capsule, body);
    dGeomSetOffsetPosition(capsule, 0, 0, 1.5);
    dGeomSetOffsetQuaternion(capsule, (const dReal[4]){0.8, 0.6, 0, 0});
    const dGeomID turned = dCreateCylinder(still, 0.5, 1);
    dGeomSetQuaternion(turned, (const dReal[4]){0.6, 0, 0.8, 0});
    dCreatePlane(still, 0.6, 0, 0.8, 1);
    dCreatePlane(still, 0, 0, -1, 3);
    dCreatePlane(still, 0, 0.6, 0.8, 2);
    dGeomSetPosition(dCreateSphere(inner, 0.5), 7, 8, 9);
    dCreateRay(still, 10);
    const dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data, corners, 12, 4, sides, 12, (int)(3 * sizeof(dTriIndex)));
    for (int i = 0; i < 2; i++) dGeomSetPosition(dCreateTriMesh(still, data, 0, 0, 0), 5, i, 0);
    const dGeomID convex = dCreateConvex(0, planes, 4, points, 4, polygons);
    dGeomSetBody(convex, body);
    const dHeightfieldDataID field = dGeomHeightfieldDataCreate();
    dGeomHeightfieldDataBuildSingle(field, heights, 0, 4, 2, 3, 2, 0.5, 10, 1, 0);
    dCreateHeightfield(still, field, 1);
    CHECK(ukWorldRecord(world, path, NULL) == ukOk);
    for (int k = 0; k < 10; k++) CHECK(ukWorldStep(world, 0.01) == 1);
    dGeomSetBody(dCreateSphere(moving, 0.125), body);
    for (int k = 0; k < 100; k++) CHECK(ukWorldStep(world, 0.01) == 1);
    CHECK(ukWorldRecord(world, NULL, NULL) == ukOk);
    dGeomDestroy(convex);
    dSpaceDestroy(still);
    dSpaceDestroy(moving);
    dGeomTriMeshDataDestroy(data);
    dGeomHeightfieldDataDestroy(field);
    dWorldDestroy(world);
}

/* ---- the registry's lock ----------------------------------------------------------------------------------------- */

typedef struct LookInThread {
    ukQueue *queue;
    const ukWorld *world;
    atomic_int begun;
    int64_t shapes; /* that were recorded */
} LookInThread;

static void *lookInThread(void *of)
{
    LookInThread *const l = of;
    ukShapes shapes = {.next = 0};
    ukShapeMeshes meshes = {.count = 0};
    l->begun = 1;
    ukShapesSearch(&shapes, &meshes, l->queue, l->world, 1, &l->shapes, 0);
    ukShapesFree(&shapes);
    free(meshes.hash);
    return NULL;
}

/* Whether a world is the only one, and a static geom therefore its own, is read under the registry's lock: with a
 * second world made before the lock is released, the geom is nobody's. A thread that reads without the lock has read
 * before. */
static void worldsAreReadUnderLock(void)
{
    char message[512];
    const dWorldID world = dWorldCreate();
    const dSpaceID space = dSimpleSpaceCreate(0);
    dCreatePlane(space, 0, 0, 1, 0);
    ukWorldEnable(world);
    CHECK(ukRegistry.oldest_world == ukRegistry.newest_world);
    for (int several = 0; several < 2; several++) {
        unlink(path);
        LookInThread look = {.queue = ukQueueOpen(path, message, sizeof message), .world = ukRegistryWorld(world)};
        pthread_t thread;
        dWorldID other = NULL;
        ukRegistryLock();
        if (CHECK(look.queue && look.world && pthread_create(&thread, NULL, lookInThread, &look) == 0)) {
            while (!look.begun) usleep(1000);
            usleep(200000);
            if (several) other = dWorldCreate();
            ukRegistryUnlock();
            pthread_join(thread, NULL);
        }
        CHECK(look.shapes == !several);
        ukQueueClose(look.queue);
        if (other) dWorldDestroy(other);
    }
    dSpaceDestroy(space);
    dWorldDestroy(world);
    unlink(path);
}

int main(void)
{
    dInitODE2(0);
    snprintf(path, sizeof path, "recording_shapes_%d.ukode", (int)getpid());
    if (!CHECK(ukSqliteReady())) return ukTestEnd();
    worldsAreReadUnderLock();
    allKinds();
    CHECK(ask("SELECT count(*) FROM shape") == 12);
    CHECK_NEAR(ask("SELECT orientation_x FROM shape WHERE type = 'capsule'"), 0.6, 1e-15);
    CHECK_NEAR(ask("SELECT orientation_y FROM shape WHERE type = 'cylinder'"), 0.8, 1e-15);
    /* z turned by w, y: (2 w y, 0, w^2 - y^2); a plane that looks down turns it right over */
    CHECK_NEAR(ask("SELECT 2 * orientation_w * orientation_y FROM shape WHERE type = 'plane' AND position_x > 0.1"),
               0.6, 1e-15);
    CHECK_NEAR(
        ask("SELECT orientation_w * orientation_w - orientation_x * orientation_x - orientation_y * orientation_y + "
            "orientation_z * orientation_z FROM shape WHERE type = 'plane' AND position_z < -1"),
        -1, 1e-15);
    CHECK(ask("SELECT count(*) FROM shape WHERE type = 'box' AND body = 1 AND size_1 = 1 AND size_2 = 2 AND size_3 = 3 "
              "AND position_x = 0 AND orientation_w = 1 AND mesh IS NULL") == 1);
    CHECK(ask("SELECT position_z FROM shape WHERE type = 'capsule' AND size_1 = 0.25 AND size_2 = 2") == 1.5);
    CHECK(ask("SELECT count(*) FROM shape WHERE type = 'sphere' AND body IS NULL AND position_y = 8") == 1);
    CHECK(ask("SELECT count(*) FROM shape WHERE type = 'sphere' AND body = 1 AND size_1 = 0.125") == 1);
    CHECK_NEAR(ask("SELECT position_y FROM shape WHERE type = 'plane' AND position_y > 1"), 1.2, 1e-15);
    /* z turned by the quaternion w, x: (0, -2 w x, w^2 - x^2) */
    CHECK_NEAR(ask("SELECT -2 * orientation_w * orientation_x FROM shape WHERE type = 'plane' AND position_y > 1"), 0.6,
               1e-15);
    CHECK(ask("SELECT count(*) FROM shape WHERE type = 'trimesh' AND position_x = 5 AND body IS NULL") == 2);
    CHECK(ask("SELECT count(*) FROM mesh") == 3 && ask("SELECT count(DISTINCT hash) FROM mesh") == 3);
    CHECK(ask("SELECT face_count FROM mesh WHERE kind = 'trimesh'") == 4);
    CHECK(ask("SELECT face_count FROM mesh WHERE kind = 'convex'") == 4);
    CHECK(ask("SELECT vertex_count * 10 + face_count FROM mesh WHERE kind = 'heightfield'") == 64);
    CHECK(extent("trimesh", 0, true) == 1 && extent("trimesh", 2, false) == 0);
    CHECK(extent("heightfield", 1, true) == 12.5 && extent("heightfield", 0, false) == -2);
    CHECK(ask("SELECT count(*) FROM shape JOIN mesh USING (mesh) WHERE shape.type = mesh.kind") == 4);
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
