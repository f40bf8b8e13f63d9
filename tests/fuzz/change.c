/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/change.c: what a program does to a world, between steps and from within callbacks. */
#include "tests/fuzz/fuzz.h"

#include <math.h>

Fuzz *fuzz_now;

/* the place of what fuzzAny... found, to be forgotten */
static void forgetBody(Fuzz *f, dBodyID b)
{
    for (int i = 0; i < f->bodies; i++)
        if (f->body[i] == b) f->body[i] = NULL;
}

static void forgetJoint(Fuzz *f, dJointID j)
{
    for (int i = 0; i < f->joints; i++)
        if (f->joint[i] == j) f->joint[i] = NULL;
}

static void destroyBody(Fuzz *f, dBodyID b)
{
    if (!b) return;
    forgetBody(f, b);
    dBodyDestroy(b);
}

static void destroyJoint(Fuzz *f, dJointID j)
{
    if (!j) return;
    forgetJoint(f, j);
    dJointDestroy(j);
}

static void attach(Fuzz *f, dJointID j)
{
    dBodyID a = fuzzAnyBody(f), b = fuzzAnyBody(f);
    if (!j || a == b) return;
    const dJointType type = dJointGetType(j);
    const bool both = type == dJointTypeHinge2 || type == dJointTypeTransmission;
    if ((both || type == dJointTypePlane2D) && (!a || !b)) return;
    dJointAttach(j, a, b);
}

static void changeBody(Fuzz *f, dBodyID b)
{
    if (!b) return;
    switch (fuzzBelow(f, 12)) {
    case 0: fuzzSetState(f, b); break;
    case 1: dBodyAddForce(b, fuzzReal(f, 100), fuzzReal(f, 100), fuzzReal(f, 100)); break;
    case 2: fuzzSetMass(f, b); break;
    case 3: dBodySetKinematic(b); break;
    case 4: dBodySetDynamic(b); break;
    case 5: dBodyEnable(b); break;
    case 6: dBodyDisable(b); break;
    case 7: dBodySetAutoDisableFlag(b, fuzzBelow(f, 2)); break;
    case 8: dBodySetMovedCallback(b, fuzzChance(f, 0.5) ? fuzzMoved : NULL); break;
    case 9: dBodySetAngularVel(b, fuzzReal(f, 100), fuzzReal(f, 100), fuzzReal(f, 100)); break;
    case 10: destroyBody(f, b); break;
    default: dBodySetLinearVel(b, fuzzReal(f, 2), fuzzReal(f, 2), fuzzReal(f, 2));
    }
}

static void changeJoint(Fuzz *f, dJointID j)
{
    if (!j) return;
    switch (fuzzBelow(f, 6)) {
    case 0: attach(f, j); break;
    case 1: destroyJoint(f, j); break;
    case 2: dJointDisable(j); break;
    case 3: dJointEnable(j); break;
    default:
        if (dJointGetNumBodies(j) > 0) fuzzSetParameters(f, j);
    }
}

/* what is asked of ukode at a state, and must not move anything (but for the projection) */
static void ask(Fuzz *f)
{
    ukDiagnosis diagnosis;
    ukLedger ledger;
    ukAudit audit;
    dReal force[6 * FuzzBodies], pair[2][6];
    const dJointID j = fuzzAnyJoint(f);
    if (f->native) return;
    f->inside++;
    switch (fuzzBelow(f, 7)) {
    case 0: ukWorldEvaluate(f->world); break;
    case 1: ukWorldProject(f->world); break;
    case 2:
        ukWorldDiagnose(f->world, &diagnosis);
        ukWorldGetMobility(f->world, &(ukMobility){0});
        break;
    case 3:
        ukWorldGetLedger(f->world, &ledger);
        ukWorldGetPower(f->world, &ledger);
        break;
    case 4:
        if (f->constraints > 0) ukConstraintAudit(f->constraint[0], &audit);
        break;
    case 5:
        if (f->constraints > 0) ukConstraintGetForce(f->constraint[0], force);
        if (f->constraints > 0) ukConstraintGetNonIdealForce(f->constraint[0], force);
        break;
    default:
        if (j) ukJointGetForces(j, pair, pair);
        if (j) ukJointGetGaussian(j, &pair[0][0], &pair[0][1]);
    }
    f->inside--;
}

