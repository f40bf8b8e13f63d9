/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided rows of user constraints in real worlds, under every integrator: a golf ball leaves a sphere at the angle
 * of the closed form, a bead lands, a rope goes slack and taut, a clutch overruns; and rows of bounded force. */
#include <math.h>
#include <string.h>

#include <ukode/ukode.h>

#include "solvers/base/status.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static const double g = 9.81;

typedef struct Way {
    const char *name;
    ukIntegrator integrator;
    ukJointRule rule;
} Way;

static const Way ways[] = {{"euler", ukIntegratorEuler, ukJointRuleODE},
                           {"exact", ukIntegratorEuler, ukJointRuleExact},
                           {"rk4", ukIntegratorRK4, ukJointRuleODE},
                           {"adaptive", ukIntegratorAdaptive, ukJointRuleODE},
                           {"rattle", ukIntegratorRattle, ukJointRuleODE}};
enum { Ways = sizeof ways / sizeof *ways };

static dWorldID worldOf(const Way *way)
{
    const dWorldID w = newWorld(g);
    CHECK(ukWorldSetIntegrator(w, way->integrator) == 0);
    CHECK(ukWorldSetJointRule(w, way->rule) == 0);
    if (way->integrator == ukIntegratorAdaptive) CHECK(ukWorldSetTolerance(w, 1e-12, 1e-12) == 0);
    return w;
}

static void stepChecked(dWorldID w, double h)
{
    ukReport r;
    CHECK(ukWorldStep(w, h) == 1);
    CHECK(ukWorldGetReport(w, &r) == 0);
    CHECK(r.ok && r.fallbacks == 0);
}

static double dot(const double *x, const double *y)
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* ---- a sphere that is left (data: its radius; negative: from inside)
 * --------------------------------------------------- */

static int outside(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const double *x = c->bodies->position, *v = c->bodies->velocity, r = sqrt(dot(x, x));
    const double side = *(const double *)data > 0 ? 1 : -1, along = dot(x, v) / r;
    for (int k = 0; k < 3; k++) A[k] = side * x[k] / r;
    *b = -side * (dot(v, v) - along * along) / r;
    return 0;
}

static int outsideGap(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const double *x = c->bodies->position, R = *(const double *)data, side = R > 0 ? 1 : -1;
    const double r = sqrt(dot(x, x));
    *phi = side * r - R;
    *psi = side * dot(x, c->bodies->velocity) / r;
    return 0;
}

static ukConstraintID sphereOn(dWorldID w, dBodyID ball, double *R)
{
    const ukConstraintID c = ukConstraintCreate(w, 1, &ball, 1, outside, R);
    CHECK(c && ukConstraintSetError(c, outsideGap, R) == 0 && ukConstraintSetOneSided(c, 0) == 0);
    return c;
}

/* cos of the angle at which the ball leaves, from its horizontal velocity in flight: v^2 = g R cos, v_x = v cos */
static double leaves(const Way *way, double h, double v0, double R)
{
    const dWorldID w = worldOf(way);
    const dBodyID body = ball(w, 1, 0, 0, R);
    const ukConstraintID c = sphereOn(w, body, &R);
    double force[6], gap = 0;
    dBodySetLinearVel(body, v0, 0, 0);
    for (int i = 0; gap < 0.05 * R && i < 10000; i++) {
        stepChecked(w, h);
        const double *x = dBodyGetPosition(body);
        gap = sqrt(dot(x, x)) - R;
        CHECK(gap > -2e-2 * R);
        CHECK(ukConstraintGetForce(c, force) == 0 && dot(force, x) >= -1e-9);
    }
    CHECK(dot(force, force) == 0);
    const double speed = dBodyGetLinearVel(body)[0];
    dWorldDestroy(w);
    return cbrt(speed * speed / (g * R));
}

