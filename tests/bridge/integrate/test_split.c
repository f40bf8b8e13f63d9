/* SPDX-License-Identifier: BSD-3-Clause */
/* The split correction (ukStabilizeSplit): position errors move poses as far as ERP does, and leave no speed behind. */
#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/check.h"
#include "tests/support/random_world.h"

#include <string.h>

static const double h = 0.01;

static dBodyID ballAt(dWorldID w, double mass, double z)
{
    const dBodyID b = dBodyCreate(w);
    dMass m;
    dMassSetSphereTotal(&m, mass, 0.5);
    dBodySetMass(b, &m);
    dBodySetPosition(b, 0, 0, z);
    return b;
}

static dWorldID world(ukStabilization kind)
{
    const dWorldID w = dWorldCreate();
    CHECK(ukWorldSetStabilization(w, kind, 0, 0) == 0);
    return w;
}

/* a ball of radius 0.5 m on the plane z = 0, without friction */
static dJointID touch(dWorldID w, dBodyID b, const dSurfaceParameters *surface)
{
    dContact c;
    memset(&c, 0, sizeof c);
    c.surface = *surface;
    c.geom.depth = 0.5 - dBodyGetPosition(b)[2];
    c.geom.normal[2] = 1;
    memcpy(c.geom.pos, dBodyGetPosition(b), 2 * sizeof(dReal));
    const dJointID j = dJointCreateContact(w, 0, &c);
    dJointAttach(j, b, 0);
    return j;
}

/* ---- one contact ------------------------------------------------------------------------------------------------- */

typedef struct Hit {
    dSurfaceParameters surface;
    double depth, speed, layer, most; /* most: of the correcting velocity; 0: as ODE has it */
} Hit;

/* height and speed after one step, less those before */
static void hit(const Hit *s, ukStabilization kind, double *rise, double *speed)
{
    const dWorldID w = world(kind);
    const dBodyID b = ballAt(w, 2, 0.5 - s->depth);
    dBodySetLinearVel(b, 0, 0, s->speed);
    dWorldSetContactSurfaceLayer(w, s->layer);
    if (s->most > 0) dWorldSetContactMaxCorrectingVel(w, s->most);
    touch(w, b, &s->surface);
    CHECK(ukWorldStep(w, h) == 1);
    ukReport r;
    CHECK(ukWorldGetReport(w, &r) == 0 && r.ok);
    *rise = dBodyGetPosition(b)[2] - (0.5 - s->depth);
    *speed = dBodyGetLinearVel(b)[2];
    dWorldDestroy(w);
}

/* what a contact may keep: 1e-4 of its reach, the ball's radius of gyration */
static const double kept = 0.5e-4;

static void contacts(void)
{
    const double erp = 0.2;
    double rise, speed;
    const Hit deep = {.depth = 0.02}, layered = {.depth = 0.02, .layer = 0.015},
              within = {.depth = 0.01, .layer = 0.015};
    hit(&deep, ukStabilizeErp, &rise, &speed);
    CHECK_NEAR(rise, erp * 0.02, 1e-9);
    CHECK_NEAR(speed, erp * 0.02 / h, 1e-7); /* thrown */
    hit(&deep, ukStabilizeSplit, &rise, &speed);
    CHECK_NEAR(rise, erp * 0.02, erp * kept);
    CHECK_NEAR(speed, 0, 1e-15);
    hit(&layered, ukStabilizeSplit, &rise, &speed);
    CHECK_NEAR(rise, erp * 0.005, erp * kept);
    CHECK_NEAR(speed, 0, 1e-15);
    hit(&within, ukStabilizeSplit, &rise, &speed);
    CHECK(rise == 0 && speed == 0);

    const Hit slow = {.depth = 0.02, .most = 0.1}, leaves = {.depth = 0.02, .speed = 0.3},
              flees = {.depth = 0.02, .speed = 1};
    hit(&slow, ukStabilizeSplit, &rise, &speed);
    CHECK_NEAR(rise, 0.1 * h, 0.01 * 0.1 * h);
    CHECK_NEAR(speed, 0, 1e-15);
    hit(&leaves, ukStabilizeSplit, &rise, &speed); /* what it does by itself counts */
    CHECK_NEAR(rise, erp * 0.02, erp * kept);
    CHECK_NEAR(speed, 0.3, 1e-12);
    hit(&flees, ukStabilizeSplit, &rise, &speed);
    CHECK_NEAR(rise, 1 * h, 1e-12);
    CHECK_NEAR(speed, 1, 1e-12);
}

