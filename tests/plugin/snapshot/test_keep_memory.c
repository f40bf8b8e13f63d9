/* SPDX-License-Identifier: BSD-3-Clause */
/* The k-th allocation of a restore fails, for every k, where the state has something that the world has not: bounds, a
 * weight or actuators of a constraint, joint laws, a ledger, samples of sleeping bodies, other orders of geoms; and the
 * other way round. The world is as it was then, all that it saves, and becomes the state once memory is back. And a
 * state whose actuator has lost its joint is restored. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/failing_allocations.h"

enum { Most = 1 << 18, Bodies = 4 };

typedef struct Parts {
    dWorldID world;
    dSpaceID space;
    dBodyID body[Bodies];
    dJointID joint, spare;
    ukConstraintID constraint;
} Parts;

typedef enum Part {
    None,
    Bounds,
    OneSided,
    Weight,
    Actuators,
    Laws,
    Ledger,
    Samples,
    Order,
    Switches,
    All,
    PartCount
} Part;

static int writeRows(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    for (int i = 0; i < 2; i++) A[(6 * i + 2) * c->count + 2] = 1, b[i] = -1;
    return 0;
}

static int writeErrors(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    for (int i = 0; i < 2; i++) phi[i] = 0.1, psi[i] = c->bodies->velocity[2];
    return 0;
}

/* `has`: what the world has */
static void give(const Parts *p, Part has)
{
    const dReal W[4] = {2, 0.5, 0.5, 3};
    const ukActuator actuator[2] = {{.joint = p->joint, .cost = 1}, {.body = p->body[0], .axis = 2, .cost = 2}};
    const bool all = has == All;
    CHECK(ukConstraintSetBounds(p->constraint, 0, -INFINITY, INFINITY) == 0);
    if (has == Bounds || all) CHECK(ukConstraintSetBounds(p->constraint, 0, -1, 2) == 0);
    if (has == OneSided || all) CHECK(ukConstraintSetOneSided(p->constraint, 1) == 0);
    if (has == OneSided || all) CHECK(ukConstraintSetRestitution(p->constraint, 1, 0.5) == 0);
    CHECK(ukConstraintSetWeight(p->constraint, has == Weight || all ? W : NULL, 1) == 0);
    CHECK(ukConstraintSetActuators(p->constraint, actuator, has == Actuators || all ? 2 : 0) == 0);
    CHECK(ukJointSetCoulomb(p->joint, has == Laws || all ? 0.2 : 0, 0.1) == 0);
    CHECK(ukConstraintSetCoulomb(p->constraint, has == Laws || all ? 0.2 : 0) == 0);
    CHECK(ukWorldSetLedger(p->world, has == Ledger || all) == 0);
    if (has == Switches || all) CHECK(ukWorldSetSwitch(p->world, 5) == 0 && ukWorldSetSwitch(p->world, 6) == 0);
    for (int i = 0; i < Bodies; i++) dBodySetAutoDisableAverageSamplesCount(p->body[i], has == Samples || all ? 7 : 0);
    for (int i = 0; i < Bodies && (has == Order || all); i++) dGeomMoved(dBodyGetFirstGeom(p->body[i]));
}

static Parts make(Part has)
{
    Parts p = {.world = dWorldCreate(), .space = dSimpleSpaceCreate(0)};
    dWorldSetGravity(p.world, 0, 0, -9.81);
    CHECK(ukWorldEnable(p.world) == 0);
    for (int i = 0; i < Bodies; i++) {
        p.body[i] = dBodyCreate(p.world);
        dBodySetPosition(p.body[i], i, 0, 0);
        dGeomSetBody(dCreateSphere(p.space, 0.1 + 0.1 * i), p.body[i]);
    }
    for (int i = 0; i < 2; i++) {
        const dJointID joint = dJointCreateHinge(p.world, 0);
        dJointAttach(joint, p.body[2 * i], p.body[2 * i + 1]);
        dJointSetHingeAnchor(joint, 2 * i + 0.5, 0, 0);
        *(i == 0 ? &p.joint : &p.spare) = joint;
    }
    p.constraint = ukConstraintCreate(p.world, 2, p.body, 2, writeRows, NULL);
    CHECK(ukConstraintSetError(p.constraint, writeErrors, NULL) == 0);
    dWorldStep(p.world, 0.01);
    give(&p, has);
    return p;
}

