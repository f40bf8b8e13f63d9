/* SPDX-License-Identifier: BSD-3-Clause */
/* Constraint forces under RATTLE are those at the end of the step: what user constraints and joints report is what the
 * state that is seen there asks for, and laws that read them keep the second order. */
#include <math.h>
#include <stdio.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double R = 1.3, g = 9.81, mu = 0.25;

/* ---- a mass of 1 kg on a ring ------------------------------------------------------------------------------------ */

static int ring(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const dReal *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    A[0] = x[0];
    A[2] = x[2];
    b[0] = -(v[0] * v[0] + v[2] * v[2]);
    A[6 + 1] = 1;
    b[1] = 0;
    return 0;
}

static int ringError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const dReal *x = c->bodies->position, *v = c->bodies->velocity;
    (void)data;
    phi[0] = 0.5 * (x[0] * x[0] + x[2] * x[2] - R * R);
    psi[0] = x[0] * v[0] + x[2] * v[2];
    phi[1] = x[1];
    psi[1] = v[1];
    return 0;
}

/* mu N against the sliding, of the constraint's own force */
static void rub(const struct ukConstraintContext *c, const dReal *ideal, dReal *force, void *data)
{
    const dReal *v = c->bodies->velocity;
    const double N = hypot(ideal[0], ideal[2]), speed = hypot(v[0], v[2]);
    (void)data;
    for (int i = 0; i < 3; i += 2) force[i] = -mu * N * v[i] / speed;
}

typedef enum Friction { Smooth, Coulomb, Own } Friction;

/* The angle after 0.3 s from 6 m/s at the bottom; *normal: the largest difference between the force that is reported
 * and m (v^2/R + g cos) of the states that are seen. */
static double onARing(ukIntegrator integrator, Friction friction, double h, double *normal)
{
    const dWorldID w = newWorld(g);
    const dBodyID b = ball(w, 1, 0, 0, -R);
    dBodySetLinearVel(b, 6, 0, 0);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetTolerance(w, 1e-12, 0) == 0);
    const ukConstraintID c = ukConstraintCreate(w, 2, &b, 1, ring, NULL);
    CHECK(c && ukConstraintSetError(c, ringError, NULL) == 0);
    if (friction == Coulomb) CHECK(ukConstraintSetCoulomb(c, mu) == 0);
    if (friction == Own) CHECK(ukConstraintSetNonIdeal(c, rub, NULL) == 0);
    const dReal *x = dBodyGetPosition(b), *v = dBodyGetLinearVel(b);
    *normal = 0;
    for (int i = 0; i < (int)(0.3 / h + 0.5); i++) {
        double force[6], answer[6];
        CHECK(ukWorldStep(w, h) == 1);
        CHECK(ukConstraintGetForce(c, force) == 0 && ukConstraintGetNonIdealForce(c, answer) == 0);
        const double N = -(force[0] * x[0] + force[2] * x[2]) / R, v2 = v[0] * v[0] + v[2] * v[2];
        *normal = fmax(*normal, fabs(N - (v2 - g * x[2]) / R));
        const double along = (answer[0] * v[0] + answer[2] * v[2]) / sqrt(v2);
        if (integrator != ukIntegratorEuler) CHECK_NEAR(along, friction == Smooth ? 0 : -mu * N, 1e-10);
    }
    const double angle = atan2(x[0], -x[2]);
    dWorldDestroy(w);
    return angle;
}

static void forcesOfARing(void)
{
    for (int friction = Smooth; friction <= Own; friction++) {
        double normal, far_off, near_off;
        const double exact = onARing(ukIntegratorAdaptive, (Friction)friction, 0.01, &normal);
        const double euler = onARing(ukIntegratorEuler, (Friction)friction, 0.01, &normal) - exact;
        const double far = onARing(ukIntegratorRattle, (Friction)friction, 0.01, &far_off) - exact;
        const double near = onARing(ukIntegratorRattle, (Friction)friction, 0.005, &near_off) - exact;
        CHECK_NEAR(fmax(far_off, near_off), 0, 1e-10);
        CHECK(fabs(far) < 6e-4 && fabs(far) < 0.1 * fabs(euler));
        CHECK_NEAR(far / near, 4, 0.1);
    }
}

/* ---- a pendulum on a joint --------------------------------------------------------------------------------------- */

/* (body, 0) or (0, body); from level, 2 rad/s down */
static double pendulum(dJointType type, bool reverse, double friction, double h, double *off)
{
    const dWorldID w = newWorld(g);
    const dBodyID b = box(w, 2, R, 0, 0);
    const dJointID joint = type == dJointTypeBall ? dJointCreateBall(w, 0) : dJointCreateHinge(w, 0);
    dJointAttach(joint, reverse ? 0 : b, reverse ? b : 0);
    if (type == dJointTypeBall) {
        dJointSetBallAnchor(joint, 0, 0, 0);
    } else {
        dJointSetHingeAnchor(joint, 0, 0, 0);
        dJointSetHingeAxis(joint, 0, 1, 0);
        if (friction > 0) CHECK(ukJointSetCoulomb(joint, friction, 0.3) == 0);
    }
    dBodySetAngularVel(b, 0, 2, 0);
    dBodySetLinearVel(b, 0, 0, -2 * R);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRattle) == 0);
    const dReal *x = dBodyGetPosition(b), *v = dBodyGetLinearVel(b);
    double force[2][6], answer[2][6];
    *off = 0;
    for (int i = 0; i < (int)(0.4 / h + 0.5); i++) {
        CHECK(ukWorldStep(w, h) == 1 && ukJointGetForces(joint, force, answer) == 0);
        const double pull = -(force[reverse][0] * x[0] + force[reverse][2] * x[2]) / R;
        const double v2 = v[0] * v[0] + v[2] * v[2];
        *off = fmax(*off, fabs(pull - 2 * (v2 / R - g * x[2] / R)));
    }
    const double angle = atan2(-x[2], x[0]);
    dWorldDestroy(w);
    return angle;
}

static void forcesOfJoints(void)
{
    static const dJointType types[] = {dJointTypeBall, dJointTypeHinge, dJointTypeHinge};
    static const double friction[] = {0, 0, 0.4};
    for (int k = 0; k < 3; k++)
        for (int reverse = 0; reverse < 2; reverse++) {
            double off[3];
            const double far = pendulum(types[k], reverse, friction[k], 0.01, &off[0]),
                         near = pendulum(types[k], reverse, friction[k], 0.005, &off[1]),
                         exact = pendulum(types[k], reverse, friction[k], 0.0001, &off[2]);
            CHECK(off[0] < 1e-9 && off[1] < 1e-9 && off[2] < 1e-9);
            CHECK_NEAR((far - exact) / (near - exact), 4, 0.15);
        }
}

int main(void)
{
    dInitODE2(0);
    forcesOfARing();
    forcesOfJoints();
    dCloseODE();
    return ukTestEnd();
}
