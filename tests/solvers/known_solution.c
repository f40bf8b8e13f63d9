/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/solvers/known_solution.h"

#include <math.h>
#include <string.h>

ukProblem ukKnownOneBody(const ukBlock *block, const double *Q, const double *A, const double *b)
{
    static const double mass[] = {2}, unit[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int body[] = {0};
    return (ukProblem){.bodies = 1,
                       .blocks = 1,
                       .rows = block->rows,
                       .mass = mass,
                       .inertia = unit,
                       .inverse_inertia = unit,
                       .Q = Q,
                       .block = block,
                       .body = body,
                       .A = A,
                       .b = b};
}

ukResiduals ukKnownResiduals(ukKnown *w)
{
    ukResiduals c;
    ukGaussCheck(&w->g.p, &w->e, w->work, &c);
    return c;
}

void ukKnownAccelerate(ukKnown *w)
{
    double f[ukKnownN];
    memcpy(f, w->g.Q, sizeof f);
    for (int i = 0; w->g.p.C && i < 6 * w->g.p.bodies; i++) f[i] += w->g.C[i];
    ukProblemApplyTransposed(&w->g.p, w->lambda, f);
    ukProblemAccelerate(&w->g.p, f, w->qdd);
}

double ukKnownCompliance(const ukKnown *w, int row)
{
    double l[ukKnownM] = {0}, f[ukKnownN] = {0}, a[ukKnownN], y[ukKnownM];
    l[row] = 1;
    ukProblemApplyTransposed(&w->g.p, l, f);
    ukProblemAccelerate(&w->g.p, f, a);
    ukProblemApply(&w->g.p, a, y);
    return y[row];
}

void ukKnownMake(ukKnown *w, ukRandom *random, ukKnownKind kind, double force)
{
    memset(w, 0, sizeof *w);
    ukRandomBlocks *g = &w->g;
    ukRandomBlocksMake(g, random, force);
    const int m = g->p.rows;
    double residual[ukKnownM] = {0};
    w->e = (ukGaussEvidence){.qdd = w->qdd, .lambda = w->lambda};
    if (kind >= ukKnownBoxes) w->e.lo = g->lo, w->e.hi = g->hi;
    w->e.elliptic = kind == ukKnownCones;
    for (int i = 0; i < m; i++) {
        const double k = ukKnownCompliance(w, i);
        w->lambda[i] = force * ukRandomUniform(random, -1, 1);
        if (kind == ukKnownSoft && ukRandomInt(random, 0, 2)) g->softness[i] = ukRandomDecade(random, -8, 1);
        if (kind == ukKnownSoftBoxes) g->softness[i] = ukRandomDecade(random, -4, 1);
        if (kind < ukKnownBoxes || ukRandomInt(random, 0, 3) == 0) continue;
        const double bound = force * ukRandomUniform(random, 0.5, 1),
                     slip = force * (k + 0.1) * ukRandomUniform(random, 0, 1);
        g->lo[i] = ukRandomInt(random, 0, 1) ? 0 : -bound;
        g->hi[i] = ukRandomInt(random, 0, 1) ? INFINITY : bound;
        const int where = ukRandomInt(random, 0, g->hi[i] < INFINITY ? 2 : 1);
        if (where == 0) w->lambda[i] = g->lo[i], residual[i] = slip;
        if (where == 1) w->lambda[i] = g->lo[i] + ukRandomUniform(random, 0.1, 0.4) * bound;
        if (where == 2) w->lambda[i] = g->hi[i], residual[i] = -slip;
    }
    for (int k = 0; kind == ukKnownCones && k < g->p.blocks; k++) {
        const int i = g->block[k].row;
        if (g->block[k].rows < 2) continue;
        g->cone[i] = 1, g->normal[i] = g->normal[i + 1] = 0;
        const double angle = ukRandomUniform(random, 0, 6.28), a = force * ukRandomUniform(random, 0.5, 2),
                     b = force * ukRandomUniform(random, 0.5, 2), inside = ukRandomInt(random, 0, 1) ? 0.7 : 1;
        g->lo[i] = -a, g->hi[i] = a, g->lo[i + 1] = -b, g->hi[i + 1] = b;
        w->lambda[i] = inside * a * cos(angle), w->lambda[i + 1] = inside * b * sin(angle);
        const double slip = inside < 1 ? 0 : -force * ukRandomUniform(random, 0, 2); /* the normal of the ellipse */
        residual[i] = slip * cos(angle) * (a > 0 ? force / a : 1),
        residual[i + 1] = slip * sin(angle) * (b > 0 ? force / b : 1);
    }
    ukKnownAccelerate(w);
    ukProblemApply(&g->p, w->qdd, g->b);
    for (int i = 0; i < m; i++) g->b[i] += g->softness[i] * w->lambda[i] - residual[i];
}
