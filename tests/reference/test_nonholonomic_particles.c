/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles under nonholonomic constraints: the two examples of Kalaba & Udwadia 1994, formula by formula and as
 * motions with a closed form, and Appell and Hamel's, whose constraint is quadratic in the velocities. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/check.h"
#include "tests/reference/follow.h"
#include "tests/support/random_world.h"

/* y' = z x' */
static int row1(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const ukBodyState *p = c->bodies;
    (void)data;
    A[0] = -p->position[2];
    A[1] = 1;
    b[0] = p->velocity[2] * p->velocity[0];
    return 0;
}

static int error1(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const ukBodyState *p = c->bodies;
    (void)data;
    phi[0] = NAN;
    psi[0] = p->velocity[1] - p->position[2] * p->velocity[0];
    return 0;
}

/* x' - t y' = alpha(t), alpha = *data t */
static int row2(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    A[0] = 1;
    A[1] = -c->time;
    b[0] = c->bodies->velocity[1] + *(const double *)data;
    return 0;
}

static int error2(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const dReal *v = c->bodies->velocity;
    phi[0] = NAN;
    psi[0] = v[0] - c->time * v[1] - *(const double *)data * c->time;
    return 0;
}

/* x'^2 + y'^2 = a^2 z'^2, a^2 = 0.64 */
static int rowAppell(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const dReal *v = c->bodies->velocity;
    (void)b;
    (void)data;
    A[0] = v[0];
    A[1] = v[1];
    A[2] = -0.64 * v[2];
    return 0;
}

static int errorAppell(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const dReal *v = c->bodies->velocity;
    (void)data;
    phi[0] = NAN;
    psi[0] = 0.5 * (v[0] * v[0] + v[1] * v[1] - 0.64 * v[2] * v[2]);
    return 0;
}

static Follow particle(RefWorld *w, double m, ukConstraintFn *rows, ukErrorFn *error, void *data)
{
    Follow f = {.body = refBody(w, m, m, m, m, 0, 0, 0)};
    f.constraint = ukConstraintCreate(w->id, 1, &f.body, 1, rows, data);
    CHECK(f.constraint && ukConstraintSetError(f.constraint, error, data) == 0);
    return f;
}

/* the accelerations of [38] and [41] and the control force [42], at random states */
static void formulas(void)
{
    Random r = {1994};
    for (int i = 0; i < 50; i++) {
        double x[3], v[3], F[6], rate = randomUniform(&r, -2, 2);
        const double X = randomUniform(&r, -3, 3), Y = randomUniform(&r, -3, 3), t = randomUniform(&r, -2, 2);
        const double m = randomUniform(&r, 0.2, 5);
        for (int k = 0; k < 3; k++) {
            x[k] = randomUniform(&r, -2, 2);
            v[k] = randomUniform(&r, -2, 2);
        }
        ukEquations e;
        RefWorld *w = followWorld(1e-3, 0);
        Follow f = particle(w, 1, row1, error1, NULL);
        followStart(f.body, x, v, NULL, NULL);
        CHECK(ukWorldEvaluate(w->id) == 0 && ukWorldGetEquations(w->id, &e) == 0);
        const double k = v[2] * v[0] / (1 + x[2] * x[2]), qdd1[3] = {-k * x[2], k, 0};
        CHECK_NEAR_ALL(e.qdd, qdd1, 3, 1e-12);
        refWorldEnd(w);

        w = followWorld(1e-3, 0);
        f = particle(w, m, row2, error2, &rate);
        followStart(f.body, x, v, NULL, NULL);
        dBodyAddForce(f.body, X, Y, 0);
        CHECK(ukWorldSetTime(w->id, t) == 0);
        CHECK(ukWorldEvaluate(w->id) == 0 && ukWorldGetEquations(w->id, &e) == 0);
        const double s = v[1] + rate, d = 1 + t * t;
        const double qdd2[3] = {(t * t * X + t * Y + m * s) / (m * d), (t * X + Y - m * s * t) / (m * d), 0};
        const double F2[3] = {(-X + t * Y + m * s) / d, -t * (-X + t * Y + m * s) / d, 0};
        CHECK_NEAR_ALL(e.qdd, qdd2, 3, 1e-12);
        CHECK(ukConstraintGetForce(f.constraint, F) == 0);
        CHECK_NEAR_ALL(F, F2, 3, 1e-12);
        refWorldEnd(w);
    }
}

