/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided rows of user constraints beside what else a world has: under Euler they move bodies as frictionless
 * contacts of the same place do, and the other integrators agree with each other: with restitution, stops, hinges
 * attached in both orders, the split correction and Baumgarte's; bounces of closed form; dry friction by a law; steps
 * that allocate nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

/* Every allocation of the process is counted; the address sanitizer has an allocator of its own. */
static long allocations;
#if UKODE_TEST_SHARE == 1
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t);
void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}
#endif

static const double g = 9.81;

typedef struct Way {
    const char *name;
    ukIntegrator integrator;
    ukJointRule rule;
    ukStabilization stabilization;
} Way;

static const Way ways[] = {{"euler", ukIntegratorEuler, ukJointRuleODE, ukStabilizeProjection},
                           {"exact", ukIntegratorEuler, ukJointRuleExact, ukStabilizeProjection},
                           {"split", ukIntegratorEuler, ukJointRuleODE, ukStabilizeSplit},
                           {"rk4", ukIntegratorRK4, ukJointRuleODE, ukStabilizeProjection},
                           {"baumgarte", ukIntegratorRK4, ukJointRuleODE, ukStabilizeBaumgarte},
                           {"rattle", ukIntegratorRattle, ukJointRuleODE, ukStabilizeProjection},
                           {"adaptive", ukIntegratorAdaptive, ukJointRuleODE, ukStabilizeProjection}};
enum { Ways = sizeof ways / sizeof *ways, Discrete = 3 };

static dWorldID worldOf(const Way *way)
{
    const dWorldID w = newWorld(g);
    CHECK(ukWorldSetIntegrator(w, way->integrator) == 0 && ukWorldSetJointRule(w, way->rule) == 0);
    CHECK(ukWorldSetStabilization(w, way->stabilization, 0, 0) == 0);
    if (way->integrator == ukIntegratorAdaptive) CHECK(ukWorldSetTolerance(w, 1e-12, 1e-12) == 0);
    return w;
}

static void stepChecked(dWorldID w, double h)
{
    ukReport r;
    CHECK(ukWorldStep(w, h) == 1);
    CHECK(ukWorldGetReport(w, &r) == 0 && r.ok && r.fallbacks == 0);
}

static int above(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int aboveGap(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    *phi = c->bodies->position[2];
    *psi = c->bodies->velocity[2];
    return 0;
}

static ukConstraintID floorUnder(dWorldID w, dBodyID body, double restitution)
{
    const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, above, NULL);
    CHECK(c && ukConstraintSetError(c, aboveGap, NULL) == 0 && ukConstraintSetOneSided(c, 0) == 0);
    CHECK(ukConstraintSetRestitution(c, 0, restitution) == 0 && ukConstraintGetRestitution(c, 0) == restitution);
    return c;
}

/* ---- as a contact does ------------------------------------------------------------------------------------------- */

/* a ball above a floor that carries a bar on a hinge with a stop */
typedef struct Pair {
    dWorldID world;
    dBodyID ball, bar;
    dJointGroupID contacts;
} Pair;

static void makePair(Pair *p, const Way *way, bool reversed)
{
    p->world = worldOf(way);
    p->ball = ball(p->world, 1, 0, 0, 0.1);
    p->bar = box(p->world, 0.7, 0.5, 0, 0.2);
    p->contacts = dJointGroupCreate(0);
    const dJointID hinge = dJointCreateHinge(p->world, NULL);
    dJointAttach(hinge, reversed ? p->bar : p->ball, reversed ? p->ball : p->bar);
    dJointSetHingeAnchor(hinge, 0.1, 0, 0.15);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamLoStop, -0.4);
    dJointSetHingeParam(hinge, dParamHiStop, 0.4);
    dBodySetAngularVel(p->bar, 0.3, 1, -0.2);
}

static void touch(const Pair *p, double restitution)
{
    const double *x = dBodyGetPosition(p->ball);
    dContact contact = {.geom = {.pos = {x[0], x[1], x[2]}, .normal = {0, 0, 1}, .depth = -x[2]}};
    contact.surface.mode = dContactBounce;
    contact.surface.bounce = restitution;
    dJointGroupEmpty(p->contacts);
    if (x[2] <= 0) dJointAttach(dJointCreateContact(p->world, p->contacts, &contact), p->ball, NULL);
}

