/* SPDX-License-Identifier: BSD-3-Clause */
/* Knife edge and rolling: Chaplygin's sleigh, a disk on its rim, a ball on a turntable. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"
#include "tests/reference/follow.h"

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* the body's axis k in the world */
static void axis(const ukBodyState *s, int k, double *out)
{
    dMatrix3 R;
    const dQuaternion q = {s->orientation[0], s->orientation[1], s->orientation[2], s->orientation[3]};
    dQtoR(q, R);
    for (int i = 0; i < 3; i++) out[i] = R[4 * i + k];
}

static Follow constrained(RefWorld *w, dBodyID body, int rows, ukConstraintFn *fn, ukErrorFn *error, double *r)
{
    Follow f = {.body = body, .r = *r, .constraint = ukConstraintCreate(w->id, rows, &body, 1, fn, r)};
    CHECK(f.constraint && ukConstraintSetError(f.constraint, error, r) == 0);
    return f;
}

/* ---- sleigh: the blade, *data behind the centre on the body's x axis, does not move along the body's y axis ------ */

static int bladeRow(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    double n[3], up[3], turn[3];
    axis(c->bodies, 1, n);
    axis(c->bodies, 2, up);
    cross(c->bodies->spin, n, turn);
    for (int i = 0; i < 3; i++) {
        A[i] = n[i];
        A[3 + i] = -*(const double *)data * up[i];
    }
    b[0] = -dot(turn, c->bodies->velocity);
    return 0;
}

static int bladeError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    double n[3], up[3];
    axis(c->bodies, 1, n);
    axis(c->bodies, 2, up);
    phi[0] = NAN;
    psi[0] = dot(n, c->bodies->velocity) - *(const double *)data * dot(up, c->bodies->spin);
    return 0;
}

/* t, com_x, com_y, heading, com_vx, com_vy, omega, blade_x, blade_y, blade_speed, blade_force */
static void compareSleigh(const double *row, Follow *f)
{
    double F[6];
    const dReal *R = dBodyGetRotation(f->body), *x = dBodyGetPosition(f->body), *v = dBodyGetLinearVel(f->body);
    const double turned = atan2(R[4], R[0]) - row[3];
    const double state[3] = {remainder(turned, 2 * M_PI) + row[3], v[0], v[1]},
                 blade[2] = {x[0] - f->r * R[0], x[1] - f->r * R[4]};
    f->state = followWorst(f->state, x, row + 1, 2);
    f->state = followWorst(f->state, state, row + 3, 3);
    f->state = followWorst(f->state, dBodyGetAngularVel(f->body) + 2, row + 6, 1);
    f->state = followWorst(f->state, blade, row + 7, 2);
    CHECK(ukConstraintGetForce(f->constraint, F) == 0);
    const double along = F[0] * R[1] + F[1] * R[5] + F[2] * R[9];
    f->force = followWorst(f->force, &along, row + 10, 1);
}

static Follow sleigh(double h, const void *argument)
{
    (void)argument;
    double lever = 0.5;
    int rows;
    double *start = refTable("chaplygin_sleigh.csv", 11, &rows);
    if (rows == 0) return (Follow){.state = NAN};
    RefWorld *w = followWorld(h, 0);
    const dBodyID body = refBody(w, 2, 0.2, 0.25, 0.3, 0, 0, 0);
    Follow f = constrained(w, body, 1, bladeRow, bladeError, &lever);
    const double x[3] = {start[1], start[2], 0}, v[3] = {start[4], start[5], 0}, spin[3] = {0, 0, start[6]};
    const double q[4] = {cos(start[3] / 2), 0, 0, sin(start[3] / 2)};
    free(start);
    followStart(body, x, v, q, spin);
    CHECK(followTable(w, "chaplygin_sleigh.csv", 11, compareSleigh, &f));
    refWorldEnd(w);
    return f;
}

/* ---- disk of radius *data, axis the body's y: its lowest point stands still on z = 0 ----------------------------- */

/* u, from the contact point to the centre, its rate, and its height */
static double lean(const ukBodyState *s, double *u, double *rate)
{
    double y[3], yd[3];
    axis(s, 1, y);
    cross(s->spin, y, yd);
    const double c = sqrt(1 - y[2] * y[2]), k = y[2] * yd[2] / (c * c);
    for (int i = 0; i < 3; i++) {
        u[i] = ((i == 2) - y[2] * y[i]) / c;
        rate[i] = -(yd[2] * y[i] + y[2] * yd[i]) / c + k * u[i];
    }
    return c;
}

static int diskRows(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const double r = *(const double *)data;
    double u[3], rate[3], turn[3];
    lean(c->bodies, u, rate);
    cross(c->bodies->spin, rate, turn);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        A[6 * i + i] = 1; /* v + r u x w */
        A[6 * i + 3 + k] = r * u[j];
        A[6 * i + 3 + j] = -r * u[k];
        b[i] = r * turn[i];
    }
    return 0;
}

static int diskError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const double r = *(const double *)data;
    double u[3], rate[3], turn[3];
    const double height = lean(c->bodies, u, rate);
    cross(c->bodies->spin, u, turn);
    for (int i = 0; i < 3; i++) psi[i] = c->bodies->velocity[i] - r * turn[i];
    phi[0] = phi[1] = NAN;
    phi[2] = c->bodies->position[2] - r * height;
    return 0;
}

