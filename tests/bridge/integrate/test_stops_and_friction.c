/* SPDX-License-Identifier: BSD-3-Clause */
/* Stops of joints with friction and laws, every type, attachment and continuous integrator: bodies stay within the
 * stops, no step gains energy, fails, or is taken in the discrete form. At a stop that holds, the force of dry friction
 * on the same axis is not unique, nor are those in a closed loop at rest: both stop and friction hold the motion. */
#include <math.h>
#include <stdio.h>

#include "tests/check.h"
#include "tests/support/random_world.h"
#include "ukode/ukode.h"

static const char *const integrator_name[] = {"euler", "rk4", "adaptive", "rattle"};

/* ---- one joint with stops on all axes ---------------------------------------------------------------------------- */

enum { MostAxes = 3 };

typedef struct Kind {
    const char *name;
    dJointID (*create)(dWorldID, dJointGroupID);
    void (*set)(dJointID joint, int parameter, dReal value);
    dReal (*place[MostAxes])(dJointID); /* NULL: no more axes */
    int group[MostAxes];                /* of their parameters */
    bool both;                          /* it joins two bodies only */
} Kind;

static const Kind kinds[] = {
    {"hinge", dJointCreateHinge, dJointSetHingeParam, {dJointGetHingeAngle}, {0}, false},
    {"slider", dJointCreateSlider, dJointSetSliderParam, {dJointGetSliderPosition}, {0}, false},
    {"universal",
     dJointCreateUniversal,
     dJointSetUniversalParam,
     {dJointGetUniversalAngle1, dJointGetUniversalAngle2},
     {0, dParamGroup},
     false},
    {"hinge2", dJointCreateHinge2, dJointSetHinge2Param, {dJointGetHinge2Angle1}, {0}, true},
    {"piston",
     dJointCreatePiston,
     dJointSetPistonParam,
     {dJointGetPistonPosition, dJointGetPistonAngle},
     {0, dParamGroup},
     false},
    {"pr", dJointCreatePR, dJointSetPRParam, {dJointGetPRPosition, dJointGetPRAngle}, {0, dParamGroup}, false},
    {"pu",
     dJointCreatePU,
     dJointSetPUParam,
     {dJointGetPUPosition, dJointGetPUAngle1, dJointGetPUAngle2},
     {2 * dParamGroup, 0, dParamGroup},
     false},
};
enum { Kinds = sizeof kinds / sizeof *kinds };

static void perpendicular(Random *r, double axis[3][3])
{
    for (int i = 0; i < 3; i++) {
        double size = 0;
        for (int k = 0; k < 3; k++) axis[i][k] = randomUniform(r, -1, 1);
        for (int j = 0; j < i; j++) {
            const double c = dCalcVectorDot3(axis[i], axis[j]);
            for (int k = 0; k < 3; k++) axis[i][k] -= c * axis[j][k];
        }
        size = sqrt(dCalcVectorDot3(axis[i], axis[i]));
        for (int k = 0; k < 3; k++) axis[i][k] /= size;
    }
}

static void place(const Kind *kind, dJointID j, const double x[3], double a[3][3])
{
    const dVector3 a1 = {a[0][0], a[0][1], a[0][2]}, a2 = {a[1][0], a[1][1], a[1][2]};
    if (kind->create == dJointCreateHinge)
        dJointSetHingeAnchor(j, x[0], x[1], x[2]), dJointSetHingeAxis(j, a1[0], a1[1], a1[2]);
    if (kind->create == dJointCreateSlider) dJointSetSliderAxis(j, a1[0], a1[1], a1[2]);
    if (kind->create == dJointCreateUniversal) {
        dJointSetUniversalAnchor(j, x[0], x[1], x[2]);
        dJointSetUniversalAxis1(j, a1[0], a1[1], a1[2]);
        dJointSetUniversalAxis2(j, a2[0], a2[1], a2[2]);
    }
    if (kind->create == dJointCreateHinge2) dJointSetHinge2Anchor(j, x[0], x[1], x[2]), dJointSetHinge2Axes(j, a1, a2);
    if (kind->create == dJointCreatePiston)
        dJointSetPistonAnchor(j, x[0], x[1], x[2]), dJointSetPistonAxis(j, a1[0], a1[1], a1[2]);
    if (kind->create == dJointCreatePR) {
        dJointSetPRAnchor(j, x[0], x[1], x[2]);
        dJointSetPRAxis1(j, a1[0], a1[1], a1[2]);
        dJointSetPRAxis2(j, a2[0], a2[1], a2[2]);
    }
    if (kind->create == dJointCreatePU) {
        dJointSetPUAnchor(j, x[0], x[1], x[2]);
        dJointSetPUAxis1(j, a1[0], a1[1], a1[2]);
        dJointSetPUAxis2(j, a2[0], a2[1], a2[2]);
        dJointSetPUAxis3(j, a[2][0], a[2][1], a[2][2]);
    }
}

