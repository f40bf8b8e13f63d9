/* SPDX-License-Identifier: BSD-3-Clause */
/* The work of motors, moving constraints and user's rows under a load that changes from step to step: under RATTLE,
 * too, each step's ledger has the work of the forces that acted, from the first step on, and `integration` is zero
 * where the integrator makes no error. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"
#include "ukode/ukode.h"

static const double h = 0.01, speed = 1.5, mass = 2;
enum { Steps = 20 };

typedef enum Drive { Motor, Platform, Row, Drives } Drive;
static const char *const drive_name[] = {"motor", "moving platform", "user's row"};

static int lift(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int lag(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies->position[2] - speed * c->time;
    psi[0] = c->bodies->velocity[2] - speed;
    return 0;
}

/* A body that is lifted at constant speed. */
static void drive(dWorldID w, dBodyID body, Drive by, bool reverse)
{
    dJointID j;
    dBodySetLinearVel(body, 0, 0, speed);
    if (by == Row) {
        const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, lift, NULL);
        CHECK(c && ukConstraintSetError(c, lag, NULL) == 0);
    } else if (by == Motor) {
        j = dJointCreateSlider(w, 0);
        dJointAttach(j, reverse ? 0 : body, reverse ? body : 0);
        dJointSetSliderAxis(j, 0, 0, 1);
        dJointSetSliderParam(j, dParamVel, reverse ? -speed : speed);
        dJointSetSliderParam(j, dParamFMax, dInfinity);
    } else {
        const dBodyID platform = box(w, 1, 0, 0, 0);
        dBodySetKinematic(platform);
        dBodySetLinearVel(platform, 0, 0, speed);
        j = dJointCreateFixed(w, 0);
        dJointAttach(j, reverse ? platform : body, reverse ? body : platform);
        dJointSetFixed(j);
    }
}

/* The load of a step, in addition to the weight. */
static double load(int step)
{
    return step % 3 == 0 ? 30 : step % 3 == 1 ? -50 : 7;
}

static void lifts(ukIntegrator integrator, Drive by, bool reverse)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID body = box(w, mass, 0, 0, 0);
    drive(w, body, by, reverse);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetLedger(w, 1) == 0);
    for (int i = 0; i < Steps; i++) {
        ukLedger p;
        dBodyAddForce(body, 0, 0, -load(i));
        CHECK(ukWorldStep(w, h) == 1 && ukWorldGetPower(w, &p) == 0);
        const double needs = speed * (load(i) + 9.81 * mass), drives = by == Motor ? p.motors : p.ideal;
        if (!CHECK(fabs(drives - needs) < 1e-9 && fabs(p.applied + speed * load(i)) < 1e-9 &&
                   fabs(p.integration) < 1e-9 && fabs(p.stabilization) < 1e-9))
            printf("integrator %d, %s, reverse %d, step %d: %g W of %g, applied %g, integration %g, stabilization %g\n",
                   integrator, drive_name[by], reverse, i, drives, needs, p.applied, p.integration, p.stabilization);
    }
    dWorldDestroy(w);
}

/* From rest: the motor's jump is half m v^2, in the first step. */
static void starts(ukIntegrator integrator)
{
    const dWorldID w = newWorld(9.81);
    const dBodyID body = box(w, mass, 0, 0, 0);
    drive(w, body, Motor, false);
    dBodySetLinearVel(body, 0, 0, 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetLedger(w, 1) == 0);
    ukLedger l;
    CHECK(ukWorldStep(w, h) == 1 && ukWorldGetLedger(w, &l) == 0);
    CHECK_NEAR(l.motors, 0.5 * mass * speed * speed + 9.81 * mass * speed * h, 1e-9);
    CHECK(fabs(l.integration) < 1e-9 && fabs(l.residual) < 1e-9);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int k = ukIntegratorRK4; k <= ukIntegratorRadau; k++) {
        for (int by = 0; by < Drives; by++)
            for (int reverse = 0; reverse < 2; reverse++) lifts((ukIntegrator)k, (Drive)by, reverse);
        starts((ukIntegrator)k);
    }
    dCloseODE();
    return ukTestEnd();
}
