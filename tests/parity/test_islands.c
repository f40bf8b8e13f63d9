/* SPDX-License-Identifier: BSD-3-Clause */
/* Who moves with whom, while everything changes between the steps: two worlds of which one is stepped by ukode and one
 * by ODE keep the same bodies awake, call moved callbacks in the same order, and stay together. Islands that nothing
 * changed are not searched for again, so whatever changes them must be noticed. */
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/parity/precision.h"

enum { Bodies = 14, Joints = 20, Steps = 80, MaxMoved = 4 * Bodies };

static unsigned long long seed;

static int below(int n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((double)(seed >> 11) * 0x1p-53 * n);
}

typedef struct Twin {
    dWorldID world;
    dBodyID body[Bodies];
    dJointID joint[Joints];
} Twin;

static Twin twins[2];
static int moved[2][MaxMoved], moved_count[2], stepping;

static void onMoved(dBodyID body)
{
    for (int i = 0; i < Bodies; i++)
        if (twins[stepping].body[i] == body && moved_count[stepping] < MaxMoved)
            moved[stepping][moved_count[stepping]++] = i;
}

static void begin(Twin *t)
{
    dMass mass;
    t->world = dWorldCreate();
    dWorldSetGravity(t->world, 0, 0, -9.81);
    dWorldSetCFM(t->world, 1e-4); /* loops may close */
    for (int i = 0; i < Bodies; i++) {
        t->body[i] = dBodyCreate(t->world);
        dMassSetBoxTotal(&mass, 1 + 0.1 * i, 0.3, 0.4, 0.5);
        dBodySetMass(t->body[i], &mass);
        dBodySetPosition(t->body[i], i % 4, i / 4 % 4, 0.1 * i);
        dBodySetMovedCallback(t->body[i], onMoved);
    }
    memset(t->joint, 0, sizeof t->joint);
}

static void toggle(dBodyID body)
{
    if (dBodyIsEnabled(body))
        dBodyDisable(body);
    else
        dBodyEnable(body);
}

static void freeze(dBodyID body)
{
    if (dBodyIsKinematic(body)) {
        dBodySetDynamic(body);
    } else {
        dBodySetKinematic(body);
        dBodySetLinearVel(body, 0, 0, 0);
        dBodySetAngularVel(body, 0, 0, 0);
    }
}

static void attach(Twin *t, int j, int a, int b)
{
    if (t->joint[j] && dJointGetType(t->joint[j]) != dJointTypeBall) dJointDestroy(t->joint[j]), t->joint[j] = 0;
    if (!t->joint[j]) t->joint[j] = dJointCreateBall(t->world, 0);
    dJointAttach(t->joint[j], t->body[a], a == b ? 0 : t->body[b]);
    const dReal *x = dBodyGetPosition(t->body[a]);
    dJointSetBallAnchor(t->joint[j], x[0] + 0.2, x[1], x[2]);
}

/* made and attached at different times, and kept over steps */
static void contact(Twin *t, int j, int a)
{
    dContact c;
    memset(&c, 0, sizeof c);
    const dReal *x = dBodyGetPosition(t->body[a]);
    memcpy(c.geom.pos, x, 3 * sizeof(dReal));
    c.geom.normal[2] = 1;
    c.geom.depth = 0.001;
    if (t->joint[j]) dJointDestroy(t->joint[j]);
    t->joint[j] = dJointCreateContact(t->world, 0, &c);
    dJointAttach(t->joint[j], t->body[a], 0);
}

/* ODE's own steps count idleness for themselves: a world has them, or bodies that fall asleep */
static void change(bool sleeps)
{
    const int what = below(sleeps ? 9 : 8), j = below(Joints), a = below(Bodies), b = below(Bodies);
    const bool still = below(3) == 0;
    for (int k = 0; k < 2; k++) {
        Twin *t = &twins[k];
        if (what <= 1) attach(t, j, a, b);
        if (what == 2 && t->joint[j]) dJointAttach(t->joint[j], 0, 0);
        if (what == 3 && t->joint[j]) dJointDestroy(t->joint[j]), t->joint[j] = 0;
        if (what == 4) toggle(t->body[a]);
        if (what == 5 && still) freeze(t->body[a]);
        if (what == 6 && t->joint[j]) (dJointIsEnabled(t->joint[j]) ? dJointDisable : dJointEnable)(t->joint[j]);
        if (what == 7) contact(t, j, a);
        if (what == 8) dBodySetAutoDisableFlag(t->body[a], b % 2), dBodySetAutoDisableLinearThreshold(t->body[a], 0.3);
    }
}

int main(void)
{
    double worst = 0;
    int reused = 0;
    dInitODE2(0);
    for (int world = 0; world < 60; world++) {
        seed = 7000 + (unsigned)world;
        for (int k = 0; k < 2; k++) begin(&twins[k]);
        for (int i = 0; i < Steps; i++) {
            const bool changes = below(3) == 0, native = below(10) == 0 && world % 2;
            if (changes) change(world % 2 == 0);
            reused += !changes && !native;
            for (stepping = 0; stepping < 2; stepping++) {
                moved_count[stepping] = 0;
                if (stepping == 0 && !native)
                    CHECK(ukWorldStep(twins[0].world, 0.01) == 1);
                else
                    dWorldStep(twins[stepping].world, 0.01);
            }
            CHECK(moved_count[0] == moved_count[1]);
            CHECK(memcmp(moved[0], moved[1], (size_t)moved_count[0] * sizeof *moved[0]) == 0);
            for (int b = 0; b < Bodies; b++) {
                const dReal *x = dBodyGetPosition(twins[0].body[b]), *y = dBodyGetPosition(twins[1].body[b]);
                CHECK(dBodyIsEnabled(twins[0].body[b]) == dBodyIsEnabled(twins[1].body[b]));
                for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(x[c] - y[c]));
            }
        }
        for (int k = 0; k < 2; k++) dWorldDestroy(twins[k].world);
    }
    printf("%d steps without a change, positions within %.1e m of ODE's\n", reused, worst);
    CHECK(worst < PARITY_AGREES);
    CHECK(reused > 1000);
    dCloseODE();
    return ukTestEnd();
}
