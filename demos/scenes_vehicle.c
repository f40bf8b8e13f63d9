/* SPDX-License-Identifier: BSD-3-Clause */
/* demos/scenes_vehicle.c: vehicles with many contacts: a loaded truck on a triangle mesh, and a vehicle on two tracks,
 * closed loops of thirty links each. */
#include "demos/scenes.h"

#include <math.h>
#include <stdlib.h>

enum { Ground = 1, Running = 2, Link = 4, Load = 8 };

static const dReal axle_height = 0.4;

/* what a body's last geom is, and what it touches */
static void collides(dBodyID b, unsigned long is, unsigned long with)
{
    dGeomSetCategoryBits(dBodyGetFirstGeom(b), is);
    dGeomSetCollideBits(dBodyGetFirstGeom(b), with);
}

static Scene *onSpace(int bodies, int joints, dReal h, dReal mu)
{
    Scene *s = sceneNew(bodies, joints, h);
    s->space = dHashSpaceCreate(0);
    s->contacts = dJointGroupCreate(0);
    s->mu = mu;
    return s;
}

/* a cylinder along y */
static dBodyID addWheel(Scene *s, dReal mass, dReal radius, dReal width, dReal x, dReal y, dReal z)
{
    dMass m;
    dMatrix3 R;
    const dBodyID wheel = s->bodies[s->count++] = dBodyCreate(s->world);
    dMassSetCylinderTotal(&m, mass, 3, radius, width);
    dBodySetMass(wheel, &m);
    dBodySetPosition(wheel, x, y, z);
    dRFromAxisAndAngle(R, 1, 0, 0, M_PI / 2);
    dBodySetRotation(wheel, R);
    dGeomSetBody(dCreateCylinder(s->space, radius, width), wheel);
    return wheel;
}

/* ---- a loaded truck on a triangle mesh --------------------------------------------------------------------------- */

enum { Along = 80, Across = 16, Vertices = Along * Across, Triangles = 2 * (Along - 1) * (Across - 1) };

/* Waves of 0.1 m; made once, since the meshes of all scenes share it. */
static dTriMeshDataID hills(void)
{
    static float at[Vertices][3];
    static dTriIndex index[Triangles][3];
    static dTriMeshDataID data;
    if (data) return data;
    for (int i = 0; i < Along; i++)
        for (int j = 0; j < Across; j++) {
            float *const p = at[i * Across + j];
            p[0] = (float)(i - 8), p[1] = (float)j - 0.5f * (Across - 1);
            p[2] = i < 14 ? 0 : 0.1f * sinf(1.3f * p[0]) * cosf(0.9f * p[1]);
        }
    for (int i = 0, k = 0; i + 1 < Along; i++)
        for (int j = 0; j + 1 < Across; j++, k += 2) {
            const dTriIndex a = (dTriIndex)(i * Across + j), b = a + Across;
            index[k][0] = a, index[k][1] = b, index[k][2] = a + 1;
            index[k + 1][0] = b, index[k + 1][1] = b + 1, index[k + 1][2] = a + 1;
        }
    data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data, at, sizeof at[0], Vertices, index, 3 * Triangles, sizeof index[0]);
    return data;
}

static void driveTruck(Scene *s)
{
    for (int i = 0; i < s->joint_count; i++) {
        if (i < 2)
            dJointSetHinge2Param(s->joints[i], dParamVel,
                                 10 * (0.1 * sin(0.7 * s->time) - dJointGetHinge2Angle1(s->joints[i])));
        dJointSetHinge2Param(s->joints[i], dParamVel2, fmin(4 * s->time, 10));
    }
}

static void addAxleEnd(Scene *s, dBodyID frame, dReal x, dReal y, int steers)
{
    const dVector3 up = {0, 0, 1}, across = {0, -1, 0};
    const dBodyID wheel = addWheel(s, 8, axle_height, 0.25, x, y, axle_height);
    collides(wheel, Running, Ground);
    const dJointID j = s->joints[s->joint_count++] = dJointCreateHinge2(s->world, 0);
    dJointAttach(j, frame, wheel);
    dJointSetHinge2Anchor(j, x, y, axle_height);
    dJointSetHinge2Axes(j, up, across);
    dJointSetHinge2Param(j, dParamSuspensionERP, 0.4);
    dJointSetHinge2Param(j, dParamSuspensionCFM, 3e-4);
    dJointSetHinge2Param(j, dParamLoStop, steers ? -0.6 : 0);
    dJointSetHinge2Param(j, dParamHiStop, steers ? 0.6 : 0);
    dJointSetHinge2Param(j, dParamFMax, steers ? 200 : 0);
    dJointSetHinge2Param(j, dParamFMax2, 60);
}

