/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/users/stepped.h"

const char *const stepper_name[Steppers] = {"euler", "euler, exact rows", "rk4", "adaptive", "rattle", "radau"};

bool stepperDivides(Stepper stepper)
{
    return stepper == Adaptive || stepper == Radau;
}

Stepped steppedBegin(Stepper stepper, double h, double g)
{
    static const ukIntegrator integrator[Steppers] = {ukIntegratorEuler,    ukIntegratorEuler,  ukIntegratorRK4,
                                                      ukIntegratorAdaptive, ukIntegratorRattle, ukIntegratorRadau};
    Stepped s = {.world = dWorldCreate(),
                 .space = dSimpleSpaceCreate(0),
                 .contacts = dJointGroupCreate(0),
                 .stepper = stepper,
                 .h = h};
    dWorldSetGravity(s.world, 0, 0, -g);
    ukWorldSetIntegrator(s.world, integrator[stepper]);
    ukWorldSetJointRule(s.world, stepper == Exact ? ukJointRuleExact : ukJointRuleODE);
    return s;
}

void steppedEnd(Stepped *s)
{
    dJointGroupDestroy(s->contacts);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
}

static void near(void *data, dGeomID a, dGeomID b)
{
    enum { Most = 16 };
    const Stepped *s = data;
    const dBodyID p = dGeomGetBody(a), q = dGeomGetBody(b);
    dContact contact[Most] = {0};
    if (p == q || (p && q && dAreConnectedExcluding(p, q, dJointTypeContact))) return;
    const int count = dCollide(a, b, Most, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < count; i++) {
        contact[i].surface = s->surface;
        dJointAttach(dJointCreateContact(s->world, s->contacts, &contact[i]), p, q);
    }
}

int steppedStep(Stepped *s)
{
    dSpaceCollide(s->space, s, near);
    const int taken = ukWorldStep(s->world, s->h);
    dJointGroupEmpty(s->contacts);
    return taken;
}

static dBodyID place(Stepped *s, const dMass *m, const double x[3], dGeomID geom)
{
    const dBodyID body = dBodyCreate(s->world);
    dBodySetMass(body, m);
    dBodySetPosition(body, x[0], x[1], x[2]);
    if (geom) dGeomSetBody(geom, body);
    return body;
}

dBodyID steppedBox(Stepped *s, double m, const double x[3], const double sides[3], bool colliding)
{
    dMass mass;
    dMassSetBoxTotal(&mass, m, sides[0], sides[1], sides[2]);
    return place(s, &mass, x, colliding ? dCreateBox(s->space, sides[0], sides[1], sides[2]) : NULL);
}

dBodyID steppedBall(Stepped *s, double m, const double x[3], double radius, bool colliding)
{
    dMass mass;
    dMassSetSphereTotal(&mass, m, radius);
    return place(s, &mass, x, colliding ? dCreateSphere(s->space, radius) : NULL);
}

/* I w, in the world's frame */
static void spinOf(dBodyID body, const dMass *m, double spin[3])
{
    const dReal *w = dBodyGetAngularVel(body);
    dVector3 local, turned = {0}, world;
    dBodyVectorFromWorld(body, w[0], w[1], w[2], local);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) turned[i] += m->I[4 * i + k] * local[k];
    dBodyVectorToWorld(body, turned[0], turned[1], turned[2], world);
    for (int i = 0; i < 3; i++) spin[i] = world[i];
}

double kineticOf(dBodyID body)
{
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dMass m;
    double spin[3], sum = 0;
    dBodyGetMass(body, &m);
    spinOf(body, &m, spin);
    for (int i = 0; i < 3; i++) sum += m.mass * v[i] * v[i] + spin[i] * w[i];
    return sum / 2;
}

void addAngularMomentum(dBodyID body, double sum[3])
{
    const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body);
    dMass m;
    double spin[3];
    dBodyGetMass(body, &m);
    spinOf(body, &m, spin);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum[i] += spin[i] + m.mass * (x[j] * v[k] - x[k] * v[j]);
    }
}