static void asContacts(const Way *way, bool reversed, double restitution)
{
    Pair row, contact;
    makePair(&row, way, reversed), makePair(&contact, way, reversed);
    floorUnder(row.world, row.ball, restitution);
    double off = 0, least = 1;
    for (int i = 0; i < 150; i++) {
        touch(&contact, restitution);
        stepChecked(row.world, 0.005), stepChecked(contact.world, 0.005);
        off = fmax(off, apart(dBodyGetPosition(row.ball), dBodyGetPosition(contact.ball)));
        off = fmax(off, apart(dBodyGetPosition(row.bar), dBodyGetPosition(contact.bar)));
        least = fmin(least, dBodyGetPosition(row.ball)[2]);
    }
    CHECK(least <= 0);
    /* the split correction lets contacts keep 1e-4 of their reach (bridge/solve/split.c) */
    if (!CHECK(off < (way->stabilization == ukStabilizeSplit ? 3e-3 : 1e-9)))
        printf("%s, reversed %d, e %g: off by %.3g\n", way->name, reversed, restitution, off);
    dJointGroupDestroy(row.contacts), dJointGroupDestroy(contact.contacts);
    dWorldDestroy(row.world), dWorldDestroy(contact.world);
}

/* ---- located within the step ------------------------------------------------------------------------------------- */

/* The same pair under a method of fixed steps and under adaptive. (Baumgarte's stabilization keeps the rate with which
 * the bar is thrown out of its hinge for a while.) */
static void asAdaptive(const Way *way, bool reversed, double restitution)
{
    Pair fixed, right;
    makePair(&fixed, way, reversed), makePair(&right, &ways[Ways - 1], reversed);
    floorUnder(fixed.world, fixed.ball, restitution), floorUnder(right.world, right.ball, restitution);
    double off = 0;
    for (int i = 0; i < 60; i++) {
        stepChecked(fixed.world, 0.005), stepChecked(right.world, 0.005);
        off = fmax(off, apart(dBodyGetPosition(fixed.ball), dBodyGetPosition(right.ball)));
        off = fmax(off, apart(dBodyGetPosition(fixed.bar), dBodyGetPosition(right.bar)));
    }
    if (!CHECK(off < (way->integrator == ukIntegratorRattle ? 3e-5 : 1e-8)))
        printf("%s, reversed %d, e %g: off by %.3g\n", way->name, reversed, restitution, off);
    dJointGroupDestroy(fixed.contacts), dJointGroupDestroy(right.contacts);
    dWorldDestroy(fixed.world), dWorldDestroy(right.world);
}

/* ---- bounces ----------------------------------------------------------------------------------------------------- */

