/* SPDX-License-Identifier: BSD-3-Clause */
/* SICM 1.10, systems from parts, and exercise 1.34: a part is a spring and a mass on a rail, or a pendulum, modelled
 * alone; its terminal is a coordinate of its own, xi, and parts are joined by phi = xi - (X1 + x1), the terminal of one
 * at the mass of the other. The book's terminals have no mass, and M is singular (ukBodySetMassless); with a small mass
 * the motion converges to the book's. Beside it the equations in which the glue is eliminated,
 *
 *      m1 x1'' = -k1 x1 + k2 x2,    m2 (x1'' + x2'') = -k2 x2            (x1, x2 the extensions of the springs)
 *
 * and, with a pendulum of angle theta on the last mass (displaced by u, pulled by the spring with F),
 *
 *      u'' (m + m3 sin^2 theta) = F + m3 sin theta (g cos theta + l theta'^2),    l theta'' = -g sin theta - u'' cos
 * theta */
#include "demos/papers/paper.h"

/* A terminal's mass [kg]: none, and a light one. Much less than that, and its rows count as dependent at the inner
 * stages of a step. */
static const double none = 0, light = 1e-7, no_terminal = -1;
static const double g = 9.81, l = 0.7, k[2] = {50, 20}, X[2] = {1, 0.8}; /* rest lengths */

/* what a part offers to the next one: its mass, to which a terminal is glued */
typedef struct Part {
    dBodyID terminal, end;
} Part;

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* on its rail: z = 0 */
static int rail(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    (void)c, (void)b, (void)data;
    A[2] = 1;
    return 0;
}

static int railError(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies->position[2];
    psi[0] = c->bodies->velocity[2];
    return 0;
}

/* a spring between the terminal (the wall, at 0, of the first part) and the mass, which is the last body */
static int spring(const struct ukConstraintContext *c, double *force, void *data)
{
    const int which = *(const int *)data, mass = c->count - 1;
    const double from = mass > 0 ? c->bodies[0].position[0] : 0;
    const double pull = k[which] * (c->bodies[mass].position[0] - from - X[which]);
    force[6 * mass] = -pull;
    if (mass > 0) force[0] = pull;
    return 0;
}

static dBodyID terminalAt(dWorldID w, double mass, double x)
{
    const dBodyID terminal =
        mass > 0 ? paperBody(w, mass, mass, mass, mass, x, 0, 0) : paperBody(w, 1, 1, 1, 1, x, 0, 0);
    if (mass == none && ukBodySetMassless(terminal, 1) != 0) exit(1);
    return terminal;
}

static Part springAndMass(dWorldID w, int which, double m, double terminal, double at, double extension)
{
    static const int number[2] = {0, 1};
    Part p = {.end = paperBody(w, m, 1, 1, 1, at + X[which] + extension, 0, 0)};
    if (terminal != no_terminal) p.terminal = terminalAt(w, terminal, at);
    const dBodyID both[2] = {p.terminal, p.end};
    paperApply(w, p.terminal ? both : both + 1, p.terminal ? 2 : 1, spring, (void *)&number[which]);
    paperConstraint(w, 1, p.end, rail, railError, NULL);
    return p;
}

/* the rod: |r|^2 = l^2 with r from the pivot to the bob */
static int rod(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    (void)data;
    for (int i = 0; i < 3; i++) {
        const double r = c->bodies[1].position[i] - c->bodies[0].position[i];
        const double v = c->bodies[1].velocity[i] - c->bodies[0].velocity[i];
        A[i] = -2 * r, A[6 + i] = 2 * r;
        b[0] -= 2 * v * v;
    }
    return 0;
}

static int rodError(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    (void)data;
    phi[0] = -l * l;
    for (int i = 0; i < 3; i++) {
        const double r = c->bodies[1].position[i] - c->bodies[0].position[i];
        phi[0] += r * r;
        psi[0] += 2 * r * (c->bodies[1].velocity[i] - c->bodies[0].velocity[i]);
    }
    return 0;
}

static Part pendulum(dWorldID w, double m, double terminal, double at, double angle)
{
    const Part p = {terminalAt(w, terminal, at), paperBody(w, m, 1, 1, 1, at + l * sin(angle), 0, -l * cos(angle))};
    const dBodyID both[2] = {p.terminal, p.end};
    paperJoin(w, 1, both, 2, rod, rodError, NULL);
    return p;
}

/* ---- the glue: xi - (X1 + x1) = 0, along the rail and across ----------------------------------------------------- */

/* A terminal without mass has six motions, as any body, and none of them by inertia: it is glued in all. */
static int glued(dBodyID terminal)
{
    return ukBodyGetMassless(terminal) ? 6 : 2;
}

static int glueRows(const struct ukConstraintContext *c, double *A, double *b, void *data)
{
    static const int coordinate[6] = {0, 2, 1, 3, 4, 5};
    (void)c, (void)b;
    for (int i = 0; i < *(const int *)data; i++) A[12 * i + coordinate[i]] = -1, A[12 * i + 6 + coordinate[i]] = 1;
    return 0;
}

