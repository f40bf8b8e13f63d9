/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases_2004.c: Udwadia 2004, On constrained motion. */
#include "tests/formulas/cases.h"

static double X[square], P[square], T[square], Z[square], T2[square], x[most], z[most], Qi[most], Qni[most];

static void e2(const System *y) /* a = M^-1 Q */
{
    OK(ukFormulaFree(&y->s, x, z));
    mul(y->n, y->n, 1, y->M, x, T);
    SAME(T, y->Q, y->n);
    mul(y->n, y->n, 1, y->M, z, T);
    SAME(T, y->C, y->n);
}

static void e5(void) /* [3] and [4] differentiated */
{
    Constrained c;
    constrain(&c);
    CHECK_NEAR_ALL(c.A, c.A_closed, 6, 1e-9);
    CHECK_NEAR_ALL(c.b, c.b_closed, 2, 1e-7);
}

static void e6(const System *y) /* M qdd = Q + Q^c */
{
    OK(ukFormulaAcceleration(&y->s, x));
    OK(ukFormulaForces(&y->s, Qi, Qni));
    mul(y->n, y->n, 1, y->M, x, T);
    axpy(y->n, -1, y->Q, T);
    axpy(y->n, 1, Qni, Qi);
    SAME_WITHIN(T, Qi, y->n, norm(y->n, y->Q));
}

static void e7(const System *y) /* v'Q^c = v'C */
{
    OK(ukFormulaForces(&y->s, Qi, Qni));
    axpy(y->n, 1, Qni, Qi);
    const double work = dot(y->n, y->v, Qi), prescribed = dot(y->n, y->v, y->C);
    SAME_WITHIN(&work, &prescribed, 1, norm(y->n, y->v) * norm(y->n, Qi));
    mul(y->n, y->n, 1, y->Mi, Qni, T); /* M^-1 Q_ni is a virtual displacement */
    SAME(T, (mul(y->n, y->n, 1, y->P, y->c, Z), Z), y->n);
}

static void e8(const System *y)
{
    OK(ukFormulaAcceleration(&y->s, x));
    mul(y->n, y->n, 1, y->M, x, T);
    for (int i = 0; i < y->n; i++) Z[i] = y->Q[i] + y->Qi[i] + y->Qni[i];
    SAME(T, Z, y->n);
}

static void e9(const System *y)
{
    OK(ukFormulaAcceleration(&y->s, x));
    SAME(x, y->qdd, y->n);
}

static void e10(const System *y)
{
    OK(ukFormulaDeviation(&y->s, NULL, x, z));
    for (int i = 0; i < y->n; i++) T[i] = y->a[i] + x[i] + z[i];
    SAME(T, y->qdd, y->n);
}

static void principle(const System *y) /* the two parts are M-orthogonal: the theorem of Pythagoras */
{
    OK(ukFormulaDeviation(&y->s, NULL, x, z));
    double d[most];
    for (int i = 0; i < y->n; i++) d[i] = y->qdd[i] - y->a[i];
    const double both = over(y->n, d, y->M, d), parts = over(y->n, x, y->M, x) + over(y->n, z, y->M, z);
    SAME(&both, &parts, 1);
    const double across = over(y->n, x, y->M, z);
    ZERO(&across, 1, both);
}

static void e11(const System *y)
{
    OK(ukFormulaForces(&y->s, Qi, Qni));
    SAME(Qi, y->Qi, y->n);
}

static void e12(const System *y) /* (I - A_M^+ A)'C = M (I - A_M^+ A) M^-1 C */
{
    OK(ukFormulaForces(&y->s, Qi, Qni));
    tmul(y->n, y->n, 1, y->P, y->C, T);
    SAME(Qni, T, y->n);
    SAME(Qni, y->Qni, y->n);
}

static void e13a(const System *y) /* A X A = A */
{
    OK(ukFormulaMInverse(&y->s, X, P));
    mul(y->m, y->n, y->m, y->A, X, T);
    mul(y->m, y->m, y->n, T, y->A, Z);
    SAME(Z, y->A, y->m * y->n);
}

static void e13b(const System *y) /* X A X = X */
{
    OK(ukFormulaMInverse(&y->s, X, P));
    mul(y->n, y->m, y->n, X, y->A, T);
    mul(y->n, y->n, y->m, T, X, Z);
    SAME(Z, X, y->n * y->m);
}

static void e13c(const System *y) /* (A X)' = A X, a projector onto the range of A */
{
    OK(ukFormulaMInverse(&y->s, X, P));
    mul(y->m, y->n, y->m, y->A, X, T);
    transpose(y->m, y->m, T, Z);
    SAME(T, Z, y->m * y->m);
    CHECK_NEAR(trace(y->m, T), y->rank, 1e-9);
}

