/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/cli/difference.h"

#include <math.h>
#include <stdlib.h>

static void widen(double *largest, double x)
{
    if (!isnan(*largest) && !(x <= *largest)) *largest = x; /* a NaN stays */
}

static double distance(const double *x, const double *y)
{
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

/* angle of the rotation from p to q, from |q -+ p|, which is good for small angles */
static double angle(const double *p, const double *q)
{
    double minus = 0, plus = 0;
    for (int i = 0; i < 4; i++) {
        minus += (q[i] - p[i]) * (q[i] - p[i]);
        plus += (q[i] + p[i]) * (q[i] + p[i]);
    }
    const double chord = sqrt(fmin(minus, plus)) / 2;
    return isnan(minus) ? NAN : 4 * asin(fmin(chord, 1));
}

Difference differenceOf(const ukTraceHeader *x, const ukTraceHeader *y)
{
    Difference d = {.alike = x->bodies == y->bodies && x->reactions == y->reactions};
    const ukTraceBody *p = traceBodies(x), *q = traceBodies(y);
    for (uint32_t i = 0; i < x->bodies && i < y->bodies; i++) {
        widen(&d.position, distance(p[i].x, q[i].x));
        widen(&d.orientation, angle(p[i].q, q[i].q));
        for (int k = 0; k < 6; k++) widen(&d.velocity, fabs(p[i].v[k] - q[i].v[k]));
    }
    d.energy = y->kinetic + y->potential - x->kinetic - x->potential;
    const ukTraceReaction *f = traceReactions(x), *g = traceReactions(y);
    static const double none[3] = {0};
    if (x->reactions == 0 || y->reactions == 0) d.reaction = d.load = NAN;
    for (uint32_t i = 0; i < x->reactions && i < y->reactions; i++) {
        if (f[i].type != g[i].type) {
            d.alike = false;
            break;
        }
        widen(&d.reaction, fmax(distance(f[i].f1, g[i].f1), distance(f[i].f2, g[i].f2)));
        widen(&d.load, fmax(distance(f[i].f1, none), distance(g[i].f1, none)));
    }
    return d;
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static double medianTime(const TraceWorld *w)
{
    double *times = malloc((size_t)w->count * sizeof *times);
    if (!times) return NAN;
    for (int i = 0; i < w->count; i++) times[i] = w->record[i]->seconds;
    qsort(times, (size_t)w->count, sizeof *times, ascending);
    const double median = times[w->count / 2];
    free(times);
    return median;
}

Course courseOf(const TraceWorld *w)
{
    Course c = {.steps = w->count, .energy_lowest = INFINITY, .energy_highest = -INFINITY};
    if (w->count == 0) return c;
    for (int i = 0; i < w->count; i++) {
        const ukTraceHeader *r = w->record[i];
        const double energy = r->kinetic + r->potential;
        c.ours += r->ours != 0;
        c.fallbacks += r->status != 0;
        c.mean += r->seconds / w->count;
        widen(&c.worst, r->seconds);
        widen(&c.residual, r->residual);
        widen(&c.position_error, r->position_error);
        c.energy_lowest = fmin(c.energy_lowest, energy);
        c.energy_highest = fmax(c.energy_highest, energy);
    }
    const ukTraceHeader *first = w->record[0], *last = w->record[w->count - 1];
    c.energy_first = first->kinetic + first->potential;
    c.energy_last = last->kinetic + last->potential;
    c.time = last->time;
    c.median = medianTime(w);
    return c;
}
