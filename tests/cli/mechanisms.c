/* SPDX-License-Identifier: BSD-3-Clause */
/* An ordinary ODE program of six worlds for the export of models: a double pendulum, a four-bar, an arm with a slider,
 * a chain of balls that floats, and a car with hinge2 suspensions and a PR joint, and the other types. Arguments:
 * `moving` at the start, or at `rest`;
 * `swapped`: joints are attached the other way round where ODE lets them; `deep`: a single world, a tree of moving
 * bodies that is 300 deep. One step. */
#include <ode/ode.h>
#include <string.h>

static int swapped;

static void attach(dJointID joint, dBodyID a, dBodyID b)
{
    dJointAttach(joint, swapped ? b : a, swapped ? a : b);
}

static dBodyID make(dWorldID world, double x, double y, double z, double mass)
{
    const dBodyID b = dBodyCreate(world);
    const dQuaternion turned = {0.5, 0.5, -0.5, 0.5};
    dMass m;
    dMassSetParameters(&m, mass, 0, 0, 0, 0.3, 0.4, 0.5, 0.05, 0.02, 0.01);
    dBodySetMass(b, &m);
    dBodySetPosition(b, x, y, z);
    if (mass > 1.5) dBodySetQuaternion(b, turned);
    return b;
}

static dJointID hinge(dWorldID world, dBodyID a, dBodyID b, double x, double y, double z)
{
    const dJointID j = dJointCreateHinge(world, 0);
    attach(j, a, b);
    dJointSetHingeAnchor(j, x, y, z);
    dJointSetHingeAxis(j, 0, 1, 0);
    return j;
}

static void pendulum(dWorldID world, int moves)
{
    const dBodyID a = make(world, 0.5, 0, 0, 1), b = make(world, 1.5, 0, 0.25, 2);
    const dJointID first = hinge(world, a, 0, 0, 0, 0), second = hinge(world, b, a, 1, 0, 0);
    dJointSetHingeParam(first, dParamLoStop, 0.25); /* a spring, 0.25 rad from rest */
    dJointSetHingeParam(first, dParamHiStop, 0.25);
    dJointSetHingeParam(first, dParamStopERP, 0.5);
    dJointSetHingeParam(first, dParamStopCFM, 0.125);
    dJointSetHingeParam(second, dParamFMax, 0.75); /* which the first step does not use up */
    dJointSetHingeParam(second, dParamVel, 1000);
    dJointSetHingeParam(second, dParamLoStop, -2.5); /* which it does not reach */
    dJointSetHingeParam(second, dParamHiStop, 2);
    const dQuaternion turned = {0.96, 0, 0.28, 0}; /* the first joint is not at its angle 0 */
    if (!moves) {
        dBodySetQuaternion(a, turned);
        dBodySetPosition(a, 0.5 * 0.8432, 0, -0.5 * 0.5376);
        dBodySetPosition(b, 0.8432 + 0.5, 0, 0.25 - 0.5376);
    }
    if (!moves) return;
    dBodySetAngularVel(a, 0, 2, 0), dBodySetLinearVel(a, 0, 0, -1);
    dBodySetAngularVel(b, 0, -3, 0), dBodySetLinearVel(b, -0.75, 0, -0.5);
}

static void fourBar(dWorldID world, int moves)
{
    const dBodyID a = make(world, 0, 0, 0.5, 1), b = make(world, 1, 0, 1, 2), c = make(world, 2, 0, 0.5, 1);
    hinge(world, a, 0, 0, 0, 0), hinge(world, a, b, 0, 0, 1), hinge(world, c, b, 2, 0, 1), hinge(world, 0, c, 2, 0, 0);
    if (!moves) return;
    dBodySetAngularVel(a, 0, 1, 0), dBodySetLinearVel(a, 0.5, 0, 0);
    dBodySetLinearVel(b, 1, 0, 0);
    dBodySetAngularVel(c, 0, 1, 0), dBodySetLinearVel(c, 0.5, 0, 0);
}

