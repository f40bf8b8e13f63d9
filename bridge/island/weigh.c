/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/weigh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/metric.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

enum { Sides = 2 }; /* right-hand sides that are solved together: b and rate, or phi */

/* Rows in the metric of M (bridge/island/metric.h). */
typedef struct Weighing {
    ukIsland *island;
    bool pose; /* true: holonomic rows, phi; false: all rows, b and rate */
    int n, weighted, rigid, spanned;
    double tolerance;
    double *K; /* (n x n) orthonormal: `rigid` rows that span the rigid rows, then `spanned` for the weighted ones */
    double *z; /* (rigid x Sides) solution of the rigid rows: x_h = sum of z_j K_j */
    double *w; /* (weighted x n) weighted rows, */
    double *along; /* (weighted x Sides) A_w x_h, */
    double *rest;  /* (weighted x Sides) r_w - A_w x_h, then the part of it that can be satisfied, */
    double *T;     /* (weighted x n) R times the weighted rows' coefficients along the spanned rows of K; W = R'R */
    double *t;     /* (n) scratch */
    int *row;      /* (weighted) row of the problem */
    const struct ukConstraint **owner; /* (weighted) constraint of the row */
} Weighing;

/* The weight of a servo constraint is that of its actuators' errors (bridge/island/actuate.c). */
static bool hasWeight(const struct ukConstraint *c)
{
    return c->weight && !c->servo;
}

bool ukWeighs(const ukIsland *island)
{
    for (int k = 0; k < island->elements; k++)
        if (!island->element[k]->is_force && hasWeight((const struct ukConstraint *)island->element[k])) return true;
    return false;
}

static void carveWeighing(Weighing *g, ukArena *a)
{
    const size_t n = (size_t)g->n, m = (size_t)g->weighted;
    g->K = ukArenaDoubles(a, n * n);
    g->z = ukArenaDoubles(a, n * Sides);
    g->w = ukArenaDoubles(a, m * n);
    UKODE_DOUBLES(a, m * Sides, &g->along, &g->rest);
    g->T = ukArenaDoubles(a, m * n);
    g->t = ukArenaDoubles(a, n);
    g->row = ukArenaInts(a, m);
    g->owner = ukArenaBytes(a, (m + 1) * sizeof *g->owner);
}

bool ukWeighReserve(ukIslandSolvers *solvers, size_t size)
{
    if (size <= solvers->weigh_size) return true;
    free(solvers->weigh_memory);
    solvers->weigh_memory = aligned_alloc(64, size);
    solvers->weigh_size = solvers->weigh_memory ? size : 0;
    return solvers->weigh_memory != NULL;
}

static int reserveWeighing(Weighing *g)
{
    ukIslandSolvers *solvers = g->island->solvers;
    ukArena measure = ukArenaOver(NULL, 0);
    carveWeighing(g, &measure);
    const size_t size = (measure.used + 127) / 64 * 64;
    if (!ukWeighReserve(solvers, size)) return ukErrorSet(ukErrorMemory, "no memory for %d weighted rows", g->weighted);
    ukArena arena = ukArenaOver(solvers->weigh_memory, size);
    carveWeighing(g, &arena);
    return ukOk;
}

/* x (n) := row i of a block in the metric of M */
static void metricRow(const Weighing *g, const ukBlock *block, int i, double *x)
{
    const ukProblem *p = &g->island->ideal->problem;
    ukMetricBlockRow(p, block, p->A + block->A + 6 * (size_t)(i * block->slots), g->n, x);
}

static void sidesOf(const Weighing *g, int row, double side[Sides])
{
    const ukRowArrays *r = &g->island->rows;
    side[0] = g->pose ? r->phi[row] : r->b[row];
    side[1] = g->pose ? 0 : r->rate[row] - r->target[row];
}

