/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/formulas/system.h"

#include "tests/check.h"

#include <stdint.h>
#include <string.h>

typedef long double real;

static uint64_t state;

double uniform(double lo, double hi)
{
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return lo + (hi - lo) * ((double)((state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53);
}

void vectorOf(double *x, int n)
{
    for (int i = 0; i < n; i++) x[i] = uniform(-1, 1);
}

/* Z (r x c) = X Y; transposed: X' Y with X (k x r) */
static void product(int r, int k, int c, const real *X, bool x_transposed, const real *Y, bool y_transposed, real *Z)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            real sum = 0;
            for (int l = 0; l < k; l++)
                sum += (x_transposed ? X[l * r + i] : X[i * k + l]) * (y_transposed ? Y[j * k + l] : Y[l * c + j]);
            Z[i * c + j] = sum;
        }
}

/* Y = X^-1 by Gauss and Jordan with row pivots; X is overwritten */
static bool invert(int n, real *X, real *Y)
{
    for (int i = 0; i < n * n; i++) Y[i] = i % (n + 1) == 0;
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k; i < n; i++)
            if (fabsl(X[i * n + k]) > fabsl(X[p * n + k])) p = i;
        if (!(fabsl(X[p * n + k]) > 0)) return false;
        for (int j = 0; j < n; j++) {
            real t = X[k * n + j];
            X[k * n + j] = X[p * n + j], X[p * n + j] = t;
            t = Y[k * n + j];
            Y[k * n + j] = Y[p * n + j], Y[p * n + j] = t;
        }
        const real pivot = X[k * n + k];
        for (int j = 0; j < n; j++) X[k * n + j] /= pivot, Y[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            const real f = X[i * n + k];
            if (i == k) continue;
            for (int j = 0; j < n; j++) X[i * n + j] -= f * X[k * n + j], Y[i * n + j] -= f * Y[k * n + j];
        }
    }
    return true;
}

static void round_(const real *from, double *to, int count)
{
    for (int i = 0; i < count; i++) to[i] = (double)from[i];
}

static void take(const double *from, real *to, int count)
{
    for (int i = 0; i < count; i++) to[i] = from[i];
}

/* factors: a unit block and a third of noise, so well-conditioned */
static void factor(int rows, int columns, int shift, real *X)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) X[i * columns + j] = uniform(-0.3, 0.3);
    for (int i = 0; i < rows && i < columns; i++)
        X[rows <= columns ? i * columns + (i + shift) % columns : (i + shift) % rows * columns + i] += 1;
}

/* G (n x m) = N R' (R N R')^-1 (F'F)^-1 F', N = M^-1 or I */
static void weightedInverse(int n, int m, int r, const real *N, const real *F, const real *R, real *G)
{
    static real NR[square], K[square], Ki[square], FF[square], FFi[square], T[square], Z[square];
    product(n, n, r, N, false, R, true, NR);
    product(r, n, r, R, false, NR, false, K);
    invert(r, K, Ki);
    product(r, m, r, F, true, F, false, FF);
    invert(r, FF, FFi);
    product(n, r, r, NR, false, Ki, false, T);
    product(n, r, r, T, false, FFi, false, Z);
    product(n, r, m, Z, false, F, true, G);
}

static real S[square], Si[square], M[square], Mi[square], F[square], R[square], A[square], X[square], T[square],
    x[most], z[most], e[most];

