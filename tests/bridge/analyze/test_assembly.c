/* SPDX-License-Identifier: BSD-3-Clause */
/* Assembly from random poses: every joint met to 1e-12, or the contradiction named; inverse kinematics; bad input. */
#include <string.h>

#include <ukode/analysis.h>

#include "demos/scenes.h"
#include "solvers/base/status.h"
#include "tests/check.h"

static const double pi = 3.14159265358979323846;

static double uniform(unsigned long *state)
{
    *state = *state * 6364136223846793005UL + 1442695040888963407UL;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* Any pose within a cube of side 2 `size`. */
static void throwBody(dBodyID body, double size, unsigned long *random)
{
    dQuaternion q;
    for (int i = 0; i < 4; i++) q[i] = uniform(random);
    dBodySetQuaternion(body, q);
    dBodySetPosition(body, size * uniform(random), size * uniform(random), size * uniform(random));
}

static void throwAll(dWorldID world, double size, unsigned long seed)
{
    for (int i = 0; i < ukWorldGetBodyCount(world); i++) throwBody(ukWorldGetBody(world, i), size, &seed);
}

static dBodyID rod(dWorldID world, const double from[3], const double to[3], double mass)
{
    dMass m;
    double along[3], length = 0;
    for (int i = 0; i < 3; i++) along[i] = to[i] - from[i], length += along[i] * along[i];
    length = sqrt(length);
    dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&m, mass, 0.05, 0.05, length);
    dBodySetMass(body, &m);
    dBodySetPosition(body, (from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2);
    dMatrix3 R;
    dRFromZAxis(R, along[0], along[1], along[2]);
    dBodySetRotation(body, R);
    return body;
}

static void ball(dWorldID world, dBodyID a, dBodyID b, const double at[3])
{
    dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, a, b);
    dJointSetBallAnchor(joint, at[0], at[1], at[2]);
}

/* A platform on six legs, each of two parts: universal joint, slider of fixed length, ball joint. */
static dWorldID stewart(bool swapped)
{
    dWorldID world = dWorldCreate();
    dMass m;
    dBodyID top = dBodyCreate(world);
    dMassSetCylinderTotal(&m, 10, 3, 0.6, 0.1);
    dBodySetMass(top, &m);
    dBodySetPosition(top, 0, 0, 1.2);
    for (int i = 0; i < 6; i++) {
        const double base = pi / 3 * (i + (i % 2 ? 0.3 : -0.3)), head = pi / 3 * (i + (i % 2 ? -0.3 : 0.3));
        const double from[3] = {cos(base), sin(base), 0}, to[3] = {0.6 * cos(head), 0.6 * sin(head), 1.2};
        double middle[3], along[3], across[3] = {-sin(base), cos(base), 0};
        for (int k = 0; k < 3; k++) middle[k] = (from[k] + to[k]) / 2, along[k] = to[k] - from[k];
        dBodyID lower = rod(world, from, middle, 1), upper = rod(world, middle, to, 1);
        dJointID foot = dJointCreateUniversal(world, 0), leg = dJointCreateSlider(world, 0);
        dJointAttach(foot, swapped ? 0 : lower, swapped ? lower : 0);
        dJointSetUniversalAnchor(foot, from[0], from[1], from[2]);
        dJointSetUniversalAxis1(foot, across[0], across[1], across[2]);
        const double third[3] = {across[1] * along[2] - across[2] * along[1],
                                 across[2] * along[0] - across[0] * along[2],
                                 across[0] * along[1] - across[1] * along[0]};
        dJointSetUniversalAxis2(foot, third[0], third[1], third[2]);
        dJointAttach(leg, swapped ? upper : lower, swapped ? lower : upper);
        dJointSetSliderAxis(leg, along[0], along[1], along[2]);
        ball(world, swapped ? upper : top, swapped ? top : upper, to);
    }
    return world;
}

enum { Across = 5, Down = 3, Bars = 20 };

static void nodeOf(int column, int row, double at[3])
{
    at[0] = 0.9 * column;
    at[1] = 0.2 * (column % 2) - 0.1 * (row % 2);
    at[2] = -row - 0.1 * ((column + row) % 2);
}