/* t, x, y, z, vx, vy, vz */
static void comparePlace(const double *row, Follow *f)
{
    f->state = followWorst(f->state, dBodyGetPosition(f->body), row + 1, 3);
    f->state = followWorst(f->state, dBodyGetLinearVel(f->body), row + 4, 3);
}

/* t, x, y, z, vx, vy, vz, Fx, Fy, Fz */
static void compare(const double *row, Follow *f)
{
    double F[6];
    comparePlace(row, f);
    CHECK(ukConstraintGetForce(f->constraint, F) == 0);
    f->force = followWorst(f->force, F, row + 7, 3);
}

/* C = -|v| v/2 */
static void drag(const struct ukConstraintContext *c, const dReal *ideal, dReal *force, void *data)
{
    const dReal *v = c->bodies->velocity;
    (void)ideal;
    (void)data;
    for (int i = 0; i < 3; i++) force[i] = -0.5 * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) * v[i];
}

static int push(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)c;
    force[0] = *(const double *)data;
    return 0;
}

typedef struct Motion {
    const char *csv;
    double g;
    ukConstraintFn *rows;
    ukErrorFn *error;
    ukConstraintNonIdealFn *law;
    double force; /* along x [N] */
    int columns;
    void (*compare)(const double *row, Follow *follow);
} Motion;

static Follow run(double h, const void *argument)
{
    const Motion *m = argument;
    int count;
    double *start = refTable(m->csv, m->columns, &count), force = m->force, rate = 1;
    RefWorld *w = followWorld(h, m->g);
    Follow f = particle(w, 1, m->rows, m->error, &rate);
    if (count > 0) followStart(f.body, start + 1, start + 4, NULL, NULL);
    free(start);
    if (m->law) CHECK(ukConstraintSetNonIdeal(f.constraint, m->law, NULL) == 0);
    if (force != 0) CHECK(ukForceCreate(w->id, &f.body, 1, push, &force) != NULL);
    CHECK(followTable(w, m->csv, m->columns, m->compare, &f));
    refWorldEnd(w);
    return f;
}

static const Motion slope = {"uk_particle_y_zx.csv", 0, row1, error1, NULL, 0, 10, compare};
static const Motion dragged = {"uk_particle_y_zx_nonideal.csv", 0, row1, error1, drag, 0, 7, comparePlace};
static const Motion driven = {"uk_particle_x_ty.csv", 0, row2, error2, NULL, 0, 10, compare};
static const Motion appell = {"appell_hamel.csv", 9.81, rowAppell, errorAppell, NULL, 0, 10, compare};
static const Motion pushed = {"appell_hamel_forced.csv", 9.81, rowAppell, errorAppell, NULL, 4, 10, compare};

static void motion(const char *name, const Motion *m, double tolerance)
{
    FollowProblem p = {.name = name, .h = 1e-3, .state = {"state [m, m/s]", tolerance}};
    if (m->compare == compare) p.force = (FollowLimit){"force [N]", 10 * tolerance};
    followProblem(&p, run, m);
}

/* fourth order, where truncation stands clear of rounding */
static void order(void)
{
    const double coarse = run(0.1, &driven).state, half = run(0.05, &driven).state;
    printf("x' - t y' = t: %.2e with 0.1 s, %.2e with 0.05 s, quotient %.1f\n", coarse, half, coarse / half);
    CHECK(coarse / half > 12 && coarse / half < 40);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    formulas();
    motion("particle, y' = z x' (Udwadia & Kalaba 1992)", &slope, 1e-8);
    motion("particle, y' = z x', C = -\\|v\\| v/2 (2002)", &dragged, 1e-8);
    motion("particle, x' - t y' = t", &driven, 1e-8);
    motion("Appell & Hamel, x'² + y'² = 0.64 z'²", &appell, 1e-6);
    motion("Appell & Hamel with an applied force", &pushed, 1e-6);
    if (!refTabulates()) order();
    return refEnd();
}
