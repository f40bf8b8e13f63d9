/* SPDX-License-Identifier: BSD-3-Clause */
/* The norm of errors by which the adaptive integrator chooses its steps, against its definition
 * (bridge/integrate/measure.h), computed here from the bodies one by one: an island of three bodies, one of them
 * kinematic, with a lever. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "bridge/integrate/measure.h"
#include "bridge/island/island.h"
#include "tests/check.h"

enum { Bodies = 3, Moving = 2 };

static const double mass[Moving] = {2, 0.5};
static const double inertia[Moving][9] = {{0.3, 0.02, 0, 0.02, 0.4, 0, 0, 0, 0.6},
                                          {0.01, 0, 0, 0, 0.03, 0, 0, 0, 0.02}};
static const double place[Bodies][3] = {{1, 2, 3}, {9, 9, 9}, {2, 2, 2.5}}; /* the second is kinematic */
static const double velocity[Bodies][6] = {{0.3, -0.1, 0, 1, 0, 2}, {7, 7, 7, 7, 7, 7}, {-1, 0.2, 0.1, 0, 3, -1}};

typedef struct Island {
    ukWorld world;
    ukIsland island;
    ukProblem problem;
    ukBlock block;
    ukBody body[Bodies];
    ukFrame frame[Bodies];
    double stage[48 * Bodies], A[12];
} Island;

static void islandMake(Island *l)
{
    memset(l, 0, sizeof *l);
    l->block = (ukBlock){.rows = 1, .slots = 2};
    l->A[0] = 1, l->A[4] = 0.7, l->A[6] = -1, l->A[11] = 1.5; /* levers of 0.7 m and 1.5 m */
    l->problem = (ukProblem){.bodies = Moving,
                             .blocks = 1,
                             .rows = 1,
                             .mass = mass,
                             .inertia = &inertia[0][0],
                             .block = &l->block,
                             .A = l->A};
    l->island.frames = Bodies;
    for (int i = 0; i < Bodies; i++) {
        ukFrame *const f = &l->frame[i];
        f->body = &l->body[i];
        f->moving = i == 1 ? -1 : i / 2;
        memcpy(f->start.x, place[i], sizeof place[i]);
        memcpy(f->start.v, velocity[i], sizeof velocity[i]);
        for (int k = 0; k < 48; k++) l->stage[48 * i + k] = sin(3 * i + k + 1);
    }
    l->world.settings.tolerance = 1e-6, l->world.settings.absolute = 1e-5;
    l->island.world = &l->world;
    l->island.problem = &l->problem;
    l->island.frame = l->frame;
    l->island.states.stage = l->stage;
}

/* |x|_M^2 of one moving body */
static double squareOf(int moving, const double *x)
{
    const double *I = inertia[moving];
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        sum += mass[moving] * x[c] * x[c];
        for (int d = 0; d < 3; d++) sum += x[3 + c] * I[3 * c + d] * x[3 + d];
    }
    return sum;
}

static const double step = 0.02;

static ukMeasure expected(const Island *l)
{
    double m = 0, centre[3] = {0}, spread = 0, far = 0, u = 0, a = 0;
    for (int k = 0; k < Moving; k++) {
        m += mass[k];
        for (int c = 0; c < 3; c++) centre[c] += mass[k] * place[2 * k][c];
    }
    for (int k = 0; k < Moving; k++) {
        const double *I = inertia[k];
        for (int c = 0; c < 3; c++) {
            spread += mass[k] * pow(place[2 * k][c] - centre[c] / m, 2);
            far += mass[k] * pow(place[2 * k][c], 2);
        }
        spread += (I[0] + I[4] + I[8]) / 2; /* sum of the squares of distances from three planes: the trace, halved */
        u += squareOf(k, velocity[2 * k]);
        a += squareOf(k, l->stage + 48 * 2 * k);
    }
    ukMeasure of = {.mass = m, .acceleration = sqrt(a), .step = step};
    of.length = sqrt(spread / m + 1.5 * 1.5);
    of.rounded = DBL_EPSILON * sqrt(far / m + of.length * of.length);
    of.speed = sqrt(u + of.acceleration * sqrt(m) * of.length);
    return of;
}

static void scales(void)
{
    static Island l;
    islandMake(&l);
    const ukMeasure of = ukMeasureOf(&l.island, step), e = expected(&l);
    CHECK_NEAR(of.mass, e.mass, 1e-14);
    CHECK_NEAR(of.length, e.length, 1e-14);
    CHECK_NEAR(of.speed, e.speed, 1e-13);
    CHECK_NEAR(of.acceleration, e.acceleration, 1e-13);
    CHECK_NEAR(of.rounded / e.rounded, 1, 1e-12);
    /* at rest: what moves a place by its rounding in the user's step */
    for (int i = 0; i < Bodies; i++) memset(l.frame[i].start.v, 0, sizeof l.frame[i].start.v);
    memset(l.stage, 0, sizeof l.stage);
    CHECK_NEAR(ukMeasureOf(&l.island, step).speed / (sqrt(e.mass) * e.rounded / step), 1, 1e-12);
}

