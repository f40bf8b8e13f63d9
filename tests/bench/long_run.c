/* SPDX-License-Identifier: BSD-3-Clause */
/* What a mechanism keeps over a long run: its energy, the momenta of a free body, and the way back.
 *
 *     long_run [--integrator rattle|rk4|adaptive|euler] [--steps N] [--back N] [--h S] [--check] [scene ...]
 *
 * Scenes: pendulum (4 ms), four_bar (4 ms), bricard (5 ms), body (10 ms; free, asymmetric, tumbling); all of them
 * unless named. Each takes N steps (default 1e6), and, from its start, --back steps (default 1000) there, its
 * velocities reversed, and as many back. One line a scene, energies as parts of the largest kinetic energy:
 *
 *     band      largest error of the energy
 *     last      the same in the last tenth of the run
 *     trend     slope of a line through the energies, a step
 *     linear    largest change of the linear momentum, of its size (free bodies)
 *     angular   the same of the angular momentum
 *     gap       largest distance of a joint's anchors [m]
 *     back      largest distance of a body from where it began [m]
 *
 * --check: exit 1 unless the run ends, the band is at most 1e-2, trend 1e-12 a step (of short runs: what a band can
 * hide of one, band/steps), momenta 1e-12, gap 1e-11 m, way back 1e-9 m. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"

typedef struct Choice {
    ukIntegrator integrator;
    long steps, back;
    double h; /* [s]; 0: the scene's own */
    int check;
} Choice;

typedef struct Result {
    double band, last, trend, linear, angular, gap, back;
} Result;

static Scene *pendulum(void)
{
    return sceneHingeChain(1);
}

static Scene *body(void)
{
    Scene *s = sceneNew(1, 0, 0.01);
    dMass m;
    const dBodyID b = sceneAddBox(s, 1, 0.1, 0.1, 0.1, 0, 0, 0);
    dMassSetParameters(&m, 1, 0, 0, 0, 1, 2, 3, 0.1, 0, 0.2);
    dBodySetMass(b, &m);
    dWorldSetGravity(s->world, 0, 0, 0);
    dBodySetAngularVel(b, 0.3, 2, -0.4);
    dBodySetLinearVel(b, 1, 2, 3);
    return s;
}

static const struct {
    const char *name;
    Scene *(*make)(void);
    double h;
    int isFree;
} scenes[] = {{"pendulum", pendulum, 0.004, 0},
              {"four_bar", sceneFourBar, 0.004, 0},
              {"bricard", sceneBricard, 0.005, 0},
              {"body", body, 0.01, 1}};

/* linear momentum and, about the body's centre, angular momentum */
static void momenta(dBodyID b, double P[3], double L[3])
{
    const dReal *R = dBodyGetRotation(b), *v = dBodyGetLinearVel(b), *w = dBodyGetAngularVel(b);
    dMass m;
    double local[3], turned[3];
    dBodyGetMass(b, &m);
    for (int i = 0; i < 3; i++) P[i] = m.mass * v[i], local[i] = R[i] * w[0] + R[4 + i] * w[1] + R[8 + i] * w[2];
    for (int i = 0; i < 3; i++)
        turned[i] = m.I[4 * i] * local[0] + m.I[4 * i + 1] * local[1] + m.I[4 * i + 2] * local[2];
    for (int i = 0; i < 3; i++) L[i] = R[4 * i] * turned[0] + R[4 * i + 1] * turned[1] + R[4 * i + 2] * turned[2];
}

static double kinetic(const Scene *s)
{
    double sum = 0;
    for (int i = 0; i < s->count; i++) {
        const dReal *v = dBodyGetLinearVel(s->bodies[i]), *w = dBodyGetAngularVel(s->bodies[i]);
        double P[3], L[3];
        momenta(s->bodies[i], P, L);
        for (int k = 0; k < 3; k++) sum += 0.5 * (P[k] * v[k] + L[k] * w[k]);
    }
    return sum;
}

static double distance(const double x[3], const double y[3])
{
    return hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) / hypot(hypot(y[0], y[1]), y[2]);
}

static int step(Scene *s, double h, long k)
{
    if (ukWorldStep(s->world, h) == 1) return 1;
    printf("step %ld: %s\n", k, ukGetLastErrorMessage());
    return 0;
}

