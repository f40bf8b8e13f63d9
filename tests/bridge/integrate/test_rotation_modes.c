/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball that spins at a constant angular velocity rotates by h w in each step, whatever its finite rotation mode and
 * axis: in flight and on the ground, where every integrator takes the discrete form. Only Euler with ODE's rows imitates
 * ODE, which rotates it by half of what is across the axis. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"
#include "ukode/ukode.h"

enum { Euler, Exact, RK4, Adaptive, Rattle, Steppers };
static const char *const stepper_name[Steppers] = {"euler", "euler, exact rows", "rk4", "adaptive", "rattle"};
static const ukIntegrator integrators[Steppers] = {ukIntegratorEuler, ukIntegratorEuler, ukIntegratorRK4,
                                                   ukIntegratorAdaptive, ukIntegratorRattle};

/* mode of the rotation: none, finite, and about axes along, across and oblique to the spin, which is 1 rad/s about x */
static const double axes[][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0.6, 0, 0.8}};
enum { Modes = sizeof axes / sizeof *axes };

static void spins(int stepper, int mode, bool grounded)
{
    static const double h = 0.01, time = 1;
    const dWorldID world = dWorldCreate();
    const dJointGroupID group = dJointGroupCreate(0);
    const dBodyID b = makeSphere(world, 1, 0.1);
    const double *const n = axes[mode], along = n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0 ? n[0] : 1;
    dContact contact = {.surface = {.mu = 0}, .geom = {.normal = {0, 0, 1}}};
    bool taken = true;
    ukWorldSetIntegrator(world, integrators[stepper]);
    ukWorldSetJointRule(world, stepper == Exact ? ukJointRuleExact : ukJointRuleODE);
    dWorldSetGravity(world, 0, 0, grounded ? -9.81 : 0);
    dBodySetFiniteRotationMode(b, mode > 0);
    dBodySetFiniteRotationAxis(b, n[0], n[1], n[2]);
    dBodySetAngularVel(b, 1, 0, 0);
    for (int i = 0; i < 100; i++) {
        if (grounded) dJointAttach(dJointCreateContact(world, group, &contact), b, 0);
        taken &= ukWorldStep(world, h) == 1;
        dJointGroupEmpty(group);
    }
    /* of the part across the axis ODE takes half; the parts along the axis and across it are taken one after the other */
    const double x = stepper == Euler && mode > 1 ? along * along + 0.5 * (1 - along * along) : 1;
    const double z = stepper == Euler && mode > 1 ? along * n[2] - 0.5 * along * n[2] : 0;
    const dReal *q = dBodyGetQuaternion(b);
    const double size = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), angle = 2 * atan2(size, q[0]);
    const double w[3] = {angle * q[1] / size, angle * q[2] / size, angle * q[3] / size};
    if (!CHECK(taken && fabs(w[0] - x * time) < 3 * h * h && fabs(w[1]) < h && fabs(w[2] - z * time) < h))
        printf("  %s, mode %d, %s: rotated by %.6f %.6f %.6f, not %.6f 0 %.6f\n", stepper_name[stepper], mode,
               grounded ? "on the ground" : "in flight", w[0], w[1], w[2], x, z);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int stepper = 0; stepper < Steppers; stepper++)
        for (int mode = 0; mode < Modes; mode++)
            for (int grounded = 0; grounded < 2; grounded++) spins(stepper, mode, grounded);
    dCloseODE();
    return ukTestEnd();
}
