/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided rows of user constraints beside what else a world has: they move bodies as frictionless contacts of the same
 * place do, with restitution, stops, hinges attached in both orders, the split correction and Baumgarte's; bounces of
 * closed form; dry friction by a law; steps that allocate nothing. */
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
enum { Ways = sizeof ways / sizeof *ways, Discrete = Ways - 1 };

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

/* ---- as a contact does --------------------------------------------------------------------------------------------- */

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

/* ---- bounces ------------------------------------------------------------------------------------------------------- */

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
    CHECK_NEAR(dBodyGetPosition(bead)[2], top, way->integrator == ukIntegratorAdaptive ? 1e-9 : 0.01);
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

/* ---- laws ---------------------------------------------------------------------------------------------------------- */

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

/* ---- memory -------------------------------------------------------------------------------------------------------- */

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
    for (int k = 0; k < Ways; k++) {
        bounces(&ways[k]);
        slides(&ways[k]);
        allocatesNothing(&ways[k]);
    }
    dCloseODE();
    return ukTestEnd();
}