/* dropped from H it comes back to e^2 H; restored with its restitution; what is refused */
static void bounces(const Way *way)
{
    const double H = 0.2, e = 0.6, h = 0.001;
    const dWorldID w = worldOf(way);
    const dBodyID bead = ball(w, 1, 0, 0, H);
    const ukConstraintID c = floorUnder(w, bead, e);
    const double fall = sqrt(2 * H / g), back = e * fall; /* [s] until it lands, and to the top again */
    for (int i = 0; i * h < fall + back; i++) stepChecked(w, h);
    const double t = ukWorldGetTime(w) - fall, top = e * g * fall * t - 0.5 * g * t * t;
    CHECK_NEAR(top, e * e * H, 1e-4);
    CHECK_NEAR(dBodyGetPosition(bead)[2], top, way->integrator == ukIntegratorEuler ? 0.01 : 1e-9);
    const size_t size = ukWorldSave(w, NULL, 0);
    void *saved = __builtin_alloca(size);
    CHECK(ukWorldSave(w, saved, size) == size && ukConstraintSetOneSided(c, 0) == 0);
    CHECK(ukConstraintGetRestitution(c, 0) == 0);
    CHECK(ukWorldRestore(w, saved, size) == 0 && ukConstraintGetRestitution(c, 0) == e);
    CHECK(ukConstraintSetRestitution(c, 0, -0.1) == ukErrorArgument && ukConstraintSetRestitution(c, 1, 0.5) != 0);
    CHECK(ukConstraintSetRestitution(c, 0, NAN) == ukErrorArgument && ukConstraintGetRestitution(c, 0) == e);
    CHECK(ukConstraintSetBounds(c, 0, 0, 1) == 0 && ukConstraintSetRestitution(c, 0, 0.5) == ukErrorArgument);
    CHECK(ukConstraintSetRestitution(NULL, 0, 0.5) == ukErrorHandle && ukConstraintGetRestitution(NULL, 0) == 0);
    dWorldDestroy(w);
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

/* a bead slides on the floor against mu m g, stops after v^2 / (2 mu g), and is free of friction above it */
static void slides(const Way *way)
{
    const double mu = 0.3, v = 1, h = 0.002;
    const dWorldID w = worldOf(way);
    const dBodyID bead = ball(w, 2, 0, 0, 0);
    const ukConstraintID c = floorUnder(w, bead, 0);
    CHECK(ukConstraintSetCoulomb(c, mu) == 0);
    dBodySetLinearVel(bead, v, 0, 0);
    for (int i = 0; i < 250; i++) stepChecked(w, h);
    const double speed = dBodyGetLinearVel(bead)[0];
    CHECK_NEAR(dBodyGetPosition(bead)[0], v * v / (2 * mu * g), 0.01);
    CHECK_NEAR(speed, 0, 1e-9);
    dBodySetPosition(bead, 0, 0, 1);
    dBodySetLinearVel(bead, v, 0, 1);
    for (int i = 0; i < 50; i++) stepChecked(w, h);
    CHECK_NEAR(dBodyGetLinearVel(bead)[0], v, 1e-12);
    dWorldDestroy(w);
}

/* ---- bounded rows in the continuous form ------------------------------------------------------------------------- */

/* A row along x: its rate is to be `speed`; or its acceleration cos(time), where there is no error function; or its
 * position 0. */
typedef struct Along {
    double speed;
    bool accelerates;
} Along;

static int alongX(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const Along *of = data;
    A[0] = 1;
    b[0] = of->accelerates ? cos(c->time) : 0;
    return 0;
}
static int alongRate(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const Along *of = data;
    phi[0] = NAN, psi[0] = c->bodies->velocity[0] - of->speed;
    return 0;
}
static int alongPosition(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies->position[0], psi[0] = c->bodies->velocity[0];
    return 0;
}
/* an opposing force that grows by 1 N/s */
static int growing(const ukConstraintContext *c, dReal *force, void *data)
{
    (void)data;
    force[0] = -c->time;
    return 0;
}

static dBodyID alongBody(dWorldID w, double x, double low, double high, ukErrorFn *error, Along *of, ukConstraintID *c)
{
    const dBodyID body = ball(w, 2, x, 0, 0);
    dWorldSetGravity(w, 0, 0, 0);
    *c = ukConstraintCreate(w, 1, &body, 1, alongX, of);
    CHECK(ukConstraintSetBounds(*c, 0, low, high) == 0 && ukConstraintSetError(*c, error, of) == 0);
    CHECK(ukWorldSetLedger(w, 1) == 0);
    return body;
}

/* The step is taken in the continuous form; *force: of the constraint; the impulse is the change of momentum by it. */
static void stepAlong(dWorldID w, dBodyID body, ukConstraintID c, double h, double other, double *force)
{
    ukReport r;
    double now[6], impulse[6];
    const double before = dBodyGetLinearVel(body)[0];
    stepChecked(w, h);
    CHECK(ukWorldGetReport(w, &r) == 0 && r.discrete_islands == 0);
    CHECK(ukConstraintGetForce(c, now) == 0 && ukConstraintGetImpulse(c, impulse) == 0);
    CHECK_NEAR(impulse[0], 2 * (dBodyGetLinearVel(body)[0] - before) - other, 1e-9);
    *force = now[0];
}

/* A motor of 4 N brings 2 kg to 1 m/s against a force that grows by 1 N per second, holds this rate until 4 s, and is
 * then slowed down. */
static void motorAgainstLoad(void)
{
    Along of = {.speed = 1};
    ukConstraintID c, others;
    const Way *way = &ways[Ways - 1];
    const dWorldID w = worldOf(way), copy = worldOf(way);
    const dBodyID body = alongBody(w, 0, -3, 4, alongRate, &of, &c);
    const dBodyID other = alongBody(copy, 0, -3, 4, alongRate, &of, &others);
    static unsigned char saved[1 << 16];
    unsigned char first[16], second[16];
    CHECK(ukForceCreate(w, &body, 1, growing, NULL) && ukForceCreate(copy, &other, 1, growing, NULL));
    const double h = 0.03, reached = 4 - sqrt(12), held = 4; /* (4 t - t^2/2)/2 = 1 */
    double force = 0, kept = 0;
    for (int i = 1; i * h < 6; i++) {
        const double t = i * h, s = t - h;
        stepAlong(w, body, c, h, -(t * t - s * s) / 2, &force);
        const double late = fmax(0, t - held);
        const double v = t < reached ? (4 * t - t * t / 2) / 2 : 1 - late * late / 4;
        const double x1 = (2 * reached * reached - reached * reached * reached / 6) / 2;
        const double x = t < reached ? (2 * t * t - t * t * t / 6) / 2 : x1 + t - reached - late * late * late / 12;
        CHECK_NEAR(dBodyGetLinearVel(body)[0], v, 1e-9);
        CHECK_NEAR(dBodyGetPosition(body)[0], x, 1e-9);
        CHECK_NEAR(force, t < reached || t > held ? 4 : t, 1e-9);
        if (i == 100) CHECK(ukWorldRestore(copy, saved, ukWorldSave(w, saved, sizeof saved)) == 0);
        if (i > 100) CHECK(ukWorldStep(copy, h) == 1);
        kept = x;
    }
    ukLedger ledger;
    CHECK(ukWorldGetLedger(w, &ledger) == 0 && fabs(ledger.residual) < 1e-9 && kept > 4);
    const double v = dBodyGetLinearVel(body)[0];
    CHECK_NEAR(ledger.motors + ledger.applied, v * v, 1e-7);
    CHECK(ukWorldHash(w, first) == 0 && ukWorldHash(copy, second) == 0 && memcmp(first, second, 16) == 0);
    dWorldDestroy(w);
    dWorldDestroy(copy);
}

/* 2 cos t N within [-1, 1.5], and within [-inf, 1] for 0 < t < 3: v is the integral of the bounded force */
static void boundedAcceleration(double low, double high)
{
    Along of = {.accelerates = true};
    ukConstraintID c;
    const dWorldID w = worldOf(&ways[Ways - 1]);
    const dBodyID body = alongBody(w, 0, low, high, NULL, &of, &c);
    const double h = 0.03, up = acos(high / 2),
                 down = low > -2 ? acos(low / 2) : 4; /* times at which 2 cos t is a bound */
    double force;
    for (int i = 1; i <= 100; i++) {
        const double t = i * h;
        double impulse = high * fmin(t, up);
        if (t > up) impulse += 2 * (sin(fmin(t, down)) - sin(up));
        if (t > down) impulse += low * (t - down);
        stepAlong(w, body, c, h, 0, &force);
        CHECK_NEAR(dBodyGetLinearVel(body)[0], impulse / 2, 1e-9);
        CHECK_NEAR(force, fmax(low, fmin(high, 2 * cos(t))), 1e-9);
    }
    dWorldDestroy(w);
}

/* From 0.5 m, by Baumgarte's gains of 5 1/s: -3 N until 2 (-10 v - 25 x) is above that, then (a + b t) exp(-5 t).
 * Without gains it is stepped in the discrete form, by ERP. */
static void boundedServo(void)
{
    Along of = {.speed = 0};
    ukConstraintID c;
    ukReport r;
    dWorldID w = worldOf(&ways[Ways - 1]);
    dBodyID body = alongBody(w, 0.5, -3, 3, alongPosition, &of, &c);
    CHECK(ukWorldSetStabilization(w, ukStabilizeBaumgarte, 0, 0) == 0);
    /* 2 (-10 v - 25 x) = -3 with v = -1.5 t, x = 0.5 - 0.75 t^2: 37.5 t^2 + 30 t - 22 = 0 */
    const double h = 0.03, full = (-30 + sqrt(900 + 4 * 37.5 * 22)) / 75;
    const double a = 0.5 - 0.75 * full * full, b = -1.5 * full + 5 * a;
    double force;
    for (int i = 1; i <= 100; i++) {
        const double t = i * h, s = t - full, e = exp(-5 * s);
        stepAlong(w, body, c, h, 0, &force);
        CHECK_NEAR(dBodyGetPosition(body)[0], t < full ? 0.5 - 0.75 * t * t : (a + b * s) * e, 1e-9);
        CHECK_NEAR(dBodyGetLinearVel(body)[0], t < full ? -1.5 * t : (b - 5 * (a + b * s)) * e, 1e-9);
        CHECK(fabs(force) <= 3 + 1e-12 && (t > full || force == -3));
    }
    dWorldDestroy(w);
    w = worldOf(&ways[Ways - 1]);
    body = alongBody(w, 0.5, -3, 3, alongPosition, &of, &c);
    stepChecked(w, 0.01);
    CHECK(ukWorldGetReport(w, &r) == 0 && r.discrete_islands == 1);
    CHECK_NEAR(dBodyGetLinearVel(body)[0], -0.015, 1e-12);
    dWorldDestroy(w);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* ---- on three bodies --------------------------------------------------------------------------------------------- */

/* the sum of three vertical accelerations, and, dependent, twice that sum */
static int sums(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)b, (void)data;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < c->count; k++) A[6 * (c->count * i + k) + 2] = 1 + i;
    return 0;
}

