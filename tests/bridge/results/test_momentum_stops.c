/* SPDX-License-Identifier: BSD-3-Clause */
/* A stop that is violated but opens, until another one that is reached within the step throws it shut: it begins to act
 * in the middle of the step, where the poses are projected onto it. No force but those of the joints acts: h times
 * their feedback is the change of each body's momentum, under every integrator that follows stops, in both attachment
 * orders. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"
#include "ukode/ukode.h"

enum { Bodies = 3, Joints = 2 };
static const double h = 0.01;

typedef struct Chain {
    dWorldID world;
    dBodyID body[Bodies];
    dJointID joint[Joints];
    dJointFeedback feedback[Joints];
} Chain;

/* Three boxes in a row along x, with hinges about z. reverse: the joints' bodies change places, and with them the sign
 * of angles. */
static void build(Chain *c, ukIntegrator integrator, bool reverse)
{
    c->world = newWorld(0);
    CHECK(ukWorldSetIntegrator(c->world, integrator) == 0);
    for (int i = 0; i < Bodies; i++) c->body[i] = box(c->world, 1 + i, i, 0, 0);
    for (int i = 0; i < Joints; i++) {
        const dJointID j = c->joint[i] = dJointCreateHinge(c->world, 0);
        dJointAttach(j, c->body[reverse ? i : i + 1], c->body[reverse ? i + 1 : i]);
        dJointSetHingeAnchor(j, i + 0.5, 0, 0);
        dJointSetHingeAxis(j, 0, 0, 1);
        dJointSetFeedback(j, &c->feedback[i]);
    }
}

/* the stop lets the second body of joint i turn by `most` [rad] against the first */
static void limit(const Chain *c, int i, bool reverse, double most)
{
    dJointSetHingeParam(c->joint[i], dParamLoStop, reverse ? -most : -1);
    dJointSetHingeParam(c->joint[i], dParamHiStop, reverse ? 1 : most);
}

/* Sets rates [rad/s] of the bodies, with velocities that the anchors allow. */
static void turn(const Chain *c, const double rate[Bodies])
{
    double v = 0;
    for (int i = 0; i < Bodies; i++) {
        if (i > 0) v += 0.5 * (rate[i - 1] + rate[i]);
        dBodySetLinearVel(c->body[i], 0, v, 0);
        dBodySetAngularVel(c->body[i], 0, 0, rate[i]);
    }
}

/* the largest error of a body's balance over a step, over the largest impulse or momentum */
static double stepBalance(Chain *c, int *taken)
{
    double before[Bodies][3], most = 0, size = 0;
    for (int i = 0; i < Bodies; i++)
        for (int k = 0; k < 3; k++) before[i][k] = dBodyGetLinearVel(c->body[i])[k];
    *taken = ukWorldStep(c->world, h);
    for (int i = 0; i < Bodies; i++)
        for (int k = 0; k < 3; k++) {
            dMass m;
            dBodyGetMass(c->body[i], &m);
            double sum = 0;
            for (int j = 0; j < Joints; j++) {
                const dJointFeedback *f = &c->feedback[j];
                if (dJointGetBody(c->joint[j], 0) == c->body[i]) sum += h * f->f1[k];
                if (dJointGetBody(c->joint[j], 1) == c->body[i]) sum += h * f->f2[k];
            }
            most = fmax(most, fabs(sum - m.mass * (dBodyGetLinearVel(c->body[i])[k] - before[i][k])));
            size = fmax(size, fmax(fabs(sum), m.mass * fabs(before[i][k])));
        }
    return most / size;
}

static void throwsShut(ukIntegrator integrator, bool reverse, double depth, double gap)
{
    static const double rate[Bodies] = {0, -0.3, 6};
    Chain c;
    int taken;
    build(&c, integrator, reverse);
    limit(&c, 0, reverse, -depth);
    limit(&c, 1, reverse, gap);
    turn(&c, rate);
    for (int i = 0; i < 3; i++) {
        const double off = stepBalance(&c, &taken);
        if (!CHECK(taken == 1 && off < 1e-11))
            printf("integrator %d, reverse %d, depth %g, gap %g, step %d: off by %g, %s\n", integrator, reverse, depth,
                   gap, i, off, taken ? "" : ukGetLastErrorMessage());
    }
    dWorldDestroy(c.world);
}

int main(void)
{
    dInitODE2(0);
    for (int k = ukIntegratorRK4; k <= ukIntegratorRadau; k++)
        for (int bits = 0; bits < 8; bits++)
            throwsShut((ukIntegrator)k, bits & 1, bits & 2 ? 0.02 : 0.003, bits & 4 ? 0.01 : 0.03);
    dCloseODE();
    return ukTestEnd();
}