typedef struct Rig {
    dWorldID world;
    dBodyID body[2];
    int bodies;
    dJointID joint;
    double low[MostAxes], high[MostAxes];
} Rig;

static void limits(Rig *rig, const Kind *kind, Random *r)
{
    const double e = randomBelow(r, 2) ? 0 : randomUniform(r, 0, 0.9);
    for (int k = 0; k < MostAxes && kind->place[k]; k++) {
        const double at = kind->place[k](rig->joint);
        rig->low[k] = at - randomUniform(r, 0.05, 0.6), rig->high[k] = at + randomUniform(r, 0.05, 0.6);
        kind->set(rig->joint, dParamLoStop + kind->group[k], rig->low[k]);
        kind->set(rig->joint, dParamHiStop + kind->group[k], rig->high[k]);
        kind->set(rig->joint, dParamBounce + kind->group[k], e);
    }
}

/* -0.3 rate about each axis of rotation; forces at two centres of mass that are not on one line could do work */
static void resistAll(const struct ukNonIdealContext *c, double f[2][6], void *data)
{
    (void)data;
    for (int i = 0; i < c->axes; i++)
        for (int k = 3; k < 6 && !c->is_translation[i]; k++) {
            f[0][k] -= 0.3 * c->rate[i] * c->axis[i][k - 3];
            f[1][k] += 0.3 * c->rate[i] * c->axis[i][k - 3];
        }
}

/* laws: 1 Coulomb, 2 viscous, 4 the law above, 8 drag, 16 Stribeck */
static void resist(dJointID j, int laws, Random *r)
{
    const double mu = randomUniform(r, 0, 0.6), arm = randomUniform(r, 0.01, 0.1), viscous = randomUniform(r, 0.1, 3),
                 drag = randomUniform(r, 0, 2);
    if (laws & 17) CHECK(ukJointSetCoulomb(j, mu, arm) == 0);
    if (laws & 2) CHECK(ukJointSetViscous(j, viscous) == 0);
    if (laws & 4) CHECK(ukJointSetNonIdeal(j, resistAll, NULL) == 0);
    if (laws & 8) CHECK(ukJointSetDrag(j, drag) == 0);
    if (laws & 16) CHECK(ukJointSetStribeck(j, 1.5 * mu, 0.1) == 0);
}

/* swapped: the world, or the second body, first */
static Rig rigOf(const Kind *kind, bool two, bool swapped, int laws, uint64_t seed)
{
    Random r = {seed};
    Rig rig = {.world = dWorldCreate(), .bodies = two ? 2 : 1};
    double axis[3][3], anchor[3];
    dWorldSetGravity(rig.world, randomUniform(&r, -3, 3), randomUniform(&r, -3, 3), -9.81);
    for (int i = 0; i < rig.bodies; i++) {
        dMass m;
        dMatrix3 R;
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = randomUniform(&r, -0.4, 0.4);
        dMassSetBox(&m, randomUniform(&r, 500, 2000), x[0] * x[0] + 0.1, x[1] * x[1] + 0.15, 0.3);
        rig.body[i] = dBodyCreate(rig.world);
        dBodySetMass(rig.body[i], &m);
        dBodySetPosition(rig.body[i], x[0], x[1], x[2]);
        dRFromEulerAngles(R, randomUniform(&r, -3, 3), randomUniform(&r, -1, 1), randomUniform(&r, -3, 3));
        dBodySetRotation(rig.body[i], R);
    }
    perpendicular(&r, axis);
    for (int k = 0; k < 3; k++) anchor[k] = randomUniform(&r, -0.2, 0.2);
    rig.joint = kind->create(rig.world, 0);
    dJointAttach(rig.joint, rig.body[swapped], rig.body[!swapped]);
    place(kind, rig.joint, anchor, axis);
    limits(&rig, kind, &r);
    resist(rig.joint, laws, &r);
    for (int i = 0; i < rig.bodies; i++)
        dBodySetAngularVel(rig.body[i], randomUniform(&r, -1, 1), randomUniform(&r, -1, 1), randomUniform(&r, -1, 1));
    CHECK(ukWorldProject(rig.world) == 0);
    return rig;
}

