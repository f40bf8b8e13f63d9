/* SPDX-License-Identifier: BSD-3-Clause */
/* Contacts that slip (dContactSlip1, 2), one tangent more than the other: their pair of rows is soft in one direction
 * and hard in the other. Every step is solved, under each law, in heaps whose contacts draw their slips. */
#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/random_world.h"

#include <math.h>

typedef struct Heap {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    Random random;
    bool drawn; /* slips and mu2 of every contact; else 0.05 and 0, 0.5 */
} Heap;

static dReal slip(Random *random)
{
    return randomUniform(random, 0, 1) < 0.3 ? 0 : pow(10, randomUniform(random, -6, 0));
}

static void touch(void *data, dGeomID a, dGeomID b)
{
    Heap *h = data;
    dContact contact[8];
    const int count = dCollide(a, b, 8, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < count; i++) {
        dSurfaceParameters *s = &contact[i].surface;
        s->mode = dContactApprox1 | dContactMu2 | dContactSlip1 | dContactSlip2;
        s->mu = 0.5, s->mu2 = h->drawn ? randomUniform(&h->random, 0.1, 1.1) : 0.5;
        s->slip1 = h->drawn ? slip(&h->random) : 0.05, s->slip2 = h->drawn ? slip(&h->random) : 0;
        dJointAttach(dJointCreateContact(h->world, h->contacts, contact + i), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void drop(Heap *h, int boxes)
{
    for (int i = 0; i < boxes; i++) {
        const dBodyID body = dBodyCreate(h->world);
        const dGeomID box = dCreateBox(h->space, 0.2, 0.2, 0.2);
        double at[2], angle[3];
        for (int k = 0; k < 2; k++) at[k] = randomUniform(&h->random, -0.15, 0.15);
        for (int k = 0; k < 3; k++) angle[k] = randomUniform(&h->random, -0.5, 0.5);
        dMass mass;
        dMatrix3 R;
        dRFromEulerAngles(R, angle[0], angle[1], angle[2]);
        dMassSetBox(&mass, 1000, 0.2, 0.2, 0.2);
        dBodySetMass(body, &mass);
        dGeomSetBody(box, body);
        dBodySetPosition(body, at[0], at[1], 0.2 + 0.21 * i);
        dBodySetRotation(body, R);
    }
}

static void fall(ukFriction friction, int (*step)(dWorldID, dReal), uint64_t seed, bool drawn)
{
    Heap h = {.world = dWorldCreate(), .space = dHashSpaceCreate(0), .contacts = dJointGroupCreate(0)};
    h.random.state = seed, h.drawn = drawn;
    dWorldSetGravity(h.world, 0, 0, -9.81);
    dCreatePlane(h.space, 0, 0, 1, 0);
    drop(&h, 12);
    ukWorldEnable(h.world);
    CHECK(ukWorldSetFriction(h.world, friction) == 0);
    for (int i = 0; i < 100; i++) {
        ukReport report = {0};
        dSpaceCollide(h.space, &h, touch);
        CHECK(step(h.world, 0.01) && ukWorldGetReport(h.world, &report) == 0);
        CHECK(report.ok && report.complementarity <= 1e-9);
        dJointGroupEmpty(h.contacts);
    }
    dJointGroupDestroy(h.contacts);
    dSpaceDestroy(h.space);
    dWorldDestroy(h.world);
}

int main(void)
{
    dInitODE2(0);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const bool drawn = seed > 1;
        fall(ukFrictionOde, ukWorldStep, seed, drawn);
        fall(ukFrictionOde, dWorldQuickStep, seed, drawn);
        fall(ukFrictionCone, dWorldQuickStep, seed, drawn);
    }
    dCloseODE();
    return ukTestEnd();
}
