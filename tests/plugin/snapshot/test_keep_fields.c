/* SPDX-License-Identifier: BSD-3-Clause */
/* Every field that ukWorldSave saves has its effect after ukWorldRestore: a scene with one setting of a world, body,
 * joint or law changed is saved; a scene without it, restored from that, moves as the first to the bit, and as no
 * scene without the setting does. Settings that change no motion are asked for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/world/registry.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

enum { Joints = 16, Steps = 30 };
static const double h = 0.01;

/* Bodies on which nothing acts but gravity, one that rests, one on the ground, and two on each joint. */
typedef struct Scene {
    dWorldID world;
    dBodyID flying, resting, ground, body[Joints][2];
    dJointID joint[Joints];
    int joints;
} Scene;

static void turn(dBodyID b, double x, double y, double z)
{
    dBodySetAngularVel(b, x, y, z);
}

static dBodyID part(Scene *s, int k)
{
    const dBodyID b = box(s->world, 1 + k, 0.2 + 0.5 * k, 5 * s->joints, 0);
    turn(b, 0.3, 0.5 - k, 0.2);
    return b;
}

static dJointID attach(Scene *s, dJointID (*create)(dWorldID, dJointGroupID), bool both)
{
    const dJointID j = create(s->world, NULL);
    s->body[s->joints][0] = part(s, 0);
    s->body[s->joints][1] = both ? part(s, 1) : NULL;
    dJointAttach(j, s->body[s->joints][0], s->body[s->joints][1]);
    s->joint[s->joints++] = j;
    return j;
}

/* The joints by their places. */
enum {
    Ball,
    Hinge,
    Slider,
    Universal,
    Hinge2,
    PR,
    PU,
    Piston,
    Fixed,
    AMotor,
    LMotor,
    DBall,
    DHinge,
    Transmission,
    Plane,
    User
};

static void joints(Scene *s)
{
    const double y[16] = {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75};
    dJointSetBallAnchor(attach(s, dJointCreateBall, false), 0, y[0], 0);
    dJointID j = attach(s, dJointCreateHinge, true);
    dJointSetHingeAnchor(j, 0, y[1], 0);
    dJointSetHingeAxis(j, 0, 1, 0);
    dJointSetSliderAxis(attach(s, dJointCreateSlider, false), 1, 0, 0);
    dBodySetLinearVel(s->body[Slider][0], 0.7, 0, 0);
    j = attach(s, dJointCreateUniversal, true);
    dJointSetUniversalAnchor(j, 0, y[3], 0);
    dJointSetUniversalAxis1(j, 1, 0, 0);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    j = attach(s, dJointCreateHinge2, true);
    dJointSetHinge2Anchor(j, 0, y[4], 0);
    dJointSetHinge2Axes(j, (const dReal[4]){0, 0, 1}, (const dReal[4]){0, 1, 0});
    j = attach(s, dJointCreatePR, true);
    dJointSetPRAnchor(j, 0, y[5], 0);
    dJointSetPRAxis1(j, 1, 0, 0);
    dJointSetPRAxis2(j, 0, 1, 0);
    j = attach(s, dJointCreatePU, true);
    dJointSetPUAnchor(j, 0, y[6], 0);
    dJointSetPUAxis1(j, 1, 0, 0);
    dJointSetPUAxis2(j, 0, 1, 0);
    dJointSetPUAxis3(j, 0, 0, 1);
    j = attach(s, dJointCreatePiston, true);
    dJointSetPistonAnchor(j, 0, y[7], 0);
    dJointSetPistonAxis(j, 1, 0, 0);
    dJointSetFixed(attach(s, dJointCreateFixed, false));
    dBodyAddForce(s->body[Fixed][0], 0, 0, 0);
    j = attach(s, dJointCreateAMotor, true);
    dJointSetAMotorNumAxes(j, 3);
    for (int i = 0; i < 3; i++) dJointSetAMotorAxis(j, i, i == 2 ? 2 : 1, i == 0, i == 1, i == 2);
    j = attach(s, dJointCreateLMotor, true);
    dJointSetLMotorNumAxes(j, 3);
    for (int i = 0; i < 3; i++) dJointSetLMotorAxis(j, i, 0, i == 0, i == 1, i == 2);
    j = attach(s, dJointCreateDBall, true);
    dJointSetDBallAnchor1(j, 0, y[11], 0);
    dJointSetDBallAnchor2(j, 0.7, y[11], 0);
    j = attach(s, dJointCreateDHinge, true);
    dJointSetDHingeAxis(j, 0, 1, 0);
    dJointSetDHingeAnchor1(j, 0, y[12], 0);
    dJointSetDHingeAnchor2(j, 0.7, y[12], 0);
    j = attach(s, dJointCreateTransmission, true);
    dJointSetTransmissionMode(j, dTransmissionParallelAxes);
    dJointSetTransmissionAxis(j, 0, 1, 0);
    dJointSetTransmissionAnchor1(j, 0.2, y[13], 0);
    dJointSetTransmissionAnchor2(j, 0.7, y[13], 0);
    attach(s, dJointCreatePlane2D, false);
}

