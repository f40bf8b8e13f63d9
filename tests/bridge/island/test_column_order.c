/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/bridge/island/test_column_order.c: which body the columns of ukEquations belong to, as docs/conventions.md
 * states it: islands from the newest body, bodies of an island depth-first, of several neighbours the one at the
 * earliest attached joint first. */
#include "tests/check.h"

#include <ukode/ukode.h>

enum { most = 4 };

static void makeBodies(dWorldID world, int count, dBodyID *body)
{
    for (int i = 0; i < count; i++) {
        dMass mass;
        body[i] = dBodyCreate(world);
        dMassSetSphereTotal(&mass, i + 1, 0.1);
        dBodySetMass(body[i], &mass);
        dBodySetPosition(body[i], i, 0, 0);
    }
}

static void join(dWorldID world, dBodyID first, dBodyID second)
{
    const dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, first, second);
    dJointSetBallAnchor(joint, dBodyGetPosition(first)[0] + 0.5, 0, 0);
}

/* one step; the columns belong to `expected` (numbers of `body`), which their masses confirm */
static void columns(dWorldID world, const dBodyID *body, const int *expected, int count)
{
    ukEquations e;
    CHECK(ukWorldStep(world, 0.01));
    CHECK(ukWorldGetEquations(world, &e) == 0 && e.n == 6 * count);
    for (int i = 0; i < count; i++) {
        CHECK(e.bodies[i] == body[expected[i]]);
        CHECK_NEAR(e.M[6 * i * (e.n + 1)], expected[i] + 1, 0);
    }
}

int main(void)
{
    dBodyID body[most];
    dInitODE2(0);

    const dWorldID chain = dWorldCreate();
    makeBodies(chain, 3, body);
    join(chain, body[0], body[1]);
    join(chain, body[1], body[2]);
    columns(chain, body, (const int[]){2, 1, 0}, 3);

    const dWorldID star = dWorldCreate(); /* body 3 in the middle */
    makeBodies(star, 4, body);
    join(star, body[3], body[1]);
    join(star, body[3], body[0]);
    join(star, body[3], body[2]);
    columns(star, body, (const int[]){3, 1, 0, 2}, 4);

    const dWorldID apart = dWorldCreate(); /* two islands */
    makeBodies(apart, 4, body);
    join(apart, body[0], body[2]);
    join(apart, body[1], body[3]);
    columns(apart, body, (const int[]){3, 1, 2, 0}, 4);

    dWorldDestroy(chain);
    dWorldDestroy(star);
    dWorldDestroy(apart);
    dCloseODE();
    return ukTestEnd();
}
