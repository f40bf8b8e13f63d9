/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/problem/problem.h"

#include "solvers/problem/block.h"

#include <math.h>

static const double smallest = 1e-100; /* radius of a disc */

int ukProblemDisc(const ukProblem *p, const double *hi, bool elliptic, int row, int end)
{
    const int rows = p->cone ? 1 + p->cone[row] : 1, normal = ukProblemNormal(p, row);
    if (rows == 1 || row + rows > end || (normal >= 0 && !elliptic)) return 1;
    for (int i = row; i < row + rows; i++)
        if (!(hi[i] > smallest && hi[i] < INFINITY) || ukProblemNormal(p, i) != normal) return 1;
    return rows;
}

/* Body by body of a block, so that what belongs to one body stays in registers over the rows. */
void ukProblemApply(const ukProblem *p, const double *x, double *y)
{
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        double *out = y + b->row;
        const int stride = 6 * b->slots;
        bool fresh = true; /* zeros written first would be a call */
        for (int s = 0; s < b->slots; s++) {
            const int body = p->body[b->slot + s];
            if (body < 0) continue;
            const double *A = p->A + b->A + 6 * s, *v = x + 6 * (size_t)body;
            const ukPair v0 = {v[0], v[3]}, v1 = {v[1], v[4]}, v2 = {v[2], v[5]}; /* linear beside angular */
            for (int r = 0; r < b->rows; r++, A += stride) {
                const ukPair sum = (ukPair){A[0], A[3]} * v0 + (ukPair){A[1], A[4]} * v1 + (ukPair){A[2], A[5]} * v2;
                out[r] = (fresh ? 0 : out[r]) + (sum[0] + sum[1]);
            }
            fresh = false;
        }
        for (int r = 0; fresh && r < b->rows; r++) out[r] = 0;
    }
}

void ukProblemApplyTransposed(const ukProblem *p, const double *lambda, double *f)
{
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const int stride = 6 * b->slots;
        for (int s = 0; s < b->slots; s++) {
            const int body = p->body[b->slot + s];
            if (body < 0) continue;
            const double *A = p->A + b->A + 6 * s, *l = lambda + b->row;
            ukPair g0 = ukBothOf(0), g1 = g0, g2 = g0;
            for (int r = 0; r < b->rows; r++, A += stride) {
                const ukPair by = ukBothOf(l[r]);
                g0 += ukLoadPair(A) * by, g1 += ukLoadPair(A + 2) * by, g2 += ukLoadPair(A + 4) * by;
            }
            double *g = f + 6 * (size_t)body;
            ukStorePair(g, ukLoadPair(g) + g0);
            ukStorePair(g + 2, ukLoadPair(g + 2) + g1);
            ukStorePair(g + 4, ukLoadPair(g + 4) + g2);
        }
    }
}

/* y (3) = S x, S (3 x 3) */
static void apply3(const double *S, const double *x, double *y)
{
    const double x0 = x[0], x1 = x[1], x2 = x[2];
    y[0] = S[0] * x0 + S[1] * x1 + S[2] * x2;
    y[1] = S[3] * x0 + S[4] * x1 + S[5] * x2;
    y[2] = S[6] * x0 + S[7] * x1 + S[8] * x2;
}

void ukProblemAccelerate(const ukProblem *p, const double *f, double *a)
{
    for (int i = 0; i < p->bodies; i++, f += 6, a += 6) {
        for (int c = 0; c < 3; c++) a[c] = f[c] / p->mass[i];
        apply3(p->inverse_inertia + 9 * (size_t)i, f + 3, a + 3);
    }
}

void ukProblemInertia(const ukProblem *p, const double *a, double *f)
{
    for (int i = 0; i < p->bodies; i++, f += 6, a += 6) {
        for (int c = 0; c < 3; c++) f[c] = a[c] * p->mass[i];
        apply3(p->inertia + 9 * (size_t)i, a + 3, f + 3);
    }
}

double ukProblemCompliance(const ukProblem *p, const ukBlock *block, int row)
{
    const double *A = p->A + block->A + 6 * (size_t)((row - block->row) * block->slots);
    double k = 0;
    for (int s = block->slot; s < block->slot + block->slots; s++, A += 6) {
        const int body = p->body[s];
        double turned[3];
        if (body < 0) continue;
        apply3(p->inverse_inertia + 9 * (size_t)body, A + 3, turned);
        k += (A[0] * A[0] + A[1] * A[1] + A[2] * A[2]) / p->mass[body];
        k += A[3] * turned[0] + A[4] * turned[1] + A[5] * turned[2];
    }
    return k;
}

bool ukProblemHasLoops(const ukProblem *p)
{
    int edges = 0, world = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        int moving = 0;
        for (int s = b->slot; s < b->slot + b->slots; s++) moving += p->body[s] >= 0;
        const int fixed = moving < b->slots || b->slots == 1;
        edges += moving + fixed - 1;
        world |= fixed;
    }
    return edges > p->bodies + world - 1;
}
