/* SPDX-License-Identifier: BSD-3-Clause */
/* The dense kernels of a front: against plain loops over the definition, and the same bits from those for any processor
 * and those for this one. */
#include "solvers/factor/kernel.h"
#include "solvers/problem/block.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tests/check.h"

enum { Most = 40, Room = (Most + 2) * (Most + 2) };

static unsigned seed = 1;

static double uniform(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 23) - 1;
}

typedef struct Front {
    int p, n, ld, ldu, shifts, shifted[Most];
    double sign, F[Room], U[Room], d[Most], floor[Most], shift[Most], t[2 * Most], y[Most + 2], z[Most + 2];
} Front;

/* a quasi-definite front of one sign; every third has a pivot that vanishes */
static void make(Front *f, int p, int n)
{
    memset(f, 0, sizeof *f);
    f->p = p, f->n = n;
    f->ldu = (n - p + 1) & ~1, f->ld = (p + f->ldu + 1) & ~1;
    f->sign = n % 2 ? 1 : -1;
    for (int j = 0; j < p; j++) {
        for (int i = j; i < n; i++) f->F[j * f->ld + i] = uniform();
        f->F[j * f->ld + j] = f->sign * (n % 3 == 0 && j == p / 2 ? 1e-3 : n);
        f->floor[j] = 0.5;
        f->shift[j] = n;
    }
    for (int j = 0; j < p; j++) f->y[j] = uniform();
    for (int i = 0; i < n - p; i++) f->z[i] = uniform();
}

static void through(const ukKernel *kernel, Front *f)
{
    f->shifts =
        kernel->eliminate(f->F, f->ld, f->p, f->n, f->sign, f->floor, f->shift, f->d, f->t, f->shifted, f->U, f->ldu);
    kernel->forward(f->F, f->ld, f->p, f->n, f->y, f->z);
    if ((f->n - f->p) % 2) f->z[f->n - f->p] = 0;
    kernel->backward(f->F, f->ld, f->p, f->n, f->y, f->z);
}

/* L(i, j) of the result, 1 on the diagonal */
static double lower(const Front *f, int i, int j)
{
    return i == j ? 1 : f->F[j * f->ld + i];
}

/* L D L' + U is what there was, but for what was added to the pivots that vanished; the solve satisfies
 * [L11 0; L21 1] [D; 1] [L11' L21'; 0 1] = what there was, with the rest of z */
static void againstDefinition(const Front *before, const Front *f)
{
    const int p = f->p, n = f->n;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = i >= p && j >= p ? f->U[(j - p) * f->ldu + i - p] : 0;
            for (int k = 0; k < p && k <= j; k++) sum += lower(f, i, k) * f->d[k] * lower(f, j, k);
            double given = j < p ? before->F[j * f->ld + i] : 0;
            for (int k = 0; k < f->shifts; k++)
                if (i == j && f->shifted[k] == i) given += f->sign * f->shift[i];
            CHECK_NEAR(sum, given, 1e-13 * n);
        }
    double v[Most], w[Most]; /* D L11' y + L21' z = L11^-1 (given y) */
    for (int k = 0; k < p; k++) {
        v[k] = before->y[k];
        for (int i = 0; i < k; i++) v[k] -= lower(f, k, i) * v[i];
        w[k] = 0;
        for (int i = k; i < p; i++) w[k] += f->d[k] * lower(f, i, k) * f->y[i];
        for (int i = p; i < n; i++) w[k] += f->d[k] * lower(f, i, k) * f->z[i - p];
        CHECK_NEAR(w[k], v[k], 1e-12 * n);
    }
    for (int i = p; i < n; i++) {
        double z = before->z[i - p];
        for (int k = 0; k < p; k++) z -= lower(f, i, k) * v[k];
        CHECK_NEAR(f->z[i - p], z, 1e-13 * n);
    }
}

static void fronts(void)
{
    static Front given, any, own;
    for (int n = 1; n <= Most; n++)
        for (int p = 1; p <= n; p++) {
            make(&given, p, n);
            any = own = given;
            through(ukKernelOfAny(), &any);
            through(ukKernelOfProcessor(), &own);
            CHECK(memcmp(&any, &own, sizeof any) == 0);
            CHECK(any.shifts == (n % 3 == 0));
            againstDefinition(&given, &any);
        }
}

