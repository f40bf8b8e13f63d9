/* SPDX-License-Identifier: BSD-3-Clause */
/* Equilibria under springs and laws of the program, from random starts, against closed forms: a four-bar, a Stewart
 * platform, pendulums; stability; forces without a potential, the body that is named, motors that push. */
#include <string.h>

#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "solvers/base/status.h"
#include "tests/bridge/analyze/equilibria.h"
#include "tests/check.h"

/* ---- springs ----------------------------------------------------------------------------------------------------- */

static const double stiff = 60, rest = 0.4; /* [N m], [rad] */

/* On the crank: torque -k sin(theta - rest), theta from +x upwards, about -y. */
static int crankSpring(const ukConstraintContext *context, dReal *force, void *data)
{
    const dReal *x = context->bodies[0].position;
    (void)data;
    force[4] = stiff * sin(atan2(x[2], x[0]) - rest);
    return 0;
}

static void fourBar(int count)
{
    int found = 0, parallel = 0;
    double worst = 0;
    unsigned long random = 4;
    for (int k = 0; k < count; k++) {
        Scene *scene = sceneFourBar();
        ukForceCreate(scene->world, scene->bodies, 1, crankSpring, NULL);
        for (int i = 0; i < 3; i++) {
            dQuaternion q;
            for (int c = 0; c < 4; c++) q[c] = uniform(&random);
            dBodySetQuaternion(scene->bodies[i], q);
            dBodySetPosition(scene->bodies[i], 2 * uniform(&random), 2 * uniform(&random), 2 * uniform(&random));
        }
        ukEquilibrium e;
        if (search(scene->world, &e)) {
            found++;
            const dReal *crank = dBodyGetPosition(scene->bodies[0]), *rocker = dBodyGetPosition(scene->bodies[2]);
            if (fabs(crank[2] - rocker[2]) <
                1e-6) { /* 3 g cos(theta) + k sin(theta - rest) = 0, k cos(rest) > 0: stable */
                parallel++;
                const double theta = atan2(stiff * sin(rest) - 3 * g, stiff * cos(rest));
                worst = fmax(worst, fabs(atan2(crank[2], crank[0]) - theta));
                CHECK(e.stable && e.freedoms == 1);
            }
        }
        sceneDestroy(scene);
    }
    printf("four-bar: %d of %d found, %d parallel, off by %.2g\n", found, count, parallel, worst);
    CHECK(worst <= 1e-10 && parallel > 0);
    CHECK(found >= 0.95 * count);
}

/* A platform on six legs of two parts and a spring each; by symmetry, upright, its height balances
 * dE/dz of E = m g z + sum of the legs' parts + 3 k (l - l0)^2, l^2 = d^2 + z^2. */
static const double legs = 400, unstretched = 1.5, part = 0.3; /* [N/m], [m], centre of a part from its end [m] */

static int legSpring(const ukConstraintContext *context, dReal *force, void *data)
{
    double u[3], length = 0;
    (void)data;
    for (int i = 0; i < 3; i++) {
        u[i] = context->bodies[1].position[i] - context->bodies[0].position[i];
        length += u[i] * u[i];
    }
    length = sqrt(length);
    for (int i = 0; i < 3; i++) {
        const double f = legs * (length + 2 * part - unstretched) * u[i] / length;
        force[i] = f;
        force[6 + i] = -f;
    }
    return 0;
}

static double platformHeight(double mass, double leg, double d2)
{
    double low = 0.3, high = 3;
    for (int k = 0; k < 200; k++) {
        const double z = 0.5 * (low + high), l = sqrt(d2 + z * z), swing = d2 / (l * l * l); /* d(z/l)/dz */
        const double slope =
            mass * g + 6 * leg * g * (part * swing + 1 - part * swing) + 6 * legs * (l - unstretched) * z / l;
        *(slope < 0 ? &low : &high) = z;
    }
    return low;
}

