/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases_1994.c: Kalaba & Udwadia 1994, Lagrangian mechanics, Gauss's principle, quadratic programming,
 * and generalized inverses. Their A is M here, their D is A, their g is b, their Q - f is Q + C. */
#include "tests/formulas/cases.h"

static double T[square], Z[square], K[square], H[square], Ai[square], Hi[square], N[square];
static double x[most], z[most], h[most], d[most], lambda[most];

static void control(const System *y, double *f) /* Q' = M qdd - Q - C */
{
    mul(y->n, y->n, 1, y->M, y->qdd, f);
    axpy(y->n, -1, y->Q, f), axpy(y->n, -1, y->C, f);
}

static ukFormulaChoice chosen(const System *y)
{
    return (ukFormulaChoice){y->U, y->W, NULL};
}

/* [1], [9], [11]: (M qdd + f - Q)'(qhat - qdd) = 0, of every possible acceleration */
static void e1(const System *y)
{
    const ukFormulaChoice choice = chosen(y);
    OK(ukFormulaQuadraticAcceleration(&y->s, &choice, x));
    mul(y->n, y->n, 1, y->M, x, T);
    axpy(y->n, -1, y->Q, T), axpy(y->n, -1, y->C, T);
    tmul(y->n, y->n, 1, y->P, T, Z);
    ZERO(Z, y->n, norm(y->n, y->Q) + norm(y->n, T));
    mul(y->m, y->n, 1, y->A, x, T);
    SAME(T, y->b, y->m);
    SAME(x, y->qdd, y->n);
}

static void e2(void) /* Pfaffian constraints; differentiated they are [6] */
{
    Constrained c;
    constrain(&c);
    CHECK_NEAR_ALL(c.linear_A, c.linear_A_closed, 3, 1e-9);
    CHECK_NEAR_ALL(c.linear_b, c.linear_b_closed, 1, 1e-9);
}

static void e3(const System *y) /* D dq = 0 */
{
    OK(ukFormulaVirtual(&y->s, y->y, x));
    mul(y->m, y->n, 1, y->A, x, T);
    ZERO(T, y->m, norm(y->n, y->y));
    SAME(x, y->v, y->n);
}

/* [4], [5]: M qdd + f - Q + D'lambda = 0 with lambda of the other sign than Lambda of [34] */
static void e5(const System *y)
{
    OK(ukFormulaLagrange(&y->s, x, lambda));
    SAME(x, y->qdd, y->n);
    control(y, d);
    tmul(y->n, y->m, 1, y->A, lambda, T);
    SAME(T, d, y->n);
    double minus[most];
    for (int i = 0; i < y->m; i++) minus[i] = -lambda[i]; /* the paper's */
    tmul(y->n, y->m, 1, y->A, minus, T);
    axpy(y->n, 1, d, T); /* Q' + D'lambda = 0 */
    ZERO(T, y->n, norm(y->n, d));
}

static void e7(const System *y) /* D qhat = g, and [8]: D (qhat - qdd) = 0 */
{
    OK(ukFormulaPossible(&y->s, y->w, x));
    mul(y->m, y->n, 1, y->A, x, T);
    SAME(T, y->b, y->m);
    axpy(y->n, -1, y->qdd, x); /* a virtual displacement: P x = x, and P qhat = P w */
    mul(y->n, y->n, 1, y->P, x, T);
    SAME_WITHIN(T, x, y->n, norm(y->n, y->qdd));
    for (int i = 0; i < y->n; i++) T[i] = x[i] + y->qdd[i] - y->w[i];
    mul(y->n, y->n, 1, y->P, T, Z);
    ZERO(Z, y->n, norm(y->n, y->qdd));
}

/* [10] of a bead in polar coordinates (r, angle) that turn with the rate w: T = m/2 (r'^2 + r^2 (angle' + w)^2) =
 * 1/2 q''A q' + b'q' + c, A = m diag(1, r^2), b = (0, m r^2 w), c = m/2 r^2 w^2 */