Scene *sceneTruck(int n)
{
    Scene *s = onSpace(5 + n, 4, 1.0 / 180, 0.9);
    const dGeomID mesh = dCreateTriMesh(s->space, hills(), NULL, NULL, NULL);
    dGeomSetCategoryBits(mesh, Ground);
    const dBodyID frame = sceneAddBox(s, 80, 4, 1.6, 0.2, 0, 0, 0.7);
    collides(frame, Running, Ground | Load);
    for (int i = 0; i < 4; i++) addAxleEnd(s, frame, i < 2 ? 1.4 : -1.4, i % 2 ? 0.9 : -0.9, i < 2);
    for (int i = 0; i < 4; i++) { /* the sides of the bed */
        const dGeomID side = dCreateBox(s->space, i < 2 ? 4 : 0.1, i < 2 ? 0.1 : 1.6, 0.6);
        dGeomSetBody(side, frame);
        dGeomSetOffsetPosition(side, i < 2 ? 0 : i % 2 ? 1.95 : -1.95, i >= 2 ? 0 : i % 2 ? 0.75 : -0.75, 0.4);
        dGeomSetCategoryBits(side, Running);
        dGeomSetCollideBits(side, Ground | Load);
    }
    for (int i = 0; i < n; i++) { /* layers of 7 x 2 */
        const int layer = i / 14, place = i % 14;
        const dBodyID box =
            sceneAddBox(s, 2, 0.4, 0.5, 0.3, -1.5 + 0.5 * (place % 7), place < 7 ? -0.35 : 0.35, 0.96 + 0.32 * layer);
        collides(box, Load, Ground | Running | Load);
    }
    s->drive = driveTruck;
    return s;
}

/* ---- a tracked vehicle ------------------------------------------------------------------------------------------- */

enum { Links = 30, Wheels = 3 };

/* the point at `along` of a belt round two circles of `radius` whose centres are at x = -+half, z = `radius` */
static void beltPoint(dReal along, dReal half, dReal radius, dReal at[3])
{
    const dReal bend = M_PI * radius;
    if (along < 2 * half) { /* below, backwards */
        at[0] = half - along, at[2] = 0;
        return;
    }
    along -= 2 * half;
    const dReal turned = (along < bend ? along : along - bend - 2 * half) / radius;
    if (along < bend)
        at[0] = -half - radius * sin(turned), at[2] = radius * (1 - cos(turned));
    else if (turned < 0)
        at[0] = half + radius * turned, at[2] = 2 * radius;
    else
        at[0] = half + radius * sin(turned), at[2] = radius * (1 + cos(turned));
}

static void driveTracks(Scene *s)
{
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < Wheels; k++) {
            const dJointID axle = s->joints[side * (Wheels + Links) + k];
            dJointSetHingeParam(axle, dParamVel, fmin(2 * s->time, 4) * (side ? 1 : 0.8));
        }
}

static void addTrack(Scene *s, dBodyID hull, dReal y)
{
    const dReal pitch = 0.2, thickness = 0.04, radius = 0.3, belt = radius + 0.5 * thickness;
    const dReal half = 0.5 * (0.5 * Links * pitch - M_PI * belt), lift = 0.5 * thickness;
    dBodyID link[Links];
    for (int k = 0; k < Wheels; k++) {
        const dReal x = half * (k - 1), anchor[3] = {x, y, lift + belt};
        const dBodyID wheel = addWheel(s, 5, radius, 0.3, x, y, anchor[2]);
        collides(wheel, Running, Link);
        dJointSetHingeParam(sceneAddHinge(s, wheel, hull, anchor, 0, 1, 0), dParamFMax, 150);
    }
    dReal joint[Links + 1][3];
    for (int i = 0; i <= Links; i++) {
        beltPoint(i % Links * pitch, half, belt, joint[i]);
        joint[i][1] = y, joint[i][2] += lift;
    }
    for (int i = 0; i < Links; i++) {
        const dReal *const p = joint[i], *const q = joint[i + 1];
        dMatrix3 R;
        link[i] = sceneAddBox(s, 1, 0.9 * pitch, 0.4, thickness, 0.5 * (p[0] + q[0]), y, 0.5 * (p[2] + q[2]));
        dRFromAxisAndAngle(R, 0, 1, 0, -atan2(q[2] - p[2], q[0] - p[0]));
        dBodySetRotation(link[i], R);
        collides(link[i], Link, Ground | Running);
    }
    for (int i = 0; i < Links; i++) sceneAddHinge(s, link[i], link[(i + Links - 1) % Links], joint[i], 0, 1, 0);
}

Scene *sceneTracked(int n)
{
    const int each = 1 + 2 * (Links + Wheels);
    Scene *s = onSpace(each * n, (each - 1) * n, 0.01, 0.8);
    dGeomSetCategoryBits(dCreatePlane(s->space, 0, 0, 1, 0), Ground);
    for (int k = 0; k < n; k++) {
        const dReal y = 4 * k;
        const dBodyID hull = sceneAddBox(s, 60, 1.6, 0.8, 0.3, 0, y, 0.5);
        collides(hull, Load, Ground);
        addTrack(s, hull, y - 0.7);
        addTrack(s, hull, y + 0.7);
    }
    s->drive = driveTracks;
    return s;
}
