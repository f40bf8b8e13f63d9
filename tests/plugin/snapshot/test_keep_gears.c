/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings of a Transmission are in a saved state, each by itself: what a program sets after the state was saved is
 * taken back, in all modes of the joint. */
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/joints/class.h"
#include "bridge/world/registry.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static dBodyID wheel(dWorldID w, double x)
{
    const dBodyID b = ball(w, 1, x, 0, 0);
    const dJointID axle = dJointCreateHinge(w, 0);
    dJointAttach(axle, b, 0);
    dJointSetHingeAnchor(axle, x, 0, 0);
    dJointSetHingeAxis(axle, 0, 0, 1);
    return b;
}

static dJointID gearOf(dWorldID w, int mode)
{
    const dBodyID a = wheel(w, 0), b = wheel(w, 1);
    const dJointID gear = dJointCreateTransmission(w, 0);
    dJointAttach(gear, a, b);
    dJointSetTransmissionMode(gear, mode);
    dJointSetTransmissionAxis(gear, 0, 0, 1);
    dJointSetTransmissionAnchor1(gear, 0, 0, 0);
    dJointSetTransmissionAnchor2(gear, 1, 0, 0);
    if (mode == dTransmissionParallelAxes) dJointSetTransmissionRatio(gear, 1.5);
    if (mode == dTransmissionChainDrive) dJointSetTransmissionRadius1(gear, 0.4);
    if (mode == dTransmissionChainDrive) dJointSetTransmissionRadius2(gear, 0.3);
    dBodySetAngularVel(a, 0, 0, 2);
    return gear;
}

static void backlash(int mode)
{
    static const double values[] = {0, 0.02, 0.3};
    const dWorldID w = newWorld(0);
    const dJointID gear = gearOf(w, mode);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            dJointSetTransmissionBacklash(gear, values[i]);
            CHECK(ukWorldStep(w, 0.01) == 1);
            const size_t size = ukWorldSave(w, NULL, 0);
            void *const bytes = malloc(size);
            CHECK(bytes && ukWorldSave(w, bytes, size) == size);
            dJointSetTransmissionBacklash(gear, values[k]);
            CHECK(dJointGetTransmissionBacklash(gear) == values[k]);
            CHECK(ukWorldRestore(w, bytes, size) == 0);
            CHECK(dJointGetTransmissionBacklash(gear) == values[i]);
            free(bytes);
        }
    dWorldDestroy(w);
}

/* and has its effect: within the gap nothing is transmitted */
static void transmits(void)
{
    for (int gap = 0; gap < 2; gap++) {
        const dWorldID w = newWorld(0);
        const dJointID gear = gearOf(w, dTransmissionParallelAxes);
        dJointSetTransmissionBacklash(gear, gap ? 1 : 0);
        const size_t size = ukWorldSave(w, NULL, 0);
        void *const bytes = malloc(size);
        CHECK(bytes && ukWorldSave(w, bytes, size) == size);
        dJointSetTransmissionBacklash(gear, gap ? 0 : 1);
        CHECK(ukWorldRestore(w, bytes, size) == 0);
        for (int i = 0; i < 5; i++) CHECK(ukWorldStep(w, 0.01) == 1);
        const double driven = dBodyGetAngularVel(dJointGetBody(gear, 1))[2];
        CHECK((driven != 0) == !gap);
        free(bytes);
        dWorldDestroy(w);
    }
}

/* Each value that a gear carries from step to step is part of the world's hash. */
static void hashed(void)
{
    const dWorldID w = newWorld(0);
    const dJointID joint = gearOf(w, dTransmissionChainDrive);
    unsigned char before[16], after[16];
    CHECK(ukWorldStep(w, 0.01) == 1 && ukWorldHash(w, before) == 0);
    ukGear *const gear = &ukRegistryJoint(joint)->of.gear;
    double *const values[] = {&gear->phase[0], &gear->phase[1], &gear->delta};
    for (int i = 0; i < 3; i++) {
        const double kept = *values[i];
        *values[i] = kept + 1;
        CHECK(ukWorldHash(w, after) == 0 && memcmp(before, after, sizeof before) != 0);
        *values[i] = kept;
        CHECK(ukWorldHash(w, after) == 0 && memcmp(before, after, sizeof before) == 0);
    }
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    backlash(dTransmissionParallelAxes);
    backlash(dTransmissionChainDrive);
    transmits();
    hashed();
    dCloseODE();
    return ukTestEnd();
}
