/* SPDX-License-Identifier: BSD-3-Clause */
/* Switching functions: RK4 and RATTLE keep their order, and adaptive its tolerance, where a law, a user force or the
 * law of a user constraint changes abruptly at a position; against a closed form. Motions that start at the zero, and
 * those that are driven back to it from both sides; save and restore, ledger, errors. */
#include <math.h>
#include <stdlib.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"

/* m x'' = -k x - f on the side x >= 0, -K x + F on the other one; starts at rest at x = a */
static const double mass = 2, k = 50, f = 9, K = 30, F = 4, a = 0.3, last = 1.2;

static double forceAt(double x, int side)
{
    return side > 0 ? -k * x - f : -K * x + F;
}

/* position and velocity at t: harmonic motions about -f/k and F/K, from zero to zero */
static void exact(double t, double x[2])
{
    const double w = sqrt(k / mass), W = sqrt(K / mass), e = f / k, E = F / K, A = a + e;
    const double speed = w * sqrt(A * A - e * e), B = sqrt(E * E + speed * speed / (W * W));
    const double half = acos(e / A) / w, Half = acos(E / B) / W; /* of the time on either side */
    t = fmod(t, 2 * (half + Half));
    if (t > half + 2 * Half) t -= 2 * (half + Half);
    const bool positive = t < half;
    if (!positive) t -= half + Half;
    x[0] = positive ? A * cos(w * t) - e : E - B * cos(W * t);
    x[1] = positive ? -A * w * sin(w * t) : B * W * sin(W * t);
}

typedef enum Kind { JointLaw, UserForce, ConstraintLaw, Kinds } Kind;

/* what the functions get: their switching function; NULL: they compare positions */
typedef struct Scene {
    dWorldID world;
    dBodyID body;
    ukSwitchID zero;
} Scene;

static int sideOf(const Scene *scene, double x)
{
    return scene->zero ? ukSwitchGetSide(scene->zero) : x < 0 ? -1 : 1;
}

static int position(const ukConstraintContext *c, double *value, void *data)
{
    (void)data;
    *value = c->bodies->position[0];
    return 0;
}

static void ofJoint(const ukNonIdealContext *c, double force_and_torque[2][6], void *data)
{
    const int b = c->body[0] ? 0 : 1;
    const double x = c->body[b]->position[0];
    force_and_torque[b][0] = forceAt(x, sideOf(data, x));
}

static int ofForce(const ukConstraintContext *c, double *force, void *data)
{
    const double x = c->bodies->position[0];
    force[0] = forceAt(x, sideOf(data, x));
    return 0;
}

static void ofConstraint(const ukConstraintContext *c, const double *ideal, double *force, void *data)
{
    (void)ideal;
    ofForce(c, force, data);
}

/* y and z stay */
static int guide(const ukConstraintContext *c, double *A, double *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[1] = A[6 + 2] = 1;
    return 0;
}

/* swapped: the joint is attached to the static world first */
static void makeScene(ukIntegrator integrator, Kind kind, bool swapped, bool switching, Scene *s)
{
    dMass m;
    *s = (Scene){.world = dWorldCreate()};
    dMassSetSphereTotal(&m, mass, 0.1);
    s->body = dBodyCreate(s->world);
    dBodySetMass(s->body, &m);
    dBodySetPosition(s->body, a, 0, 0);
    dWorldSetGravity(s->world, 0, 0, -9.81);
    CHECK(ukWorldSetIntegrator(s->world, integrator) == 0);
    CHECK(ukWorldSetTolerance(s->world, 1e-11, 0) == 0);
    if (switching) s->zero = ukSwitchCreate(s->world, &s->body, 1, position, NULL);
    CHECK((s->zero != NULL) == switching);
    if (kind == ConstraintLaw) {
        const ukConstraintID c = ukConstraintCreate(s->world, 2, &s->body, 1, guide, NULL);
        CHECK(ukConstraintSetNonIdeal(c, ofConstraint, s) == 0);
        return;
    }
    const dJointID slider = dJointCreateSlider(s->world, NULL);
    dJointAttach(slider, swapped ? NULL : s->body, swapped ? s->body : NULL);
    dJointSetSliderAxis(slider, 1, 0, 0);
    CHECK(kind == JointLaw ? ukJointSetNonIdeal(slider, ofJoint, s) == 0
                           : ukForceCreate(s->world, &s->body, 1, ofForce, s) != NULL);
}

