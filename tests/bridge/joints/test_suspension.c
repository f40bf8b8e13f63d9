/* SPDX-License-Identifier: BSD-3-Clause */
/* A suspension of Webots' fork (bridge/joints/suspension.h) in worlds of any ODE: the rule is set in the world's
 * record. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/ode/class.h"
#include "bridge/ode/fork.h"
#include "bridge/world/registry.h"
#include "tests/check.h"
#include <ukode/ukode.h>

static const double h = 0.001, mass = 2, g = 9.81;

typedef struct Suspended {
    dWorldID world;
    dBodyID wheel, chassis;
    dJointID hinge;
} Suspended;

/* a wheel below a chassis that is held, on a hinge with a suspension along z; `reverse`: attached the other way
 * round */
static Suspended suspendedBegin(bool held, bool reverse, double k, double d)
{
    Suspended s = {.world = dWorldCreate()};
    dMass m;
    ukRegistryWorld(s.world)->rules = ukRuleWebots;
    ukWorldEnable(s.world);
    dWorldSetGravity(s.world, 0, 0, held ? -g : 0);
    s.wheel = dBodyCreate(s.world);
    dMassSetBoxTotal(&m, mass, 0.3, 0.1, 0.3);
    dBodySetMass(s.wheel, &m);
    if (!held) {
        s.chassis = dBodyCreate(s.world);
        dMassSetBoxTotal(&m, 3, 1, 0.5, 0.2);
        dBodySetMass(s.chassis, &m);
        dBodySetPosition(s.chassis, 0.4, 0, 0.3);
    }
    s.hinge = dJointCreateHinge(s.world, 0);
    dJointAttach(s.hinge, reverse ? s.chassis : s.wheel, reverse ? s.wheel : s.chassis);
    dJointSetHingeAnchor(s.hinge, 0, 0, 0);
    dJointSetHingeAxis(s.hinge, 0, 1, 0);
    dJointSetHingeSuspensionAxis(s.hinge, 0, 0, 2);
    dJointSetHingeParam(s.hinge, dParamSuspensionERP, h * k / (h * k + d));
    dJointSetHingeParam(s.hinge, dParamSuspensionCFM, 1 / (h * k + d));
    return s;
}

/* it comes to rest where the spring carries the weight, and nothing else has moved */
static void springCarriesTheWeight(void)
{
    for (int integrator = ukIntegratorEuler; integrator <= ukIntegratorRattle; integrator++)
        for (int reverse = 0; reverse < 2; reverse++) {
            const Suspended s = suspendedBegin(true, reverse, 1000, 60);
            ukWorldSetIntegrator(s.world, (ukIntegrator)integrator);
            for (int k = 0; k < 1500; k++) CHECK(dWorldStep(s.world, h) == 1);
            const dReal *const x = dBodyGetPosition(s.wheel);
            CHECK_NEAR(x[2], -mass * g / 1000, 1e-6);
            CHECK_NEAR(x[0], 0, 1e-9);
            CHECK_NEAR(x[1], 0, 1e-9);
            dWorldDestroy(s.world);
        }
}

/* the continuous form has the frequency of the spring: x = A cos(omega t) with omega^2 = k / m */
static void springSwings(void)
{
    const Suspended s = suspendedBegin(true, false, 800, 0);
    const double omega = sqrt(800 / mass), rest = -mass * g / 800;
    ukWorldSetIntegrator(s.world, ukIntegratorAdaptive);
    dJointSetHingeParam(s.hinge, dParamSuspensionERP, 1);
    dJointSetHingeParam(s.hinge, dParamSuspensionCFM, 1 / (h * 800));
    for (int k = 0; k < 200; k++) CHECK(dWorldStep(s.world, h) == 1);
    CHECK_NEAR(dBodyGetPosition(s.wheel)[2], rest * (1 - cos(omega * 0.2)), 1e-6);
    dWorldDestroy(s.world);
}

/* angular momentum about the origin along y, of the planar motion of both bodies */
static double momentum(const Suspended *s)
{
    const dBodyID body[2] = {s->wheel, s->chassis};
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        dMass m;
        dBodyGetMass(body[i], &m);
        const dReal *const x = dBodyGetPosition(body[i]), *const v = dBodyGetLinearVel(body[i]);
        sum += m.mass * (x[2] * v[0] - x[0] * v[2]) + m.I[5] * dBodyGetAngularVel(body[i])[1];
    }
    return sum;
}

/* exact rows: the compressed suspension of a tumbling vehicle transmits one wrench */
static void exactRowsKeepTheMomentum(void)
{
    for (int reverse = 0; reverse < 2; reverse++) {
        const Suspended s = suspendedBegin(false, reverse, 500, 20);
        ukWorldSetJointRule(s.world, ukJointRuleExact);
        dBodySetAngularVel(s.chassis, 0, 4, 0);
        dBodySetLinearVel(s.wheel, 1, 0, 2);
        const double before = momentum(&s);
        for (int k = 0; k < 500; k++) CHECK(dWorldStep(s.world, h) == 1);
        CHECK_NEAR(momentum(&s), before, 1e-9);
        CHECK(fabs(dBodyGetAngularVel(s.chassis)[1] - 4) > 0.01);
        dWorldDestroy(s.world);
    }
}

/* a saved state continues with the same bits; a world without suspensions refuses it */
static void statesHaveSuspensions(void)
{
    Suspended s = suspendedBegin(false, false, 500, 20);
    unsigned char hash[3][16];
    dBodySetAngularVel(s.chassis, 0, 4, 0);
    for (int k = 0; k < 20; k++) dWorldStep(s.world, h);
    const size_t size = ukWorldSave(s.world, NULL, 0);
    void *const state = malloc(size);
    CHECK(ukWorldSave(s.world, state, size) == size);
    for (int run = 0; run < 2; run++) {
        for (int k = 0; k < 20; k++) dWorldStep(s.world, h);
        CHECK(ukWorldHash(s.world, hash[run]) == ukOk);
        CHECK(ukWorldRestore(s.world, state, size) == ukOk);
    }
    CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
    dWorldDestroy(s.world);
    s = suspendedBegin(false, false, 500, 20);
    memset(ukRegistryJoint(s.hinge)->axisP, 0, 3 * sizeof(double));
    CHECK(ukWorldHash(s.world, hash[0]) == ukOk);
    CHECK(ukWorldRestore(s.world, state, size) == ukErrorArgument);
    CHECK(ukWorldHash(s.world, hash[1]) == ukOk);
    CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
    free(state);
    dWorldDestroy(s.world);
}

/* without the rule the setters have no effect, as in ODE */
static void otherCopiesHaveNone(void)
{
    Suspended s = suspendedBegin(true, false, 1000, 200);
    dWorldDestroy(s.world);
    s.world = dWorldCreate();
    ukWorldEnable(s.world);
    s.hinge = dJointCreateHinge(s.world, 0);
    dJointSetHingeParam(s.hinge, dParamSuspensionCFM, 1);
    CHECK(ukRegistryJoint(s.hinge)->cfm == 0);
    dWorldDestroy(s.world);
}

int main(void)
{
    dInitODE2(0);
    springCarriesTheWeight();
    springSwings();
    exactRowsKeepTheMomentum();
    statesHaveSuspensions();
    otherCopiesHaveNone();
    dCloseODE();
    return ukTestEnd();
}
