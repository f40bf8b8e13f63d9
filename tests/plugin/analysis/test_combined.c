/* SPDX-License-Identifier: BSD-3-Clause */
/* The continuous linearization of worlds with switching functions, switching times, user constraints (weighted,
 * one-sided, bounded), gears, bodies without mass, springs beside laws and stops: against the steps that the worlds
 * take, closed forms, or a refusal that names the reason. Each with bodies attached in both orders. */
#include <math.h>
#include <string.h>

#include "tests/check.h"
#include "tests/support/against_steps.h"

static const double g = 9.81;

static dWorldID newWorld(ukIntegrator integrator)
{
    const dWorldID w = dWorldCreate();
    dWorldSetGravity(w, 0, 0, -g);
    ukWorldEnable(w);
    ukWorldSetIntegrator(w, integrator);
    ukWorldSetTolerance(w, 1e-12, 1e-12);
    return w;
}

static dBodyID newBody(dWorldID w, double m, double I, double x, double y, double z)
{
    const dBodyID b = dBodyCreate(w);
    dMass mass;
    dMassSetParameters(&mass, m, 0, 0, 0, I, I, I, 0, 0, 0);
    dBodySetMass(b, &mass);
    dBodySetPosition(b, x, y, z);
    return b;
}

static dJointID newHinge(dWorldID w, dBodyID a, dBodyID b, bool swapped, const double at[3], const double axis[3])
{
    const dJointID j = dJointCreateHinge(w, 0);
    dJointAttach(j, swapped ? b : a, swapped ? a : b);
    dJointSetHingeAnchor(j, at[0], at[1], at[2]);
    dJointSetHingeAxis(j, axis[0], axis[1], axis[2]);
    return j;
}

/* a hanging rod on a hinge at the origin, turned by `lean` about y, that moves at `rate` */
static dBodyID newPendulum(dWorldID w, bool swapped, double lean, double rate, dJointID *hinge)
{
    static const double at[3] = {0}, axis[3] = {0, 1, 0};
    const dBodyID b = newBody(w, 2, 0.2, -0.5 * sin(lean), 0, -0.5 * cos(lean));
    dQuaternion q;
    dQFromAxisAndAngle(q, 0, 1, 0, lean);
    dBodySetQuaternion(b, q);
    dBodySetAngularVel(b, 0, rate, 0);
    dBodySetLinearVel(b, -0.5 * cos(lean) * rate, 0, 0.5 * sin(lean) * rate);
    const dJointID j = newHinge(w, b, 0, swapped, at, axis);
    if (hinge) *hinge = j;
    return b;
}

/* ---- switching functions ----------------------------------------------------------------------------------------- */

/* the height over which a magnet pulls */
typedef struct Magnet {
    ukSwitchID side;
    double x0;
    bool smooth; /* without a jump of the force */
} Magnet;

static int beside(const ukConstraintContext *c, double *value, void *data)
{
    *value = c->bodies[0].position[0] - ((const Magnet *)data)->x0;
    return 0;
}

static int pull(const ukConstraintContext *c, double *force, void *data)
{
    const Magnet *const m = data;
    if (ukSwitchGetSide(m->side) > 0) force[0] = -300 * (c->bodies[0].position[0] - m->x0) - (m->smooth ? 0 : 5);
    return 0;
}

static double eigenvalueOf(dWorldID w)
{
    const ukMode *modes;
    int count;
    if (!CHECK(ukWorldModes(w, &modes, &count, NULL) == ukOk && count >= 1)) {
        printf("  %s\n", ukGetLastErrorMessage());
        return 0;
    }
    return modes[0].frequency;
}

/* A spring that acts for x > x0 only: next to x0 on either side (closer than any difference) the modes are those of the
 * present side. */