static void golfBall(void)
{
    const double R = 1.3, v0 = 0.7, exact = (2 + v0 * v0 / (g * R)) / 3;
    for (int k = 0; k < Ways; k++) {
        const double off = fabs(leaves(&ways[k], 0.01, v0, R) - exact),
                     half = fabs(leaves(&ways[k], 0.005, v0, R) - exact);
        printf("%s: cos off by %.3g, %.3g at half the step\n", ways[k].name, off, half);
        if (ways[k].integrator == ukIntegratorAdaptive)
            CHECK(off < 1e-9 && half < 1e-9);
        else if (ways[k].integrator != ukIntegratorEuler) /* of the integrator's order */
            CHECK(half < 1e-5 && half < (ways[k].integrator == ukIntegratorRK4 ? 0.07 : 0.26) * off);
        else
            CHECK(off < 0.02 && half < 0.6 * off);
    }
}

/* ---- a bead above a plane that it may leave ---------------------------------------------------------------------- */

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

/* falls by 0.1 m, lies, and is lifted after 1 s */
static void beadLands(void)
{
    for (int k = 0; k < Ways; k++) {
        const bool exact = ways[k].integrator != ukIntegratorEuler;
        const dWorldID w = worldOf(&ways[k]);
        const dBodyID body = ball(w, 2, 0, 0, 0.1);
        const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, above, NULL);
        double force[6];
        ukLedger ledger;
        CHECK(ukConstraintSetError(c, aboveGap, NULL) == 0 && ukConstraintSetOneSided(c, 0) == 0);
        CHECK(ukWorldSetLedger(w, 1) == 0);
        for (int i = 0; i < 100; i++) stepChecked(w, 0.01);
        CHECK_NEAR(dBodyGetPosition(body)[2], 0, exact ? 1e-10 : 1e-3);
        CHECK_NEAR(dBodyGetLinearVel(body)[2], 0, exact ? 1e-10 : 1e-2);
        CHECK(ukConstraintGetForce(c, force) == 0);
        CHECK_NEAR(force[2], 2 * g, exact ? 1e-10 : 0.5);
        CHECK(ukWorldGetLedger(w, &ledger) == 0);
        CHECK_NEAR(ledger.residual, 0, 1e-9);
        if (exact) CHECK_NEAR(ledger.stops, -2 * g * 0.1, 1e-9);
        for (int i = 0; i < 50; i++) {
            dBodyAddForce(body, 0, 0, 2 * (g + 1));
            stepChecked(w, 0.01);
        }
        CHECK_NEAR(dBodyGetPosition(body)[2], 0.125, exact ? 1e-9 : 0.01);
        CHECK(ukConstraintGetForce(c, force) == 0 && force[2] == 0);
        dWorldDestroy(w);
    }
}

/* Above the plane nothing acts: free fall, from a height that no number of steps divides, to the last step before the
 * plane. A bead that lies on it and is lifted leaves at once, with the acceleration of what is left. */
static void beadIsFree(void)
{
    static const double h = 0.01, lift = 3;
    for (int k = 0; k < Ways; k++) {
        const bool euler = ways[k].integrator == ukIntegratorEuler;
        const dWorldID w = worldOf(&ways[k]);
        const dBodyID falls = ball(w, 2, 0, 0, 0.31234), lies = ball(w, 2, 5, 0, 0);
        const dBodyID body[2] = {falls, lies};
        for (int i = 0; i < 2; i++) {
            const ukConstraintID c = ukConstraintCreate(w, 1, &body[i], 1, above, NULL);
            CHECK(ukConstraintSetError(c, aboveGap, NULL) == 0 && ukConstraintSetOneSided(c, 0) == 0);
        }
        for (int i = 1; i <= 24; i++) {
            const double t = i * h, mean = euler ? t + h : t;
            dBodyAddForce(lies, 0, 0, 2 * (g + lift));
            stepChecked(w, h);
            CHECK_NEAR(dBodyGetLinearVel(falls)[2], -g * t, 1e-12);
            CHECK_NEAR(dBodyGetPosition(falls)[2], 0.31234 - 0.5 * g * t * mean, 1e-12);
            CHECK_NEAR(dBodyGetLinearVel(lies)[2], lift * t, 1e-10);
            CHECK_NEAR(dBodyGetPosition(lies)[2], 0.5 * lift * t * mean, 1e-10);
        }
        dWorldDestroy(w);
    }
}

/* A motor of unlimited force that presses a slider onto its stop holds it there, whatever pulls; it lets go when its
 * direction changes. */