static void e10(void)
{
    const double m = 2, r = 1.5, w = 0.7, v[] = {0.4, -1.1}, A[] = {m, 0, 0, m * r * r}, b[] = {0, m * r * r * w};
    double quadratic = 0;
    OK(ukFormulaInner(2, v, A, v, &quadratic));
    CHECK_NEAR(quadratic / 2 + dot(2, b, v) + m / 2 * r * r * w * w,
               m / 2 * (v[0] * v[0] + r * r * (v[1] + w) * (v[1] + w)), 1e-13);
}

static double inner(int n, const double *u, const double *Y, const double *v)
{
    double value = 0;
    OK(ukFormulaInner(n, u, Y, v, &value));
    return value;
}

static void e12(const System *y) /* lemma 1 and [13] */
{
    double bg[most], bc[most], gc[most];
    for (int i = 0; i < y->n; i++) bg[i] = y->w[i] - y->Q[i], bc[i] = y->w[i] - y->y[i], gc[i] = y->Q[i] - y->y[i];
    for (int i = 0; i < y->n * y->n; i++) K[i] = y->P[i]; /* any symmetric Y, not positive definite */
    transpose(y->n, y->n, y->P, T);
    axpy(y->n * y->n, 1, T, K);
    const double left = inner(y->n, bg, K, bg) - inner(y->n, bc, K, bc);
    const double right = over(y->n, gc, K, gc) - 2 * over(y->n, bc, K, gc);
    SAME_WITHIN(&left, &right, 1, norm(y->n, bg) * norm(y->n, bg));
}

static double gaussian(const System *y, const double *q)
{
    double G = 0;
    OK(ukFormulaGaussian(&y->s, q, &G));
    return G;
}

/* lemma 2 [14], by the substitution [15] in lemma 1; of any two vectors */
static void e14(const System *y)
{
    double f[most], g[most], Mf[most];
    for (int i = 0; i < y->n; i++) f[i] = 3 * y->y[i], g[i] = -2 * y->w[i], d[i] = g[i] - f[i];
    mul(y->n, y->n, 1, y->M, f, Mf);
    axpy(y->n, -1, y->Q, Mf);
    const double left = gaussian(y, g) - gaussian(y, f), right = over(y->n, d, y->M, d) + 2 * dot(y->n, Mf, d);
    SAME_WITHIN(&left, &right, 1, fabs(gaussian(y, f)));
}

static void e16(const System *y) /* G by its definition */
{
    mul(y->n, y->n, 1, y->M, y->qhat, T);
    axpy(y->n, -1, y->Q, T);
    const double G = gaussian(y, y->qhat), expected = over(y->n, T, y->Mi, T);
    SAME(&G, &expected, 1);
}

static void e17(const System *y) /* result 1: at the minimum G = (Q', Q') in M^-1 */
{
    double Gi = 0;
    control(y, d);
    OK(ukFormulaMeasure(&y->s, d, &Gi, NULL));
    for (int i = 0; i < y->n; i++) z[i] = y->qdd[i] - y->a[i] - y->c[i];
    const double G = over(y->n, z, y->M, z);
    SAME_WITHIN(&Gi, &G, 1, norm(y->n, y->Q));
}

static void e18(const System *y) /* its excess */
{
    double excess = 0, q[most], together[most];
    ukFormulaSystem s = y->s;
    for (int i = 0; i < y->n; i++) together[i] = y->Q[i] + y->C[i], q[i] = y->qdd[i] + 3 * y->v[i];
    s.Q = together, s.C = NULL;
    OK(ukFormulaExcess(&s, q, &excess));
    const double expected = 9 * over(y->n, y->v, y->M, y->v);
    SAME_WITHIN(&excess, &expected, 1, norm(y->n, y->qdd));
}

static void e19(const System *y) /* the programme: least G [19a] under D qdd = g [19b] */
{
    const ukFormulaChoice choice = chosen(y);
    OK(ukFormulaQuadraticAcceleration(&y->s, &choice, x));
    mul(y->m, y->n, 1, y->A, x, T);
    SAME(T, y->b, y->m);
    double q[most];
    for (double far = 1e-1; far < 1e5; far *= -10) {
        for (int i = 0; i < y->n; i++) q[i] = x[i] + far * y->v[i], z[i] = q[i] - y->a[i] - y->c[i];
        for (int i = 0; i < y->n; i++) d[i] = x[i] - y->a[i] - y->c[i];
        const double above = over(y->n, z, y->M, z) - over(y->n, d, y->M, d);
        const double excess = far * far * over(y->n, y->v, y->M, y->v);
        CHECK(above > 0);
        SAME_WITHIN(&above, &excess, 1, over(y->n, d, y->M, d));
    }
}