static void run(const Scene *s, double h, int steps)
{
    ukReport report;
    for (int i = 0; i < steps; i++) {
        if (!CHECK(ukWorldStep(s->world, h) == 1)) printf("%s\n", ukGetLastErrorMessage());
        ukWorldGetReport(s->world, &report);
        CHECK(report.ok == 1 && report.discrete_islands == 0);
    }
}

static double errorOf(const Scene *s, double t)
{
    double x[2];
    exact(t, x);
    return hypot(dBodyGetPosition(s->body)[0] - x[0], dBodyGetLinearVel(s->body)[0] - x[1]);
}

static double errorAfter(ukIntegrator integrator, Kind kind, bool swapped, bool switching, double h)
{
    Scene s;
    makeScene(integrator, kind, swapped, switching, &s);
    run(&s, h, (int)lround(last / h));
    const double error = errorOf(&s, last);
    dWorldDestroy(s.world);
    return error;
}

static void order(ukIntegrator integrator, Kind kind, bool swapped)
{
    const double ratio = integrator == ukIntegratorRK4 ? 16 : 4;
    double error[3], blind[3];
    for (int i = 0; i < 3; i++) {
        error[i] = errorAfter(integrator, kind, swapped, true, 0.02 / (1 << i));
        blind[i] = errorAfter(integrator, kind, swapped, false, 0.02 / (1 << i));
        /* the side of the start of the step is what a comparison finds there */
        if (integrator == ukIntegratorEuler) CHECK(error[i] == blind[i]);
    }
    if (integrator == ukIntegratorEuler) return;
    CHECK(error[0] / error[2] > 0.6 * ratio * ratio && error[0] / error[2] < 1.8 * ratio * ratio);
    CHECK(blind[2] > 10 * error[2] && blind[0] / blind[2] < 16); /* of first order; it depends on where in the step */
    if (integrator == ukIntegratorRK4) CHECK(error[2] < 1e-7 && blind[2] > 1e-3);
}

static void adaptive(Kind kind, bool swapped)
{
    int rejected[2] = {0, 0};
    for (int switching = 0; switching < 2; switching++) {
        Scene s;
        makeScene(ukIntegratorAdaptive, kind, swapped, switching, &s);
        for (int i = 0; i < 60; i++) {
            ukReport report;
            run(&s, last / 60, 1);
            ukWorldGetReport(s.world, &report);
            rejected[switching] += report.rejected;
        }
        CHECK_NEAR(errorOf(&s, last), 0, 3e-9);
        dWorldDestroy(s.world);
    }
    CHECK(rejected[0] > 10 && rejected[1] * 3 < rejected[0]);
}

/* restored in the middle of a run, and in another world that was built the same way */
static void saved(ukIntegrator integrator)
{
    Scene x, y;
    unsigned char first[16], second[16], third[16];
    makeScene(integrator, JointLaw, false, true, &x);
    makeScene(integrator, JointLaw, false, true, &y);
    for (int i = 0; i < 17; i++) CHECK(ukWorldStep(x.world, 0.02) == 1);
    const size_t size = ukWorldSave(x.world, NULL, 0);
    void *const bytes = malloc(size);
    if (!CHECK(bytes && ukWorldSave(x.world, bytes, size) == size)) exit(1);
    for (int i = 0; i < 20; i++) CHECK(ukWorldStep(x.world, 0.02) == 1);
    CHECK(ukWorldHash(x.world, first) == 0);
    CHECK(ukWorldRestore(x.world, bytes, size) == 0 && ukWorldRestore(y.world, bytes, size) == 0);
    for (int i = 0; i < 20; i++) CHECK(ukWorldStep(x.world, 0.02) == 1 && ukWorldStep(y.world, 0.02) == 1);
    CHECK(ukWorldHash(x.world, second) == 0 && ukWorldHash(y.world, third) == 0);
    for (int i = 0; i < 16; i++) CHECK(first[i] == second[i] && first[i] == third[i]);
    ukSwitchDestroy(y.zero); /* another kind of world */
    CHECK(ukWorldRestore(y.world, bytes, size) != 0);
    CHECK(ukForceCreate(y.world, &y.body, 1, ofForce, &y) != NULL && ukWorldRestore(y.world, bytes, size) != 0);
    free(bytes);
    dWorldDestroy(x.world);
    dWorldDestroy(y.world);
}