static void pressedStop(void)
{
    static const double h = 0.01;
    for (int k = 2; k < Ways; k++)
        for (int side = -1; side <= 1; side += 2)
            for (int pull = -1; pull <= 1; pull++) {
                const dWorldID w = worldOf(&ways[k]);
                const dBodyID body = ball(w, 2, 0, 0, 0);
                const dJointID j = dJointCreateSlider(w, NULL);
                dJointFeedback feedback;
                dJointAttach(j, body, NULL);
                dJointSetSliderAxis(j, 1, 0, 0);
                dJointSetSliderParam(j, side < 0 ? dParamLoStop : dParamHiStop, 0);
                dJointSetSliderParam(j, dParamVel, side);
                dJointSetSliderParam(j, dParamFMax, INFINITY);
                dJointSetFeedback(j, &feedback);
                for (int i = 0; i < 20; i++) {
                    dBodyAddForce(body, 7 * pull, 0, 0);
                    stepChecked(w, h);
                    CHECK_NEAR(dBodyGetPosition(body)[0], 0, 1e-10);
                    CHECK_NEAR(feedback.f1[0], -7 * pull, 1e-8);
                }
                dJointSetSliderParam(j, dParamVel, -side);
                for (int i = 1; i <= 10; i++) stepChecked(w, h);
                CHECK_NEAR(dBodyGetPosition(body)[0], -side * 10 * h, 1e-8);
                dWorldDestroy(w);
            }
}

/* ---- rows of rates: a one-way clutch, a motor of finite force (data: axis, speed)
 * -------------------------------------- */

static int rateRow(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    (void)c, (void)b;
    A[(int)((const double *)data)[0]] = 1;
    return 0;
}

static int rateError(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const double *of = data;
    const int axis = (int)of[0];
    *phi = NAN;
    *psi = (axis < 3 ? c->bodies->velocity[axis] : c->bodies->spin[axis - 3]) - of[1];
    return 0;
}

/* a flywheel that may turn forwards only: driven forwards for 1 s, braked; it stops and holds */
static void clutch(void)
{
    for (int k = 0; k < Ways; k++) {
        double of[2] = {5, 0};
        const dWorldID w = worldOf(&ways[k]);
        dWorldSetGravity(w, 0, 0, 0);
        const dBodyID body = box(w, 1, 0, 0, 0);
        dMass m;
        dBodyGetMass(body, &m);
        const double I = m.I[10];
        const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, rateRow, of);
        double force[6];
        CHECK(ukConstraintSetError(c, rateError, of) == 0 && ukConstraintSetOneSided(c, 0) == 0);
        for (int i = 0; i < 300; i++) {
            dBodyAddTorque(body, 0, 0, i < 100 ? 3 * I : -2 * I);
            stepChecked(w, 0.01);
            CHECK(dBodyGetAngularVel(body)[2] > -1e-9);
            if (i == 99) CHECK_NEAR(dBodyGetAngularVel(body)[2], 3, 1e-9);
            CHECK(ukConstraintGetForce(c, force) == 0 && force[5] > -1e-9);
            if (i < 245) CHECK(fabs(force[5]) < 1e-9);
        }
        CHECK_NEAR(dBodyGetAngularVel(body)[2], 0, 1e-9);
        CHECK_NEAR(force[5], 2 * I, 1e-9);
        dWorldDestroy(w);
    }
}

/* reaches 1 m/s against nothing with 4 N on 2 kg after 0.5 s, and keeps it against a force up to that */
static void finiteMotor(void)
{
    for (int k = 0; k < Ways; k++) {
        double of[2] = {0, 1};
        const dWorldID w = worldOf(&ways[k]);
        dWorldSetGravity(w, 0, 0, 0);
        const dBodyID body = ball(w, 2, 0, 0, 0);
        const ukConstraintID c = ukConstraintCreate(w, 1, &body, 1, rateRow, of);
        ukLedger ledger;
        CHECK(ukConstraintSetError(c, rateError, of) == 0 && ukConstraintSetBounds(c, 0, -4, 4) == 0);
        CHECK(ukWorldSetLedger(w, 1) == 0);
        for (int i = 0; i < 100; i++) {
            stepChecked(w, 0.01);
            CHECK_NEAR(dBodyGetLinearVel(body)[0], i < 50 ? 0.02 * (i + 1) : 1, 1e-12);
        }
        CHECK(ukWorldGetLedger(w, &ledger) == 0);
        CHECK_NEAR(ledger.motors, 1, 1e-12);
        for (int i = 0; i < 100; i++) {
            dBodyAddForce(body, i < 50 ? -3 : -6, 0, 0);
            stepChecked(w, 0.01);
        }
        CHECK_NEAR(dBodyGetLinearVel(body)[0], 0.5, 1e-12);
        dWorldDestroy(w);
    }
}