/* restitution stays, be the rebound faster than the correction or not; a gap may be closed */
static void restitution(void)
{
    double rise, speed;
    Hit s = {.depth = 0.02, .speed = -2, .surface = {.mode = dContactBounce, .bounce = 0.5, .bounce_vel = 0.1}};
    hit(&s, ukStabilizeSplit, &rise, &speed);
    CHECK_NEAR(speed, 1, 1e-7);
    CHECK_NEAR(rise, 0.01, 1e-9);
    s.speed = -0.4;
    hit(&s, ukStabilizeErp, &rise, &speed);
    CHECK_NEAR(speed, 0.4, 1e-7); /* ERP's */
    hit(&s, ukStabilizeSplit, &rise, &speed);
    CHECK_NEAR(speed, 0.2, 1e-7);
    CHECK_NEAR(rise, 0.2 * 0.02, 0.2 * kept);
    const Hit gap = {.depth = -0.003, .speed = -2, .surface = {.mode = dContactMotionN, .motionN = -0.003 / h}};
    hit(&gap, ukStabilizeSplit, &rise, &speed);
    CHECK_NEAR(rise, -0.003, 1e-9);
    CHECK_NEAR(speed, -0.3, 1e-7);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* A pendulum whose anchor has come off by a tenth: the pose goes where ERP takes it, the speed is that of none. */
static void openJoint(void)
{
    dReal x[2][3], v[2][3];
    for (int k = 0; k < 2; k++) {
        const dWorldID w = world(k ? ukStabilizeSplit : ukStabilizeErp);
        const dBodyID b = ballAt(w, 2, 0);
        const dJointID j = dJointCreateBall(w, 0);
        dJointAttach(j, b, 0);
        dJointSetBallAnchor(j, 0.3, 0.2, 1);
        dBodySetPosition(b, 0.1, 0, 0);
        CHECK(ukWorldStep(w, h) == 1);
        memcpy(x[k], dBodyGetPosition(b), sizeof x[k]);
        memcpy(v[k], dBodyGetLinearVel(b), sizeof v[k]);
        dWorldDestroy(w);
    }
    CHECK_NEAR_ALL(x[0], x[1], 3, 1e-12);
    CHECK(dCalcVectorLength3(v[0]) > 0.5 && dCalcVectorLength3(v[1]) < 1e-12);
}

/* A user's constraint with an error function, z = 0, is corrected likewise. */
static int plane(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)data;
    A[2] = 1;
    b[0] = 0;
    return 0;
}

static int planeError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies[0].position[2];
    psi[0] = c->bodies[0].velocity[2];
    return 0;
}

static void usersConstraint(void)
{
    const dWorldID w = world(ukStabilizeSplit);
    const dBodyID b = ballAt(w, 2, 0.1);
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, plane, NULL);
    CHECK(c && ukConstraintSetError(c, planeError, NULL) == 0);
    CHECK(ukWorldStep(w, h) == 1);
    CHECK_NEAR(dBodyGetPosition(b)[2], 0.08, 1e-12);
    CHECK_NEAR(dBodyGetLinearVel(b)[2], 0, 1e-15);
    dWorldDestroy(w);
}