/* 20 bars: two rows of four, five columns of two, two tassels; ball joints at the nodes, two corners on the world. */
static dWorldID net(void)
{
    dWorldID world = dWorldCreate();
    dBodyID first[Down + 1][Across] = {{0}};
    int bars = 0;
    for (int r = 0; r < Down; r++)
        for (int c = 0; c < Across; c++)
            for (int down = 0; down < 2; down++) {
                const int other[2] = {c + !down, r + down};
                if (down ? r == Down - 1 && c % 4 != 0 : c == Across - 1 || r == Down - 1) continue;
                double from[3], to[3];
                nodeOf(c, r, from);
                nodeOf(other[0], other[1], to);
                dBodyID bar = rod(world, from, to, 1), *at = &first[r][c], *end = &first[other[1]][other[0]];
                if (*at) ball(world, *at, bar, from);
                if (*end) ball(world, *end, bar, to);
                if (!*at) *at = bar;
                if (!*end) *end = bar;
                bars++;
            }
    CHECK(bars == Bars);
    for (int c = 0; c < Across; c += Across - 1) {
        double corner[3];
        nodeOf(c, 0, corner);
        ball(world, first[0][c], 0, corner);
    }
    return world;
}

/* the largest position error that ukode measures itself */
static double gapOf(dWorldID world)
{
    ukReport report;
    CHECK(ukWorldEvaluate(world) == ukOk);
    ukWorldGetReport(world, &report);
    return report.position_error;
}

static int assembled(dWorldID world, double size, int count, const char *name)
{
    int met = 0, starts = 0, most = 0;
    double gap = 0;
    for (int seed = 1; seed <= count; seed++) {
        ukAssembly a;
        throwAll(world, size, (unsigned long)seed);
        if (!CHECK(ukWorldAssemble(world, NULL, 0, &a) == ukOk)) puts(ukGetLastErrorMessage());
        met += a.met;
        starts += a.starts;
        most = a.starts > most ? a.starts : most;
        gap = fmax(gap, a.gap);
        CHECK(a.met && a.contradictions == 0);
        CHECK(a.gap <= 1e-12);
        CHECK(gapOf(world) <= 1e-12);
    }
    printf("%s: %d of %d met, gap %.2g, %d starts (most %d)\n", name, met, count, gap, starts, most);
    return met;
}

/* The axes of every hinge are parallel, not opposite: the assembly is one of the mechanism that was built. */
static void hingesAgree(dWorldID world)
{
    for (int i = 0; i < ukWorldGetJointCount(world); i++) {
        dJointID joint = ukWorldGetJoint(world, i);
        dVector3 anchor[2];
        if (dJointGetType(joint) != dJointTypeHinge) continue;
        dJointGetHingeAnchor(joint, anchor[0]);
        dJointGetHingeAnchor2(joint, anchor[1]);
        for (int k = 0; k < 3; k++) CHECK_NEAR(anchor[0][k], anchor[1][k], 1e-12);
    }
}

static void mechanisms(int count)
{
    Scene *scene = sceneFourBar();
    assembled(scene->world, 3, count, "four-bar");
    hingesAgree(scene->world);
    sceneDestroy(scene);
    scene = sceneBricard();
    assembled(scene->world, 2, count, "Bricard");
    hingesAgree(scene->world);
    sceneDestroy(scene);
    for (int swapped = 0; swapped < 2; swapped++) {
        dWorldID world = stewart(swapped);
        assembled(world, 2, count / 2, "Stewart platform");
        dWorldDestroy(world);
    }
    dWorldID world = net();
    assembled(world, 4, count / 2, "net of 20 bars");
    dWorldDestroy(world);
}

/* ---- contradictions ---------------------------------------------------------------------------------------------- */