/* the work of the law counts as non-ideal, in each part; what is left is rounding */
static void ledger(ukIntegrator integrator)
{
    Scene s;
    ukLedger l;
    makeScene(integrator, JointLaw, true, true, &s);
    CHECK(ukWorldResetLedger(s.world) == 0);
    run(&s, 0.01, 50);
    CHECK(ukWorldGetLedger(s.world, &l) == 0);
    CHECK_NEAR(l.residual, 0, 1e-11);
    CHECK(fabs(l.nonideal) > 0.1 && fabs(l.integration) < (integrator == ukIntegratorRattle ? 5e-2 : 1e-5));
    dWorldDestroy(s.world);
}

/* starts at the zero with a velocity to either side */
static void fromZero(ukIntegrator integrator, double velocity)
{
    Scene s;
    makeScene(integrator, UserForce, false, true, &s);
    const double w = sqrt((velocity > 0 ? k : K) / mass), e = velocity > 0 ? -f / k : F / K, h = 0.002;
    dBodySetPosition(s.body, 0, 0, 0);
    dBodySetLinearVel(s.body, velocity, 0, 0);
    run(&s, h, 10);
    const double t = 10 * h;
    CHECK_NEAR(dBodyGetPosition(s.body)[0], e - e * cos(w * t) + velocity / w * sin(w * t),
               integrator == ukIntegratorRattle ? 2e-6 : 1e-9);
    CHECK(ukSwitchGetSide(s.zero) == (velocity > 0 ? 1 : -1));
    dWorldDestroy(s.world);
}

/* a friction that a law makes of the side of the velocity, larger than the drive: it stops, and cannot rest */
static int rate(const ukConstraintContext *c, double *value, void *data)
{
    (void)data;
    *value = c->bodies->velocity[0];
    return 0;
}

static int rub(const ukConstraintContext *c, double *force, void *data)
{
    (void)c;
    force[0] = 3 - 7 * ukSwitchGetSide(*(ukSwitchID *)data);
    return 0;
}

static void drivenBack(ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    dMass m;
    ukReport report;
    dMassSetSphereTotal(&m, 1, 1);
    dBodySetMass(body, &m);
    dBodySetLinearVel(body, 0.21, 0, 0); /* at rest after 0.0525 s */
    ukSwitchID side = ukSwitchCreate(world, &body, 1, rate, NULL);
    CHECK(ukWorldSetIntegrator(world, integrator) == 0 && ukForceCreate(world, &body, 1, rub, &side) != NULL);
    int discrete = 0;
    for (int i = 0; i < 20; i++) {
        CHECK(ukWorldStep(world, 0.01) == 1 && ukWorldGetReport(world, &report) == 0);
        discrete += report.discrete_islands;
        CHECK(i >= 5 || discrete == 0);
        if (i < 5) CHECK_NEAR(dBodyGetLinearVel(body)[0], 0.21 - 4 * 0.01 * (i + 1), 1e-12);
        CHECK(i < 5 || fabs(dBodyGetLinearVel(body)[0]) < 0.1 + 1e-12); /* the change of a step */
    }
    CHECK(discrete >= 5); /* whenever it comes back to the zero */
    dWorldDestroy(world);
}

/* two bodies of one island reach their zeros at the same moment, and one a third zero much later */
static int both(const ukConstraintContext *c, double *force, void *data)
{
    const ukSwitchID *of = data;
    for (int i = 0; i < 2; i++)
        force[6 * i] = 2 * ukSwitchGetSide(of[i]) + ukSwitchGetSide(of[2]) + 0.5 * c->bodies[i].position[0];
    return 0;
}

static int second(const ukConstraintContext *c, double *value, void *data)
{
    *value = *(const double *)data - c->bodies[1].position[0];
    return 0;
}