static double energyOf(const Rig *rig)
{
    dVector3 g;
    double sum = 0;
    dWorldGetGravity(rig->world, g);
    for (int i = 0; i < rig->bodies; i++) {
        dMass m;
        dVector3 w;
        const dReal *v = dBodyGetLinearVel(rig->body[i]), *x = dBodyGetPosition(rig->body[i]),
                    *spin = dBodyGetAngularVel(rig->body[i]);
        dBodyGetMass(rig->body[i], &m);
        dBodyVectorFromWorld(rig->body[i], spin[0], spin[1], spin[2], w);
        for (int k = 0; k < 3; k++)
            sum += 0.5 * m.mass * v[k] * v[k] - m.mass * g[k] * x[k] + 0.5 * m.I[5 * k] * w[k] * w[k];
    }
    return sum;
}

/* the largest violation of a stop; of a joint that is attached to the world first, whose stops ODE mirrors: none */
static double passedBy(const Rig *rig, const Kind *kind)
{
    double most = 0;
    for (int k = 0; k < MostAxes && kind->place[k] && dJointGetBody(rig->joint, 0); k++) {
        const double at = kind->place[k](rig->joint);
        most = fmax(most, fmax(at - rig->high[k], rig->low[k] - at));
    }
    return most;
}

static void swings(const Kind *kind, bool two, bool swapped, int laws, int integrator, uint64_t seed)
{
    const double h = 0.005 * (double)(1 << seed % 3);
    Rig rig = rigOf(kind, two, swapped, laws, seed);
    const double first = energyOf(&rig);
    double least = first, passed = 0, gained = 0, lost = 0;
    int discrete = 0, failed = 0;
    CHECK(ukWorldSetIntegrator(rig.world, (ukIntegrator)integrator) == 0 &&
          ukWorldSetTolerance(rig.world, 1e-8, 0) == 0);
    for (int i = 0; i < (int)lround(1 / h) && !failed; i++) {
        ukReport report;
        failed += ukWorldStep(rig.world, h) != 1 || ukWorldGetReport(rig.world, &report) != 0;
        if (failed) continue;
        const double energy = energyOf(&rig);
        discrete += report.discrete_islands;
        passed = fmax(passed, passedBy(&rig, kind));
        gained = fmax(gained, energy - least);
        least = fmin(least, energy);
        lost = fmax(lost, first - energy);
    }
    const double band = integrator == ukIntegratorRattle ? 3e-3 : integrator == ukIntegratorRK4 ? 1e-5 : 1e-6;
    if (!CHECK(failed == 0 && discrete == 0 && passed < 1e-9 && gained <= band * (1 + lost)))
        printf(
            "  %s, %d bodies, swapped %d, laws %d, %s, seed %d: %s, %d discrete, passed by %.2g, gained %.2g of %.2g\n",
            kind->name, rig.bodies, swapped, laws, integrator_name[integrator], (int)seed,
            failed ? ukGetLastErrorMessage() : "", discrete, passed, gained, lost);
    dWorldDestroy(rig.world);
}

static void swingsOf(int kind, int seed)
{
    const int attachment = seed % 4, laws = (seed * 7 + kind) % 32;
    for (int i = ukIntegratorRK4; i <= ukIntegratorRattle; i++)
        swings(&kinds[kind], kinds[kind].both || attachment >= 2, attachment % 2, laws, i,
               (uint64_t)(seed * 101 + kind));
}

/* Without gravity motions die away below the smallest number, against a motor that presses onto a stop or by
 * themselves. */
static void diesAway(const Kind *kind, int laws, int integrator, bool pressed)
{
    Rig rig = rigOf(kind, kind->both, true, laws, 606);
    int failed = 0;
    dWorldSetGravity(rig.world, 0, 0, 0);
    if (pressed) kind->set(rig.joint, dParamFMax + kind->group[0], dInfinity);
    if (pressed) kind->set(rig.joint, dParamVel + kind->group[0], 1);
    CHECK(ukWorldSetIntegrator(rig.world, (ukIntegrator)integrator) == 0);
    for (int i = 0; i < 100 && !failed; i++) failed = ukWorldStep(rig.world, 0.02) != 1;
    if (!CHECK(!failed))
        printf("  %s, laws %d, %s, pressed %d: %s\n", kind->name, laws, integrator_name[integrator], pressed,
               ukGetLastErrorMessage());
    dWorldDestroy(rig.world);
}