/* ---- fronts that are not symmetric ---- */

typedef struct Both {
    int p, n, ld, ldu, failed;
    double F[Room], G[Room], U[Room], V[Room], d[Most], t[4 * Most];
} Both;

/* pivots of both signs, as bodies and rows have them; H(i, j) for i >= j in F, H(j, i) in G */
static void makeBoth(Both *f, int p, int n)
{
    memset(f, 0, sizeof *f);
    f->p = p, f->n = n;
    f->ldu = (n - p + 1) & ~1, f->ld = (p + f->ldu + 1) & ~1;
    for (int j = 0; j < p; j++) {
        for (int i = j; i < n; i++) f->F[j * f->ld + i] = uniform(), f->G[j * f->ld + i] = uniform();
        f->F[j * f->ld + j] = f->G[j * f->ld + j] = (j % 3 == 1 ? -1 : 1) * (n + 1);
    }
}

static void throughBoth(const ukKernel *kernel, Both *f)
{
    f->failed = kernel->eliminateBoth(f->F, f->G, f->ld, f->p, f->n, f->d, f->t, f->U, f->V, f->ldu);
}

/* what is stored for H(i, j) */
static double *at(Both *f, int i, int j)
{
    if (j < f->p && i >= j) return f->F + j * f->ld + i;
    if (i < f->p) return f->G + i * f->ld + j;
    return i >= j ? f->U + (j - f->p) * f->ldu + i - f->p : f->V + (i - f->p) * f->ldu + j - f->p;
}

/* H = L D R' + the Schur complement by Gauss's three loops on the whole square, in `H` (Most x Most) */
static void bothAgainstDefinition(Both *before, Both *f)
{
    static double H[Most][Most];
    const int p = f->p, n = f->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) H[i][j] = i < p || j < p ? *at(before, i, j) : 0;
    for (int k = 0; k < p; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) H[i][j] -= H[i][k] / H[k][k] * H[k][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double d = i < p || j < p ? H[i < j ? i : j][i < j ? i : j] : 0;
            const double expected = d == 0 ? H[i][j] : i == j ? 1 / d : H[i][j] / d;
            CHECK_NEAR(*at(f, i, j), expected, 1e-14 * n);
            if (i == j && i < p) CHECK_NEAR(f->d[i] / H[i][i], 1, 1e-14 * n);
            if (i == j && i < p) CHECK(f->G[i * f->ld + i] == f->F[i * f->ld + i]);
            if (i == j && i >= p) CHECK_NEAR(f->V[(i - p) * (f->ldu + 1)], expected, 1e-14 * n);
        }
}

static void unsymmetricFronts(void)
{
    static Both given, any, own;
    for (int n = 1; n <= Most; n++)
        for (int p = 1; p <= n; p++) {
            makeBoth(&given, p, n);
            any = own = given;
            throughBoth(ukKernelOfAny(), &any);
            throughBoth(ukKernelOfProcessor(), &own);
            CHECK(memcmp(&any, &own, sizeof any) == 0);
            CHECK(any.failed == 0);
            bothAgainstDefinition(&given, &any);
        }
}

/* of a symmetric front both triangles are those of `eliminate`, bit by bit */
static void symmetricFrontsAlike(void)
{
    static Front given, one;
    static Both both;
    for (int n = 1; n <= Most; n++)
        for (int p = 1; p <= n; p++) {
            make(&given, p, n);
            memset(given.floor, 0, sizeof given.floor);
            one = given;
            for (int j = 0; j < p; j++) one.F[j * one.ld + j] = given.F[j * given.ld + j] = given.sign * n;
            memset(&both, 0, sizeof both);
            both.p = p, both.n = n, both.ld = given.ld, both.ldu = given.ldu;
            memcpy(both.F, given.F, sizeof given.F);
            memcpy(both.G, given.F, sizeof given.F);
            through(ukKernelOfProcessor(), &one);
            throughBoth(ukKernelOfProcessor(), &both);
            CHECK(one.shifts == 0 && both.failed == 0);
            CHECK(memcmp(both.d, one.d, sizeof one.d) == 0);
            for (int j = 0; j < n; j++)
                for (int i = j; i < n; i++) {
                    const double L = j < p ? one.F[j * one.ld + i] : one.U[(j - p) * one.ldu + i - p];
                    CHECK(*at(&both, i, j) == L && *at(&both, j, i) == L);
                }
        }
}

