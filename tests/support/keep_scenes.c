/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/keep_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what programs do between steps ------------------------------------------------------------------------------ */

static void push(Kept *k)
{
    const dBodyID b = k->scene->bodies[k->step % k->scene->count];
    dBodyAddForce(b, 0.3 * sin(0.05 * k->step), 0.2, 0.1 * cos(0.03 * k->step));
    if (k->step % 7 == 0) dBodyAddTorque(b, 0.01, 0, -0.02);
}

static void driveMotor(Kept *k)
{
    const dJointID j = k->scene->joints[0];
    if (dJointGetType(j) == dJointTypeHinge) dJointSetHingeParam(j, dParamVel, 2 * sin(0.02 * k->step));
}

static void nudge(Kept *k)
{
    if (k->step % 150 == 149) {
        dBodyEnable(k->scene->bodies[0]);
        dBodySetLinearVel(k->scene->bodies[0], 0.3, 0.1, 0);
    }
}

/* ---- users' functions -------------------------------------------------------------------------------------------- */

static int spring(const struct ukConstraintContext *context, dReal *force, void *data)
{
    (void)data;
    for (int i = 0; i < 3; i++) force[i] = -5 * context->bodies[0].position[i] - 0.1 * context->bodies[0].velocity[i];
    return 0;
}

/* the height of the last body follows the time; along the chain, stretched at first, it could not */
static int rheonomic(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[2] = 1;
    b[0] = 0.5 * cos(3 * context->time);
    return 0;
}

static void heldLaw(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    (void)data;
    for (int i = 0; i < 3; i++) force[0][3 + i] = -0.01 * context->body[0]->spin[i];
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

static void asleep(const Scene *s)
{
    for (int i = 0; i < s->count; i++) {
        dBodySetAutoDisableFlag(s->bodies[i], 1);
        dBodySetAutoDisableAverageSamplesCount(s->bodies[i], 7);
        dBodySetAutoDisableLinearThreshold(s->bodies[i], 0.1);
        dBodySetAutoDisableAngularThreshold(s->bodies[i], 0.1);
        dBodySetAutoDisableSteps(s->bodies[i], 12);
    }
    sceneCalm((Scene *)s, 1e-3, 0.01);
}

static void addUsers(Kept *k)
{
    Scene *const s = k->scene;
    k->force = ukForceCreate(s->world, &s->bodies[1], 1, spring, NULL);
    k->constraint = ukConstraintCreate(s->world, 1, &s->bodies[s->count - 1], 1, rheonomic, NULL);
    ukJointSetCoulomb(s->joints[1], 0.2, 0.05);
    ukJointSetViscous(s->joints[2], 0.01);
    ukJointSetNonIdeal(s->joints[3], heldLaw, NULL);
    ukConstraintSetCoulomb(k->constraint, 0.1);
    ukWorldSetLedger(s->world, 1);
}

/* AMotor in Euler mode, gear, limits and finite rotation */
static void addRunning(const Scene *s)
{
    const dJointID motor = dJointCreateAMotor(s->world, 0);
    dJointAttach(motor, s->bodies[0], s->bodies[1]);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(motor, dParamFMax, 0.05);
    dJointSetAMotorParam(motor, dParamVel, 0.3);
    dJointSetAMotorParam(motor, dParamHiStop3, 0.4);
    dJointSetAMotorParam(motor, dParamLoStop3, -0.4);
    dBodySetFiniteRotationMode(s->bodies[2], 1);
    dBodySetFiniteRotationAxis(s->bodies[2], 0.3, 0.5, 0.7);
    dBodySetMaxAngularSpeed(s->bodies[1], 20);
    dBodySetDamping(s->bodies[1], 0.01, 0.02);
}

static void stops(const Scene *s)
{
    for (int i = 0; i < s->joint_count; i++) {
        const dJointID j = s->joints[i];
        if (dJointGetType(j) != dJointTypeHinge) continue;
        dJointSetHingeParam(j, dParamLoStop, -0.5);
        dJointSetHingeParam(j, dParamHiStop, 0.7);
        dJointSetHingeParam(j, dParamBounce, 0.2);
        if (i == 0) dJointSetHingeParam(j, dParamFMax, 1.5);
    }
}

const char *const keptName[keptCount] = {"chain", "four_bar", "bricard", "motors", "car",   "pile",    "quick",
                                         "cone",  "sleeping", "users",   "rk4",    "split", "adaptive"};

static Scene *sceneOf(const char *name)
{
    if (strcmp(name, "four_bar") == 0) return sceneFourBar();
    if (strcmp(name, "bricard") == 0) return sceneBricard();
    if (strcmp(name, "car") == 0) return sceneCar(1);
    if (strcmp(name, "pile") == 0 || strcmp(name, "quick") == 0 || strcmp(name, "cone") == 0 ||
        strcmp(name, "split") == 0)
        return scenePile(6);
    if (strcmp(name, "sleeping") == 0) return scenePyramid(3);
    return sceneHingeChain(6);
}

Kept *keptMake(const char *name)
{
    Kept *const k = calloc(1, sizeof *k);
    if (!k) abort();
    k->scene = sceneOf(name);
    k->stepper = dWorldStep;
    Scene *const s = k->scene;
    ukWorldEnable(s->world);
    if (strcmp(name, "chain") == 0) k->act = push;
    if (strcmp(name, "motors") == 0) stops(s), addRunning(s), sceneWatch(s), k->act = driveMotor;
    if (strcmp(name, "quick") == 0) k->stepper = dWorldQuickStep;
    if (strcmp(name, "cone") == 0) ukWorldSetFriction(s->world, ukFrictionCone);
    if (strcmp(name, "split") == 0) ukWorldSetStabilization(s->world, ukStabilizeSplit, 0, 0);
    if (strcmp(name, "sleeping") == 0) asleep(s), k->act = nudge;
    if (strcmp(name, "users") == 0) addUsers(k), k->act = push;
    if (strcmp(name, "adaptive") == 0) {
        ukWorldSetIntegrator(s->world, ukIntegratorAdaptive);
        ukWorldSetTolerance(s->world, 1e-6, 0);
        k->act = push;
    }
    if (strcmp(name, "rk4") == 0) {
        ukWorldSetIntegrator(s->world, ukIntegratorRK4);
        ukJointSetCoulomb(s->joints[2], 0.3, 0.05);
        k->act = push;
    }
    return k;
}

void keptStep(Kept *k)
{
    if (k->act) k->act(k);
    k->scene->time = k->step * k->scene->h; /* what its motors go by */
    sceneStep(k->scene, k->scene->h, k->stepper);
    k->step++;
}

void keptDestroy(Kept *k)
{
    sceneDestroy(k->scene);
    free(k);
}