/* ---- a closed loop --------------------------------------------------------------------------------------------------- */

/* A planar four-bar with friction in all hinges falls, comes to rest by friction or on a stop of its first hinge, and
 * is then pushed. Friction has more rows than the linkage has motions. */
static void fourBar(int integrator, bool stop, double mu, double push)
{
    static const double at[5][2] = {{0, 0}, {0.2, 0.3}, {0.9, 0.35}, {0.8, 0}};
    const dWorldID world = dWorldCreate();
    dBodyID bar[3];
    int wrong = 0;
    double before = 0;
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < 3; i++) {
        dMass m;
        bar[i] = dBodyCreate(world);
        dMassSetBox(&m, 1000, 0.1, 0.05, 0.05);
        dBodySetMass(bar[i], &m);
        dBodySetPosition(bar[i], 0.5 * (at[i][0] + at[i + 1][0]), 0, 0.5 * (at[i][1] + at[i + 1][1]));
    }
    for (int i = 0; i < 4; i++) {
        const dJointID j = dJointCreateHinge(world, 0);
        dJointAttach(j, i > 0 ? bar[i - 1] : 0, i < 3 ? bar[i] : 0);
        dJointSetHingeAnchor(j, at[i][0], 0, at[i][1]);
        dJointSetHingeAxis(j, 0, 1, 0);
        CHECK(ukJointSetCoulomb(j, mu, 0.05) == 0);
        if (stop && i == 0) dJointSetHingeParam(j, dParamLoStop, -0.3), dJointSetHingeParam(j, dParamHiStop, 0.3);
    }
    CHECK(ukWorldSetIntegrator(world, (ukIntegrator)integrator) == 0);
    for (int i = 0; i < 300 && !wrong; i++) {
        ukReport r;
        if (i > 200) dBodyAddForce(bar[1], push * (i - 200), 0, 0);
        wrong = ukWorldStep(world, 0.01) != 1 || ukWorldGetReport(world, &r) != 0 || r.discrete_islands > 0 || !r.ok;
        const double x = dBodyGetPosition(bar[0])[0];
        if (i > 150 && i <= 200) wrong |= fabs(x - before) > 1e-12; /* it rests */
        before = x;
    }
    if (!CHECK(!wrong)) printf("  four-bar, %s, stop %d, mu %g\n", integrator_name[integrator], stop, mu);
    dWorldDestroy(world);
}

/* ---- a chain on its stops ---------------------------------------------------------------------------------------- */

/* Three links with friction and stops in all hinges fall, hit several stops at once, and come to rest. No step is taken
 * in the discrete form, and the last link's end is where all integrators leave it, up to their order. */
static void hangs(int integrator)
{
    static const double end = 0.73296, h = 0.01;
    const dWorldID world = dWorldCreate();
    dBodyID link = 0;
    int wrong = 0;
    double most = 0; /* evaluations of a step */
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < 3; i++) {
        const dBodyID last = link;
        const dJointID j = dJointCreateHinge(world, 0);
        dMass m;
        link = dBodyCreate(world);
        dMassSetBoxTotal(&m, 1, 0.2, 0.3, 0.4);
        dBodySetMass(link, &m);
        dBodySetPosition(link, 0.5 + i, 0, 0);
        dJointAttach(j, link, last);
        dJointSetHingeAnchor(j, i, 0, 0);
        dJointSetHingeAxis(j, 0, 1, 0);
        dJointSetHingeParam(j, dParamLoStop, -0.8);
        dJointSetHingeParam(j, dParamHiStop, 0.8);
        CHECK(ukJointSetCoulomb(j, 0.3, 0.1) == 0);
    }
    CHECK(ukWorldSetIntegrator(world, (ukIntegrator)integrator) == 0);
    for (int i = 0; i < 600 && !wrong; i++) {
        ukReport r;
        wrong = ukWorldStep(world, h) != 1 || ukWorldGetReport(world, &r) != 0 || r.discrete_islands > 0 || !r.ok;
        most = fmax(most, r.evaluations);
    }
    const double x = dBodyGetPosition(link)[0], off = fabs(x - end);
    if (!CHECK(!wrong && off < 1e-4 && most < 400))
        printf("  chain, %s: ends at %.9g\n", integrator_name[integrator], x);
    dWorldDestroy(world);
}

