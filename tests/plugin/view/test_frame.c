/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames for `ukode view`: a ball at rest on the ground, its pose and the force of its contact in either order of
 * attachment. */
#include <string.h>

#include "bridge/world/registry.h"
#include "plugin/view/frame.h"
#include "tests/check.h"
#include "ukode/ukode.h"

static const double mass = 2, g = 9.81;

/* The force is that on the first body: the weight upwards on the ball, downwards on the world. */
static void restingBall(bool swapped)
{
    const dWorldID world = dWorldCreate();
    const dBodyID ball = dBodyCreate(world);
    unsigned char buffer[4096];
    dMass m;
    dWorldSetGravity(world, 0, 0, -g);
    dMassSetSphereTotal(&m, mass, 0.5);
    dBodySetMass(ball, &m);
    dBodySetPosition(ball, 0.25, -0.75, 0.5);
    dContact c;
    memset(&c, 0, sizeof c);
    c.surface.mu = 1;
    c.geom.pos[0] = 0.25, c.geom.pos[1] = -0.75;
    c.geom.normal[2] = swapped ? -1 : 1;
    dJointAttach(dJointCreateContact(world, 0, &c), swapped ? 0 : ball, swapped ? ball : 0);
    CHECK(ukWorldStep(world, 0.01) == 1);
    const ukViewHead given = {.number = 7};
    ukViewHead head;
    ukViewBody body;
    ukViewContact contact;
    const size_t size = ukViewFrame(ukRegistryWorld(world), true, &given, buffer, sizeof buffer);
    if (CHECK(size == sizeof head + sizeof body + sizeof contact)) {
        memcpy(&head, buffer, sizeof head);
        memcpy(&body, buffer + sizeof head, sizeof body);
        memcpy(&contact, buffer + sizeof head + sizeof body, sizeof contact);
        CHECK(head.number == 7 && head.bodies == 1 && head.joints == 0 && head.contacts == 1);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR((double)body.p[i], dBodyGetPosition(ball)[i], 1e-6);
            CHECK_NEAR((double)contact.p[i], c.geom.pos[i], 1e-6);
            CHECK_NEAR((double)contact.n[i], c.geom.normal[i], 1e-6);
            CHECK_NEAR((double)contact.f[i], i == 2 ? (swapped ? -mass * g : mass * g) : 0, 1e-4);
        }
        CHECK((double)body.q[0] == 1 && body.awake);
    }
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int swapped = 0; swapped < 2; swapped++) restingBall(swapped);
    dCloseODE();
    return ukTestEnd();
}