/* false: a step failed */
static int run(Scene *s, int isFree, const Choice *c, Result *r)
{
    const double start = sceneEnergy(s), middle = 0.5 * (double)(c->steps + 1);
    double P0[3], L0[3], P[3], L[3], most = kinetic(s), along = 0, spread = 0;
    momenta(s->bodies[0], P0, L0);
    for (long k = 1; k <= c->steps; k++) {
        if (!step(s, c->h, k)) return 0;
        const double off = sceneEnergy(s) - start, at = (double)k - middle;
        along += at * off;
        spread += at * at;
        most = fmax(most, kinetic(s));
        r->band = fmax(r->band, fabs(off));
        if (10 * k > 9 * c->steps) r->last = fmax(r->last, fabs(off));
        r->gap = fmax(r->gap, sceneGap(s));
        if (!isFree) continue;
        momenta(s->bodies[0], P, L);
        r->linear = fmax(r->linear, distance(P, P0));
        r->angular = fmax(r->angular, distance(L, L0));
    }
    r->band /= most;
    r->last /= most;
    r->trend = along / spread / most;
    return 1;
}

static int wayBack(Scene *s, const Choice *c, Result *r)
{
    dReal at[3 * 16];
    sceneNote(s, at);
    for (long k = 1; k <= 2 * c->back; k++) {
        if (!step(s, c->h, k)) return 0;
        for (int i = 0; i < s->count && k == c->back; i++) {
            const dReal *v = dBodyGetLinearVel(s->bodies[i]), *w = dBodyGetAngularVel(s->bodies[i]);
            dBodySetLinearVel(s->bodies[i], -v[0], -v[1], -v[2]);
            dBodySetAngularVel(s->bodies[i], -w[0], -w[1], -w[2]);
        }
    }
    r->back = sceneDrift(s, at);
    return 1;
}

static int bench(int which, Choice c)
{
    Result r = {0};
    int ended = 1;
    if (c.h <= 0) c.h = scenes[which].h;
    for (int way = 0; way < 2 && ended; way++) {
        Scene *s = scenes[which].make();
        ukWorldEnable(s->world);
        ended = ukWorldSetIntegrator(s->world, c.integrator) == 0;
        if (ended) ended = way == 0 ? run(s, scenes[which].isFree, &c, &r) : wayBack(s, &c, &r);
        sceneDestroy(s);
    }
    printf("%-9s %-8g %-9ld %-9.2e %-9.2e %-9.1e %-9.1e %-9.1e %-9.1e %-9.1e\n", scenes[which].name, c.h, c.steps,
           r.band, r.last, r.trend, r.linear, r.angular, r.gap, r.back);
    fflush(stdout);
    const double trend = fmax(1e-12, r.band / (double)c.steps);
    return ended && r.band <= 1e-2 && fabs(r.trend) <= trend && r.linear <= 1e-12 && r.angular <= 1e-12 &&
           r.gap <= 1e-11 && r.back <= 1e-9;
}

/* the option's value, or -1 */
static int integratorOf(const char *name)
{
    static const char *const names[] = {"euler", "rk4", "adaptive", "rattle"};
    for (int k = 0; k < 4; k++)
        if (strcmp(name, names[k]) == 0) return k;
    return -1;
}

int main(int argc, char **argv)
{
    Choice c = {.integrator = ukIntegratorRattle, .steps = 1000000, .back = 1000};
    int sound = 1, known = 1, chosen[4] = {0}, any = 0;
    for (int i = 1; i < argc && known; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        known = 0;
        for (int k = 0; k < 4; k++)
            if (strcmp(argv[i], scenes[k].name) == 0) known = any = chosen[k] = 1;
        if (strcmp(argv[i], "--check") == 0) known = c.check = 1;
        if (known) continue;
        known = 1;
        if (strcmp(argv[i], "--steps") == 0)
            c.steps = atol(value);
        else if (strcmp(argv[i], "--back") == 0)
            c.back = atol(value);
        else if (strcmp(argv[i], "--h") == 0)
            c.h = atof(value);
        else if (strcmp(argv[i], "--integrator") == 0 && integratorOf(value) >= 0)
            c.integrator = (ukIntegrator)integratorOf(value);
        else
            known = 0;
        i++;
    }
    if (!known || c.steps < 1) {
        fprintf(stderr, "usage: long_run [--integrator NAME] [--steps N] [--back N] [--h S] [--check] [scene ...]\n");
        return 2;
    }
    printf("%-9s %-8s %-9s %-9s %-9s %-9s %-9s %-9s %-9s %-9s\n", "scene", "h [s]", "steps", "band", "last", "trend",
           "linear", "angular", "gap", "back");
    dInitODE2(0);
    for (int k = 0; k < 4; k++)
        if (!any || chosen[k]) sound = bench(k, c) && sound;
    dCloseODE();
    return c.check && !sound;
}