/* ---- pressed by its motion --------------------------------------------------------------------------------------- */

/* A bead on a rod that turns rests on the outer stop of its slider: it stays at r, the stop's force is m omega^2 r. A
 * row of the slider has the acceleration omega^2 r without any force. */
static void pressedBySpin(int integrator, bool swapped)
{
    static const double r = 0.4, omega = 3, mass = 0.5, h = 0.01;
    const dWorldID world = dWorldCreate();
    const dBodyID rod = dBodyCreate(world), bead = dBodyCreate(world);
    const dJointID pivot = dJointCreateHinge(world, 0), slider = dJointCreateSlider(world, 0);
    dJointFeedback feedback;
    dMass m;
    dMassSetBoxTotal(&m, 2, 1, 0.1, 0.1);
    dBodySetMass(rod, &m);
    dMassSetSphereTotal(&m, mass, 0.05);
    dBodySetMass(bead, &m);
    dBodySetPosition(bead, r, 0, 0);
    dBodySetAngularVel(rod, 0, 0, omega);
    dBodySetAngularVel(bead, 0, 0, omega);
    dBodySetLinearVel(bead, 0, omega * r, 0);
    dJointAttach(pivot, rod, 0);
    dJointSetHingeAnchor(pivot, 0, 0, 0);
    dJointSetHingeAxis(pivot, 0, 0, 1);
    dJointAttach(slider, swapped ? rod : bead, swapped ? bead : rod);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dJointSetSliderParam(slider, dParamLoStop, swapped ? 0 : -0.3);
    dJointSetSliderParam(slider, dParamHiStop, swapped ? 0.3 : 0);
    dJointSetFeedback(slider, &feedback);
    CHECK(ukWorldSetIntegrator(world, (ukIntegrator)integrator) == 0);
    double off = 0;
    for (int i = 1; i <= 60; i++) {
        ukReport report;
        const dReal *const x = dBodyGetPosition(bead);
        if (!CHECK(ukWorldStep(world, h) == 1)) break;
        CHECK(ukWorldGetReport(world, &report) == 0 && report.discrete_islands == 0);
        off = fmax(off, fabs(hypot(x[0], x[1]) - r) / r);
        off = fmax(off, fabs(dBodyGetAngularVel(rod)[2] - omega) / omega);
        const dReal *const f = swapped ? feedback.f2 : feedback.f1; /* the mean of a force that turns by omega h */
        const double force = mass * omega * omega * r * sin(omega * h / 2) / (omega * h / 2);
        off = fmax(off, fabs(hypot(f[0], f[1]) - force) / force);
    }
    const double tolerance = integrator == ukIntegratorRattle ? omega * omega * h * h : 1e-6; /* of second order */
    if (!CHECK(off <= tolerance))
        printf("  bead, %s, swapped %d: off by %g\n", integrator_name[integrator], swapped, off);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    for (int i = ukIntegratorRK4; i <= ukIntegratorRattle; i++)
        for (int swapped = 0; swapped < 2; swapped++) pressedBySpin(i, swapped);
    for (int i = ukIntegratorRK4; i <= ukIntegratorRattle; i++) {
        fourBar(i, true, 0.3, 0);
        fourBar(i, true, 0.05, -0.5);
        fourBar(i, false, 3, 0.5);
    }
    for (int i = ukIntegratorRK4; i <= ukIntegratorRattle; i++)
        for (int k = 0; k < Kinds; k++)
            for (int c = 0; c < 4; c++) diesAway(&kinds[k], c < 2 ? 26 : 10, i, c % 2 > 0);
    for (int seed = 1; seed <= 24 / UKODE_TEST_SHARE; seed++)
        for (int k = 0; k < Kinds; k++) swingsOf(k, seed);
    swingsOf(6, 424); /* friction bears the load of a stop, which is released, and slips in the next solve */
    swingsOf(6, 441); /* friction at its bound at a stop that holds */
    swingsOf(6, 445); /* the load jumps where a stop ceases to act: it neither acts nor is open */
    swingsOf(2, 497);
    swingsOf(2, 261);
    swingsOf(6, 245);
    swingsOf(5, 172); /* PR, closes the gap of one stop while the other one holds */
    swingsOf(3, 363); /* a rate of rounding against little friction */
    swingsOf(6, 186);
    for (int i = ukIntegratorRK4; i <= ukIntegratorRattle; i++) hangs(i);
    dCloseODE();
    return ukTestEnd();
}
