/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call of a user's function has the time of the state that it is called with: a body moves uniformly beside
 * others, of the same island, whose events divide the step (friction that sticks and lets go, motors, stops, one-sided
 * rows, switching functions and times, RATTLE's parts), so that its place tells the time. Forces, constraints, error
 * functions and switching functions, under every integrator, in and between steps. */
#include <math.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double v = 0.3, g = 9.81, h = 0.02;

typedef struct Clock {
    double worst, last;
    long calls[4], within; /* by function; at times within a step */
} Clock;

static void look(Clock *c, int which, const ukConstraintContext *context)
{
    const double expected = context->bodies[0].position[0] / v;
    c->worst = fmax(c->worst, fabs(expected - context->time));
    c->calls[which]++;
    const double part = context->time / h - floor(context->time / h);
    c->within += part > 0.01 && part < 0.99 && fabs(part - 0.5) > 0.01;
    c->last = context->time;
}

static int force(const ukConstraintContext *context, double *f, void *data)
{
    (void)f;
    look(data, 0, context);
    return 0;
}

/* y of the body is 0.2 t */
static int rows(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)b;
    look(data, 1, context);
    A[1] = 1;
    return 0;
}

static int errors(const ukConstraintContext *context, double *phi, double *psi, void *data)
{
    look(data, 2, context);
    phi[0] = context->bodies[0].position[1] - 0.2 * context->time;
    psi[0] = context->bodies[0].velocity[1] - 0.2;
    return 0;
}

static int above(const ukConstraintContext *context, double *value, void *data)
{
    look(data, 3, context);
    *value = 1 + context->time;
    return 0;
}

/* ---- what happens beside it: the second body is moved along y ---------------------------------------------------- */

static int ramp(const ukConstraintContext *context, double *f, void *data)
{
    (void)data;
    f[1] = 15 * sin(7 * context->time);
    return 0;
}

static int place(const ukConstraintContext *context, double *value, void *data)
{
    *value = context->bodies->position[1] - *(const double *)data;
    return 0;
}

typedef struct Pull {
    ukSwitchID at[2];
} Pull;

static int pulled(const ukConstraintContext *context, double *f, void *data)
{
    const Pull *const p = data;
    f[1] = -60 * context->bodies->position[1] + 4 * ukSwitchGetSide(p->at[0]) - 3 * ukSwitchGetSide(p->at[1]);
    return 0;
}

static int wall(const ukConstraintContext *context, double *A, double *b, void *data)
{
    (void)context, (void)b, (void)data;
    A[1] = -1;
    return 0;
}

static int gap(const ukConstraintContext *context, double *phi, double *psi, void *data)
{
    (void)data;
    phi[0] = 0.1 - context->bodies->position[1];
    psi[0] = -context->bodies->velocity[1];
    return 0;
}

