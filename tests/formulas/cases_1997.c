/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases_1997.c: Udwadia, Kalaba & Hee-Chang 1997, the extended principle of D'Alembert, without
 * [6] to [16] (cases_1997_sphere.c). */
#include "tests/formulas/cases.h"

static double T[square], Z[square], D[square], E[square], J[square], V[square], K[square];
static double x[most], z[most], F[most];
static int rank;

/* ---- matrices of order 2n, on which nothing else here works */
enum { large = 2 * 8 + 9, area = large * large };
static double L[area], G[area], H[area], W[area], r[large], g[large], s[large];

static void e1(const System *y) /* M x'' = F; a_s = M^1/2 x'' = M^-1/2 F */
{
    OK(ukFormulaFree(&y->s, x, z));
    axpy(y->n, 1, z, x);
    mul(y->n, y->n, 1, y->S, x, T);
    SAME(T, y->as, y->n);
    mul(y->n, y->n, 1, y->M, x, T);
    axpy(y->n, -1, y->Q, T);
    SAME(T, y->C, y->n);
}

static void e3(void) /* [2] differentiated: constraints may be non-linear in the velocities */
{
    Constrained c;
    constrain(&c);
    CHECK_NEAR_ALL(c.A, c.A_closed, 6, 1e-9);
    CHECK_NEAR_ALL(c.b, c.b_closed, 2, 1e-7);
}

static void whole(const System *y, double *f) /* M qdd - Q - C */
{
    mul(y->n, y->n, 1, y->M, y->qdd, f);
    axpy(y->n, -1, y->Q, f), axpy(y->n, -1, y->C, f);
}

static void e4(const System *y) /* M x'' = F + F^c; [5]: v'F^c = 0 for every v with A v = 0 */
{
    OK(ukFormulaExtendedForce(&y->s, F));
    whole(y, T);
    SAME_WITHIN(F, T, y->n, norm(y->n, y->Q));
    tmul(y->n, y->n, 1, y->P, F, T);
    ZERO(T, y->n, norm(y->n * y->n, y->P) * norm(y->n, F));
}

/* ---- the linear algebra ------------------------------------------------------------------------------------------ */

static void root(const System *y) /* M^1/2 and M^-1/2, symmetric */
{
    OK(ukFormulaRoot(y->n, y->M, T, Z));
    SAME(T, y->S, y->n * y->n);
    SAME(Z, y->Si, y->n * y->n);
}

static void e17(const System *y) /* x_s - F_s = a_s */
{
    OK(ukFormulaScaled(&y->s, NULL, x));
    SAME(x, y->as, y->n);
    whole(y, F);
    mul(y->n, y->n, 1, y->Si, F, T);
    mul(y->n, y->n, 1, y->S, y->qdd, Z);
    axpy(y->n, -1, T, Z);
    SAME_WITHIN(Z, x, y->n, norm(y->n, T));
}

static void e18(const System *y) /* B x_s = b */
{
    OK(ukFormulaScaled(&y->s, K, NULL));
    SAME(K, y->B, y->m * y->n);
    mul(y->n, y->n, 1, y->S, y->qdd, Z);
    mul(y->m, y->n, 1, K, Z, T);
    SAME_WITHIN(T, y->b, y->m, norm(y->n, Z));
}

static void e19(const System *y) /* V'F_s = 0; V spans null(B), orthonormal */
{
    const int n = y->n, k = n - y->rank;
    OK(ukFormulaNullBasis(&y->s, V, &rank));
    CHECK(rank == y->rank);
    tmul(n, n, n, V, V, T);
    for (int i = 0; i < n * n; i++) Z[i] = i % (n + 1) == 0 && i / (n + 1) < k;
    SAME(T, Z, n * n);
    whole(y, F);
    mul(n, n, 1, y->Si, F, x);
    tmul(n, n, 1, V, x, T);
    ZERO(T, n, norm(n, x));
    mul(y->m, n, n, y->B, V, T);
    ZERO(T, y->m * n, norm(y->m * n, y->B));
}

static void e20a(const System *y)
{
    OK(ukFormulaExtendedAcceleration(&y->s, x));
    SAME(x, y->qdd, y->n);
}

