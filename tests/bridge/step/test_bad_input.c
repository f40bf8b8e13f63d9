/* SPDX-License-Identifier: BSD-3-Clause */
/* Bad input gets an error code and a text, and leaves the world as it was; nothing aborts. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/diagnose/survey.h"
#include "bridge/ode/ode.h"
#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/body_state.h"

typedef struct Pendulum {
    dWorldID world;
    dBodyID body, other;
    dJointID joint;
} Pendulum;

static Pendulum make(void)
{
    Pendulum p;
    dMass m;
    p.world = dWorldCreate();
    dWorldSetGravity(p.world, 0, 0, -9.81);
    p.body = dBodyCreate(p.world);
    p.other = dBodyCreate(p.world);
    dMassSetSphereTotal(&m, 1, 0.1);
    dBodySetMass(p.body, &m);
    dBodySetMass(p.other, &m);
    dBodySetPosition(p.body, 1, 0, 0);
    dBodySetPosition(p.other, 3, 0, 0);
    p.joint = dJointCreateHinge(p.world, 0);
    dJointAttach(p.joint, p.body, 0);
    dJointSetHingeAnchor(p.joint, 0, 0, 0);
    dJointSetHingeAxis(p.joint, 0, 1, 0);
    dBodyAddForce(p.body, 1, 2, 3);
    dBodySetLinearVel(p.body, 0, 0, 1);
    return p;
}

/* a step that must fail, with a reason, and leave the first body as it was (to the bit) */
static void mustFail(const Pendulum *p, dReal h)
{
    const BodyState before = bodyStateOf(p->body);
    CHECK(ukWorldStep(p->world, h) == 0);
    CHECK(ukGetLastError() < 0);
    CHECK(strlen(ukGetLastErrorMessage()) > 0);
    CHECK(strcmp(ukGetErrorString(ukGetLastError()), "") != 0);
    const BodyState after = bodyStateOf(p->body);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
}

static void handles(void)
{
    ukReport report;
    ukEquations equations;
    CHECK(ukWorldStep(NULL, 0.01) == 0);
    CHECK(ukWorldEnable(NULL) < 0 && ukWorldDisable(NULL) < 0 && ukWorldIsEnabled(NULL) == 0);
    CHECK(ukWorldAttach(NULL, NULL, 0) < 0);
    CHECK(ukWorldGetReport(NULL, &report) < 0 && ukWorldGetEquations(NULL, &equations) < 0);
    CHECK(ukWorldSetSolver(NULL, ukSolverAuto) < 0 && ukWorldSetFriction(NULL, ukFrictionOde) < 0);
    CHECK(ukWorldSetGaussCheck(NULL, 1e-9, ukCheckWarn) < 0);
    CHECK(ukWorldGetTime(NULL) == 0 && ukWorldSetTime(NULL, 0) < 0);

    Pendulum p = make();
    CHECK(ukWorldGetReport(p.world, NULL) < 0);
    CHECK(ukWorldGetReport(p.world, &report) == 0 && report.bodies == 0);
    CHECK(ukWorldGetEquations(p.world, &equations) < 0); /* nothing was stepped yet */
    CHECK(ukWorldSetSolver(p.world, (ukSolver)99) < 0);
    CHECK(ukWorldSetFriction(p.world, (ukFriction)17) < 0);
    CHECK(ukWorldSetFrictionRounds(NULL, 3) == ukErrorHandle && ukWorldSetFrictionRounds(p.world, 2) == 0);
    CHECK(ukWorldSetFrictionRounds(p.world, 1) < 0 && ukWorldSetFrictionRounds(p.world, 101) < 0);
    CHECK(ukWorldGetSolver(p.world) == ukSolverAuto);
    CHECK(ukWorldSetSolver(p.world, ukSolverOneFour) == 0 && ukWorldGetSolver(p.world) == ukSolverOneFour);
    CHECK(ukWorldSetSolver(p.world, ukSolverAuto) == 0);
    CHECK(ukWorldSetRankTolerance(p.world, 1) < 0 && ukWorldSetRankTolerance(p.world, NAN) < 0);
    CHECK(ukWorldSetRankTolerance(NULL, 0) < 0 && ukWorldSetRankTolerance(p.world, 1e-6) == 0);
    CHECK(ukWorldSetTolerance(NULL, 1e-6, 0) == ukErrorHandle);
    CHECK(ukWorldSetTolerance(p.world, -1, 0) == ukErrorArgument);
    CHECK(ukWorldSetTolerance(p.world, 1e-6, 1e-9) == 0);
    CHECK(ukWorldSetIntegrator(p.world, (ukIntegrator)5) == ukErrorArgument);
    CHECK(ukWorldSetGaussCheck(p.world, -1, ukCheckWarn) < 0 && ukWorldSetGaussCheck(p.world, NAN, ukCheckWarn) < 0);
    const dWorldID gone = p.world;
    dJointDestroy(p.joint);
    dWorldDestroy(p.world);
    CHECK(ukWorldStep(gone, 0.01) == 0);
    CHECK(ukWorldGetReport(gone, &report) < 0);
    for (int status = -40; status <= 3; status++) CHECK(ukGetErrorString(status) && *ukGetErrorString(status));
}

