/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies begin their world's first step with what UKODE_CONFIG gives them, once, and however they are named; the bits
 * are those of a program that had set it itself. */
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/watch/start.h"
#include "tests/check.h"

enum { Steps = 20 };

/* a pendulum of two bodies, stepped; `by_hand`: the program sets what the configuration would */
static void run(bool by_hand, bool own, unsigned char hash[16])
{
    const dWorldID world = dWorldCreate();
    const dBodyID arm = dBodyCreate(world), ball = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 0.1, 0.2, 0.3);
    dBodySetMass(arm, &mass);
    dBodySetMass(ball, &mass);
    dBodySetPosition(ball, 0, 0, 3);
    dWorldSetGravity(world, 0, 0, -9.81);
    const dJointID ball_joint = dJointCreateBall(world, 0);
    dJointAttach(ball_joint, arm, 0);
    dJointSetBallAnchor(ball_joint, 0, 0, 0.5);
    ukBodySetName(ball, "the ball");
    if (by_hand) {
        dMassSetBoxTotal(&mass, 4, 0.1, 0.2, 0.3);
        dBodySetMass(arm, &mass);
        dBodySetAngularVel(arm, 0, 0, 3);
        dBodySetPosition(ball, 1, 2, 3);
        dBodySetQuaternion(ball, (dQuaternion){0, 2, 0, 0});
        dBodySetLinearVel(ball, 0, -1, 0);
    }
    if (!own) ukWorldEnable(world);
    for (int i = 0; i < Steps; i++) CHECK((own ? ukWorldStep(world, 0.01) : dWorldStep(world, 0.01)) == 1);
    CHECK(ukWorldHash(world, hash) == ukOk);
    dWorldDestroy(world);
}

static void beginsAsTold(bool own)
{
    unsigned char told[16], by_hand[16], neither[16];
    const ukStartDefault starts[] = {
        {.serial = 1, .given = ukStartMass | ukStartSpin, .mass = 4, .spin = {0, 0, 3}},
        {.name = (char[]){"the ball"}, .given = ukStartVelocity, .velocity = {9, 9, 9}},
        {.name = (char[]){"the ball"},
         .given = ukStartPosition | ukStartOrientation | ukStartVelocity,
         .position = {1, 2, 3},
         .orientation = {0, 2, 0, 0},
         .velocity = {0, -1, 0}},
    };
    run(true, own, by_hand);
    run(false, own, neither);
    CHECK(ukStartSetDefaults(starts, 3));
    run(false, own, told);
    CHECK(ukStartSetDefaults(NULL, 0));
    CHECK(memcmp(told, by_hand, sizeof told) == 0 && memcmp(told, neither, sizeof told) != 0);
}

int main(void)
{
    dInitODE2(0);
    beginsAsTold(true);
    beginsAsTold(false);
    dCloseODE();
    return ukTestEnd();
}