static void checkSwitch(bool swapped, double off, int stored)
{
    const dWorldID w = newWorld(ukIntegratorAdaptive);
    const dBodyID b = newPendulum(w, swapped, 0, 0, NULL);
    Magnet m = {.x0 = -off};
    m.side = ukSwitchCreate(w, &b, 1, beside, &m);
    ukForceCreate(w, &b, 1, pull, &m);
    if (stored) ukJointSetViscous(ukWorldGetJoint(w, 0), 1e-12); /* by differences of motions */
    if (stored) ukJointSetCoulomb(ukWorldGetJoint(w, 0), 1e-12, 1e-12);
    /* about the hinge: I + m/4, gravity m g/2; the spring at 0.5 m: stiffness 300/4, and its force adds no moment
     * there */
    const double inertia = 0.2 + 2 * 0.25, stiffness = 2 * g * 0.5 + (off >= 0 ? 300 * 0.25 : 0);
    ukLinearization l;
    const double expected = sqrt(stiffness / inertia);
    if (CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk)) CHECK(l.error < 1e-8);
    if (!stored) CHECK_NEAR(eigenvalueOf(w), expected, 1e-9 * expected);
    dWorldDestroy(w);
}

/* The stiffness at an equilibrium next to x0, where the spring's slope changes. */
static void checkEquilibrium(bool swapped, double off)
{
    const dWorldID w = newWorld(ukIntegratorAdaptive);
    const dBodyID b = newPendulum(w, swapped, 0, 0, NULL);
    Magnet m = {.x0 = -off, .smooth = true};
    m.side = ukSwitchCreate(w, &b, 1, beside, &m);
    ukForceCreate(w, &b, 1, pull, &m);
    const double inertia = 0.2 + 2 * 0.25, stiffness = 2 * g * 0.5 + (off >= 0 ? 300 * 0.25 : 0);
    ukEquilibrium e;
    if (CHECK(ukWorldEquilibrium(w, 0, &e) == ukOk && e.found && e.stable))
        CHECK_NEAR(e.softest, stiffness / inertia, 1e-8 * stiffness / inertia);
    dWorldDestroy(w);
}

/* ---- gears ------------------------------------------------------------------------------------------------------- */

/* Two wheels on bearings, a pendulum's weight on the first. axis: of the second wheel. */
static void checkGear(int mode, bool swapped, bool turned, int steps, const char *name)
{
    const dWorldID w = newWorld(ukIntegratorRK4);
    const double first[3] = {0, 1, 0}, second[3] = {turned ? 1 : 0, turned ? 0 : 1, 0};
    const double at[3] = {0, 0, 0}, other[3] = {turned ? 0.3 : 0.9, turned ? 0.3 : 0, 0};
    const dBodyID a = newBody(w, 2, 0.2, 0, 0, 0), b = newBody(w, 1, 0.1, other[0], other[1], other[2]);
    dMass mass;
    newHinge(w, a, 0, swapped, at, first);
    newHinge(w, b, 0, swapped, other, second);
    const dBodyID bob = newBody(w, 0.5, 0.01, 0.1, 0.2, -0.4); /* off the axes */
    const dJointID weld = dJointCreateFixed(w, 0);
    dJointAttach(weld, bob, a);
    dJointSetFixed(weld);
    const dJointID gear = dJointCreateTransmission(w, 0);
    dJointAttach(gear, swapped ? b : a, swapped ? a : b);
    dJointSetTransmissionMode(gear, mode);
    dJointSetTransmissionAnchor1(gear, swapped ? other[0] : 0, swapped ? other[1] : 0, 0);
    dJointSetTransmissionAnchor2(gear, swapped ? 0 : other[0], swapped ? 0 : other[1], 0);
    if (mode == dTransmissionIntersectingAxes) {
        dJointSetTransmissionAxis1(gear, swapped ? 1 : 0, swapped ? 0 : 1, 0);
        dJointSetTransmissionAxis2(gear, swapped ? 0 : 1, swapped ? 1 : 0, 0);
    } else {
        dJointSetTransmissionAxis(gear, 0, 1, 0);
    }
    if (mode == dTransmissionParallelAxes) dJointSetTransmissionRatio(gear, 0.5);
    if (mode == dTransmissionChainDrive) {
        dJointSetTransmissionRadius1(gear, swapped ? 0.4 : 0.2);
        dJointSetTransmissionRadius2(gear, swapped ? 0.2 : 0.4);
    }
    dBodyGetMass(a, &mass);
    for (int i = 0; i < steps; i++) CHECK(ukWorldStep(w, 0.01));
    const ukSignal in = {.kind = ukSignalBodyForce, .body = b, .axis = turned ? 3 : 4};
    checkAgainstSteps(w, &in, 1, 1e-3, name);
    dWorldDestroy(w);
}

