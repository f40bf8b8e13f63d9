/* SPDX-License-Identifier: BSD-3-Clause */
/* User constraints that no poses satisfy, together or with joints, where velocities and accelerations agree: refused
 * under every integrator, Euler's rules of rows and corrections included, with the row's name, beside contacts, motors
 * and other islands, and after a state is restored. Joints that do not quite fit, errors of consistent rows however
 * large, and mechanisms of a user's rows at singular poses are stepped. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/corners.h"
#include "tests/support/plain_world.h"

static const double h = 0.01;

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* |x1 - x2| = length; one body: the distance from `from` */
typedef struct Rod {
    double from[3], length;
} Rod;

static void along(const ukConstraintContext *c, const Rod *rod, double d[3], double v[3])
{
    for (int k = 0; k < 3; k++) {
        d[k] = c->bodies[0].position[k] - (c->count > 1 ? c->bodies[1].position[k] : rod->from[k]);
        v[k] = c->bodies[0].velocity[k] - (c->count > 1 ? c->bodies[1].velocity[k] : 0);
    }
}

static int rodRow(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    double d[3], v[3];
    along(c, data, d, v);
    const double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double square = 0, rate = 0;
    for (int k = 0; k < 3; k++) {
        A[k] = d[k] / size;
        if (c->count > 1) A[6 + k] = -A[k];
        square += v[k] * v[k], rate += A[k] * v[k];
    }
    b[0] = (rate * rate - square) / size;
    return 0;
}

static int rodError(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const Rod *rod = data;
    double d[3], v[3];
    along(c, rod, d, v);
    const double size = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    phi[0] = size - rod->length;
    psi[0] = (d[0] * v[0] + d[1] * v[1] + d[2] * v[2]) / size;
    return 0;
}

static void addRod(dWorldID w, dBodyID one, dBodyID two, Rod *rod)
{
    const dBodyID body[2] = {one, two};
    const ukConstraintID c = ukConstraintCreate(w, 1, body, two ? 2 : 1, rodRow, rod);
    CHECK(c && ukConstraintSetError(c, rodError, rod) == 0);
}

/* the coordinate `axis` of a body's centre is to be `at` */
typedef struct Place {
    int axis;
    double at;
} Place;

static int placeRow(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b;
    A[((const Place *)data)->axis] = 1;
    return 0;
}

static int placeError(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const Place *place = data;
    phi[0] = c->bodies->position[place->axis] - place->at;
    psi[0] = c->bodies->velocity[place->axis];
    return 0;
}

static void put(dWorldID w, dBodyID body, Place *place)
{
    const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, placeRow, place);
    CHECK(c && ukConstraintSetError(c, placeError, place) == 0);
}

/* ---- refused ----------------------------------------------------------------------------------------------------- */

typedef enum Rule { Usual, Exact, Split, Rules } Rule;

static dWorldID worldOf(ukIntegrator integrator, Rule rule)
{
    const dWorldID w = newWorld(9.81);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0);
    if (rule == Exact) CHECK(ukWorldSetJointRule(w, ukJointRuleExact) == 0);
    if (rule == Split) CHECK(ukWorldSetStabilization(w, ukStabilizeSplit, 0, 0) == 0);
    return w;
}

typedef enum Beside { Nothing, Contact, BoundedMotor, Stop, Besides } Beside;
static const char *const beside_name[] = {"nothing", "a contact", "a motor", "a stop"};

/* Something that takes the island to the discrete form, or not: on a body below the one that is judged. */
static void addBeside(dWorldID w, dBodyID body, Beside beside)
{
    if (beside == Nothing) return;
    const dBodyID other = box(w, 1, 0, 2, 0);
    const dJointID hinge = dJointCreateHinge(w, 0);
    dJointAttach(hinge, other, body);
    dJointSetHingeAnchor(hinge, 0, 1, 0);
    dJointSetHingeAxis(hinge, 1, 0, 0);
    if (beside == BoundedMotor) dJointSetHingeParam(hinge, dParamFMax, 0.3);
    if (beside == Stop) dJointSetHingeParam(hinge, dParamLoStop, 0), dJointSetHingeParam(hinge, dParamHiStop, 1);
    if (beside != Contact) return;
    const double half[3] = {0.2, 0.15, 0.1};
    dBodySetPosition(other, 0, 2, half[2]);
    dJointSetHingeAnchor(hinge, 0, 1, 0);
    touchCorners(other, half, 0.5, 0); /* contacts that stay, for a few steps */
}

/* Where the second row is: of a user, or a joint along x or about the centre. */
static void contradict(dWorldID w, dBodyID body, int other, Place *second)
{
    if (other == 0) {
        put(w, body, second);
        return;
    }
    const dJointID j = other == 1 ? dJointCreateSlider(w, 0) : dJointCreateBall(w, 0);
    dJointAttach(j, body, 0);
    if (other == 1)
        dJointSetSliderAxis(j, 1, 0, 0);
    else
        dJointSetBallAnchor(j, 0, 0, 0);
}

