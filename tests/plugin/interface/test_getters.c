/* SPDX-License-Identifier: BSD-3-Clause */
/* Getters return what was set: by the setter, by an environment variable UKODE_*, by a configuration file, by a
 * restored state. What a setter refuses does not change them. Unknown handles: status functions return ukErrorHandle,
 * value functions 0, pointer functions NULL, and each of them sets the last error. tests/header.sh checks that every
 * setter has a getter. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "tests/check.h"

/* ---- the settings of a world ------------------------------------------------------------------------------------- */

typedef struct Settings {
    ukSolver solver;
    ukIntegrator integrator;
    dReal relative, absolute;
    int budget, passes;
    ukStabilization kind;
    dReal alpha, beta;
    ukFriction friction;
    int rounds;
    ukCfmRule cfm_rule;
    ukJointRule joint_rule;
    dReal check_tolerance;
    ukCheckAction action;
    dReal rank_tolerance;
    int threads;
    dReal time;
    int ledger;
} Settings;

/* as the header documents them */
static const Settings defaults = {.relative = 1e-8,
                                  .kind = ukStabilizeProjection,
                                  .rounds = 5,
                                  .check_tolerance = 1e-9,
                                  .action = ukCheckWarn,
                                  .threads = 1};

/* none of them a default */
static const Settings chosen = {.solver = ukSolverSparse,
                                .integrator = ukIntegratorAdaptive,
                                .relative = 1e-6,
                                .absolute = 1e-5,
                                .budget = 321,
                                .passes = 45,
                                .kind = ukStabilizeBaumgarte,
                                .alpha = 3,
                                .beta = 3,
                                .friction = ukFrictionCone,
                                .rounds = 7,
                                .cfm_rule = ukCfmOde,
                                .joint_rule = ukJointRuleExact,
                                .check_tolerance = 1e-7,
                                .action = ukCheckStop,
                                .rank_tolerance = 1e-5,
                                .threads = 3,
                                .time = 2.5,
                                .ledger = 1};

static void set(dWorldID w, const Settings *s)
{
    CHECK(ukWorldSetSolver(w, s->solver) == ukOk && ukWorldSetIntegrator(w, s->integrator) == ukOk);
    CHECK(ukWorldSetTolerance(w, s->relative, s->absolute) == ukOk && ukWorldSetBudget(w, s->budget) == ukOk);
    CHECK(ukWorldSetPassLimit(w, s->passes) == ukOk);
    CHECK(ukWorldSetStabilization(w, s->kind, s->alpha, s->beta) == ukOk);
    CHECK(ukWorldSetFriction(w, s->friction) == ukOk && ukWorldSetFrictionRounds(w, s->rounds) == ukOk);
    CHECK(ukWorldSetCfmRule(w, s->cfm_rule) == ukOk && ukWorldSetJointRule(w, s->joint_rule) == ukOk);
    CHECK(ukWorldSetGaussCheck(w, s->check_tolerance, s->action) == ukOk);
    CHECK(ukWorldSetRankTolerance(w, s->rank_tolerance) == ukOk && ukWorldSetThreads(w, s->threads) == ukOk);
    CHECK(ukWorldSetTime(w, s->time) == ukOk && ukWorldSetLedger(w, s->ledger) == ukOk);
}

static void isSet(dWorldID w, const Settings *s)
{
    dReal a = -1, b = -1;
    ukStabilization kind = ukStabilizeNone;
    ukCheckAction action = ukCheckResolve;
    CHECK(ukWorldGetSolver(w) == s->solver && ukWorldGetIntegrator(w) == s->integrator);
    CHECK(ukWorldGetTolerance(w, &a, &b) == ukOk && a == s->relative && b == s->absolute);
    CHECK(ukWorldGetBudget(w) == s->budget && ukWorldGetPassLimit(w) == s->passes);
    CHECK(ukWorldGetStabilization(w, &kind, &a, &b) == ukOk && kind == s->kind && a == s->alpha && b == s->beta);
    CHECK(ukWorldGetFriction(w) == s->friction && ukWorldGetFrictionRounds(w) == s->rounds);
    CHECK(ukWorldGetCfmRule(w) == s->cfm_rule && ukWorldGetJointRule(w) == s->joint_rule);
    CHECK(ukWorldGetGaussCheck(w, &a, &action) == ukOk && a == s->check_tolerance && action == s->action);
    CHECK(ukWorldGetRankTolerance(w) == s->rank_tolerance && ukWorldGetThreads(w) == s->threads);
    CHECK(ukWorldGetTime(w) == s->time && ukWorldIsLedgerOn(w) == s->ledger);
}