/* t, x, y, z, vx, vy, vz, qw, qx, qy, qz, wx, wy, wz, contact_x, contact_y, Fx, Fy, Fz */
static void compareDisk(const double *row, Follow *f)
{
    double F[6], contact[2];
    const dReal *x = dBodyGetPosition(f->body), *R = dBodyGetRotation(f->body);
    const double y[3] = {R[1], R[5], R[9]}, c = sqrt(1 - y[2] * y[2]);
    for (int i = 0; i < 2; i++) contact[i] = x[i] + f->r * y[2] * y[i] / c;
    f->state = followWorst(f->state, x, row + 1, 3);
    f->other = followWorst(f->other, contact, row + 14, 2);
    CHECK(ukConstraintGetForce(f->constraint, F) == 0);
    f->force = followWorst(f->force, F, row + 16, 3);
}

typedef struct Disk {
    const char *csv;
    double m, r;
} Disk;

static Follow disk(double h, const void *argument)
{
    const Disk *d = argument;
    int rows;
    double m = d->m, r = d->r, *start = refTable(d->csv, 19, &rows);
    if (rows == 0) return (Follow){.state = NAN};
    RefWorld *w = followWorld(h, 9.81);
    const dBodyID body = refBody(w, m, m * r * r / 4, m * r * r / 2, m * r * r / 4, 0, 0, 0);
    Follow f = constrained(w, body, 3, diskRows, diskError, &r);
    followStart(body, start + 1, start + 4, start + 7, start + 11);
    free(start);
    CHECK(followTable(w, d->csv, 19, compareDisk, &f));
    refWorldEnd(w);
    return f;
}

/* ---- ball of radius *data on a plane that turns about z ---------------------------------------------------------- */

static const double table_rate = 3;

static int ballRows(const struct ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    const double r = *(const double *)data;
    A[0] = A[6 + 1] = A[12 + 2] = 1;
    A[4] = -r;
    A[6 + 3] = r;
    b[0] = -table_rate * c->bodies->velocity[1];
    b[1] = table_rate * c->bodies->velocity[0];
    return 0;
}

static int ballError(const struct ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    const double r = *(const double *)data;
    const dReal *x = c->bodies->position, *v = c->bodies->velocity, *w = c->bodies->spin;
    phi[0] = phi[1] = NAN;
    phi[2] = x[2] - r;
    psi[0] = v[0] - r * w[1] + table_rate * x[1];
    psi[1] = v[1] + r * w[0] - table_rate * x[0];
    psi[2] = v[2];
    return 0;
}

/* t, x, y, z, vx, vy, vz, wx, wy, wz, friction_x, friction_y */
static void compareBall(const double *row, Follow *f)
{
    double F[6];
    f->state = followWorst(f->state, dBodyGetPosition(f->body), row + 1, 3);
    f->state = followWorst(f->state, dBodyGetLinearVel(f->body), row + 4, 3);
    f->other = followWorst(f->other, dBodyGetAngularVel(f->body), row + 7, 3);
    CHECK(ukConstraintGetForce(f->constraint, F) == 0);
    f->force = followWorst(f->force, F, row + 10, 2);
}

typedef struct Ball {
    const char *csv;
    double k; /* I/(m r^2) */
} Ball;

static Follow ballOnTable(double h, const void *argument)
{
    const Ball *ball = argument;
    int rows;
    double r = 0.1, *start = refTable(ball->csv, 12, &rows);
    if (rows == 0) return (Follow){.state = NAN};
    const double m = 0.5, I = ball->k * m * r * r;
    RefWorld *w = followWorld(h, 9.81);
    const dBodyID body = refBody(w, m, I, I, I, 0, 0, 0);
    Follow f = constrained(w, body, 3, ballRows, ballError, &r);
    followStart(body, start + 1, start + 4, NULL, start + 7);
    free(start);
    CHECK(followTable(w, ball->csv, 12, compareBall, &f));
    refWorldEnd(w);
    return f;
}

static void rolls(const char *name, const Disk *d, double tolerance)
{
    const FollowProblem p = {
        name, 1e-3, {"centre [m]", tolerance}, {"force [N]", 1e-3}, {"contact point [m]", tolerance}};
    followProblem(&p, disk, d);
}

static void turns(const char *name, const Ball *ball)
{
    const FollowProblem p = {name, 1e-3, {"state [m, m/s]", 1e-6}, {"friction [N]", 1e-6}, {"spin [rad/s]", 1e-5}};
    followProblem(&p, ballOnTable, ball);
}

int main(int argc, char **argv)
{
    const FollowProblem knife = {"Chaplygin's sleigh", 1e-3, {"state [m, m/s, rad]", 1e-6}, {"force [N]", 1e-5}, {0}};
    refBegin(argc, argv);
    followProblem(&knife, sleigh, NULL);
    rolls("rolling coin (Rill & Schaeffer 2010)", &(Disk){"rolling_disk_coin.csv", 1, 0.01}, 1e-6);
    rolls("rolling disk, wobbling", &(Disk){"rolling_disk.csv", 2, 0.3}, 1e-5);
    rolls("rolling disk, steady circle", &(Disk){"rolling_disk_circle.csv", 2, 0.3}, 1e-5);
    turns("ball on a turntable", &(Ball){"ball_turntable.csv", 0.4});
    turns("hollow ball on a turntable", &(Ball){"ball_turntable_hollow.csv", 2.0 / 3});
    return refEnd();
}
