/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/actuation.h"

#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/island/metric.h"
#include "bridge/island/weigh.h"
#include "solvers/base/arena.h"
#include "solvers/base/status.h"

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void carveActuation(ukActuation *g, ukArena *arena)
{
    const size_t n = (size_t)g->n, m = (size_t)g->m, p = (size_t)g->p;
    g->K = ukArenaDoubles(arena, n * n);
    UKODE_DOUBLES(arena, n * ukActuationSides, &g->z, &g->start);
    g->a = ukArenaDoubles(arena, m * n);
    g->E = ukArenaDoubles(arena, p * (size_t)g->stride);
    UKODE_DOUBLES(arena, p * n, &g->d, &g->F, &g->FN);
    UKODE_DOUBLES(arena, m * p, &g->S, &g->L);
    g->k = ukArenaDoubles(arena, p * p);
    g->G = ukArenaDoubles(arena, m * p);
    g->H = ukArenaDoubles(arena, p * p);
    g->side = ukArenaDoubles(arena, m * ukActuationSides);
    g->t = ukArenaDoubles(arena, n + 2 * m + 2 * p);
    g->basis = ukArenaInts(arena, p);
}

int ukActuationReserve(ukActuation *g)
{
    ukIslandSolvers *solvers = g->island->solvers;
    ukArena measure = ukArenaOver(NULL, 0);
    carveActuation(g, &measure);
    const size_t size = (measure.used + 127) / 64 * 64;
    if (!ukWeighReserve(solvers, size)) return ukErrorSet(ukErrorMemory, "no memory for %d actuators", g->p);
    ukArena arena = ukArenaOver(solvers->weigh_memory, size);
    carveActuation(g, &arena);
    return ukOk;
}

/* ---- rigid rows -------------------------------------------------------------------------------------------------- */

void ukActuationSide(const ukActuation *g, int row, double side[ukActuationSides])
{
    const ukRowArrays *r = &g->island->rows;
    side[0] = g->pose ? r->phi[row] : r->b[row];
    side[1] = g->pose ? 0 : r->rate[row] - r->target[row];
}

/* whether a row is at a bound, where its force is given */
static bool isAtBound(const ukActuation *g, int row)
{
    const ukProblem *p = g->problem;
    return g->active && !g->active[row] && (p->lo[row] > -INFINITY || p->hi[row] < INFINITY);
}

/* computes K and z from the rows of all other blocks */
void ukActuationAddRigid(ukActuation *g)
{
    const ukProblem *p = g->problem;
    int soft = 6 * p->bodies;
    g->rigid = 0;
    for (int j = 0; j < p->blocks; j++) {
        const ukBlock *block = &p->block[j];
        if (block == g->block) continue;
        for (int i = block->row; i < block->row + block->rows; i++) {
            const int own = p->softness[i] > 0 ? soft++ : -1;
            if (g->rigid == g->n || (g->pose && g->island->rows.velocity[i]) || isAtBound(g, i)) continue;
            double side[ukActuationSides], *x = g->K + (size_t)g->rigid * (size_t)g->n;
            ukMetricBlockRow(p, block, p->A + block->A + 6 * (size_t)((i - block->row) * block->slots), g->n, x);
            if (own >= 0) x[own] = sqrt(p->softness[i]);
            const double norm = ukMetricOrthonormalize(g->K, g->rigid, g->n, g->tolerance, g->t);
            if (norm == 0) continue;
            ukActuationSide(g, i, side);
            ukMetricExtend(g->z, g->rigid++, ukActuationSides, g->t, norm, side);
        }
    }
}

/* y += the forces of rows at their bounds */
static void pushFromBounds(const ukActuation *g, double *y)
{
    const ukProblem *p = g->problem;
    for (int j = 0; j < p->blocks; j++) {
        const ukBlock *block = &p->block[j];
        for (int i = block->row; i < block->row + block->rows; i++) {
            if (block == g->block || !isAtBound(g, i) || g->lambda[i] == 0) continue;
            ukMetricBlockRow(p, block, p->A + block->A + 6 * (size_t)((i - block->row) * block->slots), g->n, g->t);
            for (int k = 0; k < g->n; k++) y[k] += g->lambda[i] * g->t[k];
        }
    }
}

/* Computes the motion without actuators: in the directions that the rigid rows determine, the motion that they
 * prescribe, and for b the free acceleration in all others. */