static int glueError(const struct ukConstraintContext *c, double *phi, double *psi, void *data)
{
    static const int axis[3] = {0, 2, 1};
    const int rows = *(const int *)data;
    for (int i = 0; i < rows && i < 3; i++) {
        phi[i] = c->bodies[1].position[axis[i]] - c->bodies[0].position[axis[i]];
        psi[i] = c->bodies[1].velocity[axis[i]] - c->bodies[0].velocity[axis[i]];
    }
    for (int i = 3; i < rows; i++) psi[i] = c->bodies[1].spin[i - 3] - c->bodies[0].spin[i - 3];
    return 0;
}

static ukConstraintID glue(dWorldID w, const Part *p, const Part *next)
{
    static int rows[2] = {2, 6};
    const dBodyID both[2] = {p->end, next->terminal};
    const int count = glued(next->terminal);
    return paperJoin(w, count, both, 2, glueRows, glueError, &rows[count > 2]);
}

/* ---- combinations ------------------------------------------------------------------------------------------------ */

typedef struct System {
    int springs;     /* 1 or 2 */
    double m[2], m3; /* masses of the springs' parts, of the bob (0: no pendulum) */
} System;

/* y = x1, x2, theta and their rates */
static void rates(const double *y, double *out, void *data)
{
    const System *s = data;
    const int last = s->springs - 1;
    const double sine = sin(y[2]), cosine = cos(y[2]), F = -k[last] * y[last];
    const double bend = s->m3 * sine * (g * cosine + l * y[5] * y[5]);
    const double u = (F + bend) / (s->m[last] + s->m3 * sine * sine); /* of the last mass */
    const double first = s->springs == 1 ? u : (-k[0] * y[0] + k[1] * y[1]) / s->m[0];
    for (int i = 0; i < 3; i++) out[i] = y[3 + i];
    out[3] = first;
    out[4] = s->springs == 1 ? 0 : u - first;
    out[5] = -(g * sine + u * cosine) / l;
}

/* how far the last mass and the bob are from the book's after 3 s; compared where `name` is given */
static double run(const char *name, const System *s, double terminal)
{
    const dWorldID w = paperWorld(0, 0, -g);
    double y[6] = {0.1, s->springs > 1 ? -0.06 : 0, 1.2}, lambda[6];
    Part first = springAndMass(w, 0, s->m[0], no_terminal, 0, y[0]), last = first, bob = {0};
    double at = X[0] + y[0];
    ukConstraintID joint = NULL;
    if (s->springs > 1) {
        last = springAndMass(w, 1, s->m[1], terminal, at, y[1]);
        joint = glue(w, &first, &last);
        at += X[1] + y[1];
    }
    if (s->m3 > 0) {
        bob = pendulum(w, s->m3, terminal, at, y[2]);
        glue(w, &last, &bob);
    }
    paperRun(w, 0.001, 3);
    paperIntegrate(y, 6, 1e-4, 3, rates, (void *)s);
    const double where = X[0] + y[0] + (s->springs > 1 ? X[1] + y[1] : 0), found = dBodyGetPosition(last.end)[0];
    const double off = fabs(found - where);
    if (!name) {
        dWorldDestroy(w);
        return off;
    }
    printf("%s; after 3 s\n", name);
    paperCompare("x of the first mass", dBodyGetPosition(first.end)[0], X[0] + y[0], 2e-7);
    if (s->springs > 1) {
        paperForce(joint, lambda);
        paperCompare("x of the second mass", found, where, 2e-7);
        paperCompare("glue force on the first mass, k2 x2", lambda[0], k[1] * y[1], 2e-6);
    }
    if (s->m3 > 0) {
        const dReal *p = dBodyGetPosition(bob.end);
        paperCompare("x of the bob", p[0], where + l * sin(y[2]), 2e-7);
        paperCompare("z of the bob", p[2], -l * cos(y[2]), 2e-7);
    }
    paperClose(w);
    return off;
}

int main(void)
{
    const System springs = {2, {2, 1}, 0}, swinging = {1, {2, 0}, 0.5}, all = {2, {2, 1}, 0.5};
    run("two springs in series, terminals without mass", &springs, none);
    run("1.34 a: a spring-mass part with a pendulum", &swinging, none);
    run("1.34 b: two spring-mass parts and a pendulum", &all, none);
    run("1.34 b with terminals of 1e-7 kg", &all, light);
    printf("two springs in series: the limit of a terminal without mass\n");
    const double off[3] = {run(NULL, &springs, 1e-2), run(NULL, &springs, 1e-4), run(NULL, &springs, 1e-6)};
    paperCompare("error at 1e-2 kg / at 1e-4 kg", off[0] / off[1], 100, 2);
    paperCompare("error at 1e-4 kg / at 1e-6 kg", off[1] / off[2], 100, 2);
    return paperEnd();
}