static void stepsizes(void)
{
    Pendulum p = make();
    mustFail(&p, 0);
    mustFail(&p, -0.01);
    mustFail(&p, NAN);
    mustFail(&p, INFINITY);
    CHECK(ukWorldStep(p.world, 0.01) == 1);
    dWorldDestroy(p.world);
}

static void notFinite(void)
{
    Pendulum p = make();
    dBodyAddForce(p.other, NAN, 0, 0);
    mustFail(&p, 0.01);
    dBodySetForce(p.other, 0, 0, 0);
    dBodyAddTorque(p.other, 0, INFINITY, 0);
    mustFail(&p, 0.01);
    dBodySetTorque(p.other, 0, 0, 0);
    dBodySetLinearVel(p.other, NAN, 0, 0);
    mustFail(&p, 0.01);
    CHECK(strstr(ukGetLastErrorMessage(), "velocity is not finite") != NULL);
    dBodySetLinearVel(p.other, 0, 0, 0);
    for (int k = 0; k < 3; k++) {
        dBodySetAngularVel(p.other, k == 0 ? NAN : 0, k == 1 ? NAN : 0, k == 2 ? INFINITY : 0);
        mustFail(&p, 0.01);
        CHECK(strstr(ukGetLastErrorMessage(), "spin is not finite") != NULL);
    }
    dBodySetAngularVel(p.other, 0, 0, 0);
    CHECK(ukWorldStep(p.world, 0.01) == 1);
    dWorldDestroy(p.world);
}

static void nanParameter(void)
{
    Pendulum p = make();
    dJointSetHingeParam(p.joint, dParamFMax, dInfinity);
    dJointSetHingeParam(p.joint, dParamVel, NAN);
    mustFail(&p, 0.01);
    CHECK(strstr(ukGetLastErrorMessage(), "hinge") != NULL);
    dWorldDestroy(p.world);
}

/* ODE's own setter aborts on a mass of zero, so such a body cannot be made; an ODE built without assertions has them.
 * This function answers for it in the table of ODE's functions. */
static dBodyID massless;
static void (*massOf)(dBodyID, dMass *);

static void massAsIfLess(dBodyID body, dMass *mass)
{
    massOf(body, mass);
    if (body == massless) mass->mass = 0;
}

static void zeroMass(void)
{
    Pendulum p = make();
    massless = p.other;
    massOf = ukOde.dBodyGetMass;
    ukOde.dBodyGetMass = massAsIfLess;
    mustFail(&p, 0.01);
    CHECK(strstr(ukGetLastErrorMessage(), "mass") != NULL);
    ukOde.dBodyGetMass = massOf;
    CHECK(ukWorldStep(p.world, 0.01) == 1);
    dWorldDestroy(p.world);
}

static dWorldID doomed_world;

/* Contacts that nobody attaches take room and change nothing. */
static void unattached(void)
{
    Pendulum p = make(), q = make();
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 20 * k; i++) dJointCreateContact(p.world, NULL, &(dContact){.surface.mu = 1});
        CHECK(ukWorldStep(p.world, 0.01) == 1 && ukWorldStep(q.world, 0.01) == 1);
        const BodyState a = bodyStateOf(p.body), b = bodyStateOf(q.body);
        CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
    dWorldDestroy(p.world);
    dWorldDestroy(q.world);
}

static int killWorldAsked(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)data;
    A[2] = 1;
    b[0] = 0;
    if (doomed_world) dWorldDestroy(doomed_world);
    doomed_world = NULL;
    return 0;
}

