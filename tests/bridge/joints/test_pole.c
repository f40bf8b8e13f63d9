/* SPDX-License-Identifier: BSD-3-Clause */
/* AMotors near the singular pose of their Euler angles: the sine of the angle between axes 1 and 3 is the cosine of the
 * middle angle, in both orders; only motors in Euler mode that drive or, where they
 * are asked for, have stops are found. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/joints/pole.h"
#include "bridge/world/registry.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

/* ERP 0: a stop that is passed does not turn the bodies back */
static dWorldID quiet(void)
{
    const dWorldID w = newWorld(0);
    dWorldSetERP(w, 0);
    return w;
}

typedef enum Acts { Idle, Stops, Drives } Acts;

/* a body with an AMotor, turned by the middle angle about y; the motor's axes: x of one body, z of the other */
static dBodyID motorised(dWorldID w, int mode, bool second, dBodyID other, Acts acts, double middle)
{
    const dBodyID b = ball(w, 1, 0, 0, 0);
    const dJointID j = dJointCreateAMotor(w, 0);
    dQuaternion q;
    dJointAttach(j, second ? other : b, second ? b : other);
    dJointSetAMotorMode(j, mode);
    if (mode == dAMotorUser) dJointSetAMotorNumAxes(j, 3);
    dJointSetAMotorAxis(j, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(j, 2, 2, 0, 0, 1);
    if (acts == Stops) dJointSetAMotorParam(j, dParamLoStop3, -0.1);
    if (acts == Drives) dJointSetAMotorParam(j, dParamFMax, 1);
    dQFromAxisAndAngle(q, 0, 1, 0, middle);
    dBodySetQuaternion(b, q);
    return b;
}

static double found(dWorldID w, bool stops, char name[ukPoleLength])
{
    name[0] = 0;
    CHECK(ukWorldStep(w, 1e-9) == 1);
    return ukPoleNearest(ukRegistryWorld(w), 0.17, stops, name);
}

static void angles(bool second, bool two)
{
    for (int i = -3; i <= 3; i++) {
        char name[ukPoleLength];
        const dWorldID w = quiet();
        const double middle = acos(-1) / 2 + 0.05 * i;
        motorised(w, dAMotorEuler, second, two ? ball(w, 1, 1, 0, 0) : NULL, i % 2 ? Stops : Drives, middle);
        const double sine = found(w, true, name);
        if (!CHECK(fabs(sine - fabs(cos(middle))) < 1e-6))
            printf("%d %d %g: %g, %g\n", second, two, middle, sine, cos(middle));
        CHECK(strcmp(name, "AMotor joint 1") == 0);
        dWorldDestroy(w);
    }
}

static void others(void)
{
    static const struct {
        int mode;
        Acts acts;
        double middle;
    } each[] = {{dAMotorEuler, Idle, 1.57},  {dAMotorUser, Stops, 1.57}, {dAMotorUser, Drives, 1.57},
                {dAMotorEuler, Stops, 1.37}, {dAMotorEuler, Drives, 0},  {dAMotorEuler, Stops, 1.77}};
    for (unsigned i = 0; i < sizeof each / sizeof *each; i++) {
        char name[ukPoleLength];
        const dWorldID w = quiet();
        motorised(w, each[i].mode, false, NULL, each[i].acts, each[i].middle);
        CHECK(found(w, true, name) == 1 && !name[0]);
        dWorldDestroy(w);
    }
    for (int acts = Stops; acts <= Drives; acts++) { /* ukode's own stops pass the pose */
        char name[ukPoleLength];
        const dWorldID w = quiet();
        motorised(w, dAMotorEuler, false, NULL, (Acts)acts, 1.57);
        CHECK((found(w, false, name) < 1) == (acts == Drives));
        dWorldDestroy(w);
    }
}

static void nearest(void)
{
    char name[ukPoleLength];
    const dWorldID w = quiet();
    motorised(w, dAMotorEuler, false, NULL, Stops, 1.5);
    motorised(w, dAMotorEuler, true, NULL, Stops, 1.55);
    motorised(w, dAMotorEuler, false, NULL, Idle, 1.57);
    CHECK(fabs(found(w, true, name) - cos(1.55)) < 1e-6 && strcmp(name, "AMotor joint 2") == 0);
    ukJointSetName(ukRegistryWorld(w)->oldest_joint->newer->handle, "wrist");
    CHECK(fabs(found(w, true, name) - cos(1.55)) < 1e-6 && strcmp(name, "wrist") == 0);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int k = 0; k < 4; k++) angles(k & 1, k & 2);
    others();
    nearest();
    dCloseODE();
    return ukTestEnd();
}