static dJointID rail(dWorldID w, dBodyID b)
{
    const dJointID j = dJointCreateSlider(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetSliderAxis(j, 0, 1, 0);
    return j;
}

static Pull pull;

static void friction(dWorldID w, dBodyID b)
{
    CHECK(ukJointSetCoulomb(rail(w, b), 0.3, 0) == 0 && ukForceCreate(w, &b, 1, ramp, NULL));
}
static void motor(dWorldID w, dBodyID b)
{
    const dJointID j = rail(w, b);
    dJointSetSliderParam(j, dParamVel, 0.4);
    dJointSetSliderParam(j, dParamFMax, 3);
    CHECK(ukForceCreate(w, &b, 1, ramp, NULL) != NULL);
}
static void stop(dWorldID w, dBodyID b)
{
    const dJointID j = rail(w, b);
    dJointSetSliderParam(j, dParamLoStop, -0.1);
    dJointSetSliderParam(j, dParamHiStop, 0.1);
    dJointSetSliderParam(j, dParamBounce, 0.5);
    CHECK(ukForceCreate(w, &b, 1, ramp, NULL) != NULL);
}
static void oneSided(dWorldID w, dBodyID b)
{
    rail(w, b);
    const ukConstraintID c = ukConstraintCreate(w, 1, &b, 1, wall, NULL);
    CHECK(ukConstraintSetError(c, gap, NULL) == 0 && ukConstraintSetOneSided(c, 0) == 0);
    CHECK(ukForceCreate(w, &b, 1, ramp, NULL) != NULL);
}
static void switching(dWorldID w, dBodyID b)
{
    static double from = 0.02, to = -0.03;
    rail(w, b);
    pull.at[0] = ukSwitchCreate(w, &b, 1, place, &from), pull.at[1] = ukSwitchCreate(w, &b, 1, place, &to);
    CHECK(ukForceCreate(w, &b, 1, pulled, &pull) != NULL);
    dBodySetPosition(b, 5, 0.3, 0);
}
static void times(dWorldID w, dBodyID b)
{
    CHECK(ukForceCreate(w, &b, 1, ramp, NULL) != NULL);
    for (int i = 0; i < 8; i++) CHECK(ukWorldSetSwitch(w, 0.0831 * (i + 1)) == 0);
}
static void rotor(dWorldID w, dBodyID b)
{
    const dJointID j = dJointCreateBall(w, NULL);
    dJointAttach(j, b, NULL);
    dJointSetBallAnchor(j, 5, 0, 0.5);
    dBodySetAngularVel(b, 200, 20, 0);
    dBodySetLinearVel(b, 0, 100, 0);
}

typedef struct Scene {
    const char *name;
    void (*make)(dWorldID, dBodyID);
    bool continuous[4]; /* by integrator */
} Scene;

static const ukIntegrator integrators[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorAdaptive,
                                           ukIntegratorRattle};
static const Scene scenes[] = {
    {"friction", friction, {0, 1, 1, 1}},  {"motor", motor, {0, 0, 1, 0}},         {"stop", stop, {0, 1, 1, 1}},
    {"one-sided", oneSided, {0, 1, 1, 1}}, {"switching", switching, {0, 1, 1, 1}}, {"times", times, {0, 1, 1, 1}},
    {"rotor", rotor, {0, 1, 1, 1}},
};

/* switched: with a switching function, whose islands are integrated part by part */
static void observe(const Scene *scene, int which, bool switched)
{
    const dWorldID w = newWorld(g);
    const dBodyID body[2] = {ball(w, 1, 0, 0, 0), box(w, 1.5, 5, 0, 0)};
    Clock clock = {0};
    const ukConstraintID c = ukConstraintCreate(w, 1, body, 2, rows, &clock);
    CHECK(ukConstraintSetError(c, errors, &clock) == 0 && ukForceCreate(w, body, 2, force, &clock) != NULL);
    CHECK(!switched || ukSwitchCreate(w, body, 2, above, &clock) != NULL);
    CHECK(ukWorldSetIntegrator(w, integrators[which]) == 0);
    dBodySetLinearVel(body[0], v, 0.2, 0);
    scene->make(w, body[1]);
    ukReport report;
    int parts = 0, taken = 0;
    for (int i = 0; i < 40; i++) {
        if (ukWorldStep(w, h) != 1) {
            CHECK(scene->make == rotor && integrators[which] == ukIntegratorRK4); /* too long for it */
            break;
        }
        taken++;
        CHECK(ukWorldGetReport(w, &report) == 0);
        if (!CHECK((report.discrete_islands == 0) == (scene->continuous[which] || which == 0)))
            printf("%s: %d discrete under %d\n", scene->name, report.discrete_islands, integrators[which]);
        parts += report.substeps;
        if (i % 8 == 0) CHECK(ukWorldEvaluate(w) == 0);
        if (!CHECK(clock.worst <
                   (integrators[which] == ukIntegratorAdaptive ? 1e-5 : 1e-9))) { /* differences of forces */
            printf("%s under %d, step %d: %g s\n", scene->name, integrators[which], i, clock.worst);
            break;
        }
    }
    for (int k = 0; k < 3 + switched; k++) CHECK(clock.calls[k] >= taken);
    if (scene->continuous[which] && taken > 0) CHECK(clock.within > 0 && (scene->make != rotor || parts > 10));
    dWorldDestroy(w);
}

int main(void)
{
    dInitODE2(0);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (int k = 0; k < 4; k++) observe(&scenes[i], k, false), observe(&scenes[i], k, true);
    dCloseODE();
    return ukTestEnd();
}