static void dropElement(Fuzz *f)
{
    if (f->native) return;
    f->inside++;
    if (fuzzChance(f, 0.5) && f->constraints > 0)
        ukConstraintDestroy(f->constraint[--f->constraints]);
    else if (f->forces > 0)
        ukForceDestroy(f->force[--f->forces]);
    f->inside--;
}

static void change(Fuzz *f)
{
    switch (fuzzBelow(f, 16)) {
    case 0: fuzzMakeBody(f); break;
    case 1: fuzzMakeJoint(f); break;
    case 2: dWorldSetGravity(f->world, fuzzReal(f, 10), fuzzReal(f, 10), fuzzReal(f, 10)); break;
    case 3:
        dWorldSetERP(f->world, fuzzErp(f));
        dWorldSetCFM(f->world, fuzzCfm(f));
        break;
    case 4: fuzzMakeElement(f); break;
    case 5: dropElement(f); break;
    case 6: fuzzSetLaw(f); break;
    case 7: fuzzMisuse(f); break;
    case 8:
    case 9: ask(f); break;
    case 10:
    case 11: changeJoint(f, fuzzAnyJoint(f)); break;
    default: changeBody(f, fuzzAnyBody(f));
    }
}

void fuzzChange(Fuzz *f)
{
    if (fuzzChance(f, 0.4)) dJointGroupEmpty(f->group);
    for (int i = fuzzChance(f, 0.3) ? fuzzBelow(f, 4) : 0; i > 0; i--) fuzzMakeContact(f, f->group);
    for (int i = fuzzChance(f, 0.5) ? fuzzBelow(f, 5) : 0; i > 0; i--) change(f);
    if (fuzzChance(f, 0.1)) f->h = f->reach == 0 ? 0.002 : pow(10, fuzzUniform(f, -9, 1));
}

void fuzzHeal(Fuzz *f)
{
    const double wild = f->wild;
    f->wild = 0;
    dWorldSetGravity(f->world, 0, 0, -9.81);
    dWorldSetERP(f->world, 0.2);
    dWorldSetCFM(f->world, fuzzCfm(f));
    for (int i = 0; i < f->bodies; i++) {
        if (!f->body[i]) continue;
        dBodySetForce(f->body[i], 0, 0, 0);
        dBodySetTorque(f->body[i], 0, 0, 0);
        fuzzSetState(f, f->body[i]);
    }
    f->wild = wild;
}

/* ---- from within callbacks: the same, and the end of things that the step in progress works with ---- */

static void endWorld(Fuzz *f)
{
    const dWorldID world = f->world;
    f->world = NULL;
    for (int i = 0; i < f->bodies; i++) f->body[i] = NULL;
    for (int i = 0; i < f->joints; i++) f->joint[i] = NULL; /* ungrouped ones went with the world */
    f->constraints = f->forces = 0;
    dWorldDestroy(world);
}

static void stepWithin(Fuzz *f)
{
    if (f->native) return;
    f->inside++;
    if (ukWorldStep(f->world, f->h) != 0) fuzzFault(f, "a step within a step is taken");
    ukWorldEvaluate(f->world);
    ukWorldProject(f->world);
    f->inside--;
}

void fuzzMeddle(void)
{
    Fuzz *f = fuzz_now;
    if (!f->world || !f->stepping || !fuzzChance(f, f->meddle)) return;
    const int inside = f->inside;
    f->inside = 0;
    f->called = true;
    switch (fuzzBelow(f, 12)) {
    case 0: destroyBody(f, fuzzAnyBody(f)); break;
    case 1: destroyJoint(f, fuzzAnyJoint(f)); break;
    case 2:
        if (fuzzChance(f, 0.3)) endWorld(f);
        break;
    case 3: stepWithin(f); break;
    case 4: dJointGroupEmpty(f->group); break;
    case 5: attach(f, fuzzAnyJoint(f)); break;
    case 6: dropElement(f); break;
    case 7:
        f->meddled = true;
        fuzzMakeContact(f, f->group);
        break;
    case 8: ask(f); break;
    default: f->meddled = true; change(f);
    }
    f->inside = inside;
}

void fuzzMoved(dBodyID body)
{
    Fuzz *f = fuzz_now;
    const dReal *x = dBodyGetPosition(body), *v = dBodyGetLinearVel(body);
    for (int k = 0; k < 3; k++)
        if (f->stepping && !f->meddled && f->check != ukCheckFallback && !(isfinite(x[k]) && isfinite(v[k])))
            fuzzFault(f, "a moved callback sees a body at %g with %g", x[k], v[k]);
    fuzzMeddle();
}