static void isRefused(dWorldID w, dBodyID body, const char *what, ukIntegrator integrator, Rule rule)
{
    const double z = dBodyGetPosition(body)[2], v = dBodyGetLinearVel(body)[2], time = ukWorldGetTime(w);
    const int taken = ukWorldStep(w, h);
    const char *const says = ukGetLastErrorMessage();
    const bool named = (strstr(says, "constraint") || strstr(says, "joint")) && strstr(says, "position error") &&
                       strstr(says, "in its row ");
    if (!CHECK(taken == 0 && ukGetLastError() == ukErrorContradiction && named))
        printf("integrator %d, rule %d, %s: %s\n", integrator, rule, what, taken ? "stepped" : says);
    CHECK(dBodyGetPosition(body)[2] == z && dBodyGetLinearVel(body)[2] == v && ukWorldGetTime(w) == time);
}

/* bits: another island before; the contradiction comes after three steps, and the state is restored before it */
static void refuses(ukIntegrator integrator, Rule rule, Beside beside, int other, int bits)
{
    static unsigned char bytes[1 << 16];
    const dWorldID w = worldOf(integrator, rule);
    const dBodyID free = bits & 1 ? ball(w, 1, 5, 0, 9) : 0;
    const dBodyID body = box(w, 2, 0, 0, 0);
    Place first = {2, 0}, second = {2, 0};
    put(w, body, &first);
    contradict(w, body, other, &second);
    addBeside(w, body, beside);
    for (int i = 0; i < 3 && bits & 2; i++) CHECK(ukWorldStep(w, h) == 1);
    const size_t size = ukWorldSave(w, NULL, 0);
    if (bits & 2 && beside != Contact)
        CHECK(size <= sizeof bytes && ukWorldSave(w, bytes, size) == size && ukWorldRestore(w, bytes, size) == 0);
    first.at = 0.02;
    const double before = free ? dBodyGetPosition(free)[2] : 0;
    isRefused(w, body, beside_name[beside], integrator, rule);
    if (free) CHECK(dBodyGetPosition(free)[2] == before);
    CHECK(ukWorldEnable(w) == 0);
    dWorldStep(w, h); /* no step of ODE's instead */
    CHECK(ukGetLastError() == ukErrorContradiction);
    if (free) CHECK(dBodyGetPosition(free)[2] == before);
    first.at = 0;
    CHECK(ukWorldStep(w, h) == 1);
    dWorldDestroy(w);
}

/* Two rows of which the second one changes; no position is at both distances. */
static void refusesRods(ukIntegrator integrator, Rule rule)
{
    const dWorldID w = worldOf(integrator, rule);
    const dBodyID body = box(w, 2, 1, 0, 0);
    Rod one = {{0, 0, 0}, 1}, two = {{3, 0, 0}, 1.5};
    addRod(w, body, 0, &one);
    addRod(w, body, 0, &two);
    isRefused(w, body, "two rods", integrator, rule);
    two.length = 2;
    CHECK(ukWorldStep(w, h) == 1);
    dWorldDestroy(w);
}

/* ---- stepped ----------------------------------------------------------------------------------------------------- */

/* steps Euler takes of `count`, with the largest position error */
static int stepsOf(dWorldID w, int count, double *most)
{
    int taken = 0;
    ukReport r;
    *most = 0;
    for (; taken < count; taken++) {
        if (ukWorldStep(w, h) != 1) break;
        CHECK(ukWorldGetReport(w, &r) == 0);
        *most = fmax(*most, r.position_error);
    }
    return taken;
}

/* A crank, a rod and a slide of user's rows, through both dead centres in each turn. rod = crank: through the position
 * where they fold, too, at which gradients are parallel while errors differ. */
static void slidesPastDeadCentres(Rule rule, double rod_length, double speed)
{
    const dWorldID w = worldOf(ukIntegratorEuler, rule);
    const dBodyID pin = box(w, 1, 0, 1, 0), slide = box(w, 1, sqrt(rod_length * rod_length - 1), 0, 0);
    Rod crank = {{0, 0, 0}, 1}, rod = {{0}, rod_length};
    Place height = {1, 0}, plane[2] = {{2, 0}, {2, 0}};
    double most;
    dWorldSetGravity(w, 0, -9.81, 0);
    dBodySetLinearVel(pin, -speed, 0, 0);
    dBodySetLinearVel(slide, -speed, 0, 0);
    addRod(w, pin, 0, &crank);
    addRod(w, pin, slide, &rod);
    put(w, slide, &height);
    put(w, pin, &plane[0]);
    put(w, slide, &plane[1]);
    const int taken = stepsOf(w, 500, &most);
    if (!CHECK(taken == 500))
        printf("rule %d, rod of %g m, %g m/s: stopped after %d: %s\n", rule, rod_length, speed, taken,
               ukGetLastErrorMessage());
    dWorldDestroy(w);
}

/* A four-bar of hinges of which one is `gap` off along its axis: the joints do not fit. A user's row places the crank,
 * or ties another body to the coupler. */
