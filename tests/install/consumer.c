/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of ukode's user: the installed header, the installed library, nothing else. Also valid C++. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

static dBodyID pendulum(dWorldID world)
{
    dMass mass;
    const dBodyID body = dBodyCreate(world);
    const dJointID hinge = dJointCreateHinge(world, 0);
    dWorldSetGravity(world, 0, 0, -9.81);
    dMassSetSphereTotal(&mass, 1, 0.1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 1, 0, 0);
    dJointAttach(hinge, body, 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return body;
}

int main(void)
{
    dInitODE2(0);
    const dWorldID native = dWorldCreate(), called = dWorldCreate(), enabled = dWorldCreate();
    const dBodyID body[3] = {pendulum(native), pendulum(called), pendulum(enabled)};
    int failed = 0;
    if (ukWorldEnable(enabled) != 0) failed = 1;
    if (ukWorldIsEnabled(native)) failed = 2; /* linking alone changes nothing */
    for (int i = 0; i < 100; i++) {
        dWorldStep(native, 0.01);
        if (!ukWorldStep(called, 0.01)) failed = 3;
        dWorldStep(enabled, 0.01);
    }
    ukReport report;
    if (ukWorldGetReport(enabled, &report) != 0 || report.rows != 5 || !report.ok || report.fallbacks) failed = 4;
    if (ukWorldGetReport(native, &report) != 0 || report.rows != 0) failed = 5;
    for (int i = 1; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(dBodyGetPosition(body[i])[k] - dBodyGetPosition(body[0])[k]) < 1e-8)) failed = 5 + i;
    if (strcmp(ukGetVersion(), UKODE_VERSION) != 0) failed = 8;
    if (ukWorldEnable(0) != ukErrorHandle || ukGetLastError() != ukErrorHandle) failed = 9;
    if (failed) printf("consumer: check %d failed: %s\n", failed, ukGetLastErrorMessage());
    dWorldDestroy(native);
    dWorldDestroy(called);
    dWorldDestroy(enabled);
    dCloseODE();
    return failed;
}
