/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops of an AMotor in Euler mode that are reached in a step in which the body also comes near the motor's singular
 * pose, where its stops are not followed within the step: the step is taken in the discrete form. A ball on elastic
 * stops keeps its speed. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"

typedef struct Throw {
    double spin[3], stop; /* +-stop [rad] of the axis */
    int axis;
    bool first; /* attached as (body, world) */
} Throw;

static const Throw throws[] = {
    {{14.782656733776747, -12.599086648597888, -10.569336095624294}, 0.55250982877449584, 0, true},
    {{-5.2040597005766163, -12.128473756429027, -2.8718090978785469}, 0.66971753606093931, 2, false},
    {{-10.021392868376054, 11.302221560060151, -4.8974088066711143}, 1.1102539929143402, 0, false},
    {{-9.9471666174694739, -8.7481352844034017, 9.826233831619021}, 0.6075147012749289, 2, false},
};

static double speedOf(dBodyID body)
{
    return dCalcVectorLength3(dBodyGetAngularVel(body));
}

static void throwOnce(const Throw *t, ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const dJointID motor = dJointCreateAMotor(world, 0);
    const int group = t->axis * dParamGroup;
    dMass m;
    dMassSetSphereTotal(&m, 1, 0.5);
    dBodySetMass(body, &m);
    dJointAttach(motor, t->first ? body : 0, t->first ? 0 : body);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(motor, dParamLoStop + group, -t->stop);
    dJointSetAMotorParam(motor, dParamHiStop + group, t->stop);
    dJointSetAMotorParam(motor, dParamBounce + group, 1);
    dBodySetAngularVel(body, t->spin[0], t->spin[1], t->spin[2]);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0);
    const double speed = speedOf(body);
    for (int i = 0; i < 10 && CHECK(ukWorldStep(world, 0.05) == 1); i++)
        CHECK(fabs(speedOf(body) - speed) < 1e-8 * speed);
    dWorldDestroy(world);
}

int main(void)
{
    static const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                               ukIntegratorRattle, ukIntegratorRadau};
    dInitODE2(0);
    for (size_t k = 0; k < sizeof throws / sizeof *throws; k++)
        for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) throwOnce(&throws[k], integrators[i]);
    dCloseODE();
    return ukTestEnd();
}