/* One leg of two parts along u (unit) between two points, with its spring. */
static void addLeg(dWorldID world, dBodyID top, const double from[3], const double to[3], bool swapped)
{
    double u[3], length = 0;
    dBodyID pair[2];
    for (int c = 0; c < 3; c++) u[c] = to[c] - from[c], length += u[c] * u[c];
    for (int c = 0; c < 3; c++) u[c] /= sqrt(length);
    for (int side = 0; side < 2; side++) {
        dMatrix3 R;
        pair[side] = boxOfSides(world, 1, 0.05, 0.05, 2 * part);
        dRFromZAxis(R, u[0], u[1], u[2]);
        dBodySetRotation(pair[side], R);
        const double *end = side ? to : from, along = side ? -part : part;
        dBodySetPosition(pair[side], end[0] + along * u[0], end[1] + along * u[1], end[2] + along * u[2]);
    }
    const double across[3] = {-from[1], from[0], 0};
    const double third[3] = {across[1] * u[2] - across[2] * u[1], across[2] * u[0] - across[0] * u[2],
                             across[0] * u[1] - across[1] * u[0]};
    dJointID low = dJointCreateUniversal(world, 0), slide = dJointCreateSlider(world, 0);
    dJointID high = dJointCreateBall(world, 0);
    dJointAttach(low, swapped ? 0 : pair[0], swapped ? pair[0] : 0);
    dJointSetUniversalAnchor(low, from[0], from[1], from[2]);
    dJointSetUniversalAxis1(low, across[0], across[1], across[2]);
    dJointSetUniversalAxis2(low, third[0], third[1], third[2]);
    dJointAttach(slide, pair[swapped], pair[!swapped]);
    dJointSetSliderAxis(slide, u[0], u[1], u[2]);
    dJointAttach(high, swapped ? pair[1] : top, swapped ? top : pair[1]);
    dJointSetBallAnchor(high, to[0], to[1], to[2]);
    ukForceCreate(world, pair, 2, legSpring, NULL);
}

/* *d2: the square of a leg's extent across */
static dWorldID makePlatform(bool swapped, double *d2)
{
    dWorldID world = heavyWorld();
    dMass m;
    dBodyID top = dBodyCreate(world);
    dMassSetCylinderTotal(&m, 10, 3, 0.6, 0.1);
    dBodySetMass(top, &m);
    dBodySetPosition(top, 0, 0, 1.2);
    for (int i = 0; i < 6; i++) {
        const double base = pi / 3 * (i + (i % 2 ? 0.3 : -0.3)), head = pi / 3 * (i + (i % 2 ? -0.3 : 0.3));
        const double from[3] = {cos(base), sin(base), 0}, to[3] = {0.6 * cos(head), 0.6 * sin(head), 1.2};
        *d2 = (to[0] - from[0]) * (to[0] - from[0]) + (to[1] - from[1]) * (to[1] - from[1]);
        addLeg(world, top, from, to, swapped);
    }
    return world;
}

static void platform(int count)
{
    int found = 0, upright = 0;
    double worst = 0, d2;
    unsigned long random = 5;
    for (int k = 0; k < count; k++) {
        dWorldID world = makePlatform(k % 2 == 1, &d2);
        dBodyID top = ukWorldGetBody(world, 0);
        for (int i = 0; i < ukWorldGetBodyCount(world); i++) { /* up to a metre, and 1 rad, away */
            dBodyID body = ukWorldGetBody(world, i);
            const dReal *x = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
            dQuaternion turn, turned;
            dQFromAxisAndAngle(turn, uniform(&random), uniform(&random), uniform(&random), uniform(&random));
            dQMultiply0(turned, turn, q);
            dBodySetPosition(body, x[0] + uniform(&random), x[1] + uniform(&random), x[2] + uniform(&random));
            dBodySetQuaternion(body, turned);
        }
        ukEquilibrium e;
        if (search(world, &e)) {
            const dReal *R = dBodyGetRotation(top), z = dBodyGetPosition(top)[2];
            found++;
            CHECK(e.freedoms == 6 && e.conservative);
            if (R[10] > 0.999999 && z > 0 && fabs(R[0] - 1) < 1e-6) {
                upright++;
                worst = fmax(worst, fabs(z - platformHeight(10, 1, d2)));
            }
        }
        dWorldDestroy(world);
    }
    printf("Stewart platform: %d of %d found, %d upright, off by %.2g\n", found, count, upright, worst);
    CHECK(worst <= 1e-10 && upright > 0);
    CHECK(found >= 0.95 * count);
}

