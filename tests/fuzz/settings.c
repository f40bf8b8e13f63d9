/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/settings.c: what a user of ukode chooses and adds: solvers, constraints, forces, laws; and what they get
 * wrong. */
#include "tests/fuzz/fuzz.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool fuzzUkode(void)
{
#ifdef FUZZ_PLAIN
    return &ukWorldStep != NULL;
#else
    return true;
#endif
}

/* What must hold of a world without contacts and motors can still be judged at the default tolerance alone. */
static void setCheck(Fuzz *f)
{
    f->check = ukCheckWarn;
    f->tolerance = 1e-9;
    if (!fuzzChance(f, 0.5)) return;
    /* ODE's own step may end the process where numbers are not ordinary */
    const ukCheckAction most = f->reach == 0 && f->meddle == 0 ? ukCheckStop : ukCheckResolve;
    do f->check = (ukCheckAction)fuzzBelow(f, ukCheckStop + 1);
    while (f->check > most && f->check != ukCheckStop);
    f->tolerance = pow(10, fuzzUniform(f, -13, -3));
    FUZZ_CALL(f, ukWorldSetGaussCheck(f->world, f->tolerance, f->check));
}

void fuzzSettings(Fuzz *f)
{
    f->entry = (FuzzEntry)fuzzBelow(f, 3);
    f->check = ukCheckWarn;
    f->tolerance = 1e-9;
    if (f->native) return;
#ifndef FUZZ_PLAIN
    if (f->entry != FuzzStep) FUZZ_CALL(f, ukWorldEnable(f->world));
#endif
    setCheck(f);
    if (fuzzChance(f, 0.3)) FUZZ_CALL(f, ukWorldSetSolver(f->world, (ukSolver)fuzzBelow(f, ukSolverLagrange + 1)));
    if (fuzzChance(f, 0.3)) {
        FUZZ_CALL(f, ukWorldSetIntegrator(f->world, (ukIntegrator)(1 + fuzzBelow(f, ukIntegratorRadau))));
        FUZZ_CALL(f, ukWorldSetTolerance(f->world, pow(10, fuzzUniform(f, -9, 0)), 0));
    }
    if (fuzzChance(f, 0.3))
        FUZZ_CALL(f, ukWorldSetStabilization(f->world, (ukStabilization)fuzzBelow(f, ukStabilizeSplit + 1),
                                             fabs(fuzzReal(f, 10)), fabs(fuzzReal(f, 10))));
    f->elliptic = fuzzChance(f, 0.3);
    if (f->elliptic) FUZZ_CALL(f, ukWorldSetFriction(f->world, ukFrictionCone));
    f->ledger = fuzzChance(f, 0.3);
    if (f->ledger) FUZZ_CALL(f, ukWorldSetLedger(f->world, 1));
    if (fuzzChance(f, 0.05)) FUZZ_CALL(f, ukWorldSetThreads(f->world, 1 + fuzzBelow(f, 4)));
    if (fuzzChance(f, 0.1)) FUZZ_CALL(f, ukWorldSetRankTolerance(f->world, pow(10, fuzzUniform(f, -15, -1))));
}

/* ---- users' functions. `data` says what a function does: the low bits choose, the high ones are a seed. ---- */

enum { Kinds = 8 }; /* 0-3: well-behaved; 4, 5: any numbers; 6: may return an error; 7: may do something to the world */

static Random of(const void *data)
{
    return (Random){((uintptr_t)data >> 8) * 0x9E3779B97F4A7C15u + 77};
}

static int kindOf(const void *data)
{
    return (int)((uintptr_t)data % Kinds);
}

/* what is the same for all: the call leaves ukode, may do something, may fail */
static int behave(const void *data)
{
    Fuzz *f = fuzz_now;
    if (kindOf(data) == 7 && !f->replay) fuzzMeddle(); /* what it changes besides is no part of a recording */
    return kindOf(data) == 6 && fuzzChance(f, 0.3) ? fuzzBelow(f, 3) - 1 : 0;
}

static double number(const void *data, double ordinary)
{
    Fuzz *f = fuzz_now;
    return kindOf(data) == 4 || kindOf(data) == 5 ? fuzzReal(f, 1) : ordinary;
}

enum { Rows = 3 };

static int rows(const struct ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    Random r = of(data);
    const int m = 1 + kindOf(data) % Rows;
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < 6 * context->count; k++)
            A[6 * context->count * i + k] = number(data, randomUniform(&r, -1, 1));
        b[i] = number(data, kindOf(data) == 1 ? sin(context->time) : 0);
    }
    return behave(data);
}