/* ---- a rope of segments that go slack ---------------------------------------------------------------------------- */

enum { Segments = 20 };
static double segment = 0.1;

static int slackRow(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    double d[3], v[3], l2 = 0;
    (void)data;
    for (int i = 0; i < 3; i++) {
        d[i] = c->bodies[0].position[i] - (c->count > 1 ? c->bodies[1].position[i] : 0);
        v[i] = c->bodies[0].velocity[i] - (c->count > 1 ? c->bodies[1].velocity[i] : 0);
    }
    l2 = dot(d, d);
    const double l = l2 > 0 ? sqrt(l2) : 1, along = dot(d, v) / l;
    for (int i = 0; i < 3; i++) {
        A[i] = -d[i] / l;
        if (c->count > 1) A[6 + i] = d[i] / l;
    }
    *b = (dot(v, v) - along * along) / l;
    return 0;
}

static int slackGap(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    double d[3], v[3];
    for (int i = 0; i < 3; i++) {
        d[i] = c->bodies[0].position[i] - (c->count > 1 ? c->bodies[1].position[i] : 0);
        v[i] = c->bodies[0].velocity[i] - (c->count > 1 ? c->bodies[1].velocity[i] : 0);
    }
    const double l = sqrt(dot(d, d));
    *phi = *(const double *)data - l;
    *psi = l > 0 ? -dot(d, v) / l : 0;
    return 0;
}

static void addRope(dWorldID w, dBodyID *body, ukConstraintID *c)
{
    for (int i = 0; i < Segments; i++) {
        body[i] = ball(w, 0.05, 0.04 * (i % 2), 0.001 * i, -0.03 * (i + 1));
        const dBodyID pair[2] = {body[i], i > 0 ? body[i - 1] : 0};
        c[i] = ukConstraintCreate(w, 1, pair, i > 0 ? 2 : 1, slackRow, &segment);
        CHECK(c[i] && ukConstraintSetError(c[i], slackGap, &segment) == 0 && ukConstraintSetOneSided(c[i], 0) == 0);
    }
}

/* Falls slack, is caught segment by segment, and swings; every step is certified. No segment pushes, nor is longer than
 * it may be by more than the way of a step at the speed of a free fall by the rope's length. */
static void rope(void)
{
    const double h = 0.005, more = h * sqrt(2 * g * Segments * segment);
    for (int k = 0; k < Ways; k++) {
        const dWorldID w = worldOf(&ways[k]);
        dBodyID body[Segments];
        ukConstraintID c[Segments];
        int taut = 0;
        if (ways[k].integrator == ukIntegratorAdaptive) CHECK(ukWorldSetTolerance(w, 1e-6, 1e-6) == 0);
        addRope(w, body, c);
        for (int i = 0; i < 400; i++) {
            stepChecked(w, h);
            for (int s = 0; s < Segments; s++) {
                double force[12], length = 0, pull = 0;
                CHECK(ukConstraintGetForce(c[s], force) == 0);
                for (int j = 0; j < 3; j++) {
                    const double d = dBodyGetPosition(body[s])[j] - (s > 0 ? dBodyGetPosition(body[s - 1])[j] : 0);
                    length += d * d;
                    pull -= d * force[j];
                }
                CHECK(sqrt(length) < segment + more);
                taut += pull > 0;
            }
        }
        CHECK(taut > 1000);
        dWorldDestroy(w);
    }
}

/* ---- random systems against all active sets
 * ---------------------------------------------------------------------------- */

enum { Bodies = 3, Most = 5, Unknowns = 6 * Bodies };

typedef struct System {
    int rows;
    double A[Most * Unknowns], b[Most], lo[Most], hi[Most];
} System;

