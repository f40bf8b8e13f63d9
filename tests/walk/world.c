/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/walk/world.c: steps a small world, for walk.py, which observes the calls within walkStep.
 * Usage: world hinge      two bodies on a hinge
 *        world bodies     the same without the hinge
 *        world contact    a heap of boxes, pushed to and fro, more rows than the homotopy takes first
 *        world boxes      the same without contacts */
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

enum { First = 10, Steps = 30, Boxes = 5 };

static const double step = 0.01, side = 1;

static dWorldID world;
static dBodyID body[Boxes];
static dJointGroupID contacts;

static void addBody(int i, double x, double z)
{
    dMass mass;
    dMassSetBoxTotal(&mass, 1, side, side, side);
    body[i] = dBodyCreate(world);
    dBodySetMass(body[i], &mass);
    dBodySetPosition(body[i], x, 0, z);
}

static void addHinge(void)
{
    const dJointID joint = dJointCreateHinge(world, 0);
    dJointAttach(joint, body[0], body[1]);
    dJointSetHingeAnchor(joint, 0.5, 0, 0);
    dJointSetHingeAxis(joint, 0, 1, 0);
}

/* four contacts of box i with the one below it */
static void addContacts(int i)
{
    const dReal *const at = dBodyGetPosition(body[i]);
    const double below = i > 0 ? dBodyGetPosition(body[i - 1])[2] + side / 2 : 0;
    for (int k = 0; k < 4; k++) {
        dContact contact;
        memset(&contact, 0, sizeof contact);
        contact.surface.mu = 0.5;
        contact.geom.pos[0] = at[0] + (k % 2 ? 0.4 : -0.4);
        contact.geom.pos[1] = at[1] + (k / 2 ? 0.4 : -0.4);
        contact.geom.pos[2] = at[2] - side / 2;
        contact.geom.normal[2] = 1;
        contact.geom.depth = below - contact.geom.pos[2] > 0 ? below - contact.geom.pos[2] : 0;
        dJointAttach(dJointCreateContact(world, contacts, &contact), body[i], i > 0 ? body[i - 1] : NULL);
    }
}

/* not inlined: its symbol delimits what is observed */
__attribute__((noinline)) int walkStep(void);
__attribute__((noinline)) int walkStep(void)
{
    return dWorldStep(world, step);
}

int main(int count, char **argument)
{
    const char *const what = count > 1 ? argument[1] : "";
    const int heap = strcmp(what, "contact") == 0 || strcmp(what, "boxes") == 0;
    int failed = 0;
    dInitODE2(0);
    world = dWorldCreate();
    contacts = dJointGroupCreate(0);
    if (ukWorldEnable(world) != 0) return 1;
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < (heap ? Boxes : 2); i++) addBody(i, heap ? 0 : i, heap ? side * (i + 0.5) : 0);
    if (!heap) dBodySetAngularVel(body[1], 0.1, 0.3, 0.2);
    if (strcmp(what, "hinge") == 0) addHinge();
    for (int k = 0; k < Steps; k++) {
        for (int i = 0; heap && i < Boxes; i++) {
            if (strcmp(what, "contact") == 0) addContacts(i);
            dBodyAddForce(body[i], k % 2 ? 6 : -6, 0, 0);
        }
        failed += (k < First ? dWorldStep(world, step) : walkStep()) != 1;
        dJointGroupEmpty(contacts);
    }
    ukReport report;
    failed += ukWorldGetReport(world, &report) != 0 || !report.ok;
    printf("%d rows, %d steps failed\n", report.rank, failed);
    dWorldDestroy(world);
    dCloseODE();
    return failed > 0;
}