/* An inverted pendulum is an equilibrium, and unstable; beside it the search goes down. */
static dJointID upright(dWorldID world, bool swapped)
{
    dBodyID body = boxOfSides(world, 1, 0.1, 0.1, 1);
    dJointID hinge = dJointCreateHinge(world, 0);
    dBodySetPosition(body, 0, 0, 0.5);
    dJointAttach(hinge, swapped ? 0 : body, swapped ? body : 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return hinge;
}

static void pendulum(bool swapped)
{
    dWorldID world = heavyWorld();
    dJointID hinge = upright(world, swapped);
    dBodyID body = ukWorldGetBody(world, 0);
    dBodySetAngularVel(body, 0, 3, 0);
    dBodySetLinearVel(body, 1.5, 0, 0);
    ukEquilibrium e;
    const double inertia = 0.25 + 1.01 / 12; /* about the hinge */
    CHECK(search(world, &e) && !e.stable && e.unstable == 1 && e.freedoms == 1);
    CHECK_NEAR(e.softest, -g * 0.5 / inertia, 1e-7 * g);
    CHECK_NEAR(carriedBy(&e, hinge)->force[swapped][2], g, 1e-9);
    CHECK(dBodyGetAngularVel(body)[1] == 0 && dBodyGetLinearVel(body)[0] == 0);
    turnAbout(body, 0, 1, 0, 0.3);
    dBodySetPosition(body, 0.5 * sin(0.3), 0, 0.5 * cos(0.3));
    CHECK(search(world, &e) && e.stable && e.unstable == 0);
    CHECK_NEAR(e.softest, g * 0.5 / inertia, 1e-7 * g);
    CHECK_NEAR(dBodyGetPosition(body)[2], -0.5, 1e-12);

    /* a motor within its bound holds it anywhere; a weak one does not; a stop does */
    dJointSetHingeParam(hinge, dParamFMax, 10);
    turnAbout(body, 0, 1, 0, pi / 2);
    dBodySetPosition(body, 0.5, 0, 0);
    CHECK(search(world, &e) && e.freedoms == 0 && e.stable);
    CHECK_NEAR(dBodyGetPosition(body)[0], 0.5, 1e-12);
    CHECK_NEAR(carriedBy(&e, hinge)->force[swapped][4], 0, 1e-6 + g); /* hinge and motor together */
    dJointSetHingeParam(hinge, dParamFMax, 1);
    CHECK(search(world, &e) && fabs(dBodyGetPosition(body)[0]) <= 0.5 / (0.5 * g) + 1e-9);
    dWorldDestroy(world);

    world = heavyWorld();
    hinge = upright(world, swapped);
    body = ukWorldGetBody(world, 0);
    turnAbout(body, 0, 1, 0, pi / 2);
    dBodySetPosition(body, 0.5, 0, 0);
    const double angle = dJointGetHingeAngle(hinge);
    const double counted = swapped ? -angle : angle; /* ODE's stops bound the angle of the body against the world */
    dJointSetHingeParam(hinge, dParamLoStop, counted - 0.25);
    dJointSetHingeParam(hinge, dParamHiStop, counted + 0.25);
    CHECK(search(world, &e) && e.freedoms == 0);
    CHECK_NEAR(fabs(dJointGetHingeAngle(hinge) - angle), 0.25, 1e-10);
    dWorldDestroy(world);
}

/* ---- laws of the program ----------------------------------------------------------------------------------------- */

typedef struct Spring {
    double stiffness, of_load; /* [N m/rad], [N m/N] */
} Spring;

/* a torque about y on the body that hangs or stands on the hinge */
static void torsion(const struct ukNonIdealContext *context, dReal force[2][6], void *data)
{
    const Spring *const spring = data;
    const int side = context->body[0] ? 0 : 1;
    const dReal *x = context->body[side]->position, *f = context->ideal[side];
    force[side][4] = -spring->stiffness * atan2(x[0], x[2]) + spring->of_load * sqrt(f[0] * f[0] + f[2] * f[2]);
}

/* A rod that a torsion spring holds upright: m g l sin t = k t. Dry friction of its hinge does not change the
 * balance. */
static void lawOfProgram(bool swapped, ukIntegrator integrator)
{
    dWorldID world = heavyWorld();
    dJointID hinge = upright(world, swapped);
    dBodyID body = ukWorldGetBody(world, 0);
    Spring spring = {10, 0};
    ukEquilibrium e;
    const double inertia = 0.25 + 1.01 / 12, weight = 0.5 * g;
    ukWorldSetIntegrator(world, integrator);
    ukJointSetNonIdeal(hinge, torsion, &spring);
    ukJointSetViscous(hinge, 2);
    ukWorldStep(world, 0.001); /* forces of a step are no part of the statics */
    turnAbout(body, 0, 1, 0, 0.4);
    dBodySetPosition(body, 0.5 * sin(0.4), 0, 0.5 * cos(0.4));
    CHECK(search(world, &e) && e.stable && fabs(dBodyGetPosition(body)[0]) < 1e-10);
    CHECK_NEAR(e.softest, (spring.stiffness - weight) / inertia, 1e-6 * g);
    spring.stiffness = 3;
    turnAbout(body, 0, 1, 0, 0.4);
    dBodySetPosition(body, 0.5 * sin(0.4), 0, 0.5 * cos(0.4));
    ukJointSetCoulomb(hinge, 0.1, 0.01);
    CHECK(search(world, &e) && e.stable);
    const double t = atan2(dBodyGetPosition(body)[0], dBodyGetPosition(body)[2]);
    CHECK(t > 0.4);
    CHECK_NEAR(weight * sin(t) - spring.stiffness * t, 0, 1e-10 * weight);
    CHECK_NEAR(e.softest, (spring.stiffness - weight * cos(t)) / inertia, 1e-6 * g);
    spring.of_load = 0.01;
    CHECK(ukWorldEquilibrium(world, 0, &e) == ukErrorUnsupported && strstr(ukGetLastErrorMessage(), "load"));
    dWorldDestroy(world);
}

/* Forces of laws vanish at rest: those of the last step have no part in the search. */
static void afterMotion(ukIntegrator integrator, bool swapped)
{
    const dWorldID world = heavyWorld();
    const dJointID hinge = upright(world, swapped);
    const dBodyID body = ukWorldGetBody(world, 0);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(ukJointSetCoulomb(hinge, 0.3, 0.1) == 0 && ukJointSetDrag(hinge, 0.2) == 0);
    turnAbout(body, 0, 1, 0, 1);
    dBodySetPosition(body, 0.5 * sin(1), 0, 0.5 * cos(1));
    for (int i = 0; i < 30; i++) CHECK(ukWorldStep(world, 0.01) == 1);
    ukEquilibrium e;
    CHECK(search(world, &e) && e.stable && e.freedoms == 1);
    CHECK_NEAR(dBodyGetPosition(body)[0], 0, 1e-11);
    CHECK_NEAR(dBodyGetPosition(body)[2], -0.5, 1e-11);
    dWorldDestroy(world);
}

/* ---- reports of an equilibrium ----------------------------------------------------------------------------------- */

typedef struct Field {
    double stiffness, curl, carried; /* [N/m], [N/m], of the weight */
} Field;

/* On one body: springs to the origin and about its axes, what carries its weight, and a force across its displacement,
 * which has no potential. */
static int fieldForce(const ukConstraintContext *context, dReal *force, void *data)
{
    const Field *const field = data;
    const dReal *const x = context->bodies[0].position, *const q = context->bodies[0].orientation;
    for (int i = 0; i < 3; i++) {
        force[i] = -field->stiffness * x[i];
        force[3 + i] = -2 * field->stiffness * q[0] * q[1 + i];
    }
    force[0] -= field->curl * x[1];
    force[1] += field->curl * x[0];
    force[2] += field->carried * context->bodies[0].mass * g;
    return 0;
}

/* The force is conservative where its curl vanishes. */
static void circulates(double curl)
{
    dWorldID world = heavyWorld();
    const dBodyID body = boxOfSides(world, 1, 0.3, 0.4, 0.5);
    Field field = {50, curl, 1};
    ukForceCreate(world, &body, 1, fieldForce, &field);
    dBodySetPosition(body, 0.1, -0.2, 0.15);
    ukEquilibrium e;
    CHECK(search(world, &e) && e.freedoms == 6);
    CHECK(e.conservative == (curl == 0));
    for (int i = 0; i < 3; i++) CHECK_NEAR(dBodyGetPosition(body)[i], 0, 1e-10);
    dWorldDestroy(world);
}

/* Of two bodies the one that falls is named, not the one that its force carries. */
static void namesUnbalanced(int falling)
{
    dWorldID world = heavyWorld();
    dBodyID body[2];
    Field field = {50, 0, 1};
    for (int i = 0; i < 2; i++) {
        body[i] = boxOfSides(world, 1 + i, 0.3, 0.4, 0.5);
        dBodySetPosition(body[i], i, 0, 0);
    }
    ukForceCreate(world, &body[!falling], 1, fieldForce, &field);
    ukEquilibrium e;
    CHECK(!search(world, &e) && !e.stable);
    CHECK(e.unbalanced == body[falling]);
    dWorldDestroy(world);
}

/* A motor with a target velocity pushes with all its force to the side to which a step moves the body without gravity:
 * a rod that hangs is then turned by sin a = torque/(m g l). */
static void pushedAside(double velocity, bool swapped)
{
    static const double torque = 2, arm = 0.5;
    double spin = 0;
    for (int heavy = 0; heavy < 2; heavy++) {
        dWorldID world = heavyWorld();
        const dJointID hinge = upright(world, swapped);
        const dBodyID body = ukWorldGetBody(world, 0);
        dJointSetHingeParam(hinge, dParamVel, velocity);
        dJointSetHingeParam(hinge, dParamFMax, torque);
        if (!heavy) {
            dWorldSetGravity(world, 0, 0, 0);
            dWorldStep(world, 0.001);
            spin = dBodyGetAngularVel(body)[1];
            CHECK(fabs(spin) > 1e-4);
        } else {
            turnAbout(body, 0, 1, 0, pi - 0.1);
            dBodySetPosition(body, arm * sin(pi - 0.1), 0, arm * cos(pi - 0.1));
            ukEquilibrium e;
            CHECK(search(world, &e) && e.stable && e.freedoms == 1);
            CHECK_NEAR(dBodyGetPosition(body)[0], copysign(torque / g, -spin), 1e-9);
        }
        dWorldDestroy(world);
    }
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? 100 : 8;
    dInitODE2(0);
    (void)argv;
    for (int swapped = 0; swapped < 2; swapped++) pendulum(swapped);
    for (int k = 0; k < 3; k++) circulates(4 * k);
    for (int falling = 0; falling < 2; falling++) namesUnbalanced(falling);
    for (int k = 0; k < 4; k++) pushedAside(k / 2 ? -5 : 5, k % 2);
    for (int swapped = 0; swapped < 2; swapped++) lawOfProgram(swapped, ukIntegratorEuler);
    for (int swapped = 0; swapped < 2; swapped++) lawOfProgram(swapped, ukIntegratorAdaptive);
    for (int k = 0; k < 4; k++) afterMotion(k / 2 ? ukIntegratorRK4 : ukIntegratorEuler, k % 2);
    fourBar(count);
    platform(count);
    dCloseODE();
    return ukTestEnd();
}
