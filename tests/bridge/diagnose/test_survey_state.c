/* SPDX-License-Identifier: BSD-3-Clause */
/* The diagnosis before a step (UKODE_VERBOSE) leaves the state of the world as it was, whether the step is taken or
 * not. */
#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "tests/check.h"
#include <ukode/ukode.h>

enum { StateBytes = 1 << 16 };

/* a slider on the ground that a program pushes by `force` */
static dWorldID pushed(double force)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const dJointID slider = dJointCreateSlider(world, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    ukWorldEnable(world);
    dJointAttach(slider, body, 0);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dBodySetForce(body, force, 0, 0);
    return world;
}

static void failedStepsLeaveTheState(void)
{
    static unsigned char before[StateBytes], after[StateBytes];
    for (int verbose = 0; verbose < 2; verbose++) {
        const dWorldID world = pushed((double)INFINITY);
        ukLogSetVerbose(verbose != 0);
        const size_t size = ukWorldSave(world, before, sizeof before);
        CHECK(size > 0 && size <= sizeof before);
        CHECK(dWorldStep(world, 0.01) == 0);
        CHECK(ukWorldSave(world, after, sizeof after) == size);
        CHECK(memcmp(before, after, size) == 0);
        dWorldDestroy(world);
    }
}

static void stepsHaveTheSameState(void)
{
    unsigned char hash[2][16];
    for (int verbose = 0; verbose < 2; verbose++) {
        const dWorldID world = pushed(3);
        ukLogSetVerbose(verbose != 0);
        for (int k = 0; k < 5; k++) CHECK(dWorldStep(world, 0.01) == 1);
        CHECK(ukWorldHash(world, hash[verbose]) == ukOk);
        dWorldDestroy(world);
    }
    CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
}

/* The records that the diagnosis reads from ODE are read again by the step: here the check rejects the first one, and
 * the program moves the body, where ODE's getters round differently. */
static void rejectedStepsLeaveTheState(void)
{
    static unsigned char before[StateBytes], after[StateBytes];
    unsigned char hash[2][16];
    for (int verbose = 0; verbose < 2; verbose++) {
        const dWorldID world = pushed(3);
        const dQuaternion turned = {0.3, -0.5, 0.6, 0.1};
        const dBodyID body = dBodyCreate(world);
        const dJointID hinge = dJointCreateHinge(world, 0);
        dJointAttach(hinge, body, 0);
        dBodySetPosition(body, 0.37, 5.1, -2.3);
        dBodySetQuaternion(body, turned);
        dJointSetHingeAnchor(hinge, 0.1, 4.9, -2.7);
        dJointSetHingeAxis(hinge, 0.2, 1, 0.7);
        ukLogSetVerbose(verbose != 0);
        CHECK(ukWorldSetGaussCheck(world, 1e-300, ukCheckStop) == 0);
        const size_t size = ukWorldSave(world, before, sizeof before);
        CHECK(size > 0 && size <= sizeof before);
        CHECK(dWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorCheck);
        CHECK(ukWorldSave(world, after, sizeof after) == size && memcmp(before, after, size) == 0);
        CHECK(ukWorldSetGaussCheck(world, 1e-9, ukCheckStop) == 0);
        dBodySetPosition(body, 0.39, 5.2, -2.4);
        for (int k = 0; k < 5; k++) CHECK(dWorldStep(world, 0.01) == 1);
        CHECK(ukWorldHash(world, hash[verbose]) == ukOk);
        dWorldDestroy(world);
    }
    CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
}

int main(void)
{
    dInitODE2(0);
    rejectedStepsLeaveTheState();
    failedStepsLeaveTheState();
    stepsHaveTheSameState();
    dCloseODE();
    return ukTestEnd();
}