static int rowErrors(const struct ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    Random r = of(data);
    for (int i = 0; i < 1 + kindOf(data) % Rows; i++) {
        phi[i] = NAN;
        for (int k = 0; k < 6 * context->count; k++) {
            const ukBodyState *s = &context->bodies[k / 6];
            psi[i] += randomUniform(&r, -1, 1) * (k % 6 < 3 ? s->velocity[k % 6] : s->spin[k % 6 - 3]);
        }
        psi[i] = number(data, psi[i]);
    }
    return behave(data);
}

static int push(const struct ukConstraintContext *context, dReal *force, void *data)
{
    for (int i = 0; i < context->count; i++) {
        const ukBodyState *s = &context->bodies[i];
        for (int k = 0; k < 3; k++) {
            force[6 * i + k] = number(data, -2 * s->position[k] - 0.3 * s->velocity[k]);
            force[6 * i + 3 + k] = number(data, kindOf(data) == 3 ? -0.5 * fabs(s->spin[k]) * s->spin[k] : -s->spin[k]);
        }
    }
    return behave(data);
}

static void jointLaw(const struct ukNonIdealContext *context, dReal force_and_torque[2][6], void *data)
{
    for (int i = 0; i < context->axes; i++) {
        const double size = number(data, -0.2 * context->rate[i]);
        const int first = context->is_translation[i] ? 0 : 3;
        for (int k = 0; k < 3; k++) {
            force_and_torque[0][first + k] += size * context->axis[i][k];
            force_and_torque[1][first + k] -= size * context->axis[i][k];
        }
    }
    behave(data);
}

static void constraintLaw(const struct ukConstraintContext *context, const dReal *ideal, dReal *force, void *data)
{
    for (int k = 0; k < 6 * context->count; k++) force[k] = number(data, 0.1 * ideal[k]);
    behave(data);
}

/* ---- */

static void *dataOf(Fuzz *f)
{
    const int kind = f->meddle > 0 || f->wild > 0 ? fuzzBelow(f, Kinds) : fuzzBelow(f, 4);
    return (void *)(((uintptr_t)fuzzBelow(f, 1 << 20) << 8) + (uintptr_t)kind);
}

/* makes some rows one-sided, others bounded */
static void boundRows(Fuzz *f, ukConstraintID c, int count)
{
    for (int i = 0; i < count; i++) {
        const double most = fabs(fuzzReal(f, 3));
        if (fuzzChance(f, 0.3))
            ukConstraintSetOneSided(c, i);
        else if (fuzzChance(f, 0.5))
            ukConstraintSetBounds(c, i, fuzzChance(f, 0.2) ? -INFINITY : -most, most);
    }
}

/* lets bodies and joints exert the force of a constraint, some of which cannot */
static void actuate(Fuzz *f, ukConstraintID c, const dBodyID *body, int count)
{
    ukActuator actuator[8];
    int actuators = 0;
    for (int most = 1 + fuzzBelow(f, 8); actuators < most; actuators++) {
        const dJointID joint = fuzzChance(f, 0.4) ? fuzzAnyJoint(f) : NULL;
        actuator[actuators] = (ukActuator){.joint = joint,
                                           .body = joint ? NULL : body[fuzzBelow(f, count)],
                                           .axis = joint ? fuzzBelow(f, 2) : fuzzBelow(f, 6),
                                           .cost = f->wild > 0 ? fuzzReal(f, 1) : 0.1 + fuzzBelow(f, 9)};
        if (ukConstraintSetActuators(c, actuator + actuators, 1) != ukOk) break; /* that joint has no such axis */
    }
    ukConstraintSetActuators(c, actuator, actuators);
}

static void weigh(Fuzz *f, ukConstraintID c, int count)
{
    double weight[Rows];
    for (int i = 0; i < count; i++) weight[i] = fabs(fuzzReal(f, 2));
    ukConstraintSetWeight(c, weight, 0);
}

/* a switching function: one of the forces' terms, or whatever */
static int turn(const struct ukConstraintContext *context, dReal *value, void *data)
{
    const ukBodyState *s = &context->bodies[0];
    value[0] = number(data, kindOf(data) == 2 ? s->velocity[2] : s->position[0] - 0.3);
    return behave(data);
}