static Scene make(void)
{
    Scene s = {.world = newWorld(9.81)};
    s.flying = box(s.world, 2, 0, -10, 0);
    dBodySetLinearVel(s.flying, 1, 2, 3);
    turn(s.flying, 3, 4, 5);
    s.resting = box(s.world, 2, 0, -20, 0);
    dBodySetGravityMode(s.resting, 0);
    dBodySetLinearVel(s.resting, 0.004, 0, 0);
    turn(s.resting, 0, 0.004, 0);
    dJointAttach(dJointCreateNull(s.world, NULL), s.resting, NULL); /* ODE lets only jointed bodies sleep */
    s.ground = box(s.world, 2, 0, -30, 0.098);
    dBodySetLinearVel(s.ground, 0.5, 0.2, -0.5);
    turn(s.ground, 0.2, 0.3, 0.5);
    joints(&s);
    return s;
}

static void step(Scene *s)
{
    const dJointGroupID group = dJointGroupCreate(0);
    const dReal *x = dBodyGetPosition(s->ground);
    for (int k = 0; k < 4; k++) {
        dContact c = {
            .geom = {.normal = {0, 0, 1}, .pos = {x[0] + (k & 1 ? 0.2 : -0.2), x[1] + (k & 2 ? 0.15 : -0.15), 0}}};
        c.geom.depth = 0.1 - x[2];
        c.surface.mu = 0.3;
        c.surface.mode = dContactApprox1;
        if (c.geom.depth < 0) continue;
        dJointAttach(dJointCreateContact(s->world, group, &c), s->ground, NULL);
    }
    if (!CHECK(ukWorldStep(s->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
    dJointGroupDestroy(group);
}

static void run(Scene *s, unsigned char hash[16])
{
    for (int i = 0; i < Steps; i++) step(s);
    CHECK(ukWorldHash(s->world, hash) == ukOk);
}

/* A change of a scene that is not the scene's own. */
typedef void Change(Scene *s);

static void restoreInto(Scene *s, const unsigned char *saved, size_t size)
{
    if (!CHECK(ukWorldRestore(s->world, saved, size) == ukOk)) printf("%s\n", ukGetLastErrorMessage());
}

static unsigned char *saveOf(Scene *s, size_t *size)
{
    *size = ukWorldSave(s->world, NULL, 0);
    unsigned char *const saved = malloc(*size);
    CHECK(saved && ukWorldSave(s->world, saved, *size) == *size);
    return saved;
}

static void effect(const char *what, Change *basis, Change *change)
{
    Scene first = make(), without = make(), restored = make();
    unsigned char moved[16], still[16], again[16];
    size_t size;
    if (basis) basis(&first), basis(&without), basis(&restored);
    change(&first);
    unsigned char *const saved = saveOf(&first, &size);
    restoreInto(&restored, saved, size);
    run(&first, moved);
    run(&without, still);
    run(&restored, again);
    if (!CHECK(memcmp(moved, again, 16) == 0)) printf("%s: not restored\n", what);
    if (!CHECK(memcmp(moved, still, 16) != 0)) printf("%s: no effect in this scene\n", what);
    free(saved);
    dWorldDestroy(first.world), dWorldDestroy(without.world), dWorldDestroy(restored.world);
}

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

#define CHANGE(name, statement)                                                                                        \
    static void name(Scene *s)                                                                                         \
    {                                                                                                                  \
        statement;                                                                                                     \
    }

CHANGE(erp, dWorldSetERP(s->world, 0.77))
CHANGE(gravity, dWorldSetGravity(s->world, 0.5, 0, -3))
CHANGE(correcting, dWorldSetContactMaxCorrectingVel(s->world, 0.01))
CHANGE(layer, dWorldSetContactSurfaceLayer(s->world, 0.0015))
CHANGE(rk4Of, ukWorldSetIntegrator(s->world, ukIntegratorRK4))
CHANGE(adaptive, ukWorldSetIntegrator(s->world, ukIntegratorAdaptive))
CHANGE(relative, ukWorldSetTolerance(s->world, 1e-3, 0))
CHANGE(absolute, ukWorldSetTolerance(s->world, 1e-8, 1e-2))
CHANGE(split, ukWorldSetStabilization(s->world, ukStabilizeSplit, 0, 0))
CHANGE(alpha, ukWorldSetStabilization(s->world, ukStabilizeBaumgarte, 9, 5))
CHANGE(beta, ukWorldSetStabilization(s->world, ukStabilizeBaumgarte, 5, 9))
CHANGE(cone, ukWorldSetFriction(s->world, ukFrictionCone))
CHANGE(solver, ukWorldSetSolver(s->world, ukSolverDAlembert))

static const struct {
    const char *name;
    dReal (*get)(dWorldID);
    void (*set)(dWorldID, dReal);
    double value, other;
} reals[] = {
    {"erp", dWorldGetERP, dWorldSetERP, 0.33, 0.44},
    {"cfm", dWorldGetCFM, dWorldSetCFM, 1e-4, 1e-3},
    {"correcting velocity", dWorldGetContactMaxCorrectingVel, dWorldSetContactMaxCorrectingVel, 3, 4},
    {"surface layer", dWorldGetContactSurfaceLayer, dWorldSetContactSurfaceLayer, 0.25, 0.125},
    {"w", dWorldGetQuickStepW, dWorldSetQuickStepW, 1.25, 1.5},
    {"disable linear", dWorldGetAutoDisableLinearThreshold, dWorldSetAutoDisableLinearThreshold, 0.25, 0.5},
    {"disable angular", dWorldGetAutoDisableAngularThreshold, dWorldSetAutoDisableAngularThreshold, 0.5, 0.25},
    {"disable time", dWorldGetAutoDisableTime, dWorldSetAutoDisableTime, 7, 8},
    {"linear damping", dWorldGetLinearDamping, dWorldSetLinearDamping, 0.1, 0.2},
    {"angular damping", dWorldGetAngularDamping, dWorldSetAngularDamping, 0.3, 0.4},
    {"linear damping threshold", dWorldGetLinearDampingThreshold, dWorldSetLinearDampingThreshold, 0.5, 0.25},
    {"angular damping threshold", dWorldGetAngularDampingThreshold, dWorldSetAngularDampingThreshold, 0.25, 0.5},
    {"max angular speed", dWorldGetMaxAngularSpeed, dWorldSetMaxAngularSpeed, 50, 60}};

/* Asked for after a restore into a world that has something else. */
static void answers(void)
{
    const dWorldID w = newWorld(9.81);
    ukWorld *const record = ukRegistryWorld(w);
    double before[ukSettingsCount], after[ukSettingsCount];
    size_t n = sizeof reals / sizeof *reals;
    for (size_t i = 0; i < n; i++) reals[i].set(w, reals[i].value);
    dWorldSetQuickStepNumIterations(w, 33);
    dWorldSetAutoDisableSteps(w, 17);
    dWorldSetAutoDisableAverageSamplesCount(w, 4);
    dWorldSetAutoDisableFlag(w, 1);
    dRandSetSeed(99);
    CHECK(ukWorldSetSolver(w, ukSolverSparse) == 0 && ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    CHECK(ukWorldSetStabilization(w, ukStabilizeBaumgarte, 3, 4) == 0 && ukWorldSetFriction(w, ukFrictionCone) == 0);
    CHECK(ukWorldSetCfmRule(w, ukCfmOde) == 0 && ukWorldSetFrictionRounds(w, 8) == 0);
    CHECK(ukWorldSetPassLimit(w, 21) == 0);
    CHECK(ukWorldSetGaussCheck(w, 2e-8, ukCheckResolve) == 0 && ukWorldSetRankTolerance(w, 1e-6) == 0);
    CHECK(ukWorldSetTime(w, 12.5) == 0 && ukWorldSetTolerance(w, 1e-7, 1e-5) == 0 && ukWorldSetLedger(w, 1) == 0);
    record->quick = true;
    ukSettingsNumbers(&record->settings, before);
    Scene s = {.world = w};
    size_t size;
    unsigned char *const saved = saveOf(&s, &size);
    for (size_t i = 0; i < n; i++) reals[i].set(w, reals[i].other);
    dWorldSetQuickStepNumIterations(w, 3);
    dWorldSetAutoDisableSteps(w, 1);
    dWorldSetAutoDisableAverageSamplesCount(w, 1);
    dWorldSetAutoDisableFlag(w, 0);
    dRandSetSeed(7);
    CHECK(ukWorldSetSolver(w, ukSolverAuto) == 0 && ukWorldSetIntegrator(w, ukIntegratorEuler) == 0);
    CHECK(ukWorldSetStabilization(w, ukStabilizeErp, 7, 7) == 0 && ukWorldSetFriction(w, ukFrictionOde) == 0);
    CHECK(ukWorldSetCfmRule(w, ukCfmAuto) == 0 && ukWorldSetFrictionRounds(w, 2) == 0);
    CHECK(ukWorldSetPassLimit(w, 0) == 0);
    CHECK(ukWorldSetGaussCheck(w, 1e-3, ukCheckOff) == 0 && ukWorldSetRankTolerance(w, 0) == 0);
    CHECK(ukWorldSetTime(w, 0) == 0 && ukWorldSetTolerance(w, 1, 1) == 0 && ukWorldSetLedger(w, 0) == 0);
    CHECK(ukWorldSetThreads(w, 3) == 0);
    record->quick = false;
    restoreInto(&s, saved, size);
    for (size_t i = 0; i < n; i++)
        if (!CHECK(reals[i].get(w) == reals[i].value)) printf("%s\n", reals[i].name);
    CHECK(dWorldGetQuickStepNumIterations(w) == 33 && dWorldGetAutoDisableSteps(w) == 17);
    CHECK(dWorldGetAutoDisableAverageSamplesCount(w) == 4);
    CHECK(dWorldGetAutoDisableFlag(w) != 0);
    CHECK(dRandGetSeed() == 99 && record->book != NULL && record->quick);
    CHECK(ukWorldGetThreads(w) == 3); /* the process's */
    ukSettingsNumbers(&record->settings, after);
    for (int i = 0; i < ukSettingsCount; i++)
        if (i != ukPlaceOf_threads && !CHECK(before[i] == after[i])) printf("setting %d\n", i);
    free(saved);
    dWorldDestroy(w);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

CHANGE(position, dBodySetPosition(s->flying, 1, 2, 3))
CHANGE(orientation, dBodySetQuaternion(s->flying, (const dReal[4]){0.5, 0.5, 0.5, 0.5}))
CHANGE(velocity, dBodySetLinearVel(s->flying, 7, 7, 7))
CHANGE(spin, turn(s->flying, 7, 7, 7))
CHANGE(force, dBodyAddForce(s->flying, 7, 7, 7))
CHANGE(torque, dBodyAddTorque(s->flying, 0.1, 0.2, 0.3))
CHANGE(kinematic, dBodySetKinematic(s->flying))
CHANGE(asleep, dBodyDisable(s->flying))
CHANGE(weightless, dBodySetGravityMode(s->flying, 0))
CHANGE(gyroscopic, dBodySetGyroscopicMode(s->flying, 0))
CHANGE(finiteMode, dBodySetFiniteRotationMode(s->flying, 1))
CHANGE(finiteAxis, dBodySetFiniteRotationAxis(s->flying, 0, 0.6, 0.8))
CHANGE(linearDamping, dBodySetLinearDamping(s->flying, 0.1))
CHANGE(angularDamping, dBodySetAngularDamping(s->flying, 0.1))
CHANGE(bothDampings, dBodySetDamping(s->flying, 0.1, 0.2))
CHANGE(linearThreshold, dBodySetLinearDampingThreshold(s->flying, 16))
CHANGE(angularThreshold, dBodySetAngularDampingThreshold(s->flying, 16))
CHANGE(maxSpeed, dBodySetMaxAngularSpeed(s->flying, 2))
CHANGE(autoDisable, dBodySetAutoDisableFlag(s->resting, 1))
CHANGE(idleLinear, dBodySetAutoDisableLinearThreshold(s->resting, 1.0 / 1024))
CHANGE(idleAngular, dBodySetAutoDisableAngularThreshold(s->resting, 1.0 / 1024))
CHANGE(slowing, autoDisable(s); dBodySetLinearVel(s->resting, 0.012, 0, 0); dBodySetLinearDamping(s->resting, 0.05);
       dBodySetLinearDampingThreshold(s->resting, 0))
CHANGE(idleSteps, dBodySetAutoDisableSteps(s->resting, 12))
CHANGE(idleTime, dBodySetAutoDisableTime(s->resting, 0.15))
CHANGE(idleSamples, dBodySetAutoDisableAverageSamplesCount(s->resting, 20))

static void mass(Scene *s)
{
    dMass m;
    dMassSetBoxTotal(&m, 9, 1, 2, 3);
    dBodySetMass(s->flying, &m);
    dBodySetMass(s->body[Hinge][0], &m);
}

static void inertia(Scene *s)
{
    dMass m;
    dMassSetParameters(&m, 2, 0, 0, 0, 1, 2, 2.5, 0.1, 0.2, 0.3);
    dBodySetMass(s->flying, &m);
}

/* ---- joints and laws --------------------------------------------------------------------------------------------- */

typedef struct Parameters {
    const char *name;
    int place, groups;
    void (*set)(dJointID, int, dReal);
    dReal (*get)(dJointID, int);
} Parameters;

static const Parameters parameters[] = {{"hinge", Hinge, 1, dJointSetHingeParam, dJointGetHingeParam},
                                        {"slider", Slider, 1, dJointSetSliderParam, dJointGetSliderParam},
                                        {"universal", Universal, 2, dJointSetUniversalParam, dJointGetUniversalParam},
                                        {"hinge2", Hinge2, 2, dJointSetHinge2Param, dJointGetHinge2Param},
                                        {"PR", PR, 2, dJointSetPRParam, dJointGetPRParam},
                                        {"PU", PU, 3, dJointSetPUParam, dJointGetPUParam},
                                        {"piston", Piston, 2, dJointSetPistonParam, dJointGetPistonParam},
                                        {"AMotor", AMotor, 3, dJointSetAMotorParam, dJointGetAMotorParam},
                                        {"LMotor", LMotor, 3, dJointSetLMotorParam, dJointGetLMotorParam}};

static const int which[] = {dParamLoStop, dParamHiStop, dParamVel,     dParamFMax,   dParamFudgeFactor,
                            dParamBounce, dParamCFM,    dParamStopERP, dParamStopCFM};

static double valueOf(int group, size_t i)
{
    return i == 0 ? -1.5 - group : i == 1 ? 1.5 + group : (i == 4 ? 0.9 : 0.01 * (double)i) - 0.001 * group;
}

static void jointParameters(void)
{
    Scene saved = make(), other = make();
    size_t size;
    static dJointFeedback feedback, second;
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++)
        for (int group = 0; group < parameters[k].groups; group++)
            for (size_t i = 0; i < 9; i++)
                parameters[k].set(saved.joint[parameters[k].place], which[i] + group * dParamGroup, valueOf(group, i));
    dJointSetBallParam(saved.joint[Ball], dParamERP, 0.3), dJointSetBallParam(saved.joint[Ball], dParamCFM, 0.01);
    dJointSetFixedParam(saved.joint[Fixed], dParamERP, 0.4), dJointSetFixedParam(saved.joint[Fixed], dParamCFM, 0.02);
    dJointSetDBallParam(saved.joint[DBall], dParamERP, 0.5), dJointSetDBallParam(saved.joint[DBall], dParamCFM, 0.03);
    dJointSetDHingeParam(saved.joint[DHinge], dParamERP, 0.6);
    dJointSetTransmissionParam(saved.joint[Transmission], dParamERP, 0.7);
    dJointSetHinge2Param(saved.joint[Hinge2], dParamSuspensionERP, 0.8);
    dJointSetHinge2Param(saved.joint[Hinge2], dParamSuspensionCFM, 0.05);
    dJointSetDBallDistance(saved.joint[DBall], 0.9);
    dJointSetTransmissionRatio(saved.joint[Transmission], 1.75);
    dJointSetTransmissionBacklash(saved.joint[Transmission], 0.01);
    for (int i = 0; i < 3; i++) dJointSetAMotorAngle(saved.joint[AMotor], i, 0.1 * (i + 1));
    dJointSetFeedback(saved.joint[Ball], &feedback);
    dJointSetFeedback(other.joint[Ball], &second);
    for (int i = 0; i < 3; i++)
        feedback.f1[i] = 1 + i, feedback.t1[i] = 4 + i, feedback.f2[i] = 7 + i, feedback.t2[i] = 10 + i;
    dJointDisable(saved.joint[Piston]);
    dJointSetAMotorNumAxes(other.joint[AMotor], 1);
    dJointSetLMotorNumAxes(other.joint[LMotor], 2);
    unsigned char *const bytes = saveOf(&saved, &size);
    restoreInto(&other, bytes, size);
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++)
        for (int group = 0; group < parameters[k].groups; group++)
            for (size_t i = 0; i < 9; i++) {
                const dJointID x = saved.joint[parameters[k].place], y = other.joint[parameters[k].place];
                const int p = which[i] + group * dParamGroup;
                if (!CHECK(parameters[k].get(y, p) == parameters[k].get(x, p)))
                    printf("%s, group %d, %zu\n", parameters[k].name, group, i);
                if (parameters[k].place != AMotor && i > 1) CHECK(parameters[k].get(y, p) == valueOf(group, i));
            }
    CHECK(dJointGetBallParam(other.joint[Ball], dParamERP) == 0.3 &&
          dJointGetBallParam(other.joint[Ball], dParamCFM) == 0.01);
    CHECK(dJointGetFixedParam(other.joint[Fixed], dParamERP) == 0.4 &&
          dJointGetFixedParam(other.joint[Fixed], dParamCFM) == 0.02);
    CHECK(dJointGetDBallParam(other.joint[DBall], dParamERP) == 0.5 &&
          dJointGetDBallParam(other.joint[DBall], dParamCFM) == 0.03);
    CHECK(dJointGetDHingeParam(other.joint[DHinge], dParamERP) == 0.6);
    CHECK(dJointGetTransmissionParam(other.joint[Transmission], dParamERP) == 0.7);
    CHECK(dJointGetHinge2Param(other.joint[Hinge2], dParamSuspensionERP) == 0.8);
    CHECK(dJointGetHinge2Param(other.joint[Hinge2], dParamSuspensionCFM) == 0.05);
    CHECK(dJointGetDBallDistance(other.joint[DBall]) == 0.9);
    CHECK(dJointGetTransmissionRatio(other.joint[Transmission]) == 1.75);
    CHECK(dJointGetTransmissionBacklash(other.joint[Transmission]) == 0.01);
    for (int i = 0; i < 3; i++) CHECK(dJointGetAMotorAngle(other.joint[AMotor], i) == 0.1 * (i + 1));
    CHECK(dJointGetAMotorNumAxes(other.joint[AMotor]) == 3 && dJointGetLMotorNumAxes(other.joint[LMotor]) == 3);
    CHECK(!dJointIsEnabled(other.joint[Piston]) && dJointIsEnabled(other.joint[PU]));
    for (int i = 0; i < 3; i++)
        CHECK(second.f1[i] == 1 + i && second.t1[i] == 4 + i && second.f2[i] == 7 + i && second.t2[i] == 10 + i);
    free(bytes);
    dWorldDestroy(saved.world), dWorldDestroy(other.world);
}

CHANGE(disabled, dJointDisable(s->joint[Hinge]))
CHANGE(motor, dJointSetHingeParam(s->joint[Hinge], dParamVel, 3); dJointSetHingeParam(s->joint[Hinge], dParamFMax, 0.4))
CHANGE(planeMotor, dJointSetPlane2DXParam(s->joint[Plane], dParamVel, 1);
       dJointSetPlane2DXParam(s->joint[Plane], dParamFMax, 5))
CHANGE(planeAngle, dJointSetPlane2DAngleParam(s->joint[Plane], dParamVel, 1);
       dJointSetPlane2DAngleParam(s->joint[Plane], dParamFMax, 5))
CHANGE(amotorUser, dJointSetAMotorParam(s->joint[AMotor], dParamVel + dParamGroup, 1);
       dJointSetAMotorParam(s->joint[AMotor], dParamFMax + dParamGroup, 5))
CHANGE(amotorAngle, dJointSetAMotorParam(s->joint[AMotor], dParamHiStop, 0.01);
       dJointSetAMotorAngle(s->joint[AMotor], 0, 0.5))
CHANGE(distance, dJointSetDBallDistance(s->joint[DBall], 1.1))
CHANGE(ratio, dJointSetTransmissionRatio(s->joint[Transmission], 2))
CHANGE(coulomb, ukJointSetCoulomb(s->joint[Hinge], 0.3, 0.02))
CHANGE(arm, ukJointSetCoulomb(s->joint[Hinge], 0.3, 0.04))
CHANGE(stribeck, coulomb(s); ukJointSetStribeck(s->joint[Hinge], 0.5, 2))
CHANGE(stribeckSpeed, ukJointSetStribeck(s->joint[Hinge], 0.5, 0.5))
CHANGE(viscous, ukJointSetViscous(s->joint[Slider], 0.3))
CHANGE(dragging, ukJointSetDrag(s->joint[Slider], 0.3))

static const struct {
    const char *name;
    Change *basis, *change;
} changes[] = {{"erp", NULL, erp},
               {"gravity", NULL, gravity},
               {"correcting velocity", NULL, correcting},
               {"surface layer", NULL, layer},
               {"rk4", NULL, rk4Of},
               {"relative tolerance", adaptive, relative},
               {"absolute tolerance", adaptive, absolute},
               {"split", NULL, split},
               {"alpha", rk4Of, alpha},
               {"beta", rk4Of, beta},
               {"cone", NULL, cone},
               {"solver", NULL, solver},
               {"position", NULL, position},
               {"orientation", NULL, orientation},
               {"velocity", NULL, velocity},
               {"spin", NULL, spin},
               {"force", NULL, force},
               {"torque", NULL, torque},
               {"kinematic", NULL, kinematic},
               {"asleep", NULL, asleep},
               {"weightless", NULL, weightless},
               {"gyroscopic", NULL, gyroscopic},
               {"finite rotation", NULL, finiteMode},
               {"finite axis", finiteMode, finiteAxis},
               {"linear damping", NULL, linearDamping},
               {"angular damping", NULL, angularDamping},
               {"linear threshold", bothDampings, linearThreshold},
               {"angular threshold", bothDampings, angularThreshold},
               {"most spin", NULL, maxSpeed},
               {"auto-disable", NULL, autoDisable},
               {"linear idle threshold", autoDisable, idleLinear},
               {"angular idle threshold", autoDisable, idleAngular},
               {"idle steps", slowing, idleSteps},
               {"idle time", slowing, idleTime},
               {"idle samples", autoDisable, idleSamples},
               {"mass", NULL, mass},
               {"inertia", NULL, inertia},
               {"disabled joint", NULL, disabled},
               {"motor", NULL, motor},
               {"motor of a plane", NULL, planeMotor},
               {"angular motor of a plane", NULL, planeAngle},
               {"AMotor", NULL, amotorUser},
               {"angle of an AMotor", NULL, amotorAngle},
               {"distance", NULL, distance},
               {"ratio", NULL, ratio},
               {"coulomb", NULL, coulomb},
               {"arm", coulomb, arm},
               {"stribeck", coulomb, stribeck},
               {"speed of stribeck", stribeck, stribeckSpeed},
               {"viscous", NULL, viscous},
               {"drag", NULL, dragging}};

/* ---- everything -------------------------------------------------------------------------------------------------- */

static void busy(Scene *s)
{
    slowing(s), coulomb(s), stribeck(s), viscous(s), motor(s), amotorUser(s);
    dBodySetAutoDisableAverageSamplesCount(s->resting, 7);
    CHECK(ukJointSetCoulomb(s->joint[Ball], 0.2, 0.05) == ukOk && ukJointSetCoulomb(s->joint[Plane], 0.3, 0) == ukOk);
    CHECK(ukWorldSetLedger(s->world, 1) == ukOk);
}

/* What was saved after some steps is saved again by a world that took it over, before its first step or after some. */
static void again(Change *integrator, int steps, int late)
{
    Scene first = make(), other = make();
    size_t size, size_again;
    busy(&first);
    if (integrator) integrator(&first);
    for (int i = 0; i < steps; i++) step(&first);
    for (int i = 0; i < late; i++) step(&other);
    unsigned char *const saved = saveOf(&first, &size);
    restoreInto(&other, saved, size);
    unsigned char *const bytes = saveOf(&other, &size_again);
    CHECK(size == size_again && memcmp(saved, bytes, size) == 0);
    free(saved), free(bytes);
    /* and a world without a ledger and laws takes them from one that has them */
    Scene plain = make();
    unsigned char *const bare = saveOf(&plain, &size);
    restoreInto(&other, bare, size);
    CHECK(ukRegistryWorld(other.world)->book == NULL && ukRegistryJoint(other.joint[Ball])->law == NULL);
    free(bare);
    dWorldDestroy(first.world), dWorldDestroy(other.world), dWorldDestroy(plain.world);
}

int main(void)
{
    dInitODE2(0);
    answers();
    jointParameters();
    for (int steps = 1; steps <= 13; steps += 4) {
        again(NULL, steps, 0), again(NULL, steps, 20);
        again(rk4Of, steps, 0), again(adaptive, steps, 3);
    }
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        effect(changes[i].name, changes[i].basis, changes[i].change);
    dCloseODE();
    return ukTestEnd();
}