/* A rod of 1 m between two anchors 3 m apart, on a world with a pendulum that has nothing to do with it. */
static void tooShort(void)
{
    dWorldID world = dWorldCreate();
    const double origin[3] = {0}, end[3] = {1, 0, 0}, away[3] = {0, 5, 0}, below[3] = {0, 5, -1};
    dBodyID bar = rod(world, origin, end, 1), pendulum = rod(world, away, below, 1);
    dJointID left = dJointCreateBall(world, 0), right = dJointCreateBall(world, 0);
    ball(world, pendulum, 0, away);
    dJointAttach(left, bar, 0);
    dJointSetBallAnchor(left, 0, 0, 0);
    dJointAttach(right, 0, bar);
    dJointSetBallAnchor(right, 1, 0, 0);
    dJointSetBallAnchor2(right, 3, 0, 0);
    throwAll(world, 2, 7);
    unsigned char before[16], after[16];
    ukAssembly a;
    ukWorldHash(world, before);
    CHECK(ukWorldAssemble(world, NULL, 0, &a) == ukOk);
    ukWorldHash(world, after);
    CHECK(!a.met && memcmp(before, after, sizeof before) == 0);
    CHECK_NEAR(a.gap, 1, 1e-6);
    if (CHECK(a.contradictions == 2)) {
        CHECK(a.contradiction[0].joint != a.contradiction[1].joint);
        for (int i = 0; i < 2; i++) {
            CHECK(a.contradiction[i].joint == left || a.contradiction[i].joint == right);
            CHECK_NEAR(a.contradiction[i].error, 1, 1e-6);
        }
    }
    if (CHECK(a.count == 2 && a.bodies[0] && a.bodies[1]))
        for (int k = 0; k < 3; k++) CHECK_NEAR(a.positions[(a.bodies[0] == bar ? 0 : 3) + k], k == 0 ? 1.5 : 0, 1e-6);
    dWorldDestroy(world);
}

/* ---- stops, user constraints ------------------------------------------------------------------------------------- */

static void exceededStop(bool swapped)
{
    dWorldID world = dWorldCreate();
    const double origin[3] = {0}, end[3] = {1, 0, 0};
    dBodyID bar = rod(world, origin, end, 1);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, swapped ? 0 : bar, swapped ? bar : 0);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamLoStop, -0.5);
    dJointSetHingeParam(hinge, dParamHiStop, 0.5);
    for (unsigned long seed = 1; seed <= 5; seed++) {
        ukAssembly a;
        throwAll(world, 2, seed);
        CHECK(ukWorldAssemble(world, NULL, 0, &a) == ukOk && a.met);
        CHECK(fabs(dJointGetHingeAngle(hinge)) <= 0.5 + 1e-12);
    }
    dWorldDestroy(world);
}

static int sphere(const ukConstraintContext *context, dReal *A, dReal *b, void *data)
{
    const dReal *x = context->bodies[0].position, *v = context->bodies[0].velocity;
    (void)data;
    for (int i = 0; i < 3; i++) A[i] = 2 * x[i], b[0] -= 2 * v[i] * v[i];
    return 0;
}

static int sphereError(const ukConstraintContext *context, dReal *phi, dReal *psi, void *data)
{
    const dReal *x = context->bodies[0].position, *v = context->bodies[0].velocity;
    (void)data;
    phi[0] = -4;
    for (int i = 0; i < 3; i++) phi[0] += x[i] * x[i], psi[0] += 2 * x[i] * v[i];
    return 0;
}

static void userConstraint(void)
{
    dWorldID world = dWorldCreate();
    const double origin[3] = {0}, end[3] = {0.5, 0, 0};
    dBodyID bar = rod(world, origin, end, 1);
    dJointID plane = dJointCreatePlane2D(world, 0);
    dJointAttach(plane, bar, 0);
    ukConstraintSetError(ukConstraintCreate(world, 1, &bar, 1, sphere, NULL), sphereError, NULL);
    dBodySetPosition(bar, 0.3, 5, 0);
    ukAssembly a;
    CHECK(ukWorldAssemble(world, NULL, 0, &a) == ukOk && a.met);
    const dReal *x = dBodyGetPosition(bar);
    CHECK_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 4, 1e-12);
    CHECK_NEAR(x[2], 0, 1e-12); /* Plane2D */
    dWorldDestroy(world);
}

/* ---- inverse kinematics ------------------------------------------------------------------------------------------ */