static void e20b(const System *y) /* M x'' = M^1/2 J (B'b + E a_s) */
{
    OK(ukFormulaExtendedAcceleration(&y->s, x));
    OK(ukFormulaExtended(&y->s, D, E, J));
    mul(y->n, y->n, 1, y->M, x, T);
    tmul(y->n, y->m, 1, y->B, y->b, z);
    mul(y->n, y->n, 1, E, y->as, F);
    axpy(y->n, 1, F, z);
    mul(y->n, y->n, 1, J, z, F);
    mul(y->n, y->n, 1, y->S, F, Z);
    SAME_WITHIN(T, Z, y->n, norm(y->n, z));
}

static void e21(const System *y) /* F^c = M^1/2 J (B'b - D a_s) */
{
    OK(ukFormulaExtendedForce(&y->s, x));
    OK(ukFormulaExtended(&y->s, D, E, J));
    tmul(y->n, y->m, 1, y->B, y->b, z);
    mul(y->n, y->n, 1, D, y->as, F);
    axpy(y->n, -1, F, z);
    mul(y->n, y->n, 1, J, z, F);
    mul(y->n, y->n, 1, y->S, F, Z);
    SAME_WITHIN(x, Z, y->n, norm(y->n, F));
}

static void complement(const System *y, double *X) /* I - B^+ B, the projector onto null(B) */
{
    mul(y->n, y->m, y->n, y->Bp, y->B, X);
    for (int i = 0; i < y->n * y->n; i++) X[i] = (i % (y->n + 1) == 0) - X[i];
}

static void e22(const System *y) /* D = B'B, E = V V', J = (D + E)^-1 */
{
    const int n = y->n;
    OK(ukFormulaExtended(&y->s, D, E, J));
    tmul(n, y->m, n, y->B, y->B, T);
    SAME(D, T, n * n);
    complement(y, Z);
    SAME(E, Z, n * n);
    axpy(n * n, 1, Z, T);
    CHECK(inverse(n, T, K));
    SAME(J, K, n * n);
}

static void e23(const System *y) /* L r = s, with r of the actual motion */
{
    int rows = 0;
    const int n = y->n;
    OK(ukFormulaExtendedSystem(&y->s, L, s, &rows));
    CHECK(rows == 2 * n + y->m - y->rank);
    mul(n, n, 1, y->S, y->qdd, r);
    whole(y, F);
    mul(n, n, 1, y->Si, F, r + n);
    mul(rows, 2 * n, 1, L, r, g);
    SAME_WITHIN(g, s, rows, norm(2 * n, r));
    double expected[large] = {0};
    for (int i = 0; i < n; i++) expected[i] = y->as[i];
    for (int i = 0; i < y->m; i++) expected[n + i] = y->b[i];
    SAME(s, expected, rows);
}

static void e24(const System *y) /* L by its blocks */
{
    int rows = 0;
    const int n = y->n, m = y->m;
    OK(ukFormulaExtendedSystem(&y->s, L, s, &rows));
    OK(ukFormulaNullBasis(&y->s, V, &rank));
    for (int i = 0; i < area; i++) H[i] = 0;
    for (int i = 0; i < n; i++) H[i * 2 * n + i] = 1, H[i * 2 * n + n + i] = -1;
    for (int i = 0; i < m * n; i++) H[(n + i / n) * 2 * n + i % n] = y->B[i];
    for (int i = 0; i < n - rank; i++)
        for (int j = 0; j < n; j++) H[(n + m + i) * 2 * n + n + j] = V[j * n + i];
    SAME(L, H, (2 * n + m) * 2 * n);
}

/* Appendix 1: the rank of L is 2n: [A1] has only the solution 0. L'L of the independent rows is regular, and so are the
 * steps: alpha = V gamma [A3], V gamma + B_1'beta = 0 [A4], V'V gamma = 0 [A5]. */