/* ---- bodies without mass, weights, user rows --------------------------------------------------------------------- */

/* Two rods that hang, joined by a terminal without mass that turns with the second: the modes of the two rods. */
static int doublePendulum(bool swapped, bool terminal, double known[4][2])
{
    static const double joint[2][3] = {{0, 0, 0}, {0, 0, -1}}, axis[3] = {0, 1, 0};
    const dWorldID w = newWorld(ukIntegratorRK4);
    const dBodyID a = newBody(w, 2, 0.3, 0, 0, -0.5), b = newBody(w, 1, 0.2, 0, 0, -1.6);
    const dBodyID t = terminal ? newBody(w, 1, 1, 0, 0, -1.1) : b;
    newHinge(w, a, 0, swapped, joint[0], axis);
    newHinge(w, t, a, swapped, joint[1], axis);
    if (terminal) {
        const dJointID weld = dJointCreateFixed(w, 0);
        dJointAttach(weld, swapped ? b : t, swapped ? t : b);
        dJointSetFixed(weld);
        CHECK(ukBodySetMassless(t, 1) == ukOk);
    }
    const ukMode *modes;
    int count = 0;
    if (!CHECK(ukWorldModes(w, &modes, &count, NULL) == ukOk)) printf("  massless: %s\n", ukGetLastErrorMessage());
    for (int i = 0; i < count && i < 4; i++) known[i][0] = modes[i].growth, known[i][1] = modes[i].frequency;
    dWorldDestroy(w);
    return count;
}

static void checkMassless(bool swapped)
{
    double known[2][4][2];
    const int count = doublePendulum(swapped, false, known[0]);
    if (!CHECK(count == 2 && doublePendulum(swapped, true, known[1]) == count)) return;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) CHECK_NEAR(known[1][i][k], known[0][i][k], 1e-9 * known[0][i][1]);
}

/* two measurements of one acceleration, which contradict each other: the mean by their weights */
static int measure(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)data;
    A[0] = A[6] = 1;
    b[0] = -3 * c->bodies[0].position[0] - 1;
    b[1] = -8 * c->bodies[0].position[0] + c->bodies[0].velocity[1];
    return 0;
}

static void checkWeights(void)
{
    static const double weight[2] = {1, 3};
    const dWorldID w = newWorld(ukIntegratorRK4);
    const dBodyID b = newBody(w, 2, 0.3, 0.2, 0.1, 0);
    const ukConstraintID c = ukConstraintCreate(w, 2, &b, 1, measure, NULL);
    CHECK(ukConstraintSetWeight(c, weight, 0) == ukOk);
    const ukSignal in = {.kind = ukSignalBodyForce, .body = b, .axis = 1};
    checkAgainstSteps(w, &in, 1, 1e-3, "weights");
    dWorldDestroy(w);
}

/* a rope to the origin, of 0.5 m and `slack` more */
static int ropeRows(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const double *const x = c->bodies[0].position, *const v = c->bodies[0].velocity;
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    double along = 0, square = 0;
    (void)data;
    for (int i = 0; i < 3; i++) A[i] = -x[i] / r, along += x[i] * v[i] / r, square += v[i] * v[i];
    b[0] = (square - along * along) / r;
    return 0;
}

static int ropeErrors(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const double *const x = c->bodies[0].position, *const v = c->bodies[0].velocity;
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    phi[0] = *(const double *)data - r;
    for (int i = 0; i < 3; i++) psi[0] -= x[i] * v[i] / r;
    return 0;
}