/* none of these is set */
static void refuseAll(dWorldID w)
{
    CHECK(ukWorldSetSolver(w, (ukSolver)99) == ukErrorArgument);
    CHECK(ukWorldSetIntegrator(w, (ukIntegrator)99) == ukErrorArgument);
    CHECK(ukWorldSetTolerance(w, -1, 0) == ukErrorArgument && ukWorldSetTolerance(w, 1, NAN) == ukErrorArgument);
    CHECK(ukWorldSetBudget(w, -1) == ukErrorArgument && ukWorldSetPassLimit(w, -1) == ukErrorArgument);
    CHECK(ukWorldSetPassLimit(w, 1000000001) == ukErrorArgument);
    CHECK(ukWorldSetStabilization(w, ukStabilizeErp, -1, 0) == ukErrorArgument);
    CHECK(ukWorldSetStabilization(w, (ukStabilization)99, 0, 0) == ukErrorArgument);
    CHECK(ukWorldSetFriction(w, (ukFriction)99) == ukErrorArgument);
    CHECK(ukWorldSetFrictionRounds(w, 1) == ukErrorArgument);
    CHECK(ukWorldSetCfmRule(w, (ukCfmRule)99) == ukErrorArgument);
    CHECK(ukWorldSetJointRule(w, (ukJointRule)99) == ukErrorArgument);
    CHECK(ukWorldSetGaussCheck(w, 0, ukCheckOff) == ukErrorArgument);
    CHECK(ukWorldSetRankTolerance(w, 1) == ukErrorArgument && ukWorldSetThreads(w, 0) == ukErrorArgument);
    CHECK(ukWorldSetTime(w, INFINITY) == ukErrorArgument);
}

/* output arguments may be NULL */
static void oneOfSeveral(dWorldID w)
{
    dReal a = 0, b = 0;
    ukCheckAction action = ukCheckOff;
    CHECK(ukWorldGetTolerance(w, NULL, &b) == ukOk && b == chosen.absolute);
    CHECK(ukWorldGetStabilization(w, NULL, &a, NULL) == ukOk && a == chosen.alpha);
    CHECK(ukWorldGetGaussCheck(w, NULL, &action) == ukOk && action == chosen.action);
    CHECK(ukWorldGetTolerance(w, NULL, NULL) == ukOk && ukWorldGetStabilization(w, NULL, NULL, NULL) == ukOk);
}