static void destroy(Parts *p)
{
    dWorldDestroy(p->world);
    dSpaceDestroy(p->space);
}

static size_t save(const Parts *p, unsigned char *bytes)
{
    const size_t size = ukWorldSave(p->world, bytes, Most);
    CHECK(size > 0 && size <= Most);
    return size;
}

/* whether there was an allocation to fail */
static bool restoreWithout(int k, Part from, Part to, unsigned char *const bytes[3])
{
    Parts source = make(to), p = make(from);
    const size_t wanted = save(&source, bytes[0]), before = save(&p, bytes[1]);
    arm(k);
    const int status = ukWorldRestore(p.world, bytes[0], wanted);
    const bool denied = disarm();
    CHECK(status == (denied ? ukErrorMemory : ukOk));
    CHECK(!denied || strstr(ukGetLastErrorMessage(), "memory"));
    size_t now = save(&p, bytes[2]);
    if (!CHECK(now == (denied ? before : wanted) && memcmp(bytes[2], bytes[denied ? 1 : 0], now) == 0))
        printf("from %d to %d, allocation %d: denied %d\n", from, to, k, denied);
    CHECK(ukWorldRestore(p.world, bytes[0], wanted) == ukOk); /* memory is back */
    now = save(&p, bytes[2]);
    CHECK(now == wanted && memcmp(bytes[2], bytes[0], now) == 0);
    destroy(&p);
    destroy(&source);
    return denied;
}

static void everyAllocation(void)
{
    int failures = 0;
    unsigned char *const bytes[3] = {malloc(Most), malloc(Most), malloc(Most)};
    if (!CHECK(bytes[0] && bytes[1] && bytes[2])) return;
    for (Part part = None; part < PartCount; part++)
        for (int back = 0; back < 2; back++)
            for (int k = 1; restoreWithout(k, back ? part : None, back ? None : part, bytes); k++) failures++;
    for (int k = 1; restoreWithout(k, All, All, bytes); k++) failures++;
    for (int i = 0; i < 3; i++) free(bytes[i]);
    printf("%d allocations failed\n", failures);
    CHECK(failures > 300 || !OWN_ALLOCATOR);
}

/* Steps fail with the reason before and after. */
static void lostJoint(void)
{
    unsigned char *const bytes = malloc(Most);
    if (!CHECK(bytes)) return;
    Parts p = make(None), other = make(None);
    const ukActuator actuator[2] = {{.joint = p.spare, .cost = 1}, {.body = p.body[1], .axis = 2, .cost = 2}};
    ukActuator got[2];
    CHECK(ukConstraintSetActuators(p.constraint, actuator, 2) == 0);
    dJointDestroy(p.spare);
    dJointDestroy(other.spare);
    const size_t size = save(&p, bytes);
    CHECK(ukWorldStep(p.world, 0.01) == 0 && strstr(ukGetLastErrorMessage(), "destroyed"));
    if (!CHECK(ukWorldRestore(other.world, bytes, size) == ukOk)) puts(ukGetLastErrorMessage());
    CHECK(ukConstraintGetActuators(other.constraint, got) == 2 && !got[0].joint && !got[0].body && got[0].cost == 1);
    CHECK(!got[1].joint && got[1].body == other.body[1]);
    CHECK(ukWorldStep(other.world, 0.01) == 0 && strstr(ukGetLastErrorMessage(), "destroyed"));
    CHECK(ukWorldRestore(p.world, bytes, size) == ukOk);
    CHECK(ukConstraintSetActuators(other.constraint, NULL, 0) == 0 && dWorldStep(other.world, 0.01));
    destroy(&p);
    destroy(&other);
    free(bytes);
}

int main(void)
{
    dInitODE2(0);
    everyAllocation();
    lostJoint();
    dCloseODE();
    return ukTestEnd();
}