/* [20]: qdd = D^- g + (I - D^- D) h; every possible acceleration is one */
static void e20(const System *y)
{
    const int n = y->n, m = y->m;
    OK(ukFormulaGInverse(m, n, y->A, y->U, 0, Ai));
    mul(n, m, 1, Ai, y->b, x);
    mul(n, m, n, Ai, y->A, N);
    for (int i = 0; i < n * n; i++) N[i] = (i % (n + 1) == 0) - N[i];
    mul(n, n, 1, N, y->w, T);
    axpy(n, 1, T, x);
    mul(m, n, 1, y->A, x, T);
    SAME_WITHIN(T, y->b, m, norm(n, x));
    axpy(n, -1, y->qdd, x); /* and differs from the actual one by a virtual displacement */
    mul(n, n, 1, y->P, x, T);
    SAME_WITHIN(T, x, n, norm(n, y->qdd));
}

static void e21(const System *y) /* D D^- D = D; D^+ for U = 0 */
{
    const int n = y->n, m = y->m;
    OK(ukFormulaGInverse(m, n, y->A, y->U, 0, Ai));
    mul(m, n, m, y->A, Ai, T);
    mul(m, m, n, T, y->A, Z);
    SAME_WITHIN(Z, y->A, m * n, norm(n * m, Ai));
    OK(ukFormulaGInverse(m, n, y->A, NULL, 0, K));
    SAME(K, y->Ap, n * m);
    axpy(n * m, -1, Ai, K);
    CHECK(norm(n * m, K) > 1e-3); /* U makes another one */
}

/* D^- of the library's U in closed form, and I - D^- D */
static void closedInverse(const System *y)
{
    const int n = y->n, m = y->m;
    mul(n, m, n, y->Ap, y->A, T);
    mul(n, n, m, T, y->U, Z);
    mul(n, m, n, Z, y->A, T);
    mul(n, n, m, T, y->Ap, Ai);
    for (int i = 0; i < n * m; i++) Ai[i] = y->Ap[i] + y->U[i] - Ai[i];
    mul(n, m, n, Ai, y->A, N);
    for (int i = 0; i < n * n; i++) N[i] = (i % (n + 1) == 0) - N[i];
}

static void e23(const System *y) /* H = M^1/2 (I - D^- D) */
{
    const ukFormulaChoice choice = chosen(y);
    OK(ukFormulaQuadratic(&y->s, &choice, H, NULL));
    closedInverse(y);
    mul(y->n, y->n, y->n, y->S, N, T);
    SAME(H, T, y->n * y->n);
}

static void e24(const System *y) /* z = -M^1/2 (D^- g + M^-1 (f - Q)) */
{
    const ukFormulaChoice choice = chosen(y);
    OK(ukFormulaQuadratic(&y->s, &choice, NULL, z));
    closedInverse(y);
    mul(y->n, y->m, 1, Ai, y->b, x);
    for (int i = 0; i < y->n; i++) x[i] = y->a[i] + y->c[i] - x[i];
    mul(y->n, y->n, 1, y->S, x, T);
    SAME(z, T, y->n);
}

/* [22]: the h of least |H h - z|, here h = qdd - D^- g, which gives the actual acceleration: H'(H h - z) = 0, and
 * |H h - z|^2 is the Gaussian */
static void e22(const System *y)
{
    const ukFormulaChoice choice = chosen(y);
    OK(ukFormulaQuadratic(&y->s, &choice, H, z));
    closedInverse(y);
    mul(y->n, y->m, 1, Ai, y->b, x);
    for (int i = 0; i < y->n; i++) h[i] = y->qdd[i] - x[i];
    mul(y->n, y->n, 1, H, h, T);
    axpy(y->n, -1, z, T);
    tmul(y->n, y->n, 1, H, T, Z);
    ZERO(Z, y->n, norm(y->n * y->n, H) * norm(y->n, z));
    control(y, d);
    const double square_ = dot(y->n, T, T), G = over(y->n, d, y->Mi, d);
    SAME_WITHIN(&square_, &G, 1, dot(y->n, z, z));
}