static int systemRows(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const System *s = data;
    (void)c;
    memcpy(A, s->A, (size_t)(s->rows * Unknowns) * sizeof *A);
    memcpy(b, s->b, (size_t)s->rows * sizeof *b);
    return 0;
}

static double anything(void)
{
    return 2 * dRandReal() - 1;
}

/* x of K x = r, of the rows in `free`, by elimination with pivots; K (Most x Most) and r are overwritten */
static void eliminate(int n, double K[Most][Most], double *r)
{
    for (int i = 0; i < n; i++) {
        int p = i;
        for (int k = i; k < n; k++)
            if (fabs(K[k][i]) > fabs(K[p][i])) p = k;
        for (int j = 0; j < n; j++) {
            const double swap = K[i][j];
            K[i][j] = K[p][j], K[p][j] = swap;
        }
        const double swap = r[i];
        r[i] = r[p], r[p] = swap;
        for (int k = 0; k < n; k++) {
            const double f = k == i ? 0 : K[k][i] / K[i][i];
            for (int j = 0; j < n; j++) K[k][j] -= f * K[i][j];
            r[k] -= f * r[i];
        }
    }
    for (int i = 0; i < n; i++) r[i] /= K[i][i];
}

/* lambda of one active set: digits 0, 1, 2 of `set` in base 3 are free, at lo, at hi; how far it is from optimal. */
static double ofSet(const System *s, int set, double W[Most][Most], const double *r, double *lambda)
{
    double K[Most][Most], x[Most], off = 0;
    int at[Most], n = 0, kind[Most];
    for (int i = 0; i < s->rows; i++, set /= 3) {
        kind[i] = set % 3;
        lambda[i] = kind[i] == 1 ? s->lo[i] : kind[i] == 2 ? s->hi[i] : 0;
        if (kind[i] == 0) at[n++] = i;
        if (!isfinite(lambda[i])) return INFINITY;
    }
    for (int i = 0; i < n; i++) {
        x[i] = r[at[i]];
        for (int j = 0; j < s->rows; j++) x[i] -= kind[j] ? W[at[i]][j] * lambda[j] : 0;
        for (int j = 0; j < n; j++) K[i][j] = W[at[i]][at[j]];
    }
    eliminate(n, K, x);
    for (int i = 0; i < n; i++) lambda[at[i]] = x[i];
    for (int i = 0; i < s->rows; i++) {
        double w = -r[i];
        for (int j = 0; j < s->rows; j++) w += W[i][j] * lambda[j];
        if (kind[i] == 0) off = fmax(off, fmax(s->lo[i] - lambda[i], lambda[i] - s->hi[i]));
        if (kind[i] == 1) off = fmax(off, -w);
        if (kind[i] == 2) off = fmax(off, w);
    }
    return off;
}

static void randomBounds(ukConstraintID c, System *s)
{
    for (int i = 0; i < s->rows; i++) {
        const int kind = (int)dRandInt(4);
        s->lo[i] = kind == 0 ? -INFINITY : kind == 1 ? 0 : -dRandReal();
        s->hi[i] = kind < 2 ? INFINITY : dRandReal();
        if (kind == 3) s->lo[i] = s->hi[i] - dRandReal() * 0.1;
        CHECK((kind == 1 ? ukConstraintSetOneSided(c, i) : ukConstraintSetBounds(c, i, s->lo[i], s->hi[i])) == 0);
    }
}

