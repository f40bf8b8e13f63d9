/* SPDX-License-Identifier: BSD-3-Clause */
/* The getters whose results ODE computes in its own step: whoever takes a world's steps, ukode or ODE, in turn, they
 * return what a world returns that ODE alone steps: an AMotor in Euler mode and a transmission. Its phases are sums
 * over the steps of one of the two, and not compared here. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01;

typedef struct Answering {
    dWorldID world;
    dBodyID body[2];
    dJointID motor, gear;
} Answering;

static dBodyID wheel(dWorldID w, double x)
{
    const dBodyID b = ball(w, 1, x, 0, 0);
    const dJointID bearing = dJointCreateHinge(w, NULL);
    dJointAttach(bearing, b, NULL);
    dJointSetHingeAnchor(bearing, x, 0, 0);
    dJointSetHingeAxis(bearing, 0, 0, 1);
    return b;
}

static Answering make(void)
{
    Answering s = {.world = newWorld(0)};
    for (int i = 0; i < 2; i++) s.body[i] = wheel(s.world, i);
    s.gear = dJointCreateTransmission(s.world, NULL);
    dJointAttach(s.gear, s.body[0], s.body[1]);
    dJointSetTransmissionMode(s.gear, dTransmissionParallelAxes);
    dJointSetTransmissionAnchor1(s.gear, 0, 0, 0);
    dJointSetTransmissionAnchor2(s.gear, 1, 0, 0);
    dJointSetTransmissionAxis(s.gear, 0, 0, 1);
    dJointSetTransmissionRatio(s.gear, 2);
    dBodyAddTorque(s.body[0], 0, 0, 0.5);
    const dBodyID turns = ball(s.world, 1, 5, 0, 0);
    s.motor = dJointCreateAMotor(s.world, NULL);
    dJointAttach(s.motor, turns, ball(s.world, 2, 6, 0, 0));
    dJointSetAMotorMode(s.motor, dAMotorEuler);
    dJointSetAMotorAxis(s.motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(s.motor, 2, 2, 0, 0, 1);
    dBodySetAngularVel(turns, 0.9, 0.7, 1.3);
    return s;
}

static int answersOf(const Answering *s, double *to)
{
    int n = 0;
    for (int i = 0; i < 3; i++) to[n++] = dJointGetAMotorAngle(s->motor, i);
    to[n++] = dJointGetTransmissionRadius1(s->gear), to[n++] = dJointGetTransmissionRadius2(s->gear);
    to[n++] = dJointGetTransmissionRatio(s->gear);
    void (*const vectors[])(dJointID, dVector3) = {dJointGetTransmissionContactPoint1,
                                                   dJointGetTransmissionContactPoint2, dJointGetTransmissionAxis1,
                                                   dJointGetTransmissionAxis};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        dVector3 x;
        vectors[k](s->gear, x);
        for (int i = 0; i < 3; i++) to[n++] = x[i];
    }
    return n;
}

static void inTurn(void)
{
    const Answering native = make(), mixed = make();
    double expected[32], got[32], first[32] = {0}, moved = 0;
    for (int i = 0; i < 24; i++) {
        CHECK((i / 3 % 2 ? ukWorldDisable(mixed.world) : ukWorldEnable(mixed.world)) == 0);
        CHECK(dWorldStep(native.world, h) == 1 && dWorldStep(mixed.world, h) == 1);
        const int n = answersOf(&native, expected);
        CHECK(answersOf(&mixed, got) == n);
        for (int k = 0; k < n; k++)
            if (!CHECK_NEAR(got[k], expected[k], 1e-9)) printf("step %d, number %d\n", i, k);
        if (i == 0) memcpy(first, expected, sizeof first);
        moved = fabs(expected[0] - first[0]);
    }
    CHECK(moved > 0.1);
    dWorldDestroy(native.world), dWorldDestroy(mixed.world);
}

int main(void)
{
    dInitODE2(0);
    inTurn();
    dCloseODE();
    return ukTestEnd();
}
