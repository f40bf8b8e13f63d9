/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint whose two forces are not collinear, as the summary names it: the angular momentum that the net torque's
 * impulse is compared with is that of the joint's bodies about their common centre, which is computed here from poses,
 * masses and velocities; for one body, or beside a kinematic one, it is that of the body about the anchor. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/island/stepper.h"
#include "bridge/world/registry.h"
#include "plugin/summary/process.h"
#include "tests/check.h"

static const double h = 0.01;

typedef enum Partner { Nobody, Light, Heavy, Kinematic, Partners } Partner;

static dBodyID boxOf(dWorldID world, double mass)
{
    dMass m;
    const dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&m, mass, 0.2, 0.3, 0.6);
    dBodySetMass(body, &m);
    return body;
}

static double sizeOf(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static double spinOf(dBodyID body)
{
    const dReal *w = dBodyGetAngularVel(body);
    dMass m;
    dVector3 local;
    dBodyGetMass(body, &m);
    dBodyVectorFromWorld(body, w[0], w[1], w[2], local);
    const double L[3] = {m.I[0] * local[0], m.I[5] * local[1], m.I[10] * local[2]};
    return sizeOf(L);
}

/* the largest that it can be, whatever the directions; base 0: about the origin, where the anchor stays */
static double momentumOf(dBodyID body, dBodyID base, Partner partner)
{
    const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body);
    const bool moves = partner == Light || partner == Heavy;
    double off[3], u[3], mass = 1;
    for (int k = 0; k < 3; k++) {
        off[k] = x[k] - (moves ? dBodyGetPosition(base)[k] : 0);
        u[k] = v[k] - (moves ? dBodyGetLinearVel(base)[k] : 0);
    }
    if (moves) {
        dMass m;
        dBodyGetMass(base, &m);
        mass = 1 / (1 / mass + 1 / m.mass);
    }
    return spinOf(body) + (moves ? spinOf(base) : 0) + mass * sizeOf(off) * sizeOf(u);
}

/* a bead that slides along a rod, which turns it, beside the rod's other end: a PU joint with ODE's rows */
static void bead(Partner partner, bool swapped)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = boxOf(world, 1);
    const dBodyID base = partner == Nobody ? NULL : boxOf(world, partner == Light ? 0.25 : 4);
    const dJointID joint = dJointCreatePU(world, 0);
    double most = 0;
    int told = 0;
    if (partner == Kinematic) dBodySetKinematic(base);
    dJointAttach(joint, swapped ? base : body, swapped ? body : base);
    dJointSetPUAnchor(joint, 0, 0, 0);
    dJointSetPUAxis1(joint, 0, 0, 1);
    dJointSetPUAxis2(joint, 1, 0, 0);
    dJointSetPUAxis3(joint, 0, 1, 0);
    CHECK(ukJointSetName(joint, "rod") == 0);
    dBodySetAngularVel(body, 3, 0, 0);
    dBodySetLinearVel(body, 0, 2, 0);
    for (int i = 0; i < 100; i++) {
        most = fmax(most, momentumOf(body, base, partner));
        CHECK(ukWorldStep(world, h) == 1);
        const ukImbalance *const found = &ukRegistryWorld(world)->stepper->imbalance;
        if (!(found->ratio > 0)) continue;
        told++;
        CHECK(strcmp(found->joint, "rod") == 0);
        CHECK_NEAR(found->momentum, most, 1e-12 * most);
        CHECK_NEAR(found->ratio, found->impulse / found->momentum, 1e-15 * found->ratio);
        CHECK(found->ratio > 0.05);
    }
    CHECK(told > 0 || partner == Kinematic || swapped);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    ukProcessOpen("/dev/null", NULL);
    for (int partner = Nobody; partner < Partners; partner++)
        for (int swapped = 0; swapped < 2; swapped++) bead((Partner)partner, swapped);
    ukProcessClose();
    dCloseODE();
    return ukTestEnd();
}
