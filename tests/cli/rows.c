/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/cli/rows.c: a program with a user constraint of each kind, one-sided, measured with a weight, of bounded force,
 * and a hinge with a stop, a motor and friction, for recordings and saved states that hold them. Usage: rows STEPS
 * [servo]: with arms that actuators hold against friction, which analyses refuse. */
#include <ode/ode.h>
#include <stdlib.h>

#include <ukode/ukode.h>

/* height of the body above the plane z = 0 */
static int heightRow(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int heightError(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies->position[2];
    psi[0] = c->bodies->velocity[2];
    return 0;
}

/* three measurements of one acceleration, which contradict each other */
static int measuredRows(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)data;
    for (int i = 0; i < 3; i++) A[6 * i + 1] = 1, b[i] = 0.1 * i;
    return 0;
}

static dBodyID bodyAt(dWorldID world, double x, double z)
{
    const dBodyID body = dBodyCreate(world);
    dBodySetPosition(body, x, 0, z);
    return body;
}

/* two arms that are held at their rates by torques of their joints, and a force; 0: refused */
static int makeServo(dWorldID world)
{
    dBodyID arm[2];
    ukActuator actuator[3] = {{.cost = 1}, {.cost = 2}, {.axis = 2, .cost = 3}};
    for (int i = 0; i < 2; i++) {
        arm[i] = bodyAt(world, 10.5 + i, 0);
        actuator[i].joint = dJointCreateHinge(world, 0);
        dJointAttach(actuator[i].joint, arm[i], i > 0 ? arm[0] : 0);
        dJointSetHingeAnchor(actuator[i].joint, 10 + i, 0, 0);
        dJointSetHingeAxis(actuator[i].joint, 0, 1, 0);
    }
    actuator[2].body = arm[1];
    const ukConstraintID servo = ukConstraintCreate(world, 1, arm, 2, heightRow, NULL);
    return ukConstraintSetActuators(servo, actuator, 3) == 0 && ukJointSetCoulomb(actuator[0].joint, 0.1, 0.05) == 0 &&
           ukJointSetViscous(actuator[1].joint, 0.3) == 0;
}

/* 0: one of them was refused */
static int makeRows(dWorldID world)
{
    const dBodyID ball = bodyAt(world, 0, 0.02), measured = bodyAt(world, 2, 0), servo = bodyAt(world, 4, 1);
    const ukConstraintID floor = ukConstraintCreate(world, 1, &ball, 1, heightRow, NULL),
                         measure = ukConstraintCreate(world, 3, &measured, 1, measuredRows, NULL),
                         hold = ukConstraintCreate(world, 1, &servo, 1, heightRow, NULL);
    const dReal weight[9] = {2, 1, 0, 1, 3, 0, 0, 0, 4};
    const dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, bodyAt(world, 6.5, 0), 0);
    dJointSetHingeAnchor(hinge, 6, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamHiStop, 0.3);
    dJointSetHingeParam(hinge, dParamFMax, 0.5);
    return ukConstraintSetError(floor, heightError, NULL) == 0 && ukConstraintSetOneSided(floor, 0) == 0 &&
           ukConstraintSetWeight(measure, weight, 1) == 0 && ukConstraintSetError(hold, heightError, NULL) == 0 &&
           ukConstraintSetBounds(hold, 0, -3, 9) == 0 && ukJointSetCoulomb(hinge, 0.1, 0.02) == 0;
}

int main(int argc, char **argv)
{
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    ukWorldEnable(world);
    if (!makeRows(world) || (argc > 2 && !makeServo(world))) return 1;
    for (int k = argc > 1 ? atoi(argv[1]) : 100; k > 0; k--)
        if (!dWorldStep(world, 0.01)) return 1;
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}
