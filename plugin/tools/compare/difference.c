/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/compare/difference.h"

#include <math.h>
#include <string.h>

static void raiseLargestDifference(double *largest, double x)
{
    if (!isnan(*largest) && !(x <= *largest)) *largest = x; /* a NaN stays */
}

static double distanceOf(const double *x, const double *y)
{
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

/* angle of the rotation from p to q, from |q -+ p|, which is good for small angles */
static double rotationAngle(const double *p, const double *q)
{
    double minus = 0, plus = 0;
    for (int i = 0; i < 4; i++) {
        minus += (q[i] - p[i]) * (q[i] - p[i]);
        plus += (q[i] + p[i]) * (q[i] + p[i]);
    }
    const double chord = sqrt(fmin(minus, plus)) / 2;
    return isnan(minus) ? NAN : 4 * asin(fmin(chord, 1));
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static bool nextBodies(const Walk *x, const Walk *y, int *i, int *k)
{
    while (*i < x->bodies && !x->body[*i].present) ++*i;
    while (*k < y->bodies && !y->body[*k].present) ++*k;
    return *i < x->bodies && *k < y->bodies;
}

static void compareBodies(const Walk *x, const Walk *y, Difference *d)
{
    double most = 0;
    int i = 0, k = 0;
    for (; nextBodies(x, y, &i, &k); i++, k++) {
        const WalkBody *const p = &x->body[i], *const q = &y->body[k];
        const double away = distanceOf(p->x, q->x), turned = rotationAngle(p->q, q->q);
        raiseLargestDifference(&d->position, away);
        raiseLargestDifference(&d->orientation, turned);
        for (int c = 0; c < 6; c++) raiseLargestDifference(&d->velocity, fabs(p->v[c] - q->v[c]));
        const double before = most;
        raiseLargestDifference(&most, away);
        raiseLargestDifference(&most, turned);
        if (most == before || isnan(before)) continue;
        d->farthest = k;
        d->farthest_position = away;
        d->farthest_angle = turned;
    }
    d->alike = i == x->bodies && k == y->bodies;
}

/* ---- joints and contacts ----------------------------------------------------------------------------------------- */

bool differencePairJoints(const Walk *x, const Walk *y, int *i, int *k)
{
    while (*i < x->joints && !x->joint[*i].present) ++*i;
    while (*k < y->joints && !y->joint[*k].present) ++*k;
    return *i < x->joints && *k < y->joints;
}

/* index of a body by its key; -1: the static world */
static int indexOf(const Walk *w, int64_t key)
{
    int low = 0, high = w->bodies;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (w->body[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->bodies && w->body[low].key == key ? low : -1;
}

bool differenceSameContacts(const Walk *x, const Walk *y)
{
    if (x->contacts != y->contacts) return false;
    for (int i = 0; i < x->contacts; i++)
        for (int k = 0; k < 2; k++)
            if (indexOf(x, x->contact[i].body[k]) != indexOf(y, y->contact[i].body[k])) return false;
    return true;
}

static void compareForces(const double *f, const double *g, Difference *d)
{
    static const double none[3] = {0};
    if (isnan(d->load)) d->reaction = d->load = 0; /* the first of which both are known */
    raiseLargestDifference(&d->reaction, distanceOf(f, g));
    d->load = fmax(d->load, fmax(distanceOf(f, none), distanceOf(g, none)));
}

static void compareReactions(const Walk *x, const Walk *y, Difference *d)
{
    int i = 0, k = 0;
    d->reaction = d->load = (double)NAN;
    for (; d->alike && differencePairJoints(x, y, &i, &k); i++, k++) {
        const WalkJoint *const p = &x->joint[i], *const q = &y->joint[k];
        d->alike = strcmp(p->type, q->type) == 0;
        if (d->alike && p->force_known && q->force_known) compareForces(p->force, q->force, d);
    }
    if (d->alike) d->alike = i == x->joints && k == y->joints;
    if (!d->alike || !differenceSameContacts(x, y)) return;
    for (int c = 0; c < x->contacts; c++)
        if (!isnan(x->contact[c].force[0]) && !isnan(y->contact[c].force[0]))
            compareForces(x->contact[c].force, y->contact[c].force, d);
}

Difference differenceOf(const Walk *x, const Walk *y)
{
    Difference d = {.farthest = -1};
    compareBodies(x, y, &d);
    d.energy = y->energy - x->energy;
    compareReactions(x, y, &d);
    return d;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

/* NaN if a step of ukode has no value: a recording stores numbers that are not finite as NULL */
static double differenceLargest(ukReader *r, int64_t world, const char *column)
{
    return queryOne(r,
                    "SELECT CASE WHEN count(*) = 0 THEN 0.0 WHEN count(*) = count(%s) THEN max(%s) END FROM step "
                    "WHERE world = %lld AND ukode",
                    column, column, (long long)world);
}

Course courseOf(ukReader *r, int64_t world)
{
    Course c = {.steps = NAN};
    const long long w = world;
    Query q = queryBegin(r,
                         "SELECT count(*), sum(ukode), sum(fallback), max(time), 1e-6*avg(microseconds), "
                         "1e-6*max(microseconds), min(kinetic_energy + potential_energy), "
                         "max(kinetic_energy + potential_energy), min(step), max(step) FROM step WHERE world = %lld",
                         w);
    if (!queryNext(&q)) return c;
    c = (Course){.steps = queryNumber(&q, 0),
                 .ours = queryNumber(&q, 1),
                 .fallbacks = queryNumber(&q, 2),
                 .time = queryNumber(&q, 3),
                 .mean = queryNumber(&q, 4),
                 .worst = queryNumber(&q, 5),
                 .energy_lowest = queryNumber(&q, 6),
                 .energy_highest = queryNumber(&q, 7)};
    const long long first = queryInteger(&q, 8), last = queryInteger(&q, 9);
    queryEnd(&q);
    static const char energy[] = "SELECT kinetic_energy + potential_energy FROM step WHERE step = %lld";
    c.energy_first = queryOne(r, energy, first);
    c.energy_last = queryOne(r, energy, last);
    c.median = queryOne(r,
                        "SELECT 1e-6*microseconds FROM step WHERE world = %lld ORDER BY microseconds "
                        "LIMIT 1 OFFSET (SELECT count(*) / 2 FROM step WHERE world = %lld)",
                        w, w);
    c.residual = differenceLargest(r, world, "max(feasibility, stationarity, complementarity)");
    c.position_error = differenceLargest(r, world, "position_error");
    c.bodies = queryOne(r, "SELECT count(*) FROM body WHERE world = %lld AND created_step <= %lld", w, first);
    return c;
}