static void e13d(const System *y) /* (X A)' = M X A M^-1, of trace `rank` */
{
    OK(ukFormulaMInverse(&y->s, X, P));
    mul(y->n, y->m, y->n, X, y->A, T);
    transpose(y->n, y->n, T, Z);
    mul(y->n, y->n, y->n, y->M, T, T2);
    mul(y->n, y->n, y->n, T2, y->Mi, T);
    SAME(T, Z, y->n * y->n);
    CHECK_NEAR(trace(y->n, T), y->rank, 1e-9);
    SAME(X, y->X, y->n * y->m);
}

static void e14(const System *y) /* any z: A (a + Delta) = b */
{
    OK(ukFormulaDeviation(&y->s, y->y, x, z));
    for (int i = 0; i < y->n; i++) T[i] = y->a[i] + x[i] + z[i];
    mul(y->m, y->n, 1, y->A, T, Z);
    SAME_WITHIN(Z, y->b, y->m, norm(y->n, T));
    SAME(z, y->v, y->n);
}

static void e15(const System *y) /* Q^c = M A_M^+ (b - A a) + M (I - A_M^+ A) z [15], [16] */
{
    OK(ukFormulaDeviation(&y->s, y->c, x, z));
    mul(y->n, y->n, 1, y->M, x, T);
    SAME(T, y->Qi, y->n);
    mul(y->n, y->n, 1, y->M, z, T);
    SAME(T, y->Qni, y->n);
}

static void e17(const System *y) /* v = (I - A_M^+ A) y */
{
    OK(ukFormulaVirtual(&y->s, y->y, x));
    mul(y->m, y->n, 1, y->A, x, T);
    ZERO(T, y->m, norm(y->m * y->n, y->A) * norm(y->n, y->y));
    SAME(x, y->v, y->n);
}

static void e18(const System *y) /* the work of Q^c under it, and [19] its part by part */
{
    OK(ukFormulaVirtual(&y->s, y->y, x));
    for (int i = 0; i < y->n; i++) T[i] = y->Qi[i] + y->Qni[i];
    const double work = dot(y->n, x, T);
    mul(y->n, y->n, 1, y->P, y->y, Z);
    const double prescribed = dot(y->n, Z, y->C); /* y'(I - A_M^+ A)'C */
    SAME(&work, &prescribed, 1);
    SAME(x, Z, y->n);
}

static void e20(const System *y) /* (I - A_M^+ A)'C = M (I - A_M^+ A) M^-1 C */
{
    OK(ukFormulaMInverse(&y->s, X, P));
    tmul(y->n, y->n, 1, P, y->C, T);
    mul(y->n, y->n, 1, P, y->c, x);
    mul(y->n, y->n, 1, y->M, x, Z);
    SAME(T, Z, y->n);
    SAME(P, y->P, y->n * y->n);
}

static double W[square], V[square], lambda[most];
static int rank;

static void decomposition(const System *y) /* A = W Lambda V' */
{
    const int k = y->m < y->n ? y->m : y->n;
    OK(ukFormulaMDecomposition(&y->s, W, lambda, V, &rank));
    CHECK(rank == y->rank);
    for (int i = 0; i < y->m; i++)
        for (int j = 0; j < k; j++) T[i * k + j] = W[i * k + j] * lambda[j];
    double Vt[square];
    transpose(y->n, k, V, Vt);
    mul(y->m, k, y->n, T, Vt, Z);
    SAME(Z, y->A, y->m * y->n);
}

static void eigenvalues(const System *y) /* A M^-1 A' w = lambda^2 w, W'W = I */
{
    const int k = y->m < y->n ? y->m : y->n;
    OK(ukFormulaMDecomposition(&y->s, W, lambda, V, &rank));
    mul(y->m, y->n, y->n, y->A, y->Mi, T);
    transpose(y->m, y->n, y->A, Z);
    mul(y->m, y->n, y->m, T, Z, T2);
    mul(y->m, y->m, k, T2, W, T);
    for (int i = 0; i < y->m; i++)
        for (int j = 0; j < k; j++) Z[i * k + j] = W[i * k + j] * lambda[j] * lambda[j];
    SAME(T, Z, y->m * k);
    tmul(k, y->m, k, W, W, T);
    for (int i = 0; i < k * k; i++) Z[i] = i % (k + 1) == 0 && i / (k + 1) < y->rank;
    SAME(T, Z, k * k);
}