static void appendix1(const System *y)
{
    int rows = 0;
    const int n = y->n;
    OK(ukFormulaExtendedSystem(&y->s, L, s, &rows));
    tmul(2 * n, rows, 2 * n, L, L, G);
    static double Gi[area];
    CHECK(inverse(2 * n, G, Gi));
    mul(2 * n, 2 * n, 2 * n, G, Gi, H);
    static double I[area];
    identity(2 * n, I);
    SAME(H, I, 4 * n * n);
    mul(rows, 2 * n, 2 * n, L, Gi, H); /* L (L'L)^-1 L' projects onto the range of L, of dimension 2n */
    double sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 2 * n; j++) sum += H[i * 2 * n + j] * L[i * 2 * n + j];
    CHECK_NEAR(sum, 2 * n, 1e-9);
    double first = 0, third = 0; /* the blocks of rows are orthonormal where the paper has them so */
    for (int i = 0; i < n * 2 * n; i++) first += L[i] * L[i];
    for (int i = (n + y->m) * 2 * n; i < rows * 2 * n; i++) third += L[i] * L[i];
    CHECK_NEAR(first, 2 * n, 1e-9);
    CHECK_NEAR(third, n - y->rank, 1e-9);
}

/* L'L and L's by blocks: [I + D, -I; -I, I + E], [a_s + B'b; -a_s] */
static void normal(const System *y, double *X, double *to)
{
    const int n = y->n, order = 2 * n;
    tmul(n, y->m, n, y->B, y->B, T);
    complement(y, Z);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double one = i == j;
            X[i * order + j] = one + T[i * n + j], X[(n + i) * order + n + j] = one + Z[i * n + j];
            X[i * order + n + j] = X[(n + i) * order + j] = -one;
        }
    tmul(n, y->m, 1, y->B, y->b, to);
    axpy(n, 1, y->as, to);
    for (int i = 0; i < n; i++) to[n + i] = -y->as[i];
}

static void e25(const System *y)
{
    OK(ukFormulaExtendedNormal(&y->s, NULL, G, g));
    normal(y, H, r);
    SAME(G, H, 4 * y->n * y->n);
    SAME(g, r, 2 * y->n);
}

static void blocks(const System *y, double *X) /* [P J; J S] of order 2n */
{
    const int n = y->n, order = 2 * n;
    OK(ukFormulaExtendedInverse(&y->s, D, J, E));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            X[i * order + j] = D[i * n + j], X[(n + i) * order + n + j] = E[i * n + j];
            X[i * order + n + j] = X[(n + i) * order + j] = J[i * n + j];
        }
}

static void e26(const System *y) /* G G^-1 = I, blocks P, J, S */
{
    const int n = y->n;
    static double I[area];
    blocks(y, H);
    normal(y, L, r);
    mul(2 * n, 2 * n, 2 * n, L, H, G);
    identity(2 * n, I);
    SAME_WITHIN(G, I, 4 * n * n, norm(4 * n * n, H));
}

static void e27(const System *y) /* D + E = [B' V][B; V'] */
{
    const int n = y->n;
    OK(ukFormulaNullBasis(&y->s, V, &rank));
    OK(ukFormulaExtended(&y->s, D, E, NULL));
    axpy(n * n, 1, E, D);
    tmul(n, y->m, n, y->B, y->B, T);
    transpose(n, n, V, Z);
    mul(n, n, n, V, Z, K);
    axpy(n * n, 1, K, T);
    SAME(D, T, n * n);
}

/* D and E of the paper from the closed form; P, J, S from the library */
static double P[square], S[square], Dc[square], Ec[square];

static void takeBlocks(const System *y)
{
    OK(ukFormulaExtendedInverse(&y->s, P, J, S));
    tmul(y->n, y->m, y->n, y->B, y->B, Dc);
    complement(y, Ec);
}

/* XY = YX */
static void commute(int n, const double *X, const double *Y)
{
    mul(n, n, n, X, Y, T);
    mul(n, n, n, Y, X, Z);
    SAME_WITHIN(T, Z, n * n, norm(n * n, X) * norm(n * n, Y));
}

/* P = (I + E) J, S = (I + D) J with J = (D + E)^-1 in closed form */
static void closed(const System *y, const double *X, const double *plus)
{
    const int n = y->n;
    for (int i = 0; i < n * n; i++) T[i] = Dc[i] + Ec[i];
    CHECK(inverse(n, T, K));
    for (int i = 0; i < n * n; i++) Z[i] = (i % (n + 1) == 0) + plus[i];
    mul(n, n, n, Z, K, T);
    SAME(X, T, n * n);
}

static void e28(const System *y) /* D P = P D */
{
    takeBlocks(y);
    commute(y->n, Dc, P);
    closed(y, P, Ec);
}