void fuzzMakeElement(Fuzz *f)
{
    dBodyID body[4];
    int count = 0;
    void *const data = dataOf(f);
    for (int i = 0; i < f->bodies && count < 4; i++)
        if (f->body[i] && fuzzChance(f, 0.5)) body[count++] = f->body[i];
    if (count == 0 || f->native) return;
    f->inside++;
    if (fuzzChance(f, 0.5) && f->forces < FuzzElements) {
        const ukForceID force = ukForceCreate(f->world, body, count, push, data);
        if (force) f->force[f->forces++] = force;
    } else if (f->constraints < FuzzElements) {
        const ukConstraintID c = ukConstraintCreate(f->world, 1 + kindOf(data) % Rows, body, count, rows, data);
        if (c) f->constraint[f->constraints++] = c;
        if (c && fuzzChance(f, 0.7)) ukConstraintSetError(c, rowErrors, data);
        if (c && fuzzChance(f, 0.3)) ukConstraintSetCoulomb(c, fabs(fuzzReal(f, 1)));
        if (c && fuzzChance(f, 0.2)) ukConstraintSetNonIdeal(c, constraintLaw, data);
        if (c && fuzzChance(f, 0.3)) boundRows(f, c, 1 + kindOf(data) % Rows);
        if (c && fuzzChance(f, 0.2)) weigh(f, c, 1 + kindOf(data) % Rows);
        if (c && fuzzChance(f, 0.3)) actuate(f, c, body, count);
    }
    if (fuzzChance(f, 0.2)) ukSwitchCreate(f->world, body, count, turn, data);
    f->inside--;
}

void fuzzSetLaw(Fuzz *f)
{
    const dJointID j = fuzzAnyJoint(f);
    if (!j || f->native) return;
    f->inside++;
    switch (fuzzBelow(f, 5)) {
    case 0: ukJointSetCoulomb(j, fabs(fuzzReal(f, 1)), fabs(fuzzReal(f, 0.2))); break;
    case 1:
        ukJointSetCoulomb(j, 0.3, 0.1);
        ukJointSetStribeck(j, fabs(fuzzReal(f, 1)), fabs(fuzzReal(f, 1)));
        break;
    case 2: ukJointSetViscous(j, fabs(fuzzReal(f, 1))); break;
    case 3:
        ukJointSetDrag(j, fabs(fuzzReal(f, 1)));
        f->drag = true;
        break;
    default: ukJointSetNonIdeal(j, fuzzChance(f, 0.9) ? jointLaw : NULL, dataOf(f));
    }
    f->inside--;
}

/* ---- mistakes ---- */

static void refused(Fuzz *f, const char *what, int status)
{
    if (status >= 0) fuzzFault(f, "%s is not refused: %d", what, status);
    if (ukGetLastError() >= 0 || !ukGetLastErrorMessage()[0]) fuzzFault(f, "%s is refused without a word", what);
    if (!ukGetErrorString(status)[0]) fuzzFault(f, "%s: no text for %d", what, status);
}
#define REFUSED(call) refused(f, #call, call)

static void misuseWorld(Fuzz *f, dWorldID w)
{
    ukReport report;
    ukEquations equations;
    ukDiagnosis diagnosis;
    ukLedger ledger;
    dBodyID none = NULL;
    if (ukWorldStep(w, f->h) != 0) fuzzFault(f, "ukWorldStep steps what is no world");
    if (ukWorldIsEnabled(w)) fuzzFault(f, "ukWorldIsEnabled knows what is no world");
    ukWorldGetSolver(w);
    ukWorldGetTime(w);
    REFUSED(ukWorldGetReport(w, &report));
    REFUSED(ukWorldGetEquations(w, &equations));
    REFUSED(ukWorldDiagnose(w, &diagnosis));
    REFUSED(ukWorldGetLedger(w, &ledger));
    REFUSED(ukWorldGetPower(w, &ledger));
    REFUSED(ukWorldResetLedger(w));
    REFUSED(ukWorldEvaluate(w));
    REFUSED(ukWorldProject(w));
    REFUSED(ukWorldSetSolver(w, ukSolverAuto));
    REFUSED(ukWorldSetThreads(w, 2));
    REFUSED(ukWorldSetTime(w, 0));
    REFUSED(ukWorldSetSwitch(w, 0));
    REFUSED(ukWorldClearSwitches(w));
    if (!w) REFUSED(ukWorldEnable(w));
    if (!w) REFUSED(ukWorldDisable(w));
    if (!w) REFUSED(ukWorldAttach(w, &none, 1));
    if (ukConstraintCreate(w, 1, &f->body[0], 1, rows, NULL)) fuzzFault(f, "a constraint in what is no world");
}

