/* SPDX-License-Identifier: BSD-3-Clause */
/* A stop that is reached in a step at whose start the velocities jump acts at the instant at which it is reached. Whether
 * it can be reached does not follow from the velocities before the jump: a motor is switched on, or the program sets
 * velocities that a joint does not allow. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"

static const double step = 0.01, stop = 0.02;
static const ukIntegrator integrators[] = {ukIntegratorRK4, ukIntegratorAdaptive, ukIntegratorRattle,
                                           ukIntegratorRadau};
enum { Integrators = sizeof integrators / sizeof *integrators };

/* a joint with a motor and stops, along or about z */
typedef struct Kind {
    JointMaker *make;
    void (*set)(dJointID joint, int parameter, dReal value);
    int group;
    bool linear, both; /* both: needs two bodies */
} Kind;

static const Kind kinds[] = {
    {makeHingeJoint, dJointSetHingeParam, 0, false, false},
    {makeSliderJoint, dJointSetSliderParam, 0, true, false},
    {makeUniversalJoint, dJointSetUniversalParam, 0, false, true},
    {makeSteeringJoint, dJointSetHinge2Param, 0, false, true},
    {makePRJoint, dJointSetPRParam, 0, true, false},
    {makePRTurningJoint, dJointSetPRParam, dParamGroup, false, false},
    {makePUJoint, dJointSetPUParam, 2 * dParamGroup, true, false},
    {makePistonJoint, dJointSetPistonParam, 0, true, false},
};

static double placeOf(const Kind *kind, dBodyID body)
{
    const dReal *q = dBodyGetQuaternion(body);
    return kind->linear ? dBodyGetPosition(body)[2] : 2 * atan2(q[3], q[0]);
}

/* At rest between its stops, and in the first step a motor of unlimited force drives it there. */
static void drivenTo(const Kind *kind, int attachment, double speed, ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = makeSphere(world, 1, 0.4), base = kind->both || attachment > 1 ? dBodyCreate(world) : 0;
    if (base) dBodySetKinematic(base);
    const dJointID j = kind->make(world, attachment % 2 ? base : body, attachment % 2 ? body : base);
    kind->set(j, dParamLoStop + kind->group, -stop);
    kind->set(j, dParamHiStop + kind->group, stop);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(ukWorldStep(world, step) == 1 && fabs(placeOf(kind, body)) < 1e-12);
    kind->set(j, dParamVel + kind->group, speed);
    kind->set(j, dParamFMax + kind->group, dInfinity);
    for (int i = 0; i < 3; i++) {
        CHECK(ukWorldStep(world, step) == 1);
        if (!CHECK(fabs(fabs(placeOf(kind, body)) - stop) < 1e-9))
            printf("  kind %d, attachment %d, integrator %d: at %g\n", (int)(kind - kinds), attachment, (int)integrator,
                   placeOf(kind, body));
    }
    dWorldDestroy(world);
}

static double angleOf(dJointID hinge)
{
    return dJointGetHingeAngle(hinge);
}

/* An arm at rest on a hinge gets the velocity of its centre alone, or of its rotation alone: the hinge makes a rotation
 * of it. The stop acts from its angle on, without restitution. */
static void thrownTo(int attachment, bool linear, ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID arm = makeSphere(world, 1, 0.1);
    dBodySetPosition(arm, 0.5, 0, 0);
    const dJointID j = dJointCreateHinge(world, 0);
    dJointAttach(j, attachment ? 0 : arm, attachment ? arm : 0);
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 0, 1);
    dJointSetHingeParam(j, dParamLoStop, -stop);
    dJointSetHingeParam(j, dParamHiStop, stop);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukWorldStep(world, step) == 1);
    if (linear) /* in line with the stop's rotation, at the angle 0; */
        dBodySetLinearVel(arm, 0, 4, 0);
    else /* or a rotation against that of the centre, of which less is left */
        dBodySetLinearVel(arm, 0, 6, 0), dBodySetAngularVel(arm, 0, 0, -3);
    for (int i = 0; i < 3; i++) {
        CHECK(ukWorldStep(world, step) == 1);
        if (!CHECK(fabs(fabs(angleOf(j)) - stop) < 1e-9 && fabs(dJointGetHingeAngleRate(j)) < 1e-9))
            printf("  thrown, attachment %d, integrator %d: at %g\n", attachment, (int)integrator, angleOf(j));
    }
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int i = 0; i < Integrators; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (int attachment = 0; attachment < 4; attachment++)
                for (int side = -1; side <= 1; side += 2) drivenTo(&kinds[k], attachment, 5 * side, integrators[i]);
        for (int attachment = 0; attachment < 2; attachment++)
            for (int linear = 0; linear < 2; linear++) thrownTo(attachment, linear, integrators[i]);
    }
    dCloseODE();
    return ukTestEnd();
}