/* Adds a rigid row to K and z, unless it is dependent on those before. */
static void addRigidRow(Weighing *g, const ukBlock *block, int i)
{
    double side[Sides];
    if (g->rigid == g->n) return;
    metricRow(g, block, i, g->K + (size_t)g->rigid * (size_t)g->n);
    const double norm = ukMetricOrthonormalize(g->K, g->rigid, g->n, g->tolerance, g->t);
    if (norm == 0) return;
    sidesOf(g, block->row + i, side);
    ukMetricExtend(g->z, g->rigid++, Sides, g->t, norm, side);
}

/* Adds weighted row number k and its right-hand sides, without their part along the rigid rows. */
static void addWeightedRow(Weighing *g, const ukBlock *block, int i, int k)
{
    double *x = g->w + (size_t)k * (size_t)g->n;
    metricRow(g, block, i, x);
    const double size = sqrt(ukDotRows(x, x, g->n));
    ukMetricProjectOut(g->K, g->rigid, g->n, x, g->t);
    sidesOf(g, block->row + i, g->rest + Sides * k);
    for (int s = 0; s < Sides; s++) {
        double along = 0;
        for (int j = 0; j < g->rigid; j++) along += g->t[j] * g->z[Sides * j + s];
        g->along[Sides * k + s] = along;
        g->rest[Sides * k + s] -= along;
    }
    const int last = g->rigid + g->spanned;
    if (last == g->n) return;
    double *next = g->K + (size_t)last * (size_t)g->n;
    memcpy(next, x, (size_t)g->n * sizeof *x);
    ukMetricProjectOut(g->K, last, g->n, next, g->t);
    const double norm = sqrt(ukDotRows(next, next, g->n));
    if (!(norm > g->tolerance * size)) return;
    for (int c = 0; c < g->n; c++) next[c] /= norm;
    g->spanned++;
}

/* Visits the rows of one kind: the rigid ones (weighted false), or those of weighted constraints. */
static void visitRows(Weighing *g, bool weighted)
{
    const ukIsland *island = g->island;
    const ukProblem *p = &island->ideal->problem;
    int k = 0;
    for (int j = 0; j < p->blocks; j++) {
        const ukBlock *block = &p->block[j];
        const struct ukConstraint *c = island->rows.owners[j].constraint;
        if ((c && hasWeight(c)) != weighted || (c && c->servo)) continue;
        for (int i = 0; i < block->rows; i++) {
            const int row = block->row + i;
            if (g->pose && island->rows.velocity[row]) continue;
            if (!weighted) {
                if (ukRowExact(island, row)) addRigidRow(g, block, i);
                continue;
            }
            g->row[k] = row;
            g->owner[k] = c;
            addWeightedRow(g, block, i, k++);
        }
    }
    if (weighted) g->weighted = k;
}

/* y := R y of the stacked weighted rows from `first`, the first row of their constraint; back: y := R^-1 y. y has
 * `stride` numbers per row, of which one is transformed. */
static void applyRoot(const Weighing *g, double *y, int stride, bool back)
{
    for (int first = 0, end; first < g->weighted; first = end) {
        const struct ukConstraint *c = g->owner[first];
        const int base = g->row[first];
        for (end = first; end < g->weighted && g->owner[end] == c;) end++;
        for (int step = 0; step < end - first; step++) {
            const int i = back ? end - 1 - step : first + step;
            const double *R = c->weight + (size_t)(g->row[i] - base) * (size_t)c->rows;
            double sum = back ? y[stride * i] : 0;
            for (int j = back ? i + 1 : i; j < end; j++) sum += (back ? -1 : 1) * R[g->row[j] - base] * y[stride * j];
            y[stride * i] = back ? sum / R[g->row[i] - base] : sum;
        }
    }
}