/* by a function that is called for the diagnosis before a world's first step */
static void destroyedInSurvey(void)
{
    Pendulum p = make();
    CHECK(ukConstraintCreate(p.world, 1, &p.other, 1, killWorldAsked, NULL) != NULL);
    doomed_world = p.world;
    ukSurveyOpen("/dev/null");
    CHECK(ukWorldStep(p.world, 0.01) == 0);
    ukSurveyOpen(NULL);
    CHECK(doomed_world == NULL && ukGetLastError() < 0);
    p = make();
    CHECK(ukWorldStep(p.world, 0.01) == 1);
    dWorldDestroy(p.world);
}

/* A step far away, refused or not, leaves nothing of its rounding in the joints' anchors. */
static void farAndBack(double far)
{
    const dWorldID w = dWorldCreate();
    const dBodyID b = dBodyCreate(w);
    dBodySetPosition(b, 1, 2, 3);
    const dJointID j = dJointCreateBall(w, 0);
    dJointAttach(j, b, 0);
    dJointSetBallAnchor(j, 1.1, 2.2, 3.3);
    dBodySetPosition(b, 1, far, 3);
    ukWorldStep(w, 0.01);
    dBodySetPosition(b, 1, 2, 3);
    dBodySetLinearVel(b, 0, 0, 0);
    dBodySetAngularVel(b, 0, 0, 0);
    dBodySetRotation(b, (const dReal[12]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
    CHECK(ukWorldStep(w, 0.01) == 1);
    const double expected[] = {1, 2, 3};
    CHECK_NEAR_ALL(dBodyGetPosition(b), expected, 3, 1e-12);
    dWorldDestroy(w);
}

/* whether every byte is zero */
static bool isZero(const void *at, size_t size)
{
    const unsigned char *const byte = at;
    size_t i = 0;
    while (i < size && byte[i] == 0) i++;
    return i == size;
}

/* After a refused step (an asymmetric inertia) there are no equations. A program that does not look at the answer finds
 * counts of zero, not what its struct happened to hold; so do the other calls that fill a struct. */
static void nothingToRead(void)
{
    Pendulum p = make();
    dMass m;
    ukEquations e;
    ukDiagnosis d;
    ukReport r;
    ukLedger l[2];
    ukAudit a;
    dReal force[2][2][6];
    CHECK(ukWorldStep(p.world, 0.01) == 1 && ukWorldGetEquations(p.world, &e) == 0 && e.n > 0);
    dMassSetBoxTotal(&m, 1, 1, 0.6, 0.4);
    m.I[1] = 0.02;
    dBodySetMass(p.body, &m);
    mustFail(&p, 0.01);
    CHECK(ukWorldGetEquations(p.world, &e) == ukErrorArgument && isZero(&e, sizeof e));
    memset(&d, 255, sizeof d);
    CHECK(ukWorldDiagnose(p.world, &d) < 0 && isZero(&d, sizeof d));
    memset(&e, 255, sizeof e);
    CHECK(ukWorldGetEquations(NULL, &e) == ukErrorHandle && isZero(&e, sizeof e));
    memset(&d, 255, sizeof d);
    CHECK(ukWorldDiagnose(NULL, &d) == ukErrorHandle && isZero(&d, sizeof d));
    ukMobility mobility;
    memset(&mobility, 255, sizeof mobility);
    CHECK(ukWorldGetMobility(p.world, &mobility) < 0 && isZero(&mobility, sizeof mobility));
    memset(&mobility, 255, sizeof mobility);
    CHECK(ukWorldGetMobility(NULL, &mobility) == ukErrorHandle && isZero(&mobility, sizeof mobility));
    memset(&r, 255, sizeof r);
    CHECK(ukWorldGetReport(NULL, &r) == ukErrorHandle && isZero(&r, sizeof r));
    memset(l, 255, sizeof l);
    CHECK(ukWorldGetLedger(NULL, &l[0]) < 0 && ukWorldGetPower(NULL, &l[1]) < 0 && isZero(l, sizeof l));
    memset(&a, 255, sizeof a);
    CHECK(ukConstraintAudit(NULL, &a) < 0 && isZero(&a, sizeof a));
    memset(force, 255, sizeof force);
    CHECK(ukJointGetForces(NULL, force[0], force[1]) < 0 && isZero(force, sizeof force));
    dWorldDestroy(p.world);
}

int main(void)
{
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    handles();
    stepsizes();
    notFinite();
    nanParameter();
    zeroMass();
    unattached();
    destroyedInSurvey();
    nothingToRead();
    farAndBack(1e154);
    farAndBack(-1e9);
    dCloseODE();
    return ukTestEnd();
}