/* One random system: accelerations of one step from rest, and by the best of all active sets. */
static void randomSystem(const Way *way)
{
    System s = {.rows = 1 + (int)dRandInt(Most)};
    const dWorldID w = worldOf(way);
    dBodyID body[Bodies];
    double inverse[Unknowns], Q[Unknowns], W[Most][Most], r[Most], lambda[Most], best[Most], least = INFINITY;
    for (int i = 0; i < Bodies; i++) {
        dMass m;
        body[i] = box(w, 0.5 + dRandReal(), i, 0, 0);
        dBodyGetMass(body[i], &m);
        for (int k = 0; k < 6; k++) {
            inverse[6 * i + k] = 1 / (k < 3 ? m.mass : m.I[5 * (k - 3)]);
            Q[6 * i + k] = anything() * (k < 3 ? 1 : 0.01) - (k == 2 ? g * m.mass : 0);
        }
        dBodyAddForce(body[i], Q[6 * i], Q[6 * i + 1], Q[6 * i + 2] + g * m.mass);
        dBodyAddTorque(body[i], Q[6 * i + 3], Q[6 * i + 4], Q[6 * i + 5]);
    }
    for (int i = 0; i < s.rows; i++) {
        for (int k = 0; k < Unknowns; k++) s.A[Unknowns * i + k] = anything() * (k % 6 < 3 ? 1 : 0.1);
        s.b[i] = 5 * anything();
    }
    const ukConstraintID c = ukConstraintCreate(w, s.rows, body, Bodies, systemRows, &s);
    randomBounds(c, &s);
    for (int i = 0; i < s.rows; i++) {
        r[i] = s.b[i];
        for (int k = 0; k < Unknowns; k++) r[i] -= s.A[Unknowns * i + k] * inverse[k] * Q[k];
        for (int j = 0; j < s.rows; j++) {
            W[i][j] = 0;
            for (int k = 0; k < Unknowns; k++) W[i][j] += s.A[Unknowns * i + k] * inverse[k] * s.A[Unknowns * j + k];
        }
    }
    int sets = 1;
    for (int i = 0; i < s.rows; i++) sets *= 3;
    for (int set = 0; set < sets; set++) {
        const double off = ofSet(&s, set, W, r, lambda);
        if (off < least) least = off, memcpy(best, lambda, sizeof best);
    }
    CHECK(least < 1e-9);
    const double h = 1e-3;
    stepChecked(w, h);
    double size = 1;
    for (int i = 0; i < Unknowns; i++) size = fmax(size, fabs(inverse[i] * Q[i]));
    for (int i = 0; i < Unknowns; i++) {
        double a = inverse[i] * Q[i];
        for (int k = 0; k < s.rows; k++) a += inverse[i] * s.A[Unknowns * k + i] * best[k];
        const dReal *v = i % 6 < 3 ? dBodyGetLinearVel(body[i / 6]) : dBodyGetAngularVel(body[i / 6]);
        CHECK_NEAR(v[i % 3] / h, a, 1e-10 * fmax(size, fabs(a)));
    }
    dWorldDestroy(w);
}

static void randomSystems(void)
{
    dRandSetSeed(1);
    for (int i = 0; i < 300; i++) randomSystem(&ways[0]);
}

/* ---- saved and restored ------------------------------------------------------------------------------------------ */

static void restoredGoesOn(void)
{
    for (int k = 0; k < Ways; k++) {
        double R = 1.3;
        const dWorldID w = worldOf(&ways[k]), other = worldOf(&ways[k]);
        const dBodyID body = ball(w, 1, 0, 0, R), copy = ball(other, 1, 0, 0, R);
        static unsigned char saved[1 << 16];
        unsigned char first[16], second[16], third[16];
        sphereOn(w, body, &R);
        const ukConstraintID c = ukConstraintCreate(other, 1, &copy, 1, outside, &R);
        CHECK(ukConstraintSetError(c, outsideGap, &R) == 0);
        dBodySetLinearVel(body, 0.7, 0, 0);
        for (int i = 0; i < 30; i++) stepChecked(w, 0.01);
        const size_t size = ukWorldSave(w, saved, sizeof saved);
        CHECK(size > 0 && size <= sizeof saved);
        CHECK(ukWorldRestore(other, saved, size) == 0 && ukConstraintGetOneSided(c, 0));
        for (int i = 0; i < 60; i++) stepChecked(w, 0.01), stepChecked(other, 0.01);
        CHECK(ukWorldHash(w, first) == 0 && ukWorldHash(other, second) == 0 && memcmp(first, second, 16) == 0);
        CHECK(ukWorldRestore(w, saved, size) == 0);
        for (int i = 0; i < 60; i++) stepChecked(w, 0.01);
        CHECK(ukWorldHash(w, third) == 0 && memcmp(first, third, 16) == 0);
        dWorldDestroy(other);
        dWorldDestroy(w);
    }
}

int main(void)
{
    dInitODE();
    golfBall();
    beadLands();
    beadIsFree();
    pressedStop();
    clutch();
    finiteMotor();
    rope();
    randomSystems();
    restoredGoesOn();
    dCloseODE();
    return ukTestEnd();
}