static void e29(const System *y) /* E J = J E, = E (as J is 1 on null(B)) */
{
    takeBlocks(y);
    commute(y->n, Ec, J);
    SAME(T, Ec, y->n * y->n);
    for (int i = 0; i < y->n * y->n; i++) Z[i] = Dc[i] + Ec[i];
    mul(y->n, y->n, y->n, Z, J, T);
    identity(y->n, K);
    SAME_WITHIN(T, K, y->n * y->n, norm(y->n * y->n, J));
}

static void e30(const System *y) /* D J = J D = I - E S */
{
    const int n = y->n;
    takeBlocks(y);
    commute(n, Dc, J);
    mul(n, n, n, Ec, S, Z);
    for (int i = 0; i < n * n; i++) Z[i] = (i % (n + 1) == 0) - Z[i];
    SAME_WITHIN(T, Z, n * n, norm(n * n, J));
    closed(y, S, Dc);
    identity(n, Z);
    for (int i = 0; i < n * n; i++) Z[i] = Z[i] - Ec[i]; /* J D = I - E: all of J on the range of D */
    mul(n, n, n, J, Dc, T);
    SAME_WITHIN(T, Z, n * n, norm(n * n, J));
    for (int i = 0; i < n * n; i++) T[i] = Dc[i] + Ec[i];
    CHECK(inverse(n, T, K));
    SAME(J, K, n * n);
}

static void e31(const System *y) /* E S = S E */
{
    takeBlocks(y);
    commute(y->n, Ec, S);
    SAME(T, Ec, y->n * y->n);
    closed(y, S, Dc);
}

static void e32(const System *y) /* x_s = (I + E) J (a_s + B'b) - J a_s */
{
    const int n = y->n;
    OK(ukFormulaExtendedInverse(&y->s, P, J, S));
    tmul(n, y->m, 1, y->B, y->b, x);
    axpy(n, 1, y->as, x);
    mul(n, n, 1, P, x, T);
    mul(n, n, 1, J, y->as, Z);
    axpy(n, -1, Z, T);
    mul(n, n, 1, y->S, y->qdd, Z);
    SAME_WITHIN(T, Z, n, norm(n, x));
}

static void e33(const System *y) /* F_s = J (a_s + B'b) - (I + D) J a_s */
{
    const int n = y->n;
    OK(ukFormulaExtendedInverse(&y->s, P, J, S));
    tmul(n, y->m, 1, y->B, y->b, x);
    axpy(n, 1, y->as, x);
    mul(n, n, 1, J, x, T);
    mul(n, n, 1, S, y->as, Z);
    axpy(n, -1, Z, T);
    whole(y, F);
    mul(n, n, 1, y->Si, F, Z);
    SAME_WITHIN(T, Z, n, norm(n, x));
}

static void e34(const System *y) /* x_s = J (I + E)(a_s + B'b) - J a_s = J B'b + J E a_s; [35]: a_s + J B'(b - B a_s) */
{
    const int n = y->n;
    OK(ukFormulaExtendedAcceleration(&y->s, x));
    OK(ukFormulaExtended(&y->s, NULL, NULL, J));
    mul(n, n, 1, y->S, x, K);
    mul(y->m, n, 1, y->B, y->as, z);
    for (int i = 0; i < y->m; i++) z[i] = y->b[i] - z[i];
    tmul(n, y->m, 1, y->B, z, T);
    mul(n, n, 1, J, T, Z);
    axpy(n, 1, y->as, Z);
    SAME_WITHIN(K, Z, n, norm(n, y->as));
}