static void together(ukIntegrator integrator)
{
    static double zero = 0.1, third = 0.3;
    dWorldID world[2];
    dBodyID body[2][2];
    dMass m;
    dMassSetSphereTotal(&m, 1, 1);
    for (int w = 0; w < 2; w++) { /* once with steps that are a tenth as long */
        world[w] = dWorldCreate();
        for (int i = 0; i < 2; i++) {
            dBodySetMass(body[w][i] = dBodyCreate(world[w]), &m);
            dBodySetLinearVel(body[w][i], 1, 0, 0);
        }
        ukSwitchID *of = calloc(3, sizeof *of);
        if (!CHECK(of != NULL)) exit(1);
        const dBodyID turned[2] = {body[w][1], body[w][0]};
        of[0] = ukSwitchCreate(world[w], turned, 2, second, &zero);
        of[1] = ukSwitchCreate(world[w], body[w], 2, second, &zero);
        of[2] = ukSwitchCreate(world[w], body[w], 2, second, &third);
        CHECK(ukForceCreate(world[w], body[w], 2, both, of) != NULL);
        CHECK(ukWorldSetIntegrator(world[w], integrator) == 0);
        for (int i = 0; i < (w ? 500 : 50); i++) CHECK(ukWorldStep(world[w], w ? 0.001 : 0.01) == 1);
        for (int i = 0; i < 3; i++) CHECK(ukSwitchGetSide(of[i]) == -1);
        free(of);
    }
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(dBodyGetPosition(body[0][i])[0], dBodyGetPosition(body[1][i])[0],
                   integrator == ukIntegratorRattle ? 1e-5 : 1e-8);
    CHECK_NEAR(dBodyGetPosition(body[0][0])[0], dBodyGetPosition(body[0][1])[0], 1e-12);
    dWorldDestroy(world[0]);
    dWorldDestroy(world[1]);
}

static int fails(const ukConstraintContext *c, double *value, void *data)
{
    (void)c;
    *value = *(const double *)data;
    return *value > 1;
}

static void refused(ukIntegrator integrator)
{
    const dWorldID world = dWorldCreate();
    dBodyID body[2] = {dBodyCreate(world), dBodyCreate(world)};
    double value = 2;
    CHECK(ukWorldSetIntegrator(world, integrator) == 0);
    CHECK(!ukSwitchCreate(NULL, body, 1, fails, &value) && ukGetLastError() == ukErrorHandle);
    CHECK(!ukSwitchCreate(world, NULL, 1, fails, &value) && ukGetLastError() == ukErrorArgument);
    CHECK(!ukSwitchCreate(world, body, 0, fails, &value) && !ukSwitchCreate(world, body, 1, NULL, &value));
    const ukForceID force = ukForceCreate(world, body, 1, ofForce, NULL);
    CHECK(ukSwitchGetSide((ukSwitchID)(void *)force) == 0 && ukGetLastError() == ukErrorHandle);
    ukForceDestroy(force);
    const ukSwitchID s = ukSwitchCreate(world, body, 2, fails, &value);
    CHECK(ukSwitchGetSide(s) == 0 && ukSwitchGetSide(NULL) == 0);
    ukForceDestroy((ukForceID)(void *)s); /* no force */
    CHECK(ukWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorCallback);
    value = NAN;
    CHECK(ukWorldStep(world, 0.01) == 0 && ukGetLastError() == ukErrorCallback);
    value = -1;
    CHECK(ukWorldStep(world, 0.01) == 1 && ukSwitchGetSide(s) == -1);
    value = 0;
    CHECK(ukWorldStep(world, 0.01) == 1 && ukSwitchGetSide(s) == 1);
    value = 2;
    dBodyDestroy(body[1]); /* inactive */
    CHECK(ukWorldStep(world, 0.01) == 1);
    ukSwitchDestroy(s);
    CHECK(ukSwitchGetSide(s) == 0 && ukGetLastError() == ukErrorHandle);
    dWorldDestroy(world);
}

int main(void)
{
    const ukIntegrator all[] = {ukIntegratorEuler, ukIntegratorRK4, ukIntegratorRattle, ukIntegratorAdaptive};
    dInitODE2(0);
    for (Kind kind = 0; kind < Kinds; kind++)
        for (int swapped = 0; swapped < (kind == JointLaw ? 2 : 1); swapped++) {
            for (int i = 0; i < 3; i++) order(all[i], kind, swapped);
            adaptive(kind, swapped);
        }
    for (int i = 0; i < 4; i++) {
        refused(all[i]);
        saved(all[i]);
        if (all[i] == ukIntegratorEuler) continue;
        ledger(all[i]);
        fromZero(all[i], 1);
        fromZero(all[i], -1);
        drivenBack(all[i]);
        together(all[i]);
    }
    dCloseODE();
    return ukTestEnd();
}