/* A rope that hangs: a constraint where it is taut, nothing where it is slack; above the origin gravity slackens it. */
static void checkRope(double z, double slack, bool acts, ukIntegrator integrator)
{
    const dWorldID w = newWorld(integrator);
    const dBodyID b = newBody(w, 2, 0.3, 0, 0, z);
    double length = fabs(z) + slack;
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, ropeRows, NULL);
    ukConstraintSetError(c, ropeErrors, &length);
    CHECK(ukConstraintSetOneSided(c, 0) == ukOk);
    ukLinearization l;
    if (!CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk)) return;
    CHECK(l.positions == (acts ? 5 : 6) && l.velocities == l.positions);
    CHECK(strstr(l.activity, acts ? "row 0 of user constraint 1: acts" : "row 0 of user constraint 1: left out"));
    if (acts) CHECK_NEAR(eigenvalueOf(w), sqrt(g / length), 1e-9);
    dWorldDestroy(w);
}

/* A pendulum on a rope that swings under Euler, whose drift closes and opens the gap: the rope acts where the next step
 * has a force in it. */
static void checkSwing(void)
{
    const dWorldID w = newWorld(ukIntegratorEuler);
    const dBodyID b = newBody(w, 2, 0.3, 0.3, 0, -0.4);
    double length = 0.5;
    int acted = 0;
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, ropeRows, NULL);
    ukConstraintSetError(c, ropeErrors, &length);
    CHECK(ukConstraintSetOneSided(c, 0) == ukOk);
    for (int k = 0; k < 100; k++) {
        double force[6];
        ukLinearization l;
        const bool known = CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk);
        CHECK(ukWorldStep(w, 0.01) == 1);
        CHECK(ukConstraintGetForce(c, force) == ukOk);
        const bool acts = hypot(force[0], force[2]) > 0;
        if (known) CHECK(l.positions == (acts ? 5 : 6));
        acted += acts;
    }
    CHECK(acted > 50);
    dWorldDestroy(w);
}

/* A motor of a user constraint: the speed of a pendulum's body along x, with a force of at most `most`. */
static int driveRows(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[4] = 1;
    return 0;
}

static int driveErrors(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    phi[0] = NAN;
    psi[0] = c->bodies[0].spin[1] - *(const double *)data;
    return 0;
}

static void checkDrive(bool swapped, double most, double rate, bool holds)
{
    const dWorldID w = newWorld(ukIntegratorAdaptive);
    const dBodyID b = newPendulum(w, swapped, 0.4, rate, NULL), free = newBody(w, 1, 0.2, 0, 0, -1);
    const double at[3] = {-sin(0.4), 0, -cos(0.4)}, axis[3] = {0, 1, 0};
    double target = 0.5;
    newHinge(w, free, b, swapped, at, axis);
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, driveRows, NULL);
    ukConstraintSetError(c, driveErrors, &target);
    CHECK(ukConstraintSetBounds(c, 0, -most, most) == ukOk);
    const ukSignal in = {.kind = ukSignalBodyForce, .body = free, .axis = 0};
    ukLinearization l;
    CHECK(ukWorldProject(w) == ukOk);
    for (int k = 0; k < 5 && holds; k++) CHECK(ukWorldStep(w, 0.01) == 1); /* until it has its rate */
    if (!CHECK(ukWorldLinearize(w, &in, 1, NULL, 0, 0, &l) == ukOk)) printf("  %s\n", ukGetLastErrorMessage());
    CHECK(l.positions == 2 && l.velocities == (holds ? 1 : 2));
    CHECK(strstr(l.activity,
                 holds ? "row 0 of user constraint 1: within its bounds" : "row 0 of user constraint 1: at its bound"));
    checkAgainstSteps(w, &in, 1, 1e-2, holds ? "user motor, holds" : "user motor, at its bound");
    dWorldDestroy(w);
}

/* ---- stops and springs beside laws ------------------------------------------------------------------------------- */