static void e26(const System *y) /* H H^- H = H [26], (H H^-)' = H H^- [27], of any W */
{
    const int n = y->n;
    const ukFormulaChoice choice = chosen(y);
    double HH[square];
    OK(ukFormulaQuadratic(&y->s, &choice, H, NULL));
    OK(ukFormulaLeastSquaresInverse(n, n, H, y->W, 1e-10, Hi));
    mul(n, n, n, H, Hi, HH);
    mul(n, n, n, HH, H, Z);
    SAME_WITHIN(Z, H, n * n, norm(n * n, Hi));
    transpose(n, n, HH, Z);
    SAME_WITHIN(HH, Z, n * n, norm(n * n, Hi));
    CHECK_NEAR(trace(n, HH), n - y->rank, 1e-9);
    for (int i = 0; i < n * n; i++) T[i] = Hi[i] - y->W[i]; /* H^- - W has no part in null(H): H^+ H W + .. only */
    OK(ukFormulaLeastSquaresInverse(n, n, H, NULL, 1e-10, K));
    mul(n, n, n, K, H, Z); /* H^+ H */
    mul(n, n, n, Z, T, N);
    SAME_WITHIN(N, T, n * n, norm(n * n, T));
}

/* [25] and [28]: the arbitrary w does not act on qdd */
static void e28(const System *y)
{
    ukFormulaChoice choice = chosen(y);
    choice.w = y->w;
    OK(ukFormulaQuadraticAcceleration(&y->s, &choice, x));
    SAME(x, y->qdd, y->n);
}

static void e29(const System *y)
{
    const ukFormulaChoice choice = chosen(y);
    OK(ukFormulaQuadraticAcceleration(&y->s, &choice, x));
    SAME(x, y->qdd, y->n);
}

static void e30(const System *y)
{
    OK(ukFormulaQuadraticAcceleration(&y->s, NULL, x));
    SAME(x, y->qdd, y->n);
}

static void e31(const System *y) /* without constraints, both ways: no row, and rows of zeros */
{
    double none[square] = {0};
    ukFormulaSystem s = y->s;
    for (int i = 0; i < y->n; i++) z[i] = y->a[i] + y->c[i];
    s.A = s.b = none;
    OK(ukFormulaQuadraticAcceleration(&s, NULL, x));
    SAME(x, z, y->n);
    s.m = 0, s.A = s.b = NULL;
    OK(ukFormulaQuadraticAcceleration(&s, NULL, x));
    SAME(x, z, y->n);
}

static void e32(const System *y) /* qdd = M^-1 (Q + Q' - f) */
{
    const ukFormulaChoice choice = chosen(y);
    OK(ukFormulaControlForce(&y->s, &choice, d));
    mul(y->n, y->n, 1, y->Mi, d, x);
    axpy(y->n, 1, y->a, x), axpy(y->n, 1, y->c, x);
    SAME(x, y->qdd, y->n);
}

/* Q' = (I - M X M^-1)(f - Q) + M (I - X) D^- g, letter by letter */
static void e33(const System *y)
{
    const int n = y->n;
    const ukFormulaChoice choice = chosen(y);
    double X[square], F[most], f[most];
    OK(ukFormulaControlForce(&y->s, &choice, d));
    OK(ukFormulaQuadratic(&y->s, &choice, H, NULL));
    OK(ukFormulaLeastSquaresInverse(n, n, H, y->W, 1e-10, Hi));
    closedInverse(y);
    mul(n, n, n, N, Hi, T);
    mul(n, n, n, T, y->S, X);
    for (int i = 0; i < n; i++) f[i] = -y->Q[i] - y->C[i], z[i] = -y->a[i] - y->c[i];
    mul(n, n, 1, X, z, x);
    mul(n, n, 1, y->M, x, T);
    for (int i = 0; i < n; i++) F[i] = f[i] - T[i];
    mul(n, y->m, 1, Ai, y->b, x);
    mul(n, n, 1, X, x, z);
    axpy(n, -1, z, x);
    mul(n, n, 1, y->M, x, T);
    axpy(n, 1, T, F);
    SAME_WITHIN(d, F, n, norm(n, T) + norm(n, f));
    control(y, F);
    SAME_WITHIN(d, F, n, norm(n, T) + norm(n, f));
}

