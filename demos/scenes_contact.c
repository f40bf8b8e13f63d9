/* SPDX-License-Identifier: BSD-3-Clause */
/* demos/scenes_contact.c: boxes and ragdolls on a plane. */
#include "demos/scenes.h"

#include <math.h>

static const dReal side = 0.5;

static Scene *onPlane(int bodies, int joints)
{
    Scene *s = sceneNew(bodies, joints, 0.01);
    s->space = dHashSpaceCreate(0);
    s->contacts = dJointGroupCreate(0);
    s->mu = 0.5;
    dCreatePlane(s->space, 0, 0, 1, 0);
    return s;
}

Scene *sceneStack(int n)
{
    Scene *s = onPlane(n, 0);
    for (int i = 0; i < n; i++) sceneAddBox(s, 1, side, side, side, 0, 0, side * (i + 0.5));
    return s;
}

Scene *scenePyramid(int n)
{
    Scene *s = onPlane(n * (n + 1) / 2, 0);
    for (int row = 0; row < n; row++)
        for (int i = 0; i < n - row; i++)
            sceneAddBox(s, 1, side, side, side, 1.1 * side * (i - 0.5 * (n - row - 1)), 0, side * (row + 0.5));
    return s;
}

Scene *scenePile(int n)
{
    Scene *s = onPlane(n, 0);
    const int edge = (int)ceil(cbrt(n));
    unsigned int state = 12345; /* a small generator of our own: the same pile everywhere */
    for (int i = 0; i < n; i++) {
        dReal random[4];
        for (int k = 0; k < 4; k++) {
            state = state * 1664525u + 1013904223u;
            random[k] = (dReal)(state >> 8) / (1 << 24) - 0.5;
        }
        const dBodyID b =
            sceneAddBox(s, 1, side, side, side, 1.5 * side * (i % edge + 0.4 * random[0]),
                        1.5 * side * (i / edge % edge + 0.4 * random[1]), 1 + 1.9 * side * (i / (edge * edge)));
        dQuaternion q;
        dQFromAxisAndAngle(q, random[2], random[3], 1, 3 * random[2]);
        dBodySetQuaternion(b, q);
    }
    return s;
}

/* ---- ragdolls ---------------------------------------------------------------------------------------------------- */

enum { Ground = 1, Limb = 2 };

typedef struct Part {
    int parent;    /* -1: none */
    dReal x, y, z; /* centre */
    dReal lx, ly, lz, m;
    dReal ax, ay, az; /* joint to the parent */
    int hinge;        /* axis y, stops [lo, hi]; 0: ball */
    dReal lo, hi;
} Part;

/* standing, facing +x, arms hanging; one side is given, the other is its mirror image */
static const Part part[] = {
    {-1, 0, 0, 1.00, 0.20, 0.30, 0.18, 10, 0, 0, 0, 0, 0, 0},        /* pelvis */
    {0, 0, 0, 1.18, 0.18, 0.28, 0.16, 8, 0, 0, 1.09, 0, 0, 0},       /* abdomen */
    {1, 0, 0, 1.40, 0.22, 0.36, 0.26, 14, 0, 0, 1.27, 0, 0, 0},      /* chest */
    {2, 0, 0, 1.68, 0.18, 0.16, 0.24, 5, 0, 0, 1.54, 0, 0, 0},       /* head */
    {2, 0, 0.25, 1.37, 0.09, 0.09, 0.28, 2, 0, 0.25, 1.51, 0, 0, 0}, /* upper arm */
    {4, 0, 0.25, 1.10, 0.08, 0.08, 0.24, 1.5, 0, 0.25, 1.23, 1, -2.2, 0.05},
    {5, 0, 0.25, 0.91, 0.05, 0.09, 0.14, 0.5, 0, 0.25, 0.98, 1, -0.8, 0.8},
    {0, 0, 0.10, 0.70, 0.13, 0.13, 0.40, 7, 0, 0.10, 0.91, 0, 0, 0}, /* thigh */
    {7, 0, 0.10, 0.29, 0.10, 0.10, 0.38, 4, 0, 0.10, 0.50, 1, -0.05, 2.2},
    {8, 0.05, 0.10, 0.06, 0.24, 0.09, 0.08, 1, 0, 0.10, 0.09, 1, -0.5, 0.7},
};
enum { PartCount = sizeof part / sizeof *part, FirstSided = 4, RagdollBodies = 16 };

static dBodyID addPart(Scene *s, const Part *p, dBodyID parent, int mirror, dReal x, dReal y, dReal z)
{
    const dReal sign = mirror ? -1 : 1;
    const dBodyID b = sceneAddBox(s, p->m, p->lx, p->ly, p->lz, x + p->x, y + sign * p->y, z + p->z);
    const dReal anchor[3] = {x + p->ax, y + sign * p->ay, z + p->az};
    dGeomSetCategoryBits(dBodyGetFirstGeom(b), Limb);
    dGeomSetCollideBits(dBodyGetFirstGeom(b), Ground);
    if (!parent) return b;
    if (!p->hinge) {
        sceneAddBall(s, b, parent, anchor);
        return b;
    }
    const dJointID j = sceneAddHinge(s, b, parent, anchor, 0, 1, 0);
    dJointSetHingeParam(j, dParamLoStop, p->lo);
    dJointSetHingeParam(j, dParamHiStop, p->hi);
    return b;
}

static void addRagdoll(Scene *s, dReal x, dReal y, dReal z)
{
    dBodyID made[2][PartCount];
    for (int i = 0; i < PartCount; i++)
        for (int mirror = 0; mirror < (i < FirstSided ? 1 : 2); mirror++) {
            const int up = part[i].parent;
            const dBodyID parent = up < 0 ? 0 : made[up < FirstSided ? 0 : mirror][up];
            made[mirror][i] = addPart(s, &part[i], parent, mirror, x, y, z);
        }
}

Scene *sceneRagdolls(int n)
{
    Scene *s = onPlane(RagdollBodies * n, (RagdollBodies - 1) * n);
    const int edge = (int)ceil(sqrt(n));
    dGeomSetCategoryBits(dSpaceGetGeom(s->space, 0), Ground);
    dGeomSetCollideBits(dSpaceGetGeom(s->space, 0), Limb);
    for (int i = 0; i < n; i++) {
        const int first = s->count;
        addRagdoll(s, 1.5 * (i % edge), 1.5 * (i / edge % edge), 0.5 + 0.05 * (i % 7));
        for (int k = first; k < s->count; k++) dBodySetLinearVel(s->bodies[k], 0.5 * (i % 3 - 1), 0.3 * (i % 2), 0);
    }
    return s;
}