static void drawMatrices(System *y, bool independent)
{
    const int n = y->n = 3 + (int)uniform(0, 5.99), r = y->rank = 1 + (int)uniform(0, n - 1.01),
              m = y->m = independent ? r : r + (int)uniform(0, 2.99);
    real scale[most];
    for (int i = 0; i < n; i++) scale[i] = uniform(0.5, 2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            S[i * n + j] = S[j * n + i] = scale[i] * scale[j] * (i == j ? 1 : uniform(-0.5, 0.5) / n);
    memcpy(T, S, sizeof T);
    invert(n, T, Si);
    product(n, n, n, S, false, S, false, M);
    product(n, n, n, Si, false, Si, false, Mi);
    factor(m, r, 0, F);
    factor(r, n, r, R);
    product(m, r, n, F, false, R, false, A);
    round_(S, y->S, n * n), round_(Si, y->Si, n * n), round_(M, y->M, n * n), round_(Mi, y->Mi, n * n);
    round_(A, y->A, m * n);
}

static void drawVectors(System *y)
{
    const int n = y->n, m = y->m;
    for (int i = 0; i < n; i++) y->Q[i] = uniform(-10, 10), y->C[i] = uniform(-5, 5), x[i] = uniform(-5, 5);
    product(m, n, 1, A, false, x, false, z);
    round_(z, y->b, m);
    vectorOf(y->y, n), vectorOf(y->U, n * m), vectorOf(y->W, n * n), vectorOf(y->w, n);
}

/* M q = f, and its like, rounded */
static void apply(int r, int c, const real *G, const double *f, double *to)
{
    take(f, x, c);
    product(r, c, 1, G, false, x, false, z);
    round_(z, to, r);
}

static void solve(System *y)
{
    const int n = y->n, m = y->m;
    double f[most] = {0}, e_[most] = {0};
    weightedInverse(n, m, y->rank, Mi, F, R, X);
    round_(X, y->X, n * m);
    product(n, n, m, S, false, X, false, T);
    round_(T, y->Bp, n * m);
    product(m, n, n, A, false, Si, false, T);
    round_(T, y->B, m * n);
    product(n, m, n, X, false, A, false, T);
    for (int i = 0; i < n * n; i++) y->P[i] = (double)((i % (n + 1) == 0) - T[i]);
    for (int i = 0; i < n * n; i++) T[i] = i % (n + 1) == 0;
    static real G[square];
    weightedInverse(n, m, y->rank, T, F, R, G);
    round_(G, y->Ap, n * m);
    apply(n, n, Mi, y->Q, y->a);
    apply(n, n, Mi, y->C, y->c);
    for (int i = 0; i < n; i++) f[i] = y->Q[i] + y->C[i];
    apply(n, n, Si, f, y->as);
    take(y->a, x, n);
    product(m, n, 1, A, false, x, false, e);
    for (int i = 0; i < m; i++) e_[i] = (double)(y->b[i] - e[i]);
    double first[most] = {0}, second[most] = {0};
    apply(n, m, X, e_, first);
    mul(n, n, 1, y->P, y->c, second);
    mul(n, n, 1, y->M, first, y->Qi);
    mul(n, n, 1, y->M, second, y->Qni);
    mul(n, n, 1, y->P, y->y, y->v);
    for (int i = 0; i < n; i++) {
        y->qdd[i] = y->a[i] + first[i] + second[i];
        y->qhat[i] = y->qdd[i] + y->v[i];
    }
}

void makeSystem(int trial, bool independent, System *y)
{
    state = UINT64_C(88172645463325252) + 7919 * (uint64_t)trial;
    for (int i = 0; i < 8; i++) uniform(0, 1);
    memset(y, 0, sizeof *y);
    drawMatrices(y, independent);
    drawVectors(y);
    solve(y);
    y->s = (ukFormulaSystem){.n = y->n, .m = y->m, .M = y->M, .A = y->A, .b = y->b, .Q = y->Q, .C = y->C};
}

/* ---- plain matrices ---------------------------------------------------------------------------------------------- */

void mul(int r, int k, int c, const double *L, const double *Y, double *Z)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            real sum = 0;
            for (int l = 0; l < k; l++) sum += (real)L[i * k + l] * Y[l * c + j];
            Z[i * c + j] = (double)sum;
        }
}

void tmul(int r, int k, int c, const double *L, const double *Y, double *Z)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            real sum = 0;
            for (int l = 0; l < k; l++) sum += (real)L[l * r + i] * Y[l * c + j];
            Z[i * c + j] = (double)sum;
        }
}

void transpose(int r, int c, const double *L, double *Y)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) Y[j * r + i] = L[i * c + j];
}

void axpy(int n, double f, const double *u, double *y)
{
    for (int i = 0; i < n; i++) y[i] += f * u[i];
}

double dot(int n, const double *u, const double *y)
{
    real sum = 0;
    for (int i = 0; i < n; i++) sum += (real)u[i] * y[i];
    return (double)sum;
}

double over(int n, const double *u, const double *Y, const double *y)
{
    double t[square];
    mul(n, n, 1, Y, y, t);
    return dot(n, u, t);
}

double norm(int n, const double *u)
{
    return sqrt(dot(n, u, u));
}

double trace(int n, const double *Y)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += Y[i * (n + 1)];
    return sum;
}

bool inverse(int n, const double *L, double *Y)
{
    static real G[square], H[square];
    take(L, G, n * n);
    const bool regular = invert(n, G, H);
    round_(H, Y, n * n);
    return regular;
}

void identity(int n, double *Y)
{
    for (int i = 0; i < n * n; i++) Y[i] = i % (n + 1) == 0;
}

bool sameFrom(const double *L, const double *Y, int count, double size, const char *what, const char *file, int line)
{
    double difference = 0, sum = size;
    for (int i = 0; i < count; i++) {
        const double d = L[i] - (Y ? Y[i] : 0);
        difference += d * d;
    }
    if (Y) sum += norm(count, L) + norm(count, Y);
    return ukTestNear(sqrt(difference), 0, 1e-9 * sum, what, file, line);
}