static void e34(const System *y) /* D'Lambda = Q' */
{
    control(y, d);
    OK(ukFormulaMultipliers(&y->s, d, lambda));
    tmul(y->n, y->m, 1, y->A, lambda, T);
    SAME(T, d, y->n);
}

static void e35(const System *y) /* Lambda = (D D')^-1 D Q', of the control force [33] */
{
    double F[most];
    OK(ukFormulaControlForce(&y->s, NULL, F));
    OK(ukFormulaMultipliers(&y->s, F, lambda));
    transpose(y->m, y->n, y->A, T);
    mul(y->m, y->n, y->m, y->A, T, Z);
    CHECK(inverse(y->m, Z, K));
    control(y, d);
    mul(y->m, y->n, 1, y->A, d, T);
    mul(y->m, y->m, 1, K, T, Z);
    SAME(lambda, Z, y->m);
}

/* ---- example 1: a particle with y' = z x' ------------------------------------------------------------------------ */

static const double at_z = 0.6, xd = 1.3, zd = -0.8;

static int slope(const ukFormulaState *s, double *value, void *data)
{
    (void)data;
    *value = s->v[1] - s->q[2] * s->v[0];
    return 0;
}

static void e36(void) /* the constraint, D and g */
{
    const double q[] = {0.1, 0.2, at_z}, v[] = {xd, at_z * xd, zd}, D[] = {-at_z, 1, 0};
    double A[3], b[1];
    OK(ukFormulaDifferentiate(&(ukFormulaState){.n = 3, .q = q, .v = v}, 1, 1, slope, NULL, A, b));
    CHECK_NEAR_ALL(A, D, 3, 1e-9);
    CHECK_NEAR(b[0], zd * xd, 1e-9);
}

