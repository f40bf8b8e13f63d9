/* SPDX-License-Identifier: BSD-3-Clause */
/* Names are copied, kept with their objects and given by UKODE_CONFIG; lists have what was made, in that order, without
 * contacts, however it came and went. */
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/world/name.h"
#include "tests/check.h"

static bool is(const char *name, const char *expected)
{
    return name && strcmp(name, expected) == 0;
}

static void names(dWorldID world)
{
    char text[] = "torso";
    const dBodyID body = dBodyCreate(world);
    const dJointID hinge = dJointCreateHinge(world, 0);
    const dJointID contact = dJointCreateContact(world, 0, &(dContact){.surface.mu = 1});
    CHECK(!ukBodyGetName(body) && !ukJointGetName(hinge) && !ukJointGetName(contact));
    CHECK(ukBodySetName(body, text) == ukOk && ukJointSetName(hinge, "knee") == ukOk);
    text[0] = 'T';
    CHECK(is(ukBodyGetName(body), "torso") && is(ukJointGetName(hinge), "knee"));
    CHECK(ukBodySetName(body, "a longer name than before") == ukOk);
    CHECK(is(ukBodyGetName(body), "a longer name than before"));
    CHECK(ukBodySetName(body, "") == ukOk && !ukBodyGetName(body));
    CHECK(ukJointSetName(hinge, NULL) == ukOk && !ukJointGetName(hinge));
    CHECK(ukJointSetName(contact, "c") == ukErrorArgument && !ukJointGetName(contact));
    CHECK(ukBodySetName(NULL, "x") == ukErrorHandle && ukJointSetName(NULL, "x") == ukErrorHandle);
    CHECK(!ukBodyGetName(NULL) && !ukJointGetName(NULL));
    CHECK(ukBodySetName(body, "gone") == ukOk && ukJointSetName(hinge, "gone") == ukOk);
    dJointDestroy(contact);
    dJointDestroy(hinge);
    dBodyDestroy(body);
    CHECK(ukBodySetName(body, "x") == ukErrorHandle && !ukBodyGetName(body));
}

static void defaults(void)
{
    ukNameDefault list[] = {{false, 2, "second", false}, {true, 1, "first joint", false}, {false, 2, "again", false}};
    CHECK(ukNameSetDefaults(list, 3));
    CHECK(ukNameUnmetDefault(true) == 1 && ukNameUnmetDefault(false) == 2);
    const dWorldID world = dWorldCreate();
    const dBodyID one = dBodyCreate(world), two = dBodyCreate(world);
    dJointCreateContact(world, 0, &(dContact){.surface.mu = 1});
    CHECK(!ukBodyGetName(one) && is(ukBodyGetName(two), "again"));
    CHECK(is(ukJointGetName(dJointCreateBall(world, 0)), "first joint"));
    CHECK(!ukJointGetName(dJointCreateBall(world, 0)));
    dWorldDestroy(world);
    CHECK(ukNameSetDefaults(NULL, 0));
}

static void lists(void)
{
    enum { Bodies = 5, Joints = 3 };
    const dWorldID first = dWorldCreate(), world = dWorldCreate();
    dBodyID body[Bodies];
    dJointID joint[Joints];
    CHECK(ukGetWorldCount() == 2 && ukGetWorld(0) == first && ukGetWorld(1) == world);
    CHECK(!ukGetWorld(2) && !ukGetWorld(-1));
    CHECK(ukWorldGetBodyCount(world) == 0 && !ukWorldGetBody(world, 0) && ukWorldGetJointCount(world) == 0);
    for (int i = 0; i < Bodies; i++) body[i] = dBodyCreate(world);
    const dJointID early = dJointCreateContact(world, 0, &(dContact){.surface.mu = 1});
    for (int i = 0; i < Joints; i++) {
        joint[i] = i == 1 ? dJointCreateSlider(world, 0) : dJointCreateHinge(world, 0);
        dJointCreateContact(world, 0, &(dContact){.surface.mu = 1});
    }
    CHECK(ukWorldGetBodyCount(world) == Bodies && ukWorldGetJointCount(world) == Joints);
    for (int i = 0; i < Bodies; i++) CHECK(ukWorldGetBody(world, i) == body[i]);
    for (int i = Bodies - 1; i >= 0; i--) CHECK(ukWorldGetBody(world, i) == body[i]);
    for (int i = Joints - 1; i >= 0; i--) CHECK(ukWorldGetJoint(world, i) == joint[i]);
    CHECK(!ukWorldGetBody(world, Bodies) && !ukWorldGetBody(world, -1) && !ukWorldGetJoint(world, Joints));
    CHECK(ukWorldGetJoint(world, 1) == joint[1]);
    dJointDestroy(early);
    dBodyDestroy(body[1]);
    CHECK(ukWorldGetBodyCount(world) == Bodies - 1 && ukWorldGetBody(world, 1) == body[2]);
    CHECK(ukWorldGetBody(world, 3) == body[4] && !ukWorldGetBody(world, 4));
    dJointDestroy(joint[1]);
    CHECK(ukWorldGetJointCount(world) == 2 && ukWorldGetJoint(world, 1) == joint[2]);
    dWorldDestroy(first);
    CHECK(ukGetWorldCount() == 1 && ukGetWorld(0) == world);
    dWorldDestroy(world);
    CHECK(ukGetWorldCount() == 0 && ukWorldGetBodyCount(world) == 0 && !ukWorldGetBody(world, 0));
    CHECK(ukWorldGetJointCount(NULL) == 0 && !ukWorldGetJoint(NULL, 0));
}

int main(void)
{
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    names(world);
    dWorldDestroy(world);
    defaults();
    lists();
    dCloseODE();
    return ukTestEnd();
}
