/* SPDX-License-Identifier: BSD-3-Clause */
/* What the adaptive integrator remembers from step to step. A step that is much shorter than its sub-steps tells
 * nothing of them: the next one is divided as before. A step that fails has no part in it: of islands that were stepped
 * before another one failed, stiff ones included, every bit of the state that is saved is as it was. And what it
 * remembers of one island has no effect on another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static dWorldID adaptive(double tolerance)
{
    const dWorldID w = newWorld(9.81);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorAdaptive) == 0 && ukWorldSetTolerance(w, tolerance, 0) == 0);
    return w;
}

static int substeps(dWorldID w, double h)
{
    ukReport r;
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetReport(w, &r) == 0);
    return r.substeps;
}

/* a pendulum in steady rotation, so that one step is like another */
static void shortSteps(double between)
{
    const double h = 0.05;
    const dWorldID w = adaptive(1e-10);
    dWorldSetGravity(w, 0, 0, 0);
    const dBodyID b = box(w, 1, 1, 0, 0);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, b, 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dBodySetAngularVel(b, 0, 0, 4);
    dBodySetLinearVel(b, 0, 4, 0);
    for (int i = 0; i < 5; i++) substeps(w, h);
    const int as_ever = substeps(w, h);
    CHECK(as_ever >= 4);
    for (int i = 0; i < 5; i++) {
        CHECK(substeps(w, between) == 1);
        const int now = substeps(w, h);
        if (!CHECK(abs(now - as_ever) <= 1)) printf("after %g s: %d sub-steps, before: %d\n", between, now, as_ever);
    }
    dWorldDestroy(w);
}

static bool failing;

static int fails(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)c, (void)force, (void)data;
    return failing;
}

static size_t save(dWorldID w, void **bytes)
{
    const size_t size = ukWorldSave(w, NULL, 0);
    *bytes = calloc(1, size + 1);
    CHECK(*bytes && ukWorldSave(w, *bytes, size) == size);
    return size;
}

/* the newest bodies are stepped first: those on damped springs, then the one whose force fails */
static void failedSteps(void)
{
    const double h = 0.02, kp = 1e6, kd = 1e4;
    const dWorldID w = adaptive(1e-8);
    const dBodyID bad = ball(w, 1, 50, 0, 0);
    CHECK(ukForceCreate(w, &bad, 1, fails, NULL) != NULL);
    for (int i = 0; i < 3; i++) {
        const dBodyID b = box(w, 2, 3 * i, 0, 0);
        const dJointID joint = dJointCreateBall(w, 0);
        dJointAttach(joint, b, 0);
        dJointSetBallAnchor(joint, 3 * i + 0.3, 0, 0);
        dJointSetBallParam(joint, dParamERP, h * kp / (h * kp + kd));
        dJointSetBallParam(joint, dParamCFM, 1 / (h * kp + kd));
        dBodySetPosition(b, 3 * i, 0, 0.01 * (i + 1));
    }
    int divided = 0;
    for (int i = 0; i < 25; i++) {
        void *before, *after;
        const size_t size = save(w, &before);
        failing = true;
        CHECK(ukWorldStep(w, h) == 0 && ukGetLastError() == ukErrorCallback);
        failing = false;
        CHECK(save(w, &after) == size && memcmp(before, after, size) == 0);
        free(before), free(after);
        divided += substeps(w, h) > 8;
    }
    CHECK(divided > 3);
    dWorldDestroy(w);
}

/* a body on a stiff spring to a kinematic body that rotates, or to the world */
static dBodyID sprung(dWorldID w, double x, double h, bool kinematic)
{
    const double kp = 1e7, kd = 1e3;
    const dBodyID base = box(w, 1, x, 0, 0), b = box(w, 1, x + 0.8, 0.1, 0);
    const dJointID joint = dJointCreateBall(w, 0);
    if (kinematic) dBodySetKinematic(base);
    dBodySetAngularVel(base, 1.3, 2.1, -1.7);
    dJointAttach(joint, base, b);
    dJointSetBallAnchor(joint, x + 0.4, 0.3, 0.2);
    dJointSetBallParam(joint, dParamERP, h * kp / (h * kp + kd));
    dJointSetBallParam(joint, dParamCFM, 1 / (h * kp + kd));
    dBodySetPosition(b, x + 0.8, 0.1, 0.02);
    dBodySetAngularVel(b, 5, -3, 2);
    return b;
}

/* An island with a kinematic body moves alike, to the last bit, whether another island is in its world or not. */
static void islandsApart(void)
{
    enum { Steps = 40 };
    const double h = 0.01;
    static double state[2][Steps][7];
    int divided = 0;
    for (int other = 0; other < 2; other++) {
        const dWorldID w = adaptive(1e-8);
        const dBodyID b = sprung(w, 0, h, true);
        if (other) sprung(w, 50, h, false);
        for (int i = 0; i < Steps; i++) {
            divided += substeps(w, h) > 8;
            memcpy(state[other][i], dBodyGetPosition(b), 3 * sizeof(double));
            memcpy(state[other][i] + 3, dBodyGetQuaternion(b), 4 * sizeof(double));
        }
        dWorldDestroy(w);
    }
    CHECK(divided > 0);
    CHECK(memcmp(state[0], state[1], sizeof state[0]) == 0);
}

int main(void)
{
    dInitODE2(0);
    shortSteps(1e-9);
    shortSteps(1e-6);
    shortSteps(1e-4);
    failedSteps();
    islandsApart();
    dCloseODE();
    return ukTestEnd();
}