/* Balls of 1, 2 and 3 kg may not fall in the sum: lambda = 3 g / (1 + 1/2 + 1/3), and each gains h (lambda / m - g).
 * The first one leaves 100 contacts, with which the island has too many rows for a dense Schur complement. */
static void threeBodies(void)
{
    const double h = 0.01, lambda = 18 * g / 11;
    const dWorldID w = worldOf(&ways[0]);
    dBodyID body[3];
    double force[18];
    for (int k = 0; k < 3; k++) body[k] = ball(w, 1 + k, k, 0, 5);
    const ukConstraintID c = ukConstraintCreate(w, 2, body, 3, sums, NULL);
    for (int i = 0; i < 2; i++) CHECK(c && ukConstraintSetBounds(c, i, 0, INFINITY) == 0);
    dContact contact = {.surface = {.mu = 1}, .geom = {.pos = {0, 0, 5}, .normal = {0, 0, 1}}};
    const dJointGroupID group = dJointGroupCreate(0);
    for (int k = 0; k < 100; k++) dJointAttach(dJointCreateContact(w, group, &contact), body[0], NULL);
    stepChecked(w, h);
    CHECK(ukConstraintGetForce(c, force) == 0);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(dBodyGetLinearVel(body[k])[2], h * (lambda / (1 + k) - g), 1e-11);
        CHECK_NEAR(force[6 * k + 2], lambda, 1e-8);
    }
    dJointGroupDestroy(group);
    dWorldDestroy(w);
}