static void e37(void) /* (I - D^- D)^+ */
{
    const double k = 1 + at_z * at_z, D[] = {-at_z, 1, 0};
    const double expected[] = {1 / k, at_z / k, 0, at_z / k, at_z * at_z / k, 0, 0, 0, 1};
    const double I[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ukFormulaSystem s = {.n = 3, .m = 1, .M = I, .A = D, .b = I};
    OK(ukFormulaQuadratic(&s, NULL, H, NULL)); /* I - D^- D for M = I */
    CHECK_NEAR_ALL(H, expected, 9, 1e-14);     /* a projector: its own inverse */
    OK(ukFormulaPseudoinverse(3, 3, H, 1e-10, K));
    CHECK_NEAR_ALL(K, expected, 9, 1e-14);
}

static void e37inverse(void) /* D^- = D'/(1 + z^2) */
{
    const double k = 1 + at_z * at_z, D[] = {-at_z, 1, 0}, expected[] = {-at_z / k, 1 / k, 0};
    OK(ukFormulaGInverse(1, 3, D, NULL, 0, Ai));
    CHECK_NEAR_ALL(Ai, expected, 3, 1e-14);
}

static void e38(void)
{
    const double k = 1 + at_z * at_z, D[] = {-at_z, 1, 0}, b[] = {zd * xd}, I[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const ukFormulaSystem s = {.n = 3, .m = 1, .M = I, .A = D, .b = b};
    const double expected[] = {-at_z * zd * xd / k, zd * xd / k, 0};
    OK(ukFormulaQuadraticAcceleration(&s, NULL, x));
    CHECK_NEAR_ALL(x, expected, 3, 1e-14);
}

/* ---- example 2: a particle in the plane with x' - t y' = alpha(t) ------------------------------------------------ */

static const double mass = 2.5, at_t = 1.7, yd = 0.3, alphad = -1.1, force[] = {4, -3};

static int guided(const ukFormulaState *s, double *value, void *data)
{
    (void)data;
    *value = s->v[0] - s->t * s->v[1] - (0.2 + alphad * (s->t - at_t));
    return 0;
}

static void e39(void) /* the constraint, D and g */
{
    const double q[] = {0.4, 0.5}, v[] = {0.2 + at_t * yd, yd}, D[] = {1, -at_t};
    double A[2], b[1];
    OK(ukFormulaDifferentiate(&(ukFormulaState){.n = 2, .t = at_t, .q = q, .v = v}, 1, 1, guided, NULL, A, b));
    CHECK_NEAR_ALL(A, D, 2, 1e-9);
    CHECK_NEAR(b[0], yd + alphad, 1e-9);
}

typedef struct Guided {
    double M[4], A[2], b[1];
    ukFormulaSystem s;
} Guided;

static void guide(Guided *g)
{
    *g = (Guided){.M = {mass, 0, 0, mass}, .A = {1, -at_t}, .b = {yd + alphad}};
    g->s = (ukFormulaSystem){.n = 2, .m = 1, .M = g->M, .A = g->A, .b = g->b, .Q = force};
}

static void e40(void) /* H, and H^+ */
{
    Guided g;
    guide(&g);
    const double k = 1 + at_t * at_t, P[] = {at_t * at_t / k, at_t / k, at_t / k, 1 / k};
    double expected[4];
    OK(ukFormulaQuadratic(&g.s, NULL, H, NULL));
    for (int i = 0; i < 4; i++) expected[i] = sqrt(mass) * P[i];
    CHECK_NEAR_ALL(H, expected, 4, 1e-14);
    OK(ukFormulaPseudoinverse(2, 2, H, 1e-10, K));
    for (int i = 0; i < 4; i++) expected[i] = P[i] / sqrt(mass);
    CHECK_NEAR_ALL(K, expected, 4, 1e-14);
}

static void e41(void)
{
    Guided g;
    guide(&g);
    const double k = 1 + at_t * at_t, t = at_t, s = mass * (yd + alphad);
    OK(ukFormulaQuadraticAcceleration(&g.s, NULL, x));
    CHECK_NEAR(k * mass * x[0], t * t * force[0] + t * force[1] + s, 1e-13);
    CHECK_NEAR(k * mass * x[1], t * force[0] + force[1] - t * s, 1e-13);
}

static void e42(void)
{
    Guided g;
    guide(&g);
    const double k = 1 + at_t * at_t, t = at_t, s = mass * (yd + alphad);
    OK(ukFormulaControlForce(&g.s, NULL, x));
    CHECK_NEAR(x[0], (-force[0] + t * force[1] + s) / k, 1e-13);
    CHECK_NEAR(x[1], (t * force[0] - t * t * force[1] - t * s) / k, 1e-13);
}

const Case cases_1994[] = {
    {.name = "1994/1", .on = e1},
    {.name = "1994/2", .once = e2},
    {.name = "1994/3", .on = e3},
    {.name = "1994/5", .on = e5, .independent = true},
    {.name = "1994/7", .on = e7},
    {.name = "1994/10", .once = e10},
    {.name = "1994/12", .on = e12},
    {.name = "1994/14", .on = e14},
    {.name = "1994/16", .on = e16},
    {.name = "1994/17", .on = e17},
    {.name = "1994/18", .on = e18},
    {.name = "1994/19", .on = e19},
    {.name = "1994/20", .on = e20},
    {.name = "1994/21", .on = e21},
    {.name = "1994/22", .on = e22},
    {.name = "1994/23", .on = e23},
    {.name = "1994/24", .on = e24},
    {.name = "1994/26", .on = e26},
    {.name = "1994/28", .on = e28},
    {.name = "1994/29", .on = e29},
    {.name = "1994/30", .on = e30},
    {.name = "1994/31", .on = e31},
    {.name = "1994/32", .on = e32},
    {.name = "1994/33", .on = e33},
    {.name = "1994/34", .on = e34, .independent = true},
    {.name = "1994/35", .on = e35, .independent = true},
    {.name = "1994/36", .once = e36},
    {.name = "1994/37", .once = e37},
    {.name = "1994/37-inverse", .once = e37inverse},
    {.name = "1994/38", .once = e38},
    {.name = "1994/39", .once = e39},
    {.name = "1994/40", .once = e40},
    {.name = "1994/41", .once = e41},
    {.name = "1994/42", .once = e42},
    {.name = NULL},
};
