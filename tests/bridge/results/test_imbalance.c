/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint whose two forces are not collinear, as the summary names it: impulse and work of the net torque, recomputed
 * here from poses, velocities and the feedback; the impulse counts where only the joint acts on its bodies, relative to
 * their angular momentum about their common centre; the work relative to their kinetic energy, which for one body, or
 * beside a kinematic one, is that of the body. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/island/stepper.h"
#include "bridge/results/imbalance.h"
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

static double spinOf(dBodyID body, double *energy)
{
    const dReal *w = dBodyGetAngularVel(body);
    dMass m;
    dVector3 local;
    dBodyGetMass(body, &m);
    dBodyVectorFromWorld(body, w[0], w[1], w[2], local);
    const double L[3] = {m.I[0] * local[0], m.I[5] * local[1], m.I[10] * local[2]};
    *energy += (L[0] * local[0] + L[1] * local[1] + L[2] * local[2]) / 2;
    return sizeOf(L);
}

/* The largest angular momentum that it can be, whatever the directions; adds the energy of the relative motion, of one
 * body beside a base that does not move all of it. */
static double momentumOf(dBodyID body, dBodyID base, Partner partner, double *energy)
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
    *energy += mass * sizeOf(u) * sizeOf(u) / 2;
    return spinOf(body, energy) + (moves ? spinOf(base, energy) : 0) + mass * sizeOf(off) * sizeOf(u);
}

/* What the net torque has done, and the motion that it is compared with. */
typedef struct Expected {
    double impulse[3], turned, work, worked, momentum, energy;
} Expected;

/* gap x f of a step on body a, from the gap and the spin at its start and the feedback of its end */
static void add(Expected *e, const double gap[3], const double spin[3], const dReal *f, bool free)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double torque = gap[j] * f[k] - gap[k] * f[j];
        if (free) e->impulse[i] += h * torque;
        e->work += h * torque * spin[i];
    }
    e->turned = fmax(e->turned, sizeOf(e->impulse));
    e->worked = fmax(e->worked, fabs(e->work));
}

/* a bead that slides along a rod, which turns it, beside the rod's other end: a PU joint with ODE's rows */
static void bead(Partner partner, bool swapped)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = boxOf(world, 1);
    const dBodyID base = partner == Nobody ? NULL : boxOf(world, partner == Light ? 0.25 : 4);
    const dJointID joint = dJointCreatePU(world, 0);
    const dBodyID a = swapped ? base : body, b = swapped ? body : base;
    const bool free = partner == Light || partner == Heavy, watched = a && !(a == base && partner == Kinematic);
    dJointFeedback feedback;
    Expected e = {.work = 0};
    if (partner == Kinematic) dBodySetKinematic(base);
    dJointAttach(joint, a, b);
    dJointSetFeedback(joint, &feedback);
    dJointSetPUAnchor(joint, 0, 0, 0);
    dJointSetPUAxis1(joint, 0, 0, 1);
    dJointSetPUAxis2(joint, 1, 0, 0);
    dJointSetPUAxis3(joint, 0, 1, 0);
    CHECK(ukJointSetName(joint, "rod") == 0);
    dBodySetAngularVel(body, 3, 0, 0);
    dBodySetLinearVel(body, 0, 2, 0);
    for (int i = 0; i < 100; i++) {
        double gap[3], spin[3] = {0}, energy = 0;
        for (int k = 0; k < 3 && a; k++) {
            gap[k] = dBodyGetPosition(a)[k] - (b ? dBodyGetPosition(b)[k] : 0);
            spin[k] = dBodyGetAngularVel(a)[k];
        }
        const double momentum = momentumOf(body, base, partner, &energy);
        CHECK(ukWorldStep(world, h) == 1);
        const ukImbalance *const found = &ukRegistryWorld(world)->stepper->imbalance;
        e.energy = fmax(e.energy, energy);
        if (!watched) {
            CHECK(found->ratio == 0);
            continue;
        }
        add(&e, gap, spin, feedback.f1, free);
        if (free && i > 0) e.momentum = fmax(e.momentum, momentum); /* of steps with a gap */
        if (!(found->ratio > 0)) continue;
        CHECK(strcmp(found->joint, "rod") == 0);
        CHECK_NEAR(found->momentum, e.momentum, 1e-12 * e.momentum);
        CHECK_NEAR(found->impulse, e.turned, 1e-9 * e.turned);
        CHECK_NEAR(found->energy, e.energy, 1e-12 * e.energy);
        CHECK_NEAR(found->work, e.worked, 1e-9 * e.energy);
        CHECK_NEAR(found->ratio, fmax(free ? found->impulse / found->momentum : 0, found->work / found->energy),
                   1e-15 * found->ratio);
        CHECK(ukImbalanceMatters(found) == (found->ratio > 0.05));
    }
    CHECK(!watched || swapped || e.worked > 0.05 * e.energy || e.turned > 0.05 * e.momentum);
    dWorldDestroy(world);
}

