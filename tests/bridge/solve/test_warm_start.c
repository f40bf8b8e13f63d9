/* SPDX-License-Identifier: BSD-3-Clause */
/* The forces of the last step are a step's first guess. A program that gives its contacts with their geoms or bodies in
 * either order, with tangents turned, and the points of a pair in any order, states the same problem each time: where
 * the world is put back after every step, the guess is the answer and no pass is needed. */
#include <ukode/ukode.h>

#include "tests/check.h"

#include <math.h>

enum { Boxes = 5, Corners = 4, Steps = 30 };

typedef enum Tangents { OdeTangents, FixedTangents, TurningTangents } Tangents;

typedef struct Run {
    const char *name;
    bool geoms, turn_over, shuffle;
    Tangents tangents;
    int mode;
    double push; /* on the top box [N] */
} Run;

static unsigned seed;

static unsigned draw(unsigned n)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % n;
}

static dContact contactOf(const Run *r, int level, int corner, bool over, dGeomID *geoms)
{
    dContact c = {.surface = {.mode = r->mode, .mu = 0.5, .mu2 = 0.4, .rho = 0.2, .rho2 = 0.3, .rhoN = 0.1}};
    c.geom.pos[0] = corner & 1 ? 0.5 : -0.5, c.geom.pos[1] = corner & 2 ? 0.4 : -0.4, c.geom.pos[2] = level;
    c.geom.normal[2] = over ? -1 : 1;
    c.geom.depth = 1e-3;
    if (geoms) c.geom.g1 = geoms[over ? level : level + 1], c.geom.g2 = geoms[over ? level + 1 : level];
    if (r->tangents != OdeTangents) {
        const double angle = r->tangents == FixedTangents ? 0.3 : draw(1000);
        c.surface.mode |= dContactFDir1;
        c.fdir1[0] = cos(angle), c.fdir1[1] = sin(angle);
    }
    return c;
}

/* Contacts of every level, its corners from a random one on, one by one in either order. */
static void addContacts(const Run *r, dWorldID world, dJointGroupID group, dBodyID *box, dGeomID *geoms)
{
    for (int level = 0; level < Boxes; level++) {
        const int from = r->shuffle ? (int)draw(Corners) : 0;
        for (int i = 0; i < Corners; i++) {
            const bool over = r->turn_over && draw(2);
            const dContact c = contactOf(r, level, (from + i) % Corners, over, r->geoms ? geoms : NULL);
            const dBodyID below = level > 0 ? box[level - 1] : NULL;
            dJointAttach(dJointCreateContact(world, group, &c), over ? below : box[level], over ? box[level] : below);
        }
    }
}

/* passes of all steps but the first */
static int run(const Run *r)
{
    dWorldID world = dWorldCreate();
    dJointGroupID group = dJointGroupCreate(0);
    dBodyID box[Boxes];
    dGeomID geoms[Boxes + 1] = {dCreatePlane(0, 0, 0, 1, 0)};
    dMass mass;
    int passes = 0;
    seed = 1;
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, 1e-6);
    dMassSetBoxTotal(&mass, 1, 1, 0.8, 1);
    for (int i = 0; i < Boxes; i++) {
        box[i] = dBodyCreate(world);
        dBodySetMass(box[i], &mass);
        geoms[i + 1] = dCreateBox(0, 1, 0.8, 1);
        dGeomSetBody(geoms[i + 1], box[i]);
    }
    for (int step = 0; step < Steps; step++) {
        ukReport report;
        for (int i = 0; i < Boxes; i++) {
            dBodySetPosition(box[i], 0, 0, i + 0.5);
            dBodySetRotation(box[i], (dMatrix3){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
            dBodySetLinearVel(box[i], 0, 0, 0);
            dBodySetAngularVel(box[i], 0, 0, 0);
            dBodyAddForce(box[i], 0.3 * i, 0.2, 0);
            dBodyAddTorque(box[i], 0, 0, 0.1 * (1 + i));
        }
        dBodyAddForce(box[Boxes - 1], r->push, 0.2 * r->push, 0);
        addContacts(r, world, group, box, geoms);
        CHECK(ukWorldStep(world, 0.01) && ukWorldGetReport(world, &report) == 0);
        CHECK(report.ok && report.rows >= 3 * Boxes * Corners);
        if (step == 0)
            CHECK(report.factorizations > 0);
        else
            passes += report.factorizations;
        dJointGroupEmpty(group);
    }
    if (passes > 0) printf("%s: %d passes in %d steps\n", r->name, passes, Steps - 1);
    for (int i = 0; i <= Boxes; i++) dGeomDestroy(geoms[i]);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
    return passes;
}

int main(void)
{
    enum {
        Coulomb = dContactApprox1 | dContactAxisDep,
        Rolling = Coulomb | dContactRolling,
        Spin = Coulomb | dContactRolling | dContactApprox1_N
    };
    const double rest = 0.5, slide = 8; /* the top box weighs 9.81 N */
    const Run runs[] = {
        {"as it was", true, false, false, OdeTangents, Coulomb, rest},
        {"turned over", true, true, false, OdeTangents, Coulomb, rest},
        {"turned over, bodies only", false, true, false, OdeTangents, Coulomb, rest},
        {"shuffled", true, true, true, OdeTangents, Coulomb, rest},
        {"sliding", true, true, true, OdeTangents, Coulomb, slide},
        {"sliding, along a direction", false, true, true, FixedTangents, Coulomb, slide},
        {"tangents that turn", true, true, true, TurningTangents, Coulomb, rest},
        {"rolling", true, true, true, OdeTangents, Rolling, rest},
        {"rolling and sliding", true, true, true, FixedTangents, Spin, slide},
        {"rolling, tangents that turn", false, true, true, TurningTangents, Coulomb | dContactRolling, 0},
    };
    dInitODE2(0);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) CHECK(run(&runs[i]) == 0);
    dCloseODE();
    return ukTestEnd();
}