/* ERP and CFM that make a spring stay one: a soft contact swings as under ODE's law. */
static void spring(void)
{
    const double kp = 400, kd = 4, mass = 2, g = 9.81;
    double z[2] = {0}, least[2] = {1, 1};
    for (int k = 0; k < 2; k++) {
        const dWorldID w = world(k ? ukStabilizeSplit : ukStabilizeErp);
        const dBodyID b = ballAt(w, mass, 0.5);
        const dSurfaceParameters soft = {.mode = dContactSoftERP | dContactSoftCFM,
                                         .soft_erp = h * kp / (h * kp + kd),
                                         .soft_cfm = 1 / (h * kp + kd)};
        dWorldSetGravity(w, 0, 0, -g);
        for (int i = 0; i < 100; i++) {
            const dJointID j = touch(w, b, &soft);
            CHECK(ukWorldStep(w, h) == 1);
            dJointDestroy(j);
            z[k] = dBodyGetPosition(b)[2] - 0.5;
            least[k] = fmin(least[k], z[k]);
        }
        dWorldDestroy(w);
    }
    CHECK_NEAR(z[0], z[1], 1e-12);
    CHECK_NEAR(least[0], least[1], 1e-12);
    CHECK(least[0] < 1.3 * -mass * g / kp); /* it does swing */
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

typedef struct Books {
    double stabilization, gap;
    int rejected;
} Books;

static Books run(Scene *s, ukStabilization kind, int steps)
{
    Books out = {0};
    CHECK(ukWorldSetStabilization(s->world, kind, 0, 0) == 0 && ukWorldSetLedger(s->world, 1) == 0);
    for (int i = 0; i < steps; i++) {
        ukReport r = {0};
        CHECK(sceneStep(s, h, ukWorldStep) == 1);
        CHECK(ukWorldGetReport(s->world, &r) == 0);
        out.rejected += !r.ok;
        out.gap = fmax(out.gap, sceneGap(s));
    }
    ukLedger l;
    CHECK(ukWorldGetLedger(s->world, &l) == 0);
    CHECK(fabs(l.residual) < 1e-9 * (l.kinetic + fabs(l.potential - l.potential_start)));
    out.stabilization = l.stabilization;
    return out;
}

static void gapsStayWithinErps(void)
{
    const struct {
        const char *name;
        int n, steps;
    } scene[] = {{"chain", 20, 200},   {"loop", 12, 200},  {"net", 4, 100},      {"tree", 15, 200},
                 {"ragdolls", 1, 200}, {"walker", 1, 200}, {"four_bar", 0, 300}, {"bricard", 0, 100}};
    for (size_t i = 0; i < sizeof scene / sizeof *scene; i++) {
        Books books[2];
        for (int k = 0; k < 2; k++) {
            Scene *s = sceneByName(scene[i].name, scene[i].n);
            books[k] = run(s, k ? ukStabilizeSplit : ukStabilizeErp, scene[i].steps);
            sceneDestroy(s);
        }
        printf("%s: gap %.2e m, ERP's %.2e; stabilisation %.2e J, ERP's %.2e\n", scene[i].name, books[1].gap,
               books[0].gap, books[1].stabilization, books[0].stabilization);
        CHECK(books[1].gap <= 1.1 * books[0].gap + 1e-9);
        CHECK(books[1].stabilization <= 0);
        CHECK(books[1].rejected == 0);
    }
}

/* Ten steps of a random world: joints of all types, stops, motors, springs, contacts with any surface. What the
 * correction gave its bodies, of the energy turned over; NAN: a step was not certified. */
static double givenTo(uint64_t seed, ukStabilization kind)
{
    const RandomWorldKind any = {.types = randomEqualityTypes,
                                 .cfm_lo = 1e-10,
                                 .cfm_hi = 1e-5,
                                 .stops = 1,
                                 .bounded_motors = 1,
                                 .contacts = 4,
                                 .friction = 1,
                                 .finite_mu = 1};
    RandomWorld w;
    ukLedger l;
    ukReport r;
    double turned = 0;
    bool certified = true;
    randomWorldBuild(&w, seed, &any);
    CHECK(ukWorldSetStabilization(w.world, kind, 0, 0) == 0 && ukWorldSetLedger(w.world, 1) == 0);
    for (int i = 0; i < 10; i++) {
        CHECK(ukWorldStep(w.world, h) == 1);
        CHECK(ukWorldGetPower(w.world, &l) == 0 && ukWorldGetReport(w.world, &r) == 0);
        turned += h * (fabs(l.ideal) + fabs(l.integration) + fabs(l.stabilization));
        certified &= r.ok;
    }
    CHECK(ukWorldGetLedger(w.world, &l) == 0);
    randomWorldDestroy(&w);
    return !certified ? NAN : turned > 0 ? l.stabilization / turned : 0;
}

static void neverGives(void)
{
    const int worlds = ukTestRounds(1000);
    int thrown = 0, doubtful = 0;
    double most = -INFINITY;
    for (uint64_t seed = 1; seed <= (uint64_t)worlds; seed++) {
        const double given = givenTo(seed, ukStabilizeSplit);
        thrown += givenTo(seed, ukStabilizeErp) > 0;
        doubtful += isnan(given);
        most = fmax(most, given);
    }
    printf("ERP gives energy to %d worlds of %d; the split correction at most %.1e of what is turned over, %d worlds "
           "with a step that is not certified\n",
           thrown, worlds, most, doubtful);
    CHECK(thrown > worlds / 2 && doubtful <= worlds / 100);
    CHECK(most <= 1e-12);
}

/* ---- as every step ----------------------------------------------------------------------------------------------- */

static int samePoses(const Scene *x, const Scene *y)
{
    for (int i = 0; i < x->count; i++)
        if (memcmp(dBodyGetPosition(x->bodies[i]), dBodyGetPosition(y->bodies[i]), 3 * sizeof(dReal)) != 0 ||
            memcmp(dBodyGetQuaternion(x->bodies[i]), dBodyGetQuaternion(y->bodies[i]), 4 * sizeof(dReal)) != 0 ||
            memcmp(dBodyGetLinearVel(x->bodies[i]), dBodyGetLinearVel(y->bodies[i]), 3 * sizeof(dReal)) != 0)
            return 0;
    return 1;
}

static void threads(void)
{
    Scene *s[2];
    for (int k = 0; k < 2; k++) {
        s[k] = sceneByName("ragdolls", 3);
        CHECK(ukWorldSetStabilization(s[k]->world, ukStabilizeSplit, 0, 0) == 0);
        CHECK(ukWorldSetThreads(s[k]->world, k ? 4 : 1) == 0);
    }
    for (int i = 0; i < 150; i++)
        for (int k = 0; k < 2; k++) CHECK(sceneStep(s[k], h, ukWorldStep) == 1);
    CHECK(samePoses(s[0], s[1]));
    for (int k = 0; k < 2; k++) sceneDestroy(s[k]);
}

static void failedStep(void)
{
    const dWorldID w = world(ukStabilizeSplit);
    const dBodyID bad = ballAt(w, 1, 9), b = ballAt(w, 2, 0.48); /* ODE steps the newest first */
    const dSurfaceParameters hard = {0};
    touch(w, b, &hard);
    dBodyAddForce(bad, NAN, 0, 0);
    for (int k = 0; k < 3; k++) CHECK(ukWorldStep(w, h) == 0);
    CHECK(dBodyGetPosition(b)[2] == 0.48 && dBodyGetLinearVel(b)[2] == 0);
    dBodySetForce(bad, 0, 0, 0);
    CHECK(ukWorldStep(w, h) == 1 && dBodyGetPosition(b)[2] > 0.483);
    dWorldDestroy(w);
}

/* Under RK4 what can be integrated in the continuous form is projected; islands with contacts are split. */
static void underRk4(void)
{
    Scene *s = sceneByName("chain", 5);
    ukReport r;
    CHECK(ukWorldSetIntegrator(s->world, ukIntegratorRK4) == 0);
    const Books books = run(s, ukStabilizeSplit, 50);
    CHECK(ukWorldGetReport(s->world, &r) == 0 && r.discrete_islands == 0);
    CHECK(books.gap < 1e-12);
    sceneDestroy(s);
    const dWorldID w = world(ukStabilizeSplit);
    const dBodyID b = ballAt(w, 2, 0.48);
    const dSurfaceParameters hard = {0};
    touch(w, b, &hard);
    CHECK(ukWorldSetIntegrator(w, ukIntegratorRK4) == 0 && ukWorldStep(w, h) == 1);
    CHECK(ukWorldGetReport(w, &r) == 0 && r.discrete_islands == 1);
    CHECK_NEAR(dBodyGetPosition(b)[2], 0.484, 0.2 * kept);
    CHECK_NEAR(dBodyGetLinearVel(b)[2], 0, 1e-15);
    dWorldDestroy(w);
}

/* Islands of many rows: every step of a falling pile is certified. */
static void pileIsCertified(void)
{
    Scene *s = sceneByName("pile", 200);
    double worst = 0;
    CHECK(ukWorldSetStabilization(s->world, ukStabilizeSplit, 0, 0) == 0 && ukWorldEnable(s->world) == 0);
    for (int i = 0; i < ukTestRounds(300); i++) {
        ukReport r = {0};
        CHECK(sceneStep(s, h, dWorldStep) && ukWorldGetReport(s->world, &r) == 0 && r.ok);
        if (r.complementarity > worst) worst = r.complementarity;
    }
    printf("pile of 200, split: largest residual %.1e\n", worst);
    CHECK(worst <= 1e-9);
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    contacts();
    restitution();
    openJoint();
    usersConstraint();
    spring();
    gapsStayWithinErps();
    neverGives();
    threads();
    failedStep();
    underRk4();
    pileIsCertified();
    dCloseODE();
    return ukTestEnd();
}
