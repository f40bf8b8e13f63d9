/* SPDX-License-Identifier: BSD-3-Clause */
/* The validator of debug builds: every kind of wrong record is found, in a world whose right ones are not. Other builds
 * have none. */
#include <ukode/ukode.h>

#include "bridge/joints/class.h"
#include "bridge/ode/ode.h"
#include "bridge/watch/validate.h"
#include "bridge/world/registry.h"
#include "tests/check.h"

#ifdef UKODE_VALIDATE
typedef struct Scene {
    dWorldID world;
    dBodyID body[3];
    dJointID hinge, slider, motor, contact;
    ukWorld *record;
    int meant;
} Scene;

static Scene newScene(void)
{
    Scene s = {.world = dWorldCreate()};
    dWorldSetGravity(s.world, 0, 0, -9.81);
    for (int i = 0; i < 3; i++) {
        s.body[i] = dBodyCreate(s.world);
        dBodySetPosition(s.body[i], i, 0.2, -0.1 * i);
    }
    s.hinge = dJointCreateHinge(s.world, 0);
    dJointAttach(s.hinge, 0, s.body[0]);
    dJointSetHingeAnchor(s.hinge, -0.5, 0, 0);
    s.slider = dJointCreateSlider(s.world, 0);
    dJointAttach(s.slider, s.body[0], s.body[1]);
    s.motor = dJointCreateLMotor(s.world, 0);
    dJointAttach(s.motor, s.body[1], s.body[2]);
    dJointSetLMotorNumAxes(s.motor, 1);
    dJointSetLMotorAxis(s.motor, 0, 1, 1, 0, 0);
    const dContact c = {.surface = {.mu = 1}, .geom = {.pos = {2, 0, 0}, .normal = {0, 0, 1}}};
    s.contact = dJointCreateContact(s.world, 0, &c);
    dJointAttach(s.contact, s.body[2], 0);
    for (int i = 0; i < 3; i++) CHECK(ukWorldStep(s.world, 0.01) == 1);
    s.record = ukRegistryWorld(s.world);
    return s;
}

/* whether a look finds something */
static bool wrong(Scene *s)
{
    const int before = ukValidateFaults();
    ukValidateWorld(s->record);
    s->meant += ukValidateFaults() - before;
    return ukValidateFaults() != before;
}

/* WHAT, one value of a record, changed and put back */
#define PUT_IN(s, type, what, value)                                                                                   \
    do {                                                                                                               \
        type *const at = (type *)&(what);                                                                              \
        type right = *at;                                                                                              \
        *at = (value);                                                                                                 \
        CHECK(wrong(s) && #what);                                                                                      \
        *at = right;                                                                                                   \
        CHECK(!wrong(s) && #what);                                                                                     \
    } while (0)

static void wrongRecords(Scene *s)
{
    ukBody *const b = ukRegistryBody(s->body[1]);
    ukJoint *const h = ukRegistryJoint(s->hinge), *const l = ukRegistryJoint(s->slider);
    ukJoint *const m = ukRegistryJoint(s->motor), *const c = ukRegistryJoint(s->contact);
    CHECK(!wrong(s));
    PUT_IN(s, int, s->record->body_count, s->record->body_count + 1);
    PUT_IN(s, int, s->record->joint_count, 0);
    PUT_IN(s, ukJoint *, s->record->newest_joint, h);
    PUT_IN(s, ukJoint *, l->older, c);
    PUT_IN(s, double, b->constant.mass, 2);
    PUT_IN(s, double, b->constant.inertia[4], 2);
    PUT_IN(s, bool, b->constant.kinematic, true);
    PUT_IN(s, int, b->joint_count, 1);
    PUT_IN(s, const dReal *, b->linear, b->angular);
    PUT_IN(s, ukJointNode *, b->first_joint, b->first_joint->next);
    PUT_IN(s, int, b->index, -1);
    PUT_IN(s, double, h->anchor1[0], 0);
    PUT_IN(s, double, h->anchor2[2], 1e-3);
    PUT_IN(s, double, h->axis1[1], 0.5);
    PUT_IN(s, double, h->motor[0].hi_stop, 1);
    PUT_IN(s, double, h->motor[0].stop_erp, 0);
    PUT_IN(s, double, l->axis1[0], 0);
    PUT_IN(s, int, m->of.axes.count, 2);
    PUT_IN(s, double, m->of.axes.axis[0][0], 0);
    PUT_IN(s, ukBody *, m->body[1], ukRegistryBody(s->body[0]));
    PUT_IN(s, const ukJointClass *, c->class, &ukNullClass);
    h->reverse = !h->reverse;
    CHECK(wrong(s));
    h->reverse = !h->reverse;
    CHECK(!wrong(s));
}

/* changes of which the records are not told, as by a library that calls ODE past the interposer */
static void untold(Scene *s)
{
    const ukOdeFunctions *ode = &ukOde;
    dMass mass;
    dMassSetSphereTotal(&mass, 3, 0.1);
    ode->dBodySetMass(s->body[0], &mass);
    CHECK(wrong(s));
    mass.mass = 4;
    dBodySetMass(s->body[0], &mass); /* told: read again by the next step */
    CHECK(!wrong(s) && ukWorldStep(s->world, 0.01) == 1 && !wrong(s));

    ode->dBodyDisable(s->body[2]);
    CHECK(wrong(s));
    ode->dBodyEnable(s->body[2]);
    CHECK(!wrong(s));

    ode->dJointSetHingeParam(s->hinge, dParamVel, 1);
    CHECK(wrong(s));
    dJointSetHingeParam(s->hinge, dParamVel, 2);
    CHECK(!wrong(s) && ukWorldStep(s->world, 0.01) == 1 && !wrong(s));

    const int before = ukValidateFaults();
    ode->dJointSetHingeParam(s->hinge, dParamFMax, 1);
    CHECK(ukWorldStep(s->world, 0.01) == 1); /* looks by itself */
    s->meant += ukValidateFaults() - before;
    CHECK(ukValidateFaults() > before);
}
#else
__attribute__((weak)) int ukValidateFaults(void);
#endif

int main(void)
{
    dInitODE2(0);
#ifdef UKODE_VALIDATE
    Scene s = newScene();
    wrongRecords(&s);
    untold(&s);
    dWorldDestroy(s.world);
    ukTestFaultsMeant = s.meant;
#else
    CHECK(!ukValidateFaults);
#endif
    dCloseODE();
    return ukTestEnd();
}