static void e36(const System *y) /* F^c = M^1/2 B^+ (b - B a_s) */
{
    OK(ukFormulaExtendedForce(&y->s, x));
    mul(y->m, y->n, 1, y->B, y->as, z);
    for (int i = 0; i < y->m; i++) z[i] = y->b[i] - z[i];
    mul(y->n, y->m, 1, y->Bp, z, T);
    mul(y->n, y->n, 1, y->S, T, Z);
    SAME_WITHIN(x, Z, y->n, norm(y->n, T));
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */

static void makeWeight(int rows) /* positive definite */
{
    for (int i = 0; i < rows * rows; i++) H[i] = uniform(-1, 1);
    mul(rows, rows, rows, H, H, W);
    tmul(rows, rows, rows, H, H, W);
    for (int i = 0; i < rows; i++) W[i * (rows + 1)] += 1;
}

/* L'W L and L'W s, of the library's L and s */
static void weightedNormal(int n, int rows, double *X, double *to)
{
    static double WL[area];
    double Ws[large];
    mul(rows, rows, 2 * n, W, L, WL);
    tmul(2 * n, rows, 2 * n, L, WL, X);
    mul(rows, rows, 1, W, s, Ws);
    tmul(2 * n, rows, 1, L, Ws, to);
}

static void e37(const System *y)
{
    static double X[area];
    int rows = 0;
    OK(ukFormulaExtendedSystem(&y->s, L, s, &rows));
    makeWeight(rows);
    OK(ukFormulaExtendedNormal(&y->s, W, G, g));
    weightedNormal(y->n, rows, X, r);
    SAME(G, X, 4 * y->n * y->n);
    SAME(g, r, 2 * y->n);
}

/* rows that contradict each other: r = (L'W L)^-1 L'W s in extended precision; W does not act on consistent ones */
static void e38(const System *y)
{
    static double X[area], Xi[area];
    const int n = y->n;
    double expected[large], b[most], qdd[most];
    int rows = 0;
    ukFormulaSystem t = y->s;
    OK(ukFormulaExtendedSystem(&t, L, s, &rows));
    makeWeight(rows);
    OK(ukFormulaExtendedWeighted(&t, W, r, qdd, F));
    SAME(qdd, y->qdd, n);
    whole(y, T);
    SAME_WITHIN(F, T, n, norm(n, y->Q));
    for (int i = 0; i < y->m; i++) b[i] = y->b[i] + uniform(-3, 3);
    t.b = b;
    OK(ukFormulaExtendedSystem(&t, L, s, &rows));
    OK(ukFormulaExtendedWeighted(&t, W, r, qdd, F));
    weightedNormal(n, rows, X, g);
    CHECK(inverse(2 * n, X, Xi));
    mul(2 * n, 2 * n, 1, Xi, g, expected);
    SAME(r, expected, 2 * n);
    mul(n, n, 1, y->Si, expected, T);
    SAME(qdd, T, n);
    mul(n, n, 1, y->S, expected + n, T);
    SAME(F, T, n);
}

/* appendix 2: J B' = B^+, by the four conditions of Moore and Penrose */
static void appendix2(const System *y)
{
    const int n = y->n, m = y->m;
    OK(ukFormulaExtended(&y->s, NULL, NULL, J));
    transpose(m, n, y->B, T);
    mul(n, n, m, J, T, K); /* J B' */
    SAME(K, y->Bp, n * m);
    mul(m, n, m, y->B, K, T);
    mul(m, m, n, T, y->B, Z);
    SAME(Z, y->B, m * n); /* 1 */
    transpose(m, m, T, Z);
    SAME(T, Z, m * m); /* 3 */
    mul(n, m, n, K, y->B, T);
    transpose(n, n, T, Z);
    SAME(T, Z, n * n); /* 4 */
    mul(n, n, m, T, K, Z);
    SAME(Z, K, n * m); /* 2 */
}

const Case cases_1997[] = {
    {.name = "1997/1", .on = e1},
    {.name = "1997/3", .once = e3},
    {.name = "1997/4", .on = e4},
    {.name = "1997/root", .on = root},
    {.name = "1997/17", .on = e17},
    {.name = "1997/18", .on = e18},
    {.name = "1997/19", .on = e19},
    {.name = "1997/20a", .on = e20a},
    {.name = "1997/20b", .on = e20b},
    {.name = "1997/21", .on = e21},
    {.name = "1997/22", .on = e22},
    {.name = "1997/23", .on = e23},
    {.name = "1997/24", .on = e24},
    {.name = "1997/appendix1", .on = appendix1},
    {.name = "1997/25", .on = e25},
    {.name = "1997/26", .on = e26},
    {.name = "1997/27", .on = e27},
    {.name = "1997/28", .on = e28},
    {.name = "1997/29", .on = e29},
    {.name = "1997/30", .on = e30},
    {.name = "1997/31", .on = e31},
    {.name = "1997/32", .on = e32},
    {.name = "1997/33", .on = e33},
    {.name = "1997/34", .on = e34},
    {.name = "1997/36", .on = e36},
    {.name = "1997/37", .on = e37},
    {.name = "1997/38", .on = e38},
    {.name = "1997/appendix2", .on = appendix2},
    {.name = NULL},
};
