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

/* y = A x of a block's rows on one body, or y +=: its part of x stays in registers over the rows */
UKODE_INLINE void applyOne(const double *A, int rows, int stride, const double *v, bool fresh, double *y)
{
    const ukPair v0 = ukLoadPair(v), v1 = ukLoadPair(v + 2), v2 = ukLoadPair(v + 4);
    for (int r = 0; r < rows; r++, A += stride) {
        const ukPair sum = (ukLoadPair(A) * v0 + ukLoadPair(A + 2) * v1) + ukLoadPair(A + 4) * v2;
        y[r] = (fresh ? 0 : y[r]) + (sum[0] + sum[1]);
    }
}

/* Most blocks are on two bodies, whose twelve coefficients are three times four. */
UKODE_INLINE void applyTwo(const double *A, int rows, const double *v, const double *u, double *y)
{
    const double middle[4] = {v[4], v[5], u[0], u[1]};
    ukFour v0, v1, v2, a0, a1, a2;
    ukLoadFour(&v0, v), ukLoadFour(&v1, middle), ukLoadFour(&v2, u + 2);
    for (int r = 0; r < rows; r++, A += 12) {
        ukLoadFour(&a0, A), ukLoadFour(&a1, A + 4), ukLoadFour(&a2, A + 8);
        a0 = (a0 * v0 + a1 * v1) + a2 * v2;
        const ukPair sum = (ukPair){a0[0], a0[1]} + (ukPair){a0[2], a0[3]};
        y[r] = sum[0] + sum[1];
    }
}

UKODE_INLINE void apply(const ukProblem *p, const double *x, double *y)
{
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const double *A = p->A + b->A;
        const int *body = p->body + b->slot;
        double *out = y + b->row;
        bool fresh = true; /* zeros written first would be a call */
        if (b->slots == 2 && body[0] >= 0 && body[1] >= 0) {
            applyTwo(A, b->rows, x + 6 * (size_t)body[0], x + 6 * (size_t)body[1], out);
            continue;
        }
        for (int s = 0; s < b->slots; s++) {
            if (body[s] < 0) continue;
            applyOne(A + 6 * s, b->rows, 6 * b->slots, x + 6 * (size_t)body[s], fresh, out);
            fresh = false;
        }
        for (int r = 0; fresh && r < b->rows; r++) out[r] = 0;
    }
}

UKODE_INLINE void addPair(double *g, double x, double y)
{
    ukStorePair(g, ukLoadPair(g) + (ukPair){x, y});
}

UKODE_INLINE void transposedOne(const double *A, int rows, int stride, const double *lambda, double *g)
{
    ukPair g0 = ukBothOf(0), g1 = g0, g2 = g0;
    for (int r = 0; r < rows; r++, A += stride) {
        const ukPair by = ukBothOf(lambda[r]);
        g0 += ukLoadPair(A) * by, g1 += ukLoadPair(A + 2) * by, g2 += ukLoadPair(A + 4) * by;
    }
    addPair(g, g0[0], g0[1]), addPair(g + 2, g1[0], g1[1]), addPair(g + 4, g2[0], g2[1]);
}

/* Forces are added in pairs: the next block may have the body in its other place. */
UKODE_INLINE void transposedTwo(const double *A, int rows, const double *lambda, double *g, double *h)
{
    ukFour a0 = {0}, a1 = {0}, a2 = {0}, l;
    for (int r = 0; r < rows; r++, A += 12) {
        ukLoadFour(&l, A), a0 += l * lambda[r];
        ukLoadFour(&l, A + 4), a1 += l * lambda[r];
        ukLoadFour(&l, A + 8), a2 += l * lambda[r];
    }
    addPair(g, a0[0], a0[1]), addPair(g + 2, a0[2], a0[3]), addPair(g + 4, a1[0], a1[1]);
    addPair(h, a1[2], a1[3]), addPair(h + 2, a2[0], a2[1]), addPair(h + 4, a2[2], a2[3]);
}

UKODE_INLINE void transposed(const ukProblem *p, const double *lambda, double *f)
{
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const double *A = p->A + b->A, *l = lambda + b->row;
        const int *body = p->body + b->slot;
        if (b->slots == 2 && body[0] >= 0 && body[1] >= 0) {
            transposedTwo(A, b->rows, l, f + 6 * (size_t)body[0], f + 6 * (size_t)body[1]);
            continue;
        }
        for (int s = 0; s < b->slots; s++)
            if (body[s] >= 0) transposedOne(A + 6 * s, b->rows, 6 * b->slots, l, f + 6 * (size_t)body[s]);
    }
}

#define UKODE_PRODUCTS(suffix, target)                                                                                 \
    target static void apply##suffix(const ukProblem *p, const double *x, double *y)                                   \
    {                                                                                                                  \
        apply(p, x, y);                                                                                                \
    }                                                                                                                  \
    target static void transposed##suffix(const ukProblem *p, const double *lambda, double *f)                         \
    {                                                                                                                  \
        transposed(p, lambda, f);                                                                                      \
    }

UKODE_FOR_PROCESSORS(UKODE_PRODUCTS)

void ukProblemApply(const ukProblem *p, const double *x, double *y)
{
    UKODE_CHOSEN(apply)(p, x, y);
}

void ukProblemApplyTransposed(const ukProblem *p, const double *lambda, double *f)
{
    UKODE_CHOSEN(transposed)(p, lambda, f);
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

double ukProblemMobility(const ukProblem *p, int body, const double *f, const double *g)
{
    double turned[3];
    apply3(p->inverse_inertia + 9 * (size_t)body, g + 3, turned);
    return (f[0] * g[0] + f[1] * g[1] + f[2] * g[2]) / p->mass[body] +
           (f[3] * turned[0] + f[4] * turned[1] + f[5] * turned[2]);
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
