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

/* t, x, y, z, vx, vy, vz, Fx, Fy, Fz */
static void compare(const double *row, Follow *f)
{
    double F[6];
    f->state = followWorst(f->state, dBodyGetPosition(f->body), row + 1, 3);
    f->state = followWorst(f->state, dBodyGetLinearVel(f->body), row + 4, 3);
    CHECK(ukConstraintGetForce(f->constraint, F) == 0);
    f->force = followWorst(f->force, F, row + 7, 3);
}

static int push(const struct ukConstraintContext *c, dReal *force, void *data)
{
    (void)c;
    force[0] = *(const double *)data;
    return 0;
}

static double run(const char *csv, double h, double g, ukConstraintFn *rows, ukErrorFn *error, double *data,
                  double force, double tolerance)
{
    int count;
    double *start = refTable(csv, 10, &count);
    RefWorld *w = followWorld(h, g);
    Follow f = particle(w, 1, rows, error, data);
    if (count > 0) followStart(f.body, start + 1, start + 4, NULL, NULL);
    free(start);
    if (force != 0) CHECK(ukForceCreate(w->id, &f.body, 1, push, &force) != NULL);
    CHECK(followTable(w, csv, 10, compare, &f));
    refWorldEnd(w);
    CHECK(f.state <= tolerance);
    CHECK(f.force <= 10 * tolerance);
    return f.state;
}

static void motion(const char *csv, double g, ukConstraintFn *rows, ukErrorFn *error, double *data, double force,
                   double tolerance)
{
    const double fine = run(csv, 1e-3, g, rows, error, data, force, tolerance);
    printf("%s: state off by %.2e (RK4, 1 ms)\n", csv, fine);
}

/* fourth order, where truncation stands clear of rounding */
static void order(void)
{
    double rate = 1;
    const double coarse = run("uk_particle_x_ty.csv", 0.1, 0, row2, error2, &rate, 0, 1e-4);
    const double half = run("uk_particle_x_ty.csv", 0.05, 0, row2, error2, &rate, 0, 1e-5);
    printf("x' - t y' = t: %.2e with 0.1 s, %.2e with 0.05 s, quotient %.1f\n", coarse, half, coarse / half);
    CHECK(coarse / half > 12 && coarse / half < 40);
}

int main(int argc, char **argv)
{
    double rate = 1;
    refBegin(argc, argv);
    formulas();
    motion("uk_particle_y_zx.csv", 0, row1, error1, NULL, 0, 1e-8);
    motion("uk_particle_x_ty.csv", 0, row2, error2, &rate, 0, 1e-8);
    motion("appell_hamel.csv", 9.81, rowAppell, errorAppell, NULL, 0, 1e-6);
    motion("appell_hamel_forced.csv", 9.81, rowAppell, errorAppell, NULL, 4, 1e-6);
    order();
    return refEnd();
}
