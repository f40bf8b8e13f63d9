/* SPDX-License-Identifier: BSD-3-Clause */
/* Planar games: what lies in the plane z = 0, and is pushed and turned within it alone, stays there to the last bit,
 * under each law of friction and each integrator. The motion out of the plane is unstable: 1e-48 m of it is a wheel
 * beside its track some seconds later. */
#include <ukode/ukode.h>

#include "tests/check.h"

#include <math.h>
#include <string.h>

typedef enum Law { TwoPhase, Coupled, Cone, Laws } Law;

enum { Bikes = 2, Balls = 6, Bodies = 3 * Bikes + Balls, Steps = 250 };

typedef struct Planar {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID body[Bodies];
    dJointID motor[2 * Bikes];
    double mu;
    int touching;
} Planar;

static dBodyID disc(Planar *s, int index, double radius, double x, double y)
{
    const dBodyID b = s->body[index] = dBodyCreate(s->world);
    dMass m;
    dMassSetSphereTotal(&m, 1 + 0.3 * index, radius);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, y, 0);
    dGeomSetBody(dCreateSphere(s->space, radius), b);
    return b;
}

/* a trunk with a wheel before it and one behind, both driven */
static void bike(Planar *s, int index, double x)
{
    const int first = 3 * index;
    const dBodyID trunk = disc(s, first, 0.2, x, 1.1);
    for (int side = 0; side < 2; side++) {
        const double at = x + (side ? 0.5 : -0.5);
        const dBodyID wheel = disc(s, first + 1 + side, 0.3, at, 0.5 + 0.1 * side);
        const dJointID j = s->motor[2 * index + side] = dJointCreateHinge(s->world, 0);
        dJointAttach(j, trunk, wheel);
        dJointSetHingeAnchor(j, at, 0.5 + 0.1 * side, 0);
        dJointSetHingeAxis(j, 0, 0, 1);
        dJointSetHingeParam(j, dParamFMax, 3);
    }
}

static void touch(void *data, dGeomID g1, dGeomID g2)
{
    Planar *s = data;
    dContact contact[4];
    const dBodyID b1 = dGeomGetBody(g1), b2 = dGeomGetBody(g2);
    if ((!b1 && !b2) || (b1 && b2 && dAreConnected(b1, b2))) return;
    const int n = dCollide(g1, g2, 4, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < n; i++) {
        memset(&contact[i].surface, 0, sizeof contact[i].surface);
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = s->mu;
        if (s->touching++ % 3 == 0) { /* the other tangent first */
            contact[i].surface.mode |= dContactFDir1;
            contact[i].fdir1[0] = contact[i].fdir1[1] = 0, contact[i].fdir1[2] = 1;
        }
        dJointAttach(dJointCreateContact(s->world, s->contacts, &contact[i]), b1, b2);
    }
}

static void make(Planar *s, double mu)
{
    *s = (Planar){.world = dWorldCreate(), .space = dHashSpaceCreate(0), .contacts = dJointGroupCreate(0), .mu = mu};
    dWorldSetGravity(s->world, 0, -9.81, 0);
    ukWorldEnable(s->world);
    dCreatePlane(s->space, 0, 1, 0, 0);
    dCreatePlane(s->space, 0.8, 0.6, 0, -2.5);
    dCreatePlane(s->space, -0.6, 0.8, 0, -3);
    for (int i = 0; i < Bikes; i++) bike(s, i, 1.6 * i - 1);
    for (int i = 0; i < Balls; i++) disc(s, 3 * Bikes + i, 0.15 + 0.02 * i, 0.43 * i - 1.2, 1.7 + 0.31 * (i % 3));
}

static int inPlane(dBodyID b)
{
    const dReal *x = dBodyGetPosition(b), *v = dBodyGetLinearVel(b), *w = dBodyGetAngularVel(b);
    const dReal *q = dBodyGetQuaternion(b);
    return x[2] == 0 && v[2] == 0 && w[0] == 0 && w[1] == 0 && q[1] == 0 && q[2] == 0;
}

static void staysFlat(Law law, ukIntegrator integrator, double mu)
{
    Planar s;
    make(&s, mu);
    CHECK(ukWorldSetFriction(s.world, law == Cone ? ukFrictionCone : ukFrictionOde) == 0);
    CHECK(ukWorldSetIntegrator(s.world, integrator) == 0);
    int flat = 1, contacts = 0;
    for (int i = 0; i < Steps && flat; i++) {
        for (int k = 0; k < 2 * Bikes; k++)
            dJointSetHingeParam(s.motor[k], dParamVel, (k < 2 ? 8 : -8) * sin(0.05 * i + k));
        dBodyAddForceAtRelPos(s.body[3], 4 * sin(0.1 * i), 2, 0, 0, 0.1, 0);
        s.touching = 0;
        dSpaceCollide(s.space, &s, touch);
        contacts += s.touching;
        CHECK((law == Coupled ? dWorldQuickStep(s.world, 0.01) : dWorldStep(s.world, 0.01)) == 1);
        dJointGroupEmpty(s.contacts);
        for (int k = 0; k < Bodies; k++) flat &= inPlane(s.body[k]);
        if (!flat) printf("law %d, integrator %d, mu %g: out of the plane in step %d\n", law, integrator, mu, i);
    }
    CHECK(flat);
    CHECK(contacts > 5 * Steps || !flat);
    dJointGroupDestroy(s.contacts);
    dSpaceDestroy(s.space);
    dWorldDestroy(s.world);
}

int main(void)
{
    dInitODE2(0);
    for (int law = 0; law < Laws; law++)
        for (int k = 0; k < 6; k++)
            staysFlat((Law)law, k % 2 ? ukIntegratorRK4 : ukIntegratorEuler, k < 2 ? 0.3 : k < 4 ? 1 : 20);
    dCloseODE();
    return ukTestEnd();
}