static void arm(dWorldID world, int moves)
{
    const dBodyID a = make(world, 0, 0, 0.5, 1), b = make(world, 0.75, 0, 1, 2), c = make(world, 1.5, 0.25, 1, 1);
    hinge(world, a, 0, 0, 0, 0);
    const dJointID slider = dJointCreateSlider(world, 0), cross = dJointCreateUniversal(world, 0);
    attach(slider, b, a);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dJointSetSliderParam(slider, dParamFMax, 3);
    dJointSetSliderParam(slider, dParamVel, 500);
    dJointSetSliderParam(slider, dParamHiStop, 0.75);
    attach(cross, c, b);
    dJointSetUniversalAnchor(cross, 1.25, 0, 1);
    dJointSetUniversalAxis1(cross, 0, 1, 0);
    dJointSetUniversalAxis2(cross, 0, 0, 1);
    if (!moves) return;
    dBodySetLinearVel(b, 2, 0, 0); /* c turns about both axes of the cross */
    dBodySetLinearVel(c, 2 - 0.25 * 4, 0.25 * 4, -0.25 * 3);
    dBodySetAngularVel(c, 0, 3, 4);
}

static void chain(dWorldID world, int moves)
{
    dBodyID last = make(world, 0, 0, 0, 2);
    if (moves) dBodySetLinearVel(last, 1, 2, 3), dBodySetAngularVel(last, 0.5, -1, 2);
    for (int k = 1; k < 5; k++) {
        const dBodyID b = make(world, k, 0, 0, 1 + k % 2);
        const dJointID ball = dJointCreateBall(world, 0);
        attach(ball, k % 2 ? b : last, k % 2 ? last : b);
        dJointSetBallAnchor(ball, k - 0.5, 0, 0);
        dVector3 v;
        dBodyGetPointVel(last, k - 0.5, 0, 0, v);
        if (moves) dBodySetAngularVel(b, 0, k, 0.5), dBodySetLinearVel(b, v[0], v[1] + 0.25, v[2] - 0.5 * k);
        last = b;
    }
}

static void car(dWorldID world, int moves)
{
    const dBodyID chassis = make(world, 0, 0, 1, 4);
    if (moves) dBodySetLinearVel(chassis, 3, 0, 0);
    for (int k = 0; k < 4; k++) {
        const double x = k < 2 ? 1 : -1, y = k % 2 ? 1 : -1;
        const dBodyID wheel = make(world, x, y, 0.5, 1);
        if (k == 0) { /* a rail holds the chassis, or a wheel, against gravity: suspensions are loaded */
            const dJointID rail = dJointCreateSlider(world, 0);
            attach(rail, swapped && !moves ? wheel : chassis, 0);
            dJointSetSliderAxis(rail, 1, 0, 0);
        }
        const dJointID j = dJointCreateHinge2(world, 0);
        dJointAttach(j, chassis, wheel);
        const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
        dJointSetHinge2Anchor(j, x, y, 0.5);
        dJointSetHinge2Axes(j, up, across);
        dJointSetHinge2Param(j, dParamSuspensionERP, 0.5);
        dJointSetHinge2Param(j, dParamSuspensionCFM, 0.03125);
        dJointSetHinge2Param(j, dParamFMax2, k < 2 && !swapped ? 0.5 : 0); /* not exported: where it does no work */
        if (moves) dBodySetLinearVel(wheel, 3, 0, 0), dBodySetAngularVel(wheel, 0, 6, 0);
    }
    const dBodyID load = make(world, 0, 0, 2, 2);
    if (moves) dBodySetLinearVel(load, 3, 0, 0.5);
    const dJointID crane = dJointCreatePR(world, 0);
    attach(crane, chassis, load);
    dJointSetPRAxis1(crane, 0, 0, 1);
    dJointSetPRAxis2(crane, 0, 1, 0);
    dJointSetPRAnchor(crane, 0.5, 0, 1.5);
    const dJointID motor = dJointCreateAMotor(world, 0); /* no format has one */
    dJointAttach(motor, chassis, 0);
}