static void settings(void)
{
    const dWorldID w = dWorldCreate(), other = dWorldCreate();
    isSet(w, &defaults);
    set(w, &chosen);
    isSet(w, &chosen);
    isSet(other, &defaults);
    refuseAll(w);
    isSet(w, &chosen);
    oneOfSeveral(w);

    const size_t size = ukWorldSave(w, NULL, 0);
    void *const saved = malloc(size);
    CHECK(saved && ukWorldSave(w, saved, size) == size);
    set(w, &defaults);
    isSet(w, &defaults);
    CHECK(ukWorldRestore(w, saved, size) == ukOk);
    Settings restored = chosen;
    restored.threads = defaults.threads; /* the process's: a restored state leaves them */
    isSet(w, &restored);
    free(saved);
    dWorldDestroy(w);
    dWorldDestroy(other);
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

typedef struct Laws {
    dReal mu, arm, mu_static, speed, viscous, drag;
} Laws;

static void hasLaws(dJointID j, Laws laws)
{
    dReal a = -1, b = -1;
    CHECK(ukJointGetCoulomb(j, &a, &b) == ukOk && a == laws.mu && b == laws.arm);
    CHECK(ukJointGetStribeck(j, &a, &b) == ukOk && a == laws.mu_static && b == laws.speed);
    CHECK(ukJointGetViscous(j) == laws.viscous && ukJointGetDrag(j) == laws.drag);
    CHECK(ukJointGetCoulomb(j, NULL, NULL) == ukOk && ukJointGetStribeck(j, NULL, NULL) == ukOk);
}

static void jointLaw(const ukNonIdealContext *context, dReal force_and_torque[2][6], void *data)
{
    (void)context, (void)force_and_torque, (void)data;
}

static void hasFunction(dJointID j, ukNonIdealFn *expected, void *expected_data)
{
    ukNonIdealFn *law = jointLaw;
    void *data = &data;
    CHECK(ukJointGetNonIdeal(j, &law, &data) == ukOk && law == expected && data == expected_data);
    CHECK(ukJointGetNonIdeal(j, NULL, NULL) == ukOk);
}

static dJointID hingeIn(dWorldID w)
{
    const dBodyID body = dBodyCreate(w);
    const dJointID joint = dJointCreateHinge(w, 0);
    dBodySetPosition(body, 1, 0, 0);
    dJointAttach(joint, body, 0);
    dJointSetHingeAnchor(joint, 0, 0, 0);
    dJointSetHingeAxis(joint, 0, 1, 0);
    return joint;
}

static void joints(void)
{
    const dWorldID w = dWorldCreate();
    const dJointID joint = hingeIn(w);
    const Laws none = {0}, all = {0.1, 0.02, 0.3, 0.5, 0.25, 0.75};
    int mark;
    hasLaws(joint, none);
    hasFunction(joint, NULL, NULL);
    CHECK(ukJointSetCoulomb(joint, all.mu, all.arm) == ukOk);
    CHECK(ukJointSetStribeck(joint, all.mu_static, all.speed) == ukOk);
    CHECK(ukJointSetViscous(joint, all.viscous) == ukOk && ukJointSetDrag(joint, all.drag) == ukOk);
    CHECK(ukJointSetNonIdeal(joint, jointLaw, &mark) == ukOk);
    hasLaws(joint, all);
    hasFunction(joint, jointLaw, &mark);
    CHECK(ukJointSetViscous(joint, -1) == ukErrorArgument && ukJointSetCoulomb(joint, NAN, 0) == ukErrorArgument);
    hasLaws(joint, all);

    const size_t size = ukWorldSave(w, NULL, 0);
    void *const saved = malloc(size);
    CHECK(saved && ukWorldSave(w, saved, size) == size);
    CHECK(ukJointSetCoulomb(joint, 0, 0) == ukOk && ukJointSetViscous(joint, 0) == ukOk);
    CHECK(ukJointSetDrag(joint, 0) == ukOk);
    hasLaws(joint, none);
    CHECK(ukWorldRestore(w, saved, size) == ukOk);
    hasLaws(joint, all);
    hasFunction(joint, jointLaw, &mark);
    CHECK(ukJointSetNonIdeal(joint, NULL, NULL) == ukOk);
    hasFunction(joint, NULL, NULL);
    free(saved);
    dWorldDestroy(w);
}

static int rows(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    (void)context, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int errors(const ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = context->bodies[0].position[2], psi[0] = context->bodies[0].velocity[2];
    return 0;
}

static void constraintLaw(const ukConstraintContext *context, const dReal *ideal, dReal *force, void *data)
{
    (void)context, (void)ideal, (void)force, (void)data;
}

static void constraints(void)
{
    const dWorldID w = dWorldCreate();
    const dBodyID body = dBodyCreate(w);
    const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, rows, NULL);
    int mark;
    void *data = &mark;
    ukErrorFn *error = errors;
    ukConstraintNonIdealFn *law = constraintLaw;
    CHECK(ukConstraintGetCoulomb(c) == 0);
    CHECK(ukConstraintGetError(c, &error, &data) == ukOk && !error && !data);
    data = &mark;
    CHECK(ukConstraintGetNonIdeal(c, &law, &data) == ukOk && !law && !data);
    CHECK(ukConstraintSetCoulomb(c, 0.3) == ukOk && ukConstraintGetCoulomb(c) == 0.3);
    CHECK(ukConstraintSetCoulomb(c, -1) == ukErrorArgument && ukConstraintGetCoulomb(c) == 0.3);
    dReal lo = 1, hi = 1;
    CHECK(ukConstraintGetBounds(c, 0, &lo, &hi) == ukOk && lo == -INFINITY && hi == INFINITY);
    CHECK(ukConstraintSetBounds(c, 0, -2, 3) == ukOk && ukConstraintSetBounds(c, 0, 1, -1) == ukErrorArgument);
    CHECK(ukConstraintSetBounds(c, 0, NAN, 1) == ukErrorArgument &&
          ukConstraintSetBounds(c, -1, 0, 1) == ukErrorArgument);
    CHECK(ukConstraintSetBounds(c, 0, INFINITY, INFINITY) == ukErrorArgument);
    CHECK(ukConstraintGetBounds(c, 0, &lo, &hi) == ukOk && lo == -2 && hi == 3 && !ukConstraintGetOneSided(c, 0));
    CHECK(ukConstraintSetOneSided(c, 99) == ukErrorArgument && ukConstraintSetOneSided(c, 0) == ukOk);
    CHECK(ukConstraintGetOneSided(c, 0) && ukConstraintGetBounds(c, 0, &lo, &hi) == ukOk && lo == 0 && hi == INFINITY);
    CHECK(ukConstraintSetBounds(c, 0, -INFINITY, INFINITY) == ukOk && !ukConstraintGetOneSided(c, 0));
    CHECK(ukConstraintSetError(c, errors, &mark) == ukOk);
    CHECK(ukConstraintGetError(c, &error, &data) == ukOk && error == errors && data == &mark);
    data = NULL;
    CHECK(ukConstraintSetNonIdeal(c, constraintLaw, &mark) == ukOk);
    CHECK(ukConstraintGetNonIdeal(c, &law, &data) == ukOk && law == constraintLaw && data == &mark);
    CHECK(ukConstraintGetError(c, NULL, NULL) == ukOk && ukConstraintGetNonIdeal(c, NULL, NULL) == ukOk);
    ukConstraintDestroy(c);
    CHECK(ukConstraintGetError(c, &error, &data) == ukErrorHandle && !error && !data);
    data = &mark;
    CHECK(ukConstraintGetNonIdeal(c, &law, &data) == ukErrorHandle && !law && !data && ukConstraintGetCoulomb(c) == 0);
    dWorldDestroy(w);
}

/* ---- unknown handles --------------------------------------------------------------------------------------------- */

/* The value that an unknown handle has, with the error set. The last error is another one before. */
#define UNKNOWN(call, value)                                                                                           \
    do {                                                                                                               \
        ukWorldSetThreads(known, 0);                                                                                   \
        CHECK(ukGetLastError() == ukErrorArgument);                                                                    \
        CHECK((call) == (value));                                                                                      \
        CHECK(ukGetLastError() == ukErrorHandle);                                                                      \
    } while (0)

static void unknownWorld(dWorldID known, dWorldID w)
{
    dReal a = 7, b = 7;
    UNKNOWN(ukWorldStep(w, 0.01), 0);
    UNKNOWN(ukWorldIsEnabled(w), 0);
    UNKNOWN(ukWorldGetSolver(w), ukSolverAuto);
    UNKNOWN(ukWorldGetIntegrator(w), ukIntegratorEuler);
    UNKNOWN(ukWorldGetTolerance(w, &a, &b), ukErrorHandle);
    UNKNOWN(ukWorldGetStabilization(w, NULL, &a, &b), ukErrorHandle);
    UNKNOWN(ukWorldGetGaussCheck(w, &a, NULL), ukErrorHandle);
    CHECK(a == 0 && b == 0);
    UNKNOWN(ukWorldGetBudget(w), 0);
    UNKNOWN(ukWorldGetFriction(w), ukFrictionOde);
    UNKNOWN(ukWorldGetFrictionRounds(w), 0);
    UNKNOWN(ukWorldGetPassLimit(w), 0);
    UNKNOWN(ukWorldGetCfmRule(w), ukCfmAuto);
    UNKNOWN(ukWorldGetJointRule(w), ukJointRuleODE);
    UNKNOWN(ukWorldGetRankTolerance(w), 0);
    UNKNOWN(ukWorldGetThreads(w), 0);
    UNKNOWN(ukWorldGetTime(w), 0);
    UNKNOWN(ukWorldGetSwitch(w, 0), INFINITY);
    UNKNOWN(ukWorldClearSwitches(w), ukErrorHandle);
    UNKNOWN(ukWorldIsLedgerOn(w), 0);
    UNKNOWN(ukWorldSetLedger(w, 1), ukErrorHandle);
    UNKNOWN(ukWorldGetBodyCount(w), 0);
    UNKNOWN(ukWorldGetJointCount(w), 0);
    UNKNOWN(ukWorldGetBody(w, 0), NULL);
    UNKNOWN(ukWorldGetJoint(w, 0), NULL);
    UNKNOWN(ukWorldSave(w, NULL, 0), 0);
}

static void unknown(void)
{
    const dWorldID known = dWorldCreate(), gone = dWorldCreate();
    const dJointID joint = hingeIn(gone);
    const dBodyID body = dJointGetBody(joint, 0);
    const dJointID joints[] = {NULL, joint};
    const dBodyID bodies[] = {NULL, body};
    dWorldDestroy(gone);
    unknownWorld(known, NULL);
    unknownWorld(known, gone);
    for (int i = 0; i < 2; i++) {
        UNKNOWN(ukJointGetCoulomb(joints[i], NULL, NULL), ukErrorHandle);
        UNKNOWN(ukJointGetStribeck(joints[i], NULL, NULL), ukErrorHandle);
        UNKNOWN(ukJointGetNonIdeal(joints[i], NULL, NULL), ukErrorHandle);
        UNKNOWN(ukJointGetViscous(joints[i]), 0);
        UNKNOWN(ukJointGetDrag(joints[i]), 0);
        UNKNOWN(ukJointGetName(joints[i]), NULL);
        UNKNOWN(ukBodyGetName(bodies[i]), NULL);
        UNKNOWN(ukBodyGetMassless(bodies[i]), 0);
        UNKNOWN(ukJointGetGaussian(joints[i], NULL, NULL), ukErrorHandle);
    }
    UNKNOWN(ukConstraintGetCoulomb(NULL), 0);
    UNKNOWN(ukConstraintGetOneSided(NULL, 0), 0);
    UNKNOWN(ukConstraintGetRestitution(NULL, 0), 0);
    UNKNOWN(ukConstraintGetWeight(NULL, NULL), 0);
    UNKNOWN(ukConstraintGetActuators(NULL, NULL), 0);
    UNKNOWN(ukConstraintGetBounds(NULL, 0, NULL, NULL), ukErrorHandle);
    UNKNOWN(ukConstraintGetGaussian(NULL, NULL, NULL), ukErrorHandle);
    UNKNOWN(ukSwitchGetSide(NULL), 0);
    UNKNOWN(ukConstraintGetError(NULL, NULL, NULL), ukErrorHandle);
    UNKNOWN(ukConstraintGetNonIdeal(NULL, NULL, NULL), ukErrorHandle);
    dWorldDestroy(known);
}

/* ---- from outside ------------------------------------------------------------------------------------------------ */

/* a process with variables for `chosen` and a configuration file with laws */
static int within(void)
{
    Settings outside = chosen;
    outside.time = 0, outside.ledger = 0, outside.rank_tolerance = 0; /* no variables */
    dInitODE2(0);
    const dWorldID w = dWorldCreate();
    isSet(w, &outside);
    hasLaws(hingeIn(w), (Laws){0.1, 0.02, 0.3, 0.5, 0.25, 0.75});
    dWorldDestroy(w);
    dCloseODE();
    return ukTestEnd();
}

static bool writeLaws(int file)
{
    static const char text[] = "hinge coulomb 0.1 radius 0.02 static 0.3 speed 0.5 viscous 0.25 drag 0.75\n";
    const bool good = write(file, text, sizeof text - 1) == (ssize_t)(sizeof text - 1);
    return close(file) == 0 && good;
}

static void environment(void)
{
    static const char *const variables[][2] = {
        {"UKODE_SOLVER", "sparse"}, {"UKODE_INTEGRATOR", "adaptive"}, {"UKODE_TOLERANCE", "1e-6,1e-5"},
        {"UKODE_BUDGET", "321"},    {"UKODE_PASSES", "45"},           {"UKODE_STABILIZATION", "baumgarte:3"},
        {"UKODE_FRICTION", "cone"}, {"UKODE_FRICTION_ROUNDS", "7"},   {"UKODE_CFM", "ode"},
        {"UKODE_JOINTS", "exact"},  {"UKODE_CHECK", "stop:1e-7"},     {"UKODE_THREADS", "3"}};
    char path[] = "/tmp/ukode_getters.XXXXXX";
    const int file = mkstemp(path);
    if (!CHECK(file >= 0 && writeLaws(file))) return;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) setenv(variables[i][0], variables[i][1], 1);
    setenv("UKODE_CONFIG", path, 1);
    CHECK(system("\"$UKODE_GETTERS\" within") == 0);
    unlink(path);
}

int main(int count, char **argument)
{
    if (count > 1 && strcmp(argument[1], "within") == 0) return within();
    dInitODE2(0);
    settings();
    joints();
    constraints();
    unknown();
    dCloseODE();
    setenv("UKODE_GETTERS", argument[0], 1);
    environment();
    return ukTestEnd();
}