static void orthonormal(const System *y) /* V'M^-1 V = I */
{
    const int k = y->m < y->n ? y->m : y->n;
    OK(ukFormulaMDecomposition(&y->s, W, lambda, V, &rank));
    mul(y->n, y->n, k, y->Mi, V, T);
    tmul(k, y->n, k, V, T, Z);
    for (int i = 0; i < k * k; i++) T[i] = i % (k + 1) == 0 && i / (k + 1) < y->rank;
    SAME(Z, T, k * k);
}

static void inverseOfParts(const System *y) /* A_M^+ = M^-1 V Lambda^-1 W', M A_M^+ = V Lambda^-1 W' */
{
    const int k = y->m < y->n ? y->m : y->n;
    OK(ukFormulaMDecomposition(&y->s, W, lambda, V, &rank));
    for (int i = 0; i < y->n; i++)
        for (int j = 0; j < k; j++) T[i * k + j] = j < rank ? V[i * k + j] / lambda[j] : 0;
    double Wt[square], VV[square];
    transpose(y->m, k, W, Wt);
    mul(y->n, k, y->m, T, Wt, Z);
    mul(y->n, y->n, y->m, y->M, y->X, T);
    SAME(Z, T, y->n * y->m);

    transpose(y->n, k, V, Wt); /* M (I - A_M^+ A) M^-1 = I - V V'M^-1 */
    mul(y->n, k, y->n, V, Wt, VV);
    mul(y->n, y->n, y->n, VV, y->Mi, T);
    for (int i = 0; i < y->n * y->n; i++) T[i] = (i % (y->n + 1) == 0) - T[i];
    mul(y->n, y->n, y->n, y->M, y->P, T2);
    mul(y->n, y->n, y->n, T2, y->Mi, Z);
    SAME(T, Z, y->n * y->n);
}

static void related(const System *y) /* (A M^-1/2)^+ = M^1/2 A_M^+ */
{
    OK(ukFormulaPseudoinverse(y->m, y->n, y->B, 0, X));
    OK(ukFormulaMInverse(&y->s, T, NULL));
    mul(y->n, y->n, y->m, y->S, T, Z);
    SAME(X, Z, y->n * y->m);
    SAME(X, y->Bp, y->n * y->m);
}

/* x = A_M^+ b is a least-squares solution of A x = b, of least x'M x among them; b not in the range of A */
static void leastLength(const System *y)
{
    double b[most], Ax[most], longer[most];
    ukFormulaSystem s = y->s;
    for (int i = 0; i < y->m; i++) b[i] = y->b[i] + y->w[i % y->n];
    s.b = b;
    OK(ukFormulaPossible(&s, NULL, x));
    mul(y->n, y->m, 1, y->X, b, T);
    SAME(x, T, y->n);
    mul(y->m, y->n, 1, y->A, x, Ax);
    axpy(y->m, -1, b, Ax);
    tmul(y->n, y->m, 1, y->A, Ax, T); /* A'(A x - b) = 0: least squares */
    ZERO(T, y->n, norm(y->m * y->n, y->A) * norm(y->m, b));
    const double length = over(y->n, x, y->M, x), across = over(y->n, x, y->M, y->v);
    ZERO(&across, 1, length); /* M-orthogonal to all that A does not see: least M-length */
    for (int i = 0; i < y->n; i++) longer[i] = x[i] + y->v[i];
    const double more = over(y->n, longer, y->M, longer), expected = length + over(y->n, y->v, y->M, y->v);
    SAME(&more, &expected, 1);
}

const Case cases_2004[] = {
    {.name = "2004/2", .on = e2},
    {.name = "2004/5", .once = e5},
    {.name = "2004/6", .on = e6},
    {.name = "2004/7", .on = e7},
    {.name = "2004/8", .on = e8},
    {.name = "2004/9", .on = e9},
    {.name = "2004/10", .on = e10},
    {.name = "2004/principle", .on = principle},
    {.name = "2004/11", .on = e11},
    {.name = "2004/12", .on = e12},
    {.name = "2004/13a", .on = e13a},
    {.name = "2004/13b", .on = e13b},
    {.name = "2004/13c", .on = e13c},
    {.name = "2004/13d", .on = e13d},
    {.name = "2004/14", .on = e14},
    {.name = "2004/15", .on = e15},
    {.name = "2004/17", .on = e17},
    {.name = "2004/18", .on = e18},
    {.name = "2004/20", .on = e20},
    {.name = "2004/decomposition", .on = decomposition},
    {.name = "2004/eigenvalues", .on = eigenvalues},
    {.name = "2004/orthonormal", .on = orthonormal},
    {.name = "2004/inverse", .on = inverseOfParts},
    {.name = "2004/related", .on = related},
    {.name = "2004/least-length", .on = leastLength},
    {.name = NULL},
};