void ukActuationStart(ukActuation *g)
{
    const ukProblem *p = g->problem;
    for (int s = 0; s < ukActuationSides; s++) {
        double *y = g->start + (size_t)s * (size_t)g->n;
        memset(y, 0, (size_t)g->n * sizeof *y);
        if (s == 0 && !g->pose) {
            for (int body = 0; body < p->bodies; body++) {
                memcpy(y + 6 * body, p->Q + 6 * body, 6 * sizeof *y);
                for (int k = 0; p->C && k < 6; k++) y[6 * body + k] += p->C[6 * body + k];
                ukMetricRow(p, body, y + 6 * body);
            }
            if (g->active) pushFromBounds(g, y);
            g->impressed = sqrt(ukDotRows(y, y, g->n));
            ukMetricProjectOut(g->K, g->rigid, g->n, y, g->t);
        }
        for (int j = 0; j < g->rigid; j++) {
            const double *row = g->K + (size_t)j * (size_t)g->n, z = g->z[ukActuationSides * j + s];
            for (int i = 0; i < g->n; i++) y[i] += z * row[i];
        }
    }
}

void ukActuationProject(const ukActuation *g, double *x)
{
    ukMetricProjectOut(g->K, g->rigid, g->n, x, g->t);
}

/* ---- actuators --------------------------------------------------------------------------------------------------- */

void ukActuationSpan(ukActuation *g, const double *x, int count, double *xN)
{
    const size_t n = (size_t)g->n;
    double size = 0;
    memcpy(xN, x, (size_t)count * n * sizeof *x);
    for (int k = 0; k < count; k++) {
        size += ukDotRows(x + (size_t)k * n, x + (size_t)k * n, g->n);
        ukMetricProjectOut(g->K, g->rigid, g->n, xN + (size_t)k * n, g->t);
    }
    g->spans = 0;
    for (int i = 0; i < g->m; i++) {
        const double *a = g->a + (size_t)i * n;
        double *S = g->S + (size_t)i * (size_t)g->p, *L = g->L + (size_t)i * (size_t)g->p;
        for (int k = 0; k < count; k++) S[k] = ukDotRows(a, xN + (size_t)k * n, g->n);
        memset(L, 0, (size_t)g->p * sizeof *L);
        ukMetricProjectOut(g->k, g->spans, count, S, L);
        const double norm = sqrt(ukDotRows(S, S, count));
        if (g->spans == count || !(norm > g->tolerance * sqrt(size * ukDotRows(a, a, g->n)))) continue;
        for (int k = 0; k < count; k++) g->k[g->spans * count + k] = S[k] / norm;
        L[g->spans] = norm;
        g->basis[g->spans++] = i;
    }
}

/* ---- right-hand sides -------------------------------------------------------------------------------------------- */

/* r := R r with the weight W = R'R (m numbers, `step` apart) */
static void applyWeight(const ukActuation *g, double *r, int step)
{
    for (int i = 0; i < g->m; i++) {
        double sum = 0;
        for (int j = i; j < g->m; j++) sum += g->c->weight[i * g->m + j] * r[j * step];
        r[i * step] = sum;
    }
}

void ukActuationSolve(ukActuation *g, double *r, double *z)
{
    const int p = g->p, q = g->spans;
    if (!g->c->weight) {
        for (int j = 0; j < q; j++) {
            const double *L = g->L + (size_t)g->basis[j] * (size_t)p;
            z[j] = (r[g->basis[j]] - ukDotRows(L, z, j)) / L[j];
        }
        return;
    }
    double *Q = g->S, *R = g->H; /* R L = Q R, by columns */
    memcpy(Q, g->L, (size_t)(g->m * p) * sizeof *Q);
    applyWeight(g, r, 1);
    memset(R, 0, (size_t)(p * p) * sizeof *R);
    for (int k = 0; k < q; k++) {
        applyWeight(g, Q + k, p);
        for (int sweep = 0; sweep < 2; sweep++)
            for (int j = 0; j < k; j++) {
                double along = 0;
                for (int i = 0; i < g->m; i++) along += Q[i * p + j] * Q[i * p + k];
                for (int i = 0; i < g->m; i++) Q[i * p + k] -= along * Q[i * p + j];
                R[j * p + k] += along;
            }
        double square = 0;
        for (int i = 0; i < g->m; i++) square += Q[i * p + k] * Q[i * p + k];
        R[k * p + k] = sqrt(square);
        for (int i = 0; i < g->m; i++) Q[i * p + k] /= R[k * p + k];
        z[k] = 0;
        for (int i = 0; i < g->m; i++) z[k] += Q[i * p + k] * r[i];
    }
    for (int k = q - 1; k >= 0; k--) {
        for (int j = k + 1; j < q; j++) z[k] -= R[k * p + j] * z[j];
        z[k] /= R[k * p + k];
    }
}