/* relative + absolute / L, times the part of the time sqrt(m) L / V that h is: a hundredth at least, all of it at
 * most */
static void allowances(void)
{
    static Island l;
    islandMake(&l);
    ukMeasure of = expected(&l);
    const double whole = 1e-6 + 1e-5 / of.length, crossing = sqrt(of.mass) * of.length / of.speed;
    CHECK_NEAR(ukMeasureAllowed(&l.island, &of, 0.3 * crossing) / (0.3 * whole), 1, 1e-12);
    CHECK_NEAR(ukMeasureAllowed(&l.island, &of, 1e-4 * crossing) / (0.01 * whole), 1, 1e-12);
    CHECK_NEAR(ukMeasureAllowed(&l.island, &of, 40 * crossing) / whole, 1, 1e-12);
    of.speed = 0; /* there is no such time */
    CHECK_NEAR(ukMeasureAllowed(&l.island, &of, 0.3 * crossing) / whole, 1, 1e-12);
}

/* the larger of |e_q|_M / (sqrt(m) L) and |e_u|_M / V over what is allowed; rounding counts as none */
static double errorOf(const Island *l, const ukMeasure *of, double q[Moving][6], double u[Moving][6], double h)
{
    const double allowed = ukMeasureAllowed(&l->island, of, h), root = sqrt(of->mass);
    double places = 0, speeds = 0;
    for (int k = 0; k < Moving; k++) places += squareOf(k, q[k]), speeds += squareOf(k, u[k]);
    return fmax(sqrt(places) / (root * (allowed * of->length + of->rounded)),
                sqrt(speeds) / (allowed * of->speed + root * of->rounded / of->step));
}

/* errors of places, of speeds, and both, by the rates or by given speeds, of which a node counts for places */
static void errors(void)
{
    static const ukStage kinds[] = {{.uses = 3, .pose = {0.3, -0.2, 0.7}, .rate = {0}},
                                    {.uses = 3, .pose = {0}, .rate = {0.1, 0.4, -0.3}},
                                    {.uses = 2, .pose = {0.5, -0.5}, .rate = {0.2, 0.1}},
                                    {.uses = 2, .node = 0.4, .pose = {0.5, -0.5}}};
    static const double given[6 * Moving] = {1e-3, 0, 2e-3, 0, 1e-3, 0, 0, 5e-3, 0, 1e-2, 0, -1e-3};
    static const double steps[] = {1e-3, 0.05, 30};
    static Island l;
    islandMake(&l);
    const ukMeasure of = expected(&l);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) {
            const ukStage *d = &kinds[i];
            const double h = steps[j], *const rate = i == 3 ? given : NULL;
            const ukBody *worst = NULL;
            double q[Moving][6] = {{0}}, u[Moving][6] = {{0}};
            for (int k = 0; k < Moving; k++)
                for (int c = 0; c < 6; c++) {
                    for (int n = 0; n < d->uses; n++) {
                        q[k][c] += d->pose[n] * h * h * l.stage[48 * 2 * k + 6 * n + c];
                        u[k][c] += d->rate[n] * h * l.stage[48 * 2 * k + 6 * n + c];
                    }
                    if (rate) u[k][c] = rate[6 * k + c], q[k][c] += d->node * h * u[k][c];
                }
            const double is = ukMeasureError(&l.island, &of, d, rate, h, &worst);
            CHECK_NEAR(is / errorOf(&l, &of, q, u, h), 1, 1e-11);
            CHECK(worst == &l.body[squareOf(0, u[0]) >= squareOf(1, u[1]) ? 0 : 2]);
        }
    const double nothing[6 * Moving] = {0}, g = 0.01;
    double q[Moving][6], u[Moving][6];
    for (int k = 0; k < 6 * Moving; k++) u[k / 6][k % 6] = g * given[k], q[k / 6][k % 6] = g * g * given[k];
    CHECK_NEAR(ukMeasureChange(&l.island, &of, nothing, given, g, 0.05) / errorOf(&l, &of, q, u, 0.05), 1, 1e-11);
    l.stage[0] = NAN;
    const ukBody *worst = NULL;
    CHECK(isnan(ukMeasureError(&l.island, &of, &kinds[0], NULL, 0.05, &worst)));
}

int main(void)
{
    scales();
    allowances();
    errors();
    return ukTestEnd();
}
