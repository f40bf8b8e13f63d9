/* The dense kernels of a front: against plain loops over the definition, and the same bits from those for any processor
 * and those for this one. */
#include "solvers/kernel.h"

#include <math.h>
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
                    for (int i = c; i < u; i++) CHECK_NEAR(any[c * ldu + i], expected[c * ldu + i], 1e-13 * Most);
            }
        }
}

int main(void)
{
    fronts();
    updates();
    return ukTestEnd();
}