static void allocatesNothing(const Way *way)
{
    const dWorldID w = worldOf(way);
    const dBodyID bead = ball(w, 1, 0, 0, 0.01);
    floorUnder(w, bead, 0.5);
    for (int i = 0; i < 50; i++) stepChecked(w, 0.005);
    dBodySetPosition(bead, 0, 0, 0.01);
    const long before = allocations;
    for (int i = 0; i < 50; i++) stepChecked(w, 0.005);
    if (!CHECK(allocations == before)) printf("%s: %ld allocations\n", way->name, allocations - before);
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE();
    for (int k = 0; k < Discrete; k++)
        for (int i = 0; i < 4; i++) asContacts(&ways[k], i % 2, i < 2 ? 0 : 0.5);
    for (int k = Discrete; k < Ways - 1; k++)
        for (int i = 0; i < 4 && ways[k].stabilization == ukStabilizeProjection; i++)
            asAdaptive(&ways[k], i % 2, i < 2 ? 0 : 0.5);
    for (int k = 0; k < Ways; k++) {
        bounces(&ways[k]);
        slides(&ways[k]);
        allocatesNothing(&ways[k]);
    }
    threeBodies();
    motorAgainstLoad();
    boundedAcceleration(-1, 1.5);
    boundedAcceleration(-INFINITY, 1);
    boundedServo();
    dCloseODE();
    return ukTestEnd();
}