/* pivots that vanish, at once or by what went before, and those that are not finite */
static void failedPivots(void)
{
    static Both f;
    const double bad[] = {0, -0.0, 4e-310, INFINITY, -INFINITY, NAN};
    for (int n = 1; n <= 9; n++)
        for (int p = 1; p <= n; p++)
            for (int at_pivot = 0; at_pivot < p; at_pivot++)
                for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
                    makeBoth(&f, p, n); /* nothing beside the diagonal: the others are as they were */
                    for (int j = 0; j < p; j++)
                        for (int i = j + 1; i < n; i++) f.F[j * f.ld + i] = f.G[j * f.ld + i] = 0;
                    f.F[at_pivot * (f.ld + 1)] = f.G[at_pivot * (f.ld + 1)] = bad[k];
                    Both other = f;
                    throughBoth(ukKernelOfProcessor(), &f);
                    throughBoth(ukKernelOfAny(), &other);
                    CHECK(f.failed >= 1 && other.failed == f.failed);
                }
    for (int n = 2; n <= 9; n++) { /* rows 0 and n - 1 are equal */
        makeBoth(&f, n, n);
        for (int j = 0; j < n; j++)
            for (int i = j; i < n; i++) f.F[j * f.ld + i] = f.G[j * f.ld + i] = i == j ? 2 : 0;
        f.F[n - 1] = f.G[n - 1] = 2;
        throughBoth(ukKernelOfProcessor(), &f);
        CHECK(f.failed == 1);
    }
}

static void updates(void)
{
    static double J[Room], t[Room], any[Room], own[Room], expected[Room];
    for (int u = 1; u <= Most; u++)
        for (int count = 0; count <= Most; count += 1 + count / 3) {
            const int ldu = (u + 1) & ~1;
            memset(J, 0, sizeof J);
            for (int j = 0; j < count; j++)
                for (int i = 0; i < u; i++) J[j * ldu + i] = uniform();
            for (int k = 0; k < count * u; k++) t[k] = uniform();
            for (int k = 0; k < ldu * u; k++) any[k] = own[k] = expected[k] = uniform();
            for (int fresh = 1; fresh >= 0; fresh--) {
                for (int c = 0; c < u; c++)
                    for (int i = c; i < u; i++) {
                        if (fresh) expected[c * ldu + i] = 0;
                        for (int j = 0; j < count; j++) expected[c * ldu + i] -= t[c * count + j] * J[j * ldu + i];
                    }
                ukKernelOfAny()->update(any, ldu, u, J, t, count, fresh);
                ukKernelOfProcessor()->update(own, ldu, u, J, t, count, fresh);
                CHECK(memcmp(any, own, sizeof any) == 0);
                for (int c = 0; c < u; c++)
                    for (int i = c; i < u; i++)
                        CHECK_NEAR(any[c * ldu + i], expected[c * ldu + i], 1e-13 * (double)Most);
            }
        }
}

/* Sums of vectors written just now are the same to the bit, wherever they begin and however long they are. */
static void pairs(void)
{
    double x[Most + 2], y[Most + 2], z[Most + 2];
    for (int from = 0; from < 2; from++)
        for (int n = 0; n <= Most; n++) {
            for (int i = 0; i < Most + 2; i++) x[i] = uniform(), y[i] = uniform(), z[i] = x[i];
            const double dot = ukPairDot(x + from, y, n);
            CHECK(ukPairDotEarly(x + from, y, n) == dot);
            ukPairSubtract(z + from, y, 0.7, n);
            for (int i = 0; i < Most + 2; i++) {
                const bool in = i >= from && i < from + n;
                CHECK(z[i] == (in ? x[i] - 0.7 * y[i - from] : x[i]));
            }
        }
}

int main(void)
{
    pairs();
    fronts();
    unsymmetricFronts();
    symmetricFrontsAlike();
    failedPivots();
    updates();
    return ukTestEnd();
}