static void misuseValues(Fuzz *f)
{
    const dWorldID w = f->world;
    REFUSED(ukWorldGetReport(w, NULL));
    REFUSED(ukWorldGetEquations(w, NULL));
    REFUSED(ukWorldDiagnose(w, NULL));
    REFUSED(ukWorldGetMobility(w, NULL));
    REFUSED(ukWorldGetLedger(w, NULL));
    REFUSED(ukWorldSetSolver(w, (ukSolver)(100 + fuzzBelow(f, 100))));
    REFUSED(ukWorldSetIntegrator(w, (ukIntegrator)-3));
    REFUSED(ukWorldSetStabilization(w, (ukStabilization)77, 0, 0));
    REFUSED(ukWorldSetStabilization(w, ukStabilizeBaumgarte, fuzzChance(f, 0.5) ? NAN : -1, 0));
    REFUSED(ukWorldSetFriction(w, (ukFriction)9));
    REFUSED(ukWorldSetGaussCheck(w, fuzzChance(f, 0.5) ? NAN : 0, ukCheckWarn));
    REFUSED(ukWorldSetGaussCheck(w, 1e-9, (ukCheckAction)-1));
    REFUSED(ukWorldSetThreads(w, fuzzChance(f, 0.5) ? 0 : 1000));
    REFUSED(ukWorldSetRankTolerance(w, fuzzChance(f, 0.5) ? NAN : 1));
    REFUSED(ukWorldSetTime(w, INFINITY));
    REFUSED(ukWorldSetSwitch(w, INFINITY));
    REFUSED(ukWorldSetTolerance(w, NAN, 0));
    REFUSED(ukWorldAttach(w, NULL, 2));
    const dReal bad[] = {0, -0., -0.01, NAN, INFINITY, -INFINITY};
    if (ukWorldStep(w, bad[fuzzBelow(f, 6)]) != 0) fuzzFault(f, "a step of no size");
}

static void misuseJoints(Fuzz *f)
{
    dReal ideal[2][6];
    const dJointID mistaken[] = {NULL, (dJointID)(void *)f->world, (dJointID)(void *)f->body[0]};
    const dJointID no = mistaken[fuzzBelow(f, 3)], j = fuzzAnyJoint(f);
    REFUSED(ukJointSetCoulomb(no, 0.1, 0.1));
    REFUSED(ukJointSetViscous(no, 0.1));
    REFUSED(ukJointSetDrag(no, 0.1));
    REFUSED(ukJointSetStribeck(no, 0.1, 0.1));
    REFUSED(ukJointSetNonIdeal(no, jointLaw, NULL));
    REFUSED(ukJointGetForces(no, ideal, NULL));
    REFUSED(ukJointGetGaussian(no, NULL, NULL));
    REFUSED(ukConstraintSetWeight(NULL, NULL, 0));
    REFUSED(ukConstraintSetActuators(NULL, NULL, 0));
    if (!j) return;
    REFUSED(ukJointSetCoulomb(j, -1, 0));
    REFUSED(ukJointSetViscous(j, NAN));
    REFUSED(ukJointSetDrag(j, -INFINITY));
    ukJointGetForces(j, NULL, NULL);
}

static void misuseElements(Fuzz *f)
{
    dReal force[6 * FuzzBodies];
    ukAudit audit;
    dBodyID twice[2] = {f->body[0], f->body[0]};
    if (ukConstraintCreate(f->world, 1, twice, 2, rows, NULL)) fuzzFault(f, "a constraint on one body twice");
    if (ukConstraintCreate(f->world, 0, twice, 1, rows, NULL)) fuzzFault(f, "a constraint without rows");
    if (ukConstraintCreate(f->world, 1 << 30, twice, 1, rows, NULL)) fuzzFault(f, "a constraint of too many rows");
    if (ukConstraintCreate(f->world, 1, twice, -1, rows, NULL)) fuzzFault(f, "a constraint on no body");
    if (ukConstraintCreate(f->world, 1, twice, 1, NULL, NULL)) fuzzFault(f, "a constraint without function");
    if (ukForceCreate(f->world, NULL, 1, push, NULL)) fuzzFault(f, "a force on no body");
    REFUSED(ukConstraintGetForce(NULL, force));
    REFUSED(ukConstraintSetCoulomb(NULL, 0.1));
    REFUSED(ukConstraintSetError(NULL, rowErrors, NULL));
    REFUSED(ukConstraintAudit(NULL, &audit));
    REFUSED(ukConstraintSetNonIdeal(NULL, constraintLaw, NULL));
    ukConstraintDestroy(NULL);
    ukForceDestroy(NULL);
    if (f->constraints > 0) REFUSED(ukConstraintSetCoulomb(f->constraint[0], -DBL_MIN));
    if (f->constraints > 0) REFUSED(ukConstraintGetForce(f->constraint[0], NULL));
    if (f->bodies == 0 || !f->body[0]) return;
    const ukConstraintID gone = ukConstraintCreate(f->world, 1, &f->body[0], 1, rows, NULL);
    ukConstraintDestroy(gone);
    REFUSED(ukConstraintGetForce(gone, force));
    ukConstraintDestroy(gone);
}

void fuzzMisuse(Fuzz *f)
{
    if (f->native) return;
    f->inside++;
    switch (fuzzBelow(f, 5)) {
    case 0: misuseWorld(f, NULL); break;
    case 1: misuseWorld(f, (dWorldID)(void *)&f->random); break;
    case 2: misuseValues(f); break;
    case 3: misuseJoints(f); break;
    default: misuseElements(f);
    }
    f->inside--;
}