/* rest := T (T'T)^-1 T' rest in the metric W, by an orthonormal basis of the columns of R T */
static void projectRest(const Weighing *g)
{
    const int m = g->weighted, q = g->spanned, n = g->n;
    for (int k = 0; k < q; k++) {
        const double *axis = g->K + (size_t)(g->rigid + k) * (size_t)n;
        for (int i = 0; i < m; i++) g->T[i * n + k] = ukDotRows(g->w + (size_t)i * (size_t)n, axis, n);
        applyRoot(g, g->T + k, n, false);
        for (int sweep = 0; sweep < 2; sweep++)
            for (int j = 0; j < k; j++) {
                double along = 0;
                for (int i = 0; i < m; i++) along += g->T[i * n + j] * g->T[i * n + k];
                for (int i = 0; i < m; i++) g->T[i * n + k] -= along * g->T[i * n + j];
            }
        double norm = 0;
        for (int i = 0; i < m; i++) norm += g->T[i * n + k] * g->T[i * n + k];
        for (int i = 0; i < m; i++) g->T[i * n + k] /= norm > 0 ? sqrt(norm) : 1;
    }
    for (int s = 0; s < Sides; s++) {
        applyRoot(g, g->rest + s, Sides, false);
        for (int k = 0; k < q; k++) {
            g->t[k] = 0;
            for (int i = 0; i < m; i++) g->t[k] += g->T[i * n + k] * g->rest[Sides * i + s];
        }
        for (int i = 0; i < m; i++) {
            g->rest[Sides * i + s] = 0;
            for (int k = 0; k < q; k++) g->rest[Sides * i + s] += g->T[i * n + k] * g->t[k];
        }
        applyRoot(g, g->rest + s, Sides, true);
    }
}

static void writeSides(const Weighing *g, double h)
{
    const ukRowArrays *r = &g->island->rows;
    for (int k = 0; k < g->weighted; k++) {
        const int row = g->row[k];
        const double side = g->along[Sides * k] + g->rest[Sides * k];
        if (g->pose) {
            r->phi[row] = side;
            continue;
        }
        r->b[row] = side;
        if (!g->owner[k]->error) continue;
        r->rate[row] = r->target[row] + g->along[Sides * k + 1] + g->rest[Sides * k + 1];
        if (h > 0) r->c[row] = r->rate[row] + h * side; /* A v at the end of the step */
    }
}

/* Refuses weights of constraints with bounded rows, with both holonomic and nonholonomic rows, or under the split
 * correction: these are not implemented. */
static int refuseWeighing(const ukIsland *island, int *weighted)
{
    const ukProblem *p = &island->ideal->problem;
    *weighted = 0;
    for (int j = 0; j < p->blocks; j++) {
        const struct ukConstraint *c = island->rows.owners[j].constraint;
        if (!c || !hasWeight(c)) continue;
        bool plain = p->block[j].rows == c->rows, any = false, all = true;
        for (int i = p->block[j].row; i < p->block[j].row + p->block[j].rows; i++) {
            plain &= ukRowExact(island, i);
            any |= !island->rows.velocity[i];
            all &= !island->rows.velocity[i];
        }
        *weighted += p->block[j].rows;
        if (plain && any == all && island->world->settings.stabilization != ukStabilizeSplit) continue;
        return ukErrorSet(ukErrorUnsupported, "user constraint %llu: a weight together with %s is not supported",
                          (unsigned long long)c->element.serial,
                          !plain       ? "bounds of its rows"
                          : any != all ? "both holonomic and nonholonomic rows"
                                       : "the split correction (ukStabilizeSplit)");
    }
    return ukOk;
}

int ukWeighRows(ukIsland *island, double h)
{
    Weighing g = {.island = island, .n = 6 * island->ideal->problem.bodies};
    int status = refuseWeighing(island, &g.weighted);
    if (status == ukOk) status = reserveWeighing(&g);
    if (status != ukOk || g.n == 0) return status;
    g.tolerance = fmax(1e-9, ukRankTolerance(island, island->problem));
    for (int pose = 0; pose < 2; pose++) {
        g.pose = pose != 0;
        g.rigid = g.spanned = 0;
        visitRows(&g, false);
        visitRows(&g, true);
        projectRest(&g);
        writeSides(&g, h);
    }
    return ukOk;
}