/* An arm of three links of 1 m in the plane y = 0, from the origin along x. */
static dWorldID arm(dBodyID link[3], bool swapped)
{
    dWorldID world = dWorldCreate();
    for (int i = 0; i < 3; i++) {
        const double from[3] = {i, 0, 0}, to[3] = {i + 1.0, 0, 0};
        dBodyID base = i == 0 ? 0 : link[i - 1];
        link[i] = rod(world, from, to, 1);
        dJointID hinge = dJointCreateHinge(world, 0);
        dJointAttach(hinge, swapped ? base : link[i], swapped ? link[i] : base);
        dJointSetHingeAnchor(hinge, i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
    }
    return world;
}

static void tipOf(dBodyID link, double at[3])
{
    dVector3 tip;
    dBodyGetRelPointPos(link, 0, 0, 0.5, tip); /* a rod's z axis points along it */
    for (int i = 0; i < 3; i++) at[i] = tip[i];
}

static void reach(bool swapped)
{
    dBodyID link[3];
    dWorldID world = arm(link, swapped);
    ukAssembly a;
    double tip[3];
    ukTarget t = {.body = link[2], .point = {0, 0, 0.5}, .position = {1.2, 0, -1.1}, .position_weight = 1};
    throwAll(world, 2, 3);
    CHECK(ukWorldAssemble(world, &t, 1, &a) == ukOk && a.met && a.targets_met && a.freedoms == 3);
    tipOf(link[2], tip);
    CHECK_NEAR_ALL(tip, t.position, 3, 1e-10);
    CHECK(a.gap <= 1e-12 && gapOf(world) <= 1e-12);

    /* beyond its reach: stretched out towards the target */
    t.position[0] = 4, t.position[2] = 3;
    CHECK(ukWorldAssemble(world, &t, 1, &a) == ukOk && a.met && !a.targets_met);
    tipOf(link[2], tip);
    CHECK_NEAR(a.target_error, 2, 1e-10);
    CHECK_NEAR(tip[0], 2.4, 1e-5);
    CHECK_NEAR(tip[2], 1.8, 1e-5);

    /* with an orientation, which the position's freedom allows: a rod along z turned by q = exp(y/2) */
    t = (ukTarget){.body = link[2],
                   .point = {0, 0, 0.5},
                   .position = {1.2, 0, -1.1},
                   .orientation = {cos(0.4), 0, sin(0.4), 0},
                   .position_weight = 1,
                   .orientation_weight = 0.5};
    CHECK(ukWorldAssemble(world, &t, 1, &a) == ukOk && a.met);
    CHECK(a.gap <= 1e-12 && a.target_error < 1.7);
    dWorldDestroy(world);
}

/* Targets that the local search misses: an arm stretched towards its base, from which no gradient leads; a coupler that
 * is turned, as in an antiparallelogram, and not in the parallelogram that the bars are. */
static void otherBranches(bool swapped)
{
    dBodyID link[3];
    dWorldID world = arm(link, swapped);
    ukAssembly a;
    double tip[3];
    const ukTarget near = {.body = link[2], .point = {0, 0, 0.5}, .position = {1.5, 0, 0}, .position_weight = 1};
    CHECK(ukWorldAssemble(world, &near, 1, &a) == ukOk && a.met && a.targets_met && a.starts > 1);
    tipOf(link[2], tip);
    CHECK_NEAR_ALL(tip, near.position, 3, 1e-10);
    dWorldDestroy(world);

    Scene *const bars = sceneFourBar();
    const dReal *const q = dBodyGetQuaternion(bars->bodies[1]);
    ukTarget turned = {.body = bars->bodies[1], .orientation_weight = 1};
    dQuaternion turn, to;
    dVector3 axis;
    dJointGetHingeAxis(ukWorldGetJoint(bars->world, 0), axis);
    dQFromAxisAndAngle(turn, axis[0], axis[1], axis[2], 0.5);
    dQMultiply0(to, turn, q);
    memcpy(turned.orientation, to, sizeof turned.orientation);
    CHECK(ukWorldAssemble(bars->world, &turned, 1, &a) == ukOk && a.met && a.targets_met && a.starts > 1);
    CHECK(a.gap <= 1e-12 && a.target_error <= 1e-9);
    sceneDestroy(bars);
}

/* ---- what must not matter, and what is refused ------------------------------------------------------------------- */

static void settings(void)
{
    unsigned char first[16], hash[16];
    for (int i = 0; i < 5; i++) {
        static const ukIntegrator kinds[5] = {ukIntegratorEuler, ukIntegratorEuler, ukIntegratorRK4,
                                              ukIntegratorAdaptive, ukIntegratorRattle};
        Scene *scene = sceneFourBar();
        CHECK(ukWorldSetIntegrator(scene->world, kinds[i]) == ukOk);
        CHECK(ukWorldSetJointRule(scene->world, i == 1 ? ukJointRuleExact : ukJointRuleODE) == ukOk);
        throwAll(scene->world, 2, 11);
        ukAssembly a;
        CHECK(ukWorldAssemble(scene->world, NULL, 0, &a) == ukOk && a.met);
        ukWorldHash(scene->world, hash);
        if (i == 0) memcpy(first, hash, sizeof first);
        CHECK(memcmp(first, hash, sizeof first) == 0);
        for (int b = 0; b < scene->count; b++) dBodySetLinearVel(scene->bodies[b], 0, 0, 0);
        CHECK(ukWorldProject(scene->world) == ukOk && ukWorldStep(scene->world, 0.01) == 1);
        ukReport report;
        CHECK(ukWorldGetReport(scene->world, &report) == ukOk && report.ok);
        sceneDestroy(scene);
    }
}

static int callbackStatus;

static void assembleWithin(dBodyID body)
{
    ukAssembly a;
    callbackStatus = ukWorldAssemble(dBodyGetWorld(body), NULL, 0, &a);
}

static void badInput(void)
{
    dBodyID link[3];
    dWorldID world = arm(link, false);
    dBodyID stand = dBodyCreate(world);
    dBodySetKinematic(stand);
    unsigned char before[16], after[16];
    throwAll(world, 2, 5);
    ukWorldHash(world, before);
    ukAssembly a, zero;
    memset(&zero, 0, sizeof zero);
    const ukTarget good = {.body = link[0], .orientation = {1}, .position_weight = 1, .orientation_weight = 1};
    ukTarget bad[6] = {good, good, good, good, good, good};
    bad[0].body = stand;
    bad[1].body = NULL;
    bad[2].position[1] = NAN;
    bad[3].position_weight = -1;
    bad[4].orientation[0] = 0;
    bad[5].orientation_weight = INFINITY;
    for (int i = 0; i < 6; i++) {
        memset(&a, 1, sizeof a);
        CHECK(ukWorldAssemble(world, bad + i, 1, &a) == ukErrorArgument);
        CHECK(memcmp(&a, &zero, sizeof a) == 0 && strstr(ukGetLastErrorMessage(), "target 0"));
    }
    CHECK(ukWorldAssemble(world, NULL, 1, &a) == ukErrorArgument);
    CHECK(ukWorldAssemble(world, &good, -1, &a) == ukErrorArgument);
    CHECK(ukWorldAssemble(world, NULL, 0, NULL) == ukErrorArgument);
    CHECK(ukWorldAssemble(NULL, NULL, 0, &a) == ukErrorHandle);
    ukWorldHash(world, after);
    CHECK(memcmp(before, after, sizeof before) == 0);
    dBodySetMovedCallback(link[0], assembleWithin);
    ukWorldStep(world, 0.01);
    CHECK(callbackStatus == ukErrorChanged);
    dWorldDestroy(world);

    world = dWorldCreate(); /* nothing in it */
    CHECK(ukWorldAssemble(world, NULL, 0, &a) == ukOk && a.met && a.count == 0 && a.rows == 0);
    dWorldDestroy(world);
}

int main(int argc, char **argv)
{
    dInitODE2(0);
    (void)argv;
    mechanisms(argc > 1 ? 100 : 10);
    tooShort();
    for (int swapped = 0; swapped < 2; swapped++) {
        exceededStop(swapped);
        reach(swapped);
        otherBranches(swapped);
    }
    userConstraint();
    settings();
    badInput();
    dCloseODE();
    return ukTestEnd();
}
