/* SPDX-License-Identifier: BSD-3-Clause */
/* What presses on a bearing is the force of a joint's ideal rows: its stops and motors press on none. A piston that is
 * pushed into its stop, or along by its motor, turns under the friction of its weight alone. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"

static const double mass = 2, inertia = 0.5, g = 9.81, mu = 0.2, arm = 0.05, h = 0.01;

typedef struct Rig {
    dWorldID world;
    dBodyID body;
    dJointID piston;
} Rig;

/* a horizontal piston along x, spinning about it */
static Rig make(ukIntegrator integrator)
{
    Rig r = {.world = dWorldCreate()};
    dMass m;
    dWorldSetGravity(r.world, 0, 0, -g);
    dWorldSetCFM(r.world, 0);
    CHECK(ukWorldSetIntegrator(r.world, integrator) == 0);
    r.body = dBodyCreate(r.world);
    dMassSetParameters(&m, mass, 0, 0, 0, inertia, inertia, inertia, 0, 0, 0);
    dBodySetMass(r.body, &m);
    dBodySetAngularVel(r.body, 3, 0, 0);
    r.piston = dJointCreatePiston(r.world, NULL);
    dJointAttach(r.piston, r.body, NULL);
    dJointSetPistonAnchor(r.piston, 0, 0, 0);
    dJointSetPistonAxis(r.piston, 1, 0, 0);
    CHECK(ukJointSetCoulomb(r.piston, mu, arm) == 0);
    return r;
}

/* the deceleration of mu arm m g */
static void slowsByItsWeight(const Rig *r)
{
    CHECK(ukWorldStep(r->world, h) == 1);
    CHECK_NEAR(dBodyGetAngularVel(r->body)[0], 3 - h * mu * arm * mass * g / inertia, 1e-12);
    dWorldDestroy(r->world);
}

static void pushedIntoAStop(void)
{
    const Rig r = make(ukIntegratorEuler);
    dJointSetPistonParam(r.piston, dParamHiStop, 0);
    dBodyAddForce(r.body, 1000, 0, 0);
    slowsByItsWeight(&r);
}

static void drivenByAMotor(ukIntegrator integrator)
{
    const Rig r = make(integrator);
    dJointSetPistonParam(r.piston, dParamFMax, dInfinity);
    dBodyAddForce(r.body, 1000, 0, 0);
    slowsByItsWeight(&r);
}

int main(void)
{
    dInitODE2(0);
    pushedIntoAStop();
    drivenByAMotor(ukIntegratorEuler);
    drivenByAMotor(ukIntegratorRK4);
    dCloseODE();
    return ukTestEnd();
}