static void stepsMisfits(Rule rule, double gap, bool driven)
{
    static const double anchor[4][2] = {{0, 0}, {0, 1}, {2, 1.5}, {2, 0}};
    const dWorldID w = worldOf(ukIntegratorEuler, rule);
    dBodyID bar[3];
    Rod rope = {{0}, 1};
    Place away = {0, 0};
    double most;
    for (int i = 0; i < 3; i++)
        bar[i] = box(w, 1, (anchor[i][0] + anchor[i + 1][0]) / 2, (anchor[i][1] + anchor[i + 1][1]) / 2, 0);
    for (int i = 0; i < 4; i++) {
        const dJointID j = dJointCreateHinge(w, 0);
        dJointAttach(j, bar[i < 3 ? i : 2], i == 0 || i == 3 ? 0 : bar[i - 1]);
        dJointSetHingeAnchor(j, anchor[i][0], anchor[i][1], 0);
        dJointSetHingeAxis(j, 0, 0, 1);
        if (i != 3) continue;
        dBodySetPosition(bar[2], 2, 0.75, gap);
        dJointSetHingeAnchor(j, anchor[i][0], anchor[i][1], 0);
        dBodySetPosition(bar[2], 2, 0.75, 0);
    }
    dWorldSetGravity(w, 1, -9.81, 0);
    dWorldSetCFM(w, 1e-10); /* ODE's */
    if (driven)
        put(w, bar[0], &away);
    else
        addRod(w, box(w, 1, 1, 0.25, 0), bar[1], &rope);
    for (int k = 0; k < 2; k++) {
        const int taken = stepsOf(w, 100, &most);
        if (!CHECK(taken == 100 && most > 0.1 * gap))
            printf("rule %d, gap %g, driven %d: stopped after %d, error %g: %s\n", rule, gap, driven, taken, most,
                   ukGetLastErrorMessage());
        away.at = 0.3; /* far, but within reach */
    }
    dWorldDestroy(w);
}

/* Redundant joints that are a little apart, beside a user's row that is satisfied or far from it. */
static void stepsRedundant(Rule rule, double gap)
{
    const dWorldID w = worldOf(ukIntegratorEuler, rule);
    const dBodyID door = box(w, 1, 0.5, 0, 0), other = box(w, 1, 2, 0, 0);
    Rod rod = {{0}, 1.5};
    double most;
    for (int i = 0; i < 2; i++) {
        const dJointID j = dJointCreateHinge(w, 0);
        dJointAttach(j, door, 0);
        dJointSetHingeAnchor(j, 0, 0, i);
        dJointSetHingeAxis(j, 0, 0, 1);
        dBodySetPosition(door, 0.5, 0, gap); /* the second joint is along the axis off the first */
    }
    addRod(w, door, other, &rod);
    dBodySetPosition(other, 2.4, 0, 0);
    dBodySetLinearVel(other, 0, 3, 0);
    const int taken = stepsOf(w, 300, &most);
    if (!CHECK(taken == 300 && most > 0.4 * gap))
        printf("rule %d, gap %g: stopped after %d, error %g: %s\n", rule, gap, taken, most, ukGetLastErrorMessage());
    dWorldDestroy(w);
}

/* A row that can be satisfied, from far away, and one that says the same in other coordinates. */
static void stepsFar(Rule rule)
{
    const dWorldID w = worldOf(ukIntegratorEuler, rule);
    const dBodyID body = box(w, 2, 0.3, 0.4, 0);
    Rod one = {{0, 0, 0}, 1}, two = {{0, 0, 0}, 1};
    double most;
    addRod(w, body, 0, &one);
    addRod(w, body, 0, &two);
    ukReport r;
    CHECK(stepsOf(w, 100, &most) == 100 && ukWorldGetReport(w, &r) == 0 && r.position_error < 0.1);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (int k = ukIntegratorEuler; k <= ukIntegratorRadau; k++)
        for (int rule = 0; rule < Rules; rule++) {
            const ukIntegrator integrator = (ukIntegrator)k;
            if (rule == Exact && integrator != ukIntegratorEuler) continue;
            for (int beside = 0; beside < Besides; beside++)
                for (int other = 0; other < 3; other++)
                    for (int bits = 0; bits < 4; bits++) refuses(integrator, (Rule)rule, (Beside)beside, other, bits);
            refusesRods(integrator, (Rule)rule);
        }
    for (int k = 0; k < Rules; k++) {
        const Rule rule = (Rule)k;
        for (int fast = 0; fast < 3; fast++)
            for (int i = 0; i < 3; i++)
                slidesPastDeadCentres(rule, i == 0 ? 1 + 1e-9 : i == 1 ? 1.0001 : 1.5, 1 + 3 * fast);
        for (int i = 0; i < 8; i++) stepsMisfits(rule, pow(10, -3 - i / 2), i & 1);
        for (int i = 0; i < 4; i++) stepsRedundant(rule, pow(10, -2 - i));
        stepsFar(rule);
    }
    dCloseODE();
    return ukTestEnd();
}
