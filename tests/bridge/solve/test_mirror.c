/* SPDX-License-Identifier: BSD-3-Clause */
/* What is a mirror image of itself stays one but for rounding, and rounding grows no faster than the motion's own
 * instability: a twin whose start is off by a known amount shows how fast that is. With and without the split
 * correction, and under the cone as long as its solutions are unique (docs/contact.md): a step that has two, each the
 * image of the other, is symmetric in neither. */
#include <ukode/ukode.h>

#include "tests/check.h"

#include <string.h>

enum { Pairs = 6, Arms = 2, Bodies = 2 * (Pairs + 2 * Arms) + 1, Steps = 300 };

/* Body 2 i is the image, x to -x, of body 2 i + 1; the last one is its own. */
typedef struct Mirror {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID body[Bodies];
    dJointID motor[4 * Arms];
    int count, motors, touching;
} Mirror;

static dBodyID ball(Mirror *s, double mass, double radius, double x, double y, double z)
{
    const dBodyID b = s->body[s->count++] = dBodyCreate(s->world);
    dMass m;
    dMassSetSphereTotal(&m, mass, radius);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, y, z);
    dGeomSetBody(dCreateSphere(s->space, radius), b);
    return b;
}

static void joint(Mirror *s, dBodyID a, dBodyID b, double x, double y, double z, int side)
{
    const dJointID j = s->motor[s->motors++] = dJointCreateHinge(s->world, 0);
    dJointAttach(j, a, b);
    dJointSetHingeAnchor(j, x, y, z);
    dJointSetHingeAxis(j, 0, side, 0); /* a mirrored rotation */
    dJointSetHingeParam(j, dParamFMax, 6);
    dJointSetHingeParam(j, dParamLoStop, -0.9);
    dJointSetHingeParam(j, dParamHiStop, 0.9);
}

static void touch(void *data, dGeomID g1, dGeomID g2)
{
    Mirror *s = data;
    dContact contact;
    const dBodyID b1 = dGeomGetBody(g1), b2 = dGeomGetBody(g2);
    if ((!b1 && !b2) || (b1 && b2 && dAreConnected(b1, b2))) return;
    memset(&contact, 0, sizeof contact);
    if (dCollide(g1, g2, 1, &contact.geom, sizeof contact) == 0) return;
    contact.surface.mode = dContactApprox1;
    contact.surface.mu = 0.3;
    dJointAttach(dJointCreateContact(s->world, s->contacts, &contact), b1, b2);
    s->touching++;
}

/* Balls that fall into a valley upon a creature with two jointed arms on either side of its trunk. */
static void make(Mirror *s, ukFriction law, ukStabilization kind, double off)
{
    *s = (Mirror){.world = dWorldCreate(), .space = dHashSpaceCreate(0), .contacts = dJointGroupCreate(0)};
    dWorldSetGravity(s->world, 0, 0, -9.81);
    dCreatePlane(s->space, 0.6, 0, 0.8, -1);
    dCreatePlane(s->space, -0.6, 0, 0.8, -1);
    for (int i = 0; i < Pairs; i++)
        for (int side = -1; side <= 1; side += 2)
            ball(s, 1 + 0.3 * i, 0.15 + 0.02 * i, side * (0.4 + 0.23 * i), 0.1 * (i % 3), 1.2 + 0.31 * (i % 3));
    for (int k = 0; k < Arms; k++)
        for (int part = 0; part < 2; part++)
            for (int side = -1; side <= 1; side += 2)
                ball(s, 0.8, 0.12, side * (0.35 + 0.3 * part), k - 0.5, 0.3 - 0.05 * k);
    const dBodyID trunk = ball(s, 3, 0.3, 0, 0, 0.3);
    for (int k = 0; k < Arms; k++)
        for (int side = -1; side <= 1; side += 2) {
            const dBodyID upper = s->body[2 * Pairs + 4 * k + (side > 0)],
                          lower = s->body[2 * Pairs + 4 * k + 2 + (side > 0)];
            joint(s, trunk, upper, side * 0.2, k - 0.5, 0.3, side);
            joint(s, upper, lower, side * 0.5, k - 0.5, 0.3, side);
        }
    dBodySetPosition(s->body[0], dBodyGetPosition(s->body[0])[0] + off, 0, dBodyGetPosition(s->body[0])[2]);
    ukWorldEnable(s->world);
    CHECK(ukWorldSetFriction(s->world, law) == 0);
    CHECK(ukWorldSetStabilization(s->world, kind, 0, 0) == 0);
}

static void step(Mirror *s, int i)
{
    for (int k = 0; k < s->motors; k++) dJointSetHingeParam(s->motor[k], dParamVel, 4 * sin(0.07 * i + k / 4 + k % 2));
    s->touching = 0;
    dSpaceCollide(s->space, s, touch);
    CHECK(dWorldStep(s->world, 0.01) == 1);
    dJointGroupEmpty(s->contacts);
}

static void destroy(Mirror *s)
{
    dJointGroupDestroy(s->contacts);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
}

static double asymmetry(const Mirror *s)
{
    double largest = fabs(dBodyGetPosition(s->body[Bodies - 1])[0]);
    for (int i = 0; i + 1 < Bodies; i += 2) {
        const dReal *x = dBodyGetPosition(s->body[i]), *image = dBodyGetPosition(s->body[i + 1]);
        largest = fmax(largest, fmax(fabs(x[0] + image[0]), fmax(fabs(x[1] - image[1]), fabs(x[2] - image[2]))));
    }
    return largest;
}

static void staysSymmetric(ukFriction law, ukStabilization kind)
{
    static const double off = 1e-9;
    Mirror s, twin;
    make(&s, law, kind, 0);
    make(&twin, law, kind, off);
    int contacts = 0;
    double grown = off, worst = 0;
    for (int i = 0; i < Steps; i++) {
        step(&s, i);
        step(&twin, i);
        contacts += s.touching;
        grown = fmax(grown, asymmetry(&twin));
        worst = fmax(worst, asymmetry(&s) / grown);
    }
    printf("law %d, stabilisation %d: off by %.1e m, the twin's %.1e m have become %.1e m\n", law, kind, asymmetry(&s),
           off, grown);
    CHECK(worst * off <= 1e-13 && grown > 3 * off);
    CHECK(contacts > 5 * Steps);
    destroy(&s);
    destroy(&twin);
}

int main(void)
{
    dInitODE2(0);
    staysSymmetric(ukFrictionOde, ukStabilizeErp);
    staysSymmetric(ukFrictionOde, ukStabilizeSplit);
    staysSymmetric(ukFrictionCone, ukStabilizeErp);
    dCloseODE();
    return ukTestEnd();
}
