/* SPDX-License-Identifier: BSD-3-Clause */
/* RK4 amplifies a motion whose damper has h c/m > 2.785. Such steps are refused, and the message names the joint; below
 * that the motion decays as 1 - z + z^2/2 - z^3/6 + z^4/24 says. The other integrators take them. Forces that jump with
 * the velocity are no stiff dampers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double h = 0.01;

typedef enum Damper { Slider, Hinge, Drag, Between, Force, Dampers } Damper;
static const char *const damper_name[] = {"slider", "hinge", "drag", "slider between two bodies", "force"};

static int dragForce(const struct ukConstraintContext *c, dReal *force, void *data)
{
    for (int k = 0; k < 3; k++) force[k] = -*(const double *)data * c->bodies->velocity[k];
    return 0;
}

/* A body with a damper of h c/m = z at its initial velocity 1 along x or about z. */
static dBodyID damp(dWorldID w, Damper damper, double z, bool reverse, double *c)
{
    const dBodyID body = dBodyCreate(w), other = damper == Between ? dBodyCreate(w) : 0; /* m = 1, I = 1 */
    *c = z / h;
    dBodySetLinearVel(body, damper != Hinge, 0, 0);
    if (damper == Hinge) dBodySetAngularVel(body, 0, 0, 1);
    if (damper == Force) {
        CHECK(ukForceCreate(w, &body, 1, dragForce, c) != NULL);
        return body;
    }
    const dJointID j = damper == Hinge ? dJointCreateHinge(w, 0) : dJointCreateSlider(w, 0);
    dJointAttach(j, reverse ? other : body, reverse ? body : other);
    if (damper == Hinge)
        dJointSetHingeAxis(j, 0, 0, 1);
    else
        dJointSetSliderAxis(j, 1, 0, 0);
    if (damper == Drag)
        CHECK(ukJointSetDrag(j, *c / 2) == 0); /* derivative 2 k |s| */
    else
        CHECK(ukJointSetViscous(j, damper == Between ? *c / 2 : *c) == 0); /* the relative motion has m = 1/2 */
    if (other) dBodySetLinearVel(other, -1, 0, 0);
    return body;
}

static double rateOf(dBodyID body, Damper damper)
{
    return damper == Hinge ? dBodyGetAngularVel(body)[2] : dBodyGetLinearVel(body)[0];
}

static void judge(ukIntegrator integrator, Damper damper, double z, bool reverse, ukStabilization kind)
{
    const dWorldID w = newWorld(0);
    double c;
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetStabilization(w, kind, 0, 0) == 0);
    const dBodyID body = damp(w, damper, z, reverse, &c);
    const double growth = 1 - z + z * z / 2 - z * z * z / 6 + z * z * z * z / 24;
    double v = rateOf(body, damper);
    for (int i = 0; i < 5; i++) {
        const int taken = ukWorldStep(w, h);
        const double now = rateOf(body, damper);
        /* drag loses its derivative with the speed: what is not refused decays */
        const bool refused = integrator == ukIntegratorRK4 && z > 2.785 && (damper != Drag || !taken);
        if (!CHECK(taken == !refused && (refused ? now == v : fabs(now) < fabs(v) + 1e-12)))
            printf("integrator %d, %s, z %g, reverse %d, stabilization %d, step %d: %g to %g, %s\n", integrator,
                   damper_name[damper], z, reverse, kind, i, v, now, taken ? "stepped" : ukGetLastErrorMessage());
        if (refused) {
            const char *const says = ukGetLastErrorMessage();
            CHECK(ukGetLastError() == ukErrorNotConverged && strstr(says, "adaptive") && strstr(says, "too stiff"));
            CHECK(damper == Force || strstr(says, damper == Hinge ? "hinge joint 1" : "slider joint 1"));
            break;
        }
        if (integrator == ukIntegratorRK4 && damper != Drag) CHECK_NEAR(now, v * growth, 1e-9);
        v = now;
    }
    dWorldDestroy(w);
}

/* A small fast motion beside a large slow one: a stiff damper between two bodies that fly at 10 m/s. Without a refusal
 * it would grow unseen, by a third in each step. */
static void besideSlow(void)
{
    const dWorldID w = newWorld(0);
    double c;
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0);
    const dBodyID body = damp(w, Between, 3, false, &c);
    dBodySetLinearVel(body, 10 + 1e-5, 0, 0);
    dBodySetLinearVel(dJointGetBody(dBodyGetJoint(body, 0), 1), 10, 0, 0);
    CHECK(ukWorldStep(w, h) == 0 && ukGetLastError() == ukErrorNotConverged);
    dWorldDestroy(w);
}

static int jumpsForce(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    const double v = c->bodies->velocity[0];
    force[0] = v > 0 ? -100 : v < 0 ? 100 : 0;
    return 0;
}

/* Dry friction as a function of the user's jumps at rest; the step has an error of first order, and is taken. */
static void jumps(void)
{
    const dWorldID w = newWorld(0);
    const dBodyID body = dBodyCreate(w);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0 && ukForceCreate(w, &body, 1, jumpsForce, NULL) != NULL);
    dBodySetLinearVel(body, 3.3, 0, 0);
    for (int i = 0; i < 50; i++) CHECK(ukWorldStep(w, h) == 1);
    CHECK(fabs(dBodyGetLinearVel(body)[0]) <= 1);
    dWorldDestroy(w);
}

int main(void)
{
    static const double z[] = {0.5, 2, 2.7, 2.85, 3, 5, 50};
    dInitODE2(0);
    for (int k = ukIntegratorRK4; k <= ukIntegratorRattle; k++)
        for (int damper = 0; damper < Dampers; damper++)
            for (int i = 0; i < (int)(sizeof z / sizeof *z); i++)
                for (int bits = 0; bits < 4; bits++)
                    judge((ukIntegrator)k, (Damper)damper, z[i], bits & 1,
                          bits & 2 ? ukStabilizeNone : ukStabilizeProjection);
    besideSlow();
    jumps();
    dCloseODE();
    return ukTestEnd();
}