static void mixture(dWorldID world, int moves)
{
    const dBodyID a = make(world, 0, 0, 0, 2), b = make(world, 1, 0.5, 0, 1), c = make(world, 2, 0, 0.25, 2),
                  d = make(world, 3, 0, 0, 1), e = make(world, -1, 0.25, 0.5, 1);
    const dJointID plane = dJointCreatePlane2D(world, 0), piston = dJointCreatePiston(world, 0),
                   ball = dJointCreateBall(world, 0), pivot = dJointCreateBall(world, 0),
                   weld = dJointCreateFixed(world, 0), locked = hinge(world, e, a, -0.5, 0, 0);
    dJointAttach(plane, a, 0);
    attach(piston, b, a);
    dJointSetPistonAxis(piston, 1, 0, 0);
    dJointSetPistonAnchor(piston, 1, 0.5, 0);
    attach(ball, b, c);
    dJointSetBallAnchor(ball, 1.5, 0.5, 0);
    attach(pivot, d, 0);
    dJointSetBallAnchor(pivot, 3.5, 0, 0);
    attach(weld, c, d);
    dJointSetFixed(weld);
    dJointSetHingeAxisOffset(locked, 0, 1, 0, 0.25); /* locked where it is, which is not at zero */
    dJointSetHingeParam(locked, dParamLoStop, dJointGetHingeAngle(locked));
    dJointSetHingeParam(locked, dParamHiStop, dJointGetHingeAngle(locked));
    const dGeomID box = dCreateBox(0, 0.5, 1, 2), ground = dCreatePlane(0, 0, 0, 1, -3);
    dGeomSetBody(box, a);
    (void)ground, (void)moves; /* at rest in either case */
}

/* `count` links of length 1 along x on hinges, of which each turns faster than the one before; the anchor of the first
 * one moves along z */
static dBodyID links(dWorldID world, dBodyID last, int from, int count, double *velocity)
{
    for (int i = from; i < from + count; i++) {
        const dBodyID body = make(world, i + 0.5, 0, 0, 1);
        const double spin = 0.01 * i;
        hinge(world, body, last, i, 0, 0);
        dBodySetAngularVel(body, 0, spin, 0);
        dBodySetLinearVel(body, 0, 0, *velocity - 0.5 * spin);
        *velocity -= spin;
        last = body;
    }
    return last;
}

/* branches of 150 and 5 links at the 60th, one of 60 at the 150th */
static void deepTree(dWorldID world)
{
    double velocity = 0, branch;
    const dBodyID low = links(world, 0, 0, 60, &velocity);
    branch = velocity, links(world, low, 60, 150, &branch);
    branch = velocity, links(world, low, 60, 5, &branch);
    const dBodyID high = links(world, low, 60, 90, &velocity);
    branch = velocity, links(world, high, 150, 60, &branch);
    links(world, high, 150, 150, &velocity);
}

int main(int argc, char **argv)
{
    static void (*const build[])(dWorldID, int) = {pendulum, fourBar, arm, chain, car, mixture};
    const int moves = argc > 1 && strcmp(argv[1], "moving") == 0;
    swapped = argc > 2;
    dInitODE2(0);
    if (argc > 1 && strcmp(argv[1], "deep") == 0) {
        const dWorldID deep = dWorldCreate();
        deepTree(deep);
        dWorldStep(deep, 0.001);
        return 0;
    }
    dWorldID world[6];
    for (int k = 0; k < 6; k++) {
        world[k] = dWorldCreate();
        dWorldSetCFM(world[k], 0);
        dWorldSetGravity(world[k], 1, k % 2 ? 0.5 : 0, -9);
        build[k](world[k], moves);
    }
    for (int k = 0; k < 6; k++) dWorldStep(world[k], 0.0078125);
    return 0;
}