/* Half a car: a chassis on a rail, a wheel on a Hinge-2 with a spring made of ERP and CFM; friction in the rail. */
static double suspension(bool swapped, double viscous)
{
    const dWorldID w = newWorld(ukIntegratorAdaptive);
    const dReal up[4] = {0, 0, 1}, across[4] = {0, 1, 0};
    dWorldSetERP(w, 0.2);
    const dBodyID chassis = newBody(w, 20, 2, 0, 0, 1), wheel = newBody(w, 3, 0.2, 0, 0.3, 0.5);
    const dJointID rail = dJointCreateSlider(w, 0);
    dJointAttach(rail, swapped ? 0 : chassis, swapped ? chassis : 0);
    dJointSetSliderAxis(rail, 0, 0, 1);
    const dJointID fork = dJointCreateHinge2(w, 0);
    dJointAttach(fork, chassis, wheel);
    dJointSetHinge2Anchor(fork, 0, 0.3, 0.5);
    dJointSetHinge2Axes(fork, up, across);
    dJointSetHinge2Param(fork, dParamSuspensionERP, 0.6);
    dJointSetHinge2Param(fork, dParamSuspensionCFM, 1e-2);
    if (viscous > 0) ukJointSetViscous(rail, viscous);
    const ukMode *modes;
    int count;
    double found = 0;
    if (CHECK(ukWorldModes(w, &modes, &count, NULL) == ukOk)) {
        for (int i = 0; i < count; i++)
            if (modes[i].frequency > 0) found = modes[i].frequency;
    } else {
        printf("  suspension: %s\n", ukGetLastErrorMessage());
    }
    dWorldDestroy(w);
    return found;
}

/* A pendulum with drag in its hinge: c |rate| rate has the derivative
 * 2 c |rate|, also where a difference would change the sign of the rate. */
static void checkDrag(bool swapped, double rate)
{
    const double drag = 3, inertia = 0.2 + 2 * 0.25;
    const dWorldID w = newWorld(ukIntegratorAdaptive);
    dJointID hinge;
    newPendulum(w, swapped, 0, rate, &hinge);
    CHECK(ukJointSetDrag(hinge, drag) == ukOk);
    ukLinearization l;
    if (CHECK(ukWorldLinearize(w, NULL, 0, NULL, 0, 0, &l) == ukOk && l.velocities == 1)) {
        CHECK(l.error < 1e-11);
        CHECK_NEAR(l.A[3], -2 * drag * fabs(rate) / inertia, 1e-10);
    }
    dWorldDestroy(w);
}

int main(void)
{
    ukLinearization l;
    dInitODE2(0);
    const dWorldID probe = dWorldCreate();
    const int status = ukWorldLinearize(probe, NULL, 0, NULL, 0, 0, &l);
    dWorldDestroy(probe);
    if (status == ukErrorLapack) return 77;
    for (int i = 0; i < 4; i++)
        for (int stored = 0; stored < 2; stored++) checkSwitch(i % 2 == 1, i < 2 ? 1e-7 : -1e-7, stored);
    for (int i = 0; i < 4; i++) checkEquilibrium(i % 2 == 1, i < 2 ? 1e-7 : -1e-7);
    for (int i = 0; i < 4; i++) {
        checkGear(dTransmissionParallelAxes, i % 2 == 1, false, i < 2 ? 0 : 20, "parallel axes");
        checkGear(dTransmissionIntersectingAxes, i % 2 == 1, true, i < 2 ? 0 : 20, "bevel gear");
        checkGear(dTransmissionChainDrive, i % 2 == 1, false, i < 2 ? 0 : 20, "chain drive");
    }
    for (int i = 0; i < 2; i++) {
        checkMassless(i == 1);
        const double without = suspension(i == 1, 0), with = suspension(i == 1, 1e-9);
        CHECK(without > 1);
        CHECK_NEAR(with, without, 1e-7 * without);
    }
    checkWeights();
    for (int i = 0; i < 6; i++) checkDrag(i % 2 == 1, i < 2 ? 0 : i < 4 ? 1e-4 : -1.5);
    for (int k = 0; k < 2; k++) {
        const ukIntegrator integrator = k == 0 ? ukIntegratorAdaptive : ukIntegratorEuler;
        checkRope(-0.5, 0, true, integrator);
        checkRope(-0.5, 0.1, false, integrator);
        checkRope(0.5, 0, false, integrator);
        if (k == 0) checkSwing();
        checkDrive(k == 1, 100, 0.5, true);
        checkDrive(k == 1, 1, 0.2, false);
    }
    dCloseODE();
    return ukTestEnd();
}