/* In contact, with the static world or with another body, only the work counts: relative to the energy of the bodies,
 * what gravity does included. */
static void inContact(bool other)
{
    const dWorldID world = dWorldCreate();
    const dJointGroupID contacts = dJointGroupCreate(0);
    const dBodyID body = boxOf(world, 1), base = boxOf(world, 4), floor = other ? boxOf(world, 1) : NULL;
    const dJointID joint = dJointCreatePU(world, 0);
    dJointFeedback feedback;
    Expected e = {.work = 0};
    if (floor) dBodySetGravityMode(floor, 0);
    double gravity = 0, most = 0;
    dWorldSetGravity(world, 0, 0, -2);
    dJointAttach(joint, body, base);
    dJointSetFeedback(joint, &feedback);
    dJointSetPUAnchor(joint, 0, 0, 0);
    dJointSetPUAxis1(joint, 0, 0, 1);
    dJointSetPUAxis2(joint, 1, 0, 0);
    dJointSetPUAxis3(joint, 0, 1, 0);
    dBodySetAngularVel(body, 0.5, 0, 0);
    dBodySetLinearVel(body, 0, 0.5, 1);
    dBodySetLinearVel(base, 0, 0, 1);
    for (int i = 0; i < 60; i++) {
        double gap[3], spin[3], energy = 0;
        const dReal *u = dBodyGetLinearVel(body), *w = dBodyGetLinearVel(base);
        dContact contact = {.geom = {.pos = {0, 0, -5}, .normal = {0, 0, 1}}}; /* without friction, never loaded */
        for (int k = 0; k < 3; k++) {
            gap[k] = dBodyGetPosition(body)[k] - dBodyGetPosition(base)[k];
            spin[k] = dBodyGetAngularVel(body)[k];
        }
        dJointAttach(dJointCreateContact(world, contacts, &contact), base, floor);
        dBodyAddForce(body, 0, 0, 2),
            dBodyAddForce(base, 0, 0, 8); /* they rise on: gravity's work exceeds the motion */
        spinOf(body, &energy), spinOf(base, &energy);
        energy += (sizeOf(u) * sizeOf(u) + 4 * sizeOf(w) * sizeOf(w)) / 2;
        gravity += h * -2 * (u[2] + 4 * w[2]);
        most = fmax(most, fabs(gravity));
        CHECK(ukWorldStep(world, h) == 1);
        dJointGroupEmpty(contacts);
        add(&e, gap, spin, feedback.f1, false);
        e.energy = fmax(e.energy, energy);
    }
    const ukImbalance *const found = &ukRegistryWorld(world)->stepper->imbalance;
    CHECK(found->momentum == 0 && found->impulse == 0 && found->work > 0);
    CHECK_NEAR(found->work, e.worked, 1e-9 * e.worked);
    CHECK(most > e.energy);
    CHECK_NEAR(found->energy, most, 1e-12 * most);
    dJointGroupDestroy(contacts);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    ukProcessOpen("/dev/null", NULL);
    for (int partner = Nobody; partner < Partners; partner++)
        for (int swapped = 0; swapped < 2; swapped++) bead((Partner)partner, swapped);
    inContact(false);
    inContact(true);
    ukProcessClose();
    dCloseODE();
    return ukTestEnd();
}
