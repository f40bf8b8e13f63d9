/* SPDX-License-Identifier: BSD-3-Clause */
/* Transmissions with exact rows whose wheels turn by up to 3 rad per step, without load: the phases follow the wheels, so
 * that the speeds stay constant. */
#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"

typedef struct Case {
    ukIntegrator integrator;
    int mode, swapped; /* bodies attached as (wheel 1, wheel 0) */
    double speed;
} Case;

static dBodyID wheelOn(dWorldID w, double x, double speed)
{
    dMass m;
    const dBodyID wheel = dBodyCreate(w);
    const dJointID bearing = dJointCreateHinge(w, 0);
    dMassSetSphereTotal(&m, 1, 1);
    dBodySetMass(wheel, &m);
    dBodySetPosition(wheel, x, 0, 0);
    dJointAttach(bearing, wheel, 0);
    dJointSetHingeAnchor(bearing, x, 0, 0);
    dJointSetHingeAxis(bearing, 0, 0, 1);
    dBodySetFiniteRotationMode(wheel, 1);
    dBodySetFiniteRotationAxis(wheel, 0, 0, 1);
    dBodySetAngularVel(wheel, 0, 0, speed);
    return wheel;
}

static void turn(const Case *c)
{
    enum { Steps = 40 };
    const int chain = c->mode == dTransmissionChainDrive;
    const double other = chain ? 0.5 * c->speed : -0.5 * c->speed; /* radii 1/2 and 1, or the ratio 1/2 */
    const dWorldID w = dWorldCreate();
    ukWorldEnable(w);
    ukWorldSetIntegrator(w, c->integrator);
    ukWorldSetJointRule(w, ukJointRuleExact);
    const dBodyID wheel[2] = {wheelOn(w, 0, c->speed), wheelOn(w, 2, other)};
    const int a = c->swapped, b = !c->swapped;
    const dJointID gear = dJointCreateTransmission(w, 0);
    dJointAttach(gear, wheel[a], wheel[b]);
    dJointSetTransmissionMode(gear, c->mode);
    dJointSetTransmissionAxis(gear, 0, 0, 1);
    dJointSetTransmissionAnchor1(gear, 2 * a, 0, 0);
    dJointSetTransmissionAnchor2(gear, 2 * b, 0, 0);
    if (chain) {
        dJointSetTransmissionRadius1(gear, a ? 1 : 0.5);
        dJointSetTransmissionRadius2(gear, b ? 1 : 0.5);
    } else
        dJointSetTransmissionRatio(gear, a ? 2 : 0.5);
    double worst = 0;
    int taken = 0;
    for (int step = 0; step < Steps; step++) {
        taken += dWorldStep(w, 0.01) == 1;
        worst = fmax(worst, fabs(dBodyGetAngularVel(wheel[0])[2] - c->speed));
        worst = fmax(worst, fabs(dBodyGetAngularVel(wheel[1])[2] - other));
    }
    if (!CHECK(taken == Steps && worst < 1e-8 * fabs(c->speed)))
        printf("integrator %d, mode %d, swapped %d, %g rad/s: %d steps, error %g rad/s\n", (int)c->integrator, c->mode,
               c->swapped, c->speed, taken, worst);
    dWorldDestroy(w);
}

int main(void)
{
    static const ukIntegrator integrator[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                              ukIntegratorRattle, ukIntegratorRadau};
    static const double speed[] = {50, -140, 160, -200, 250, 300};
    dInitODE2(0);
    for (int i = 0; i < 5; i++)
        for (int mode = 0; mode < 2; mode++)
            for (int swapped = 0; swapped < 2; swapped++)
                for (int k = 0; k < 6; k++)
                    turn(&(Case){integrator[i], mode ? dTransmissionChainDrive : dTransmissionParallelAxes, swapped,
                                 speed[k]});
    dCloseODE();
    return ukTestEnd();
}
