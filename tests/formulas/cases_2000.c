/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/formulas/cases_2000.c: Udwadia 2000, Fundamental principles of Lagrangian dynamics. */
#include "tests/formulas/cases.h"

static double T[square], Z[square], X[square], x[most], r[most], d[most], Qi[most], Qni[most];

static void e1(const System *y) /* a = M^-1 Q */
{
    OK(ukFormulaFree(&y->s, x, NULL));
    SAME(x, y->a, y->n);
}

static void e4(void) /* [2] twice, [3] once differentiated */
{
    Constrained c;
    constrain(&c);
    CHECK_NEAR_ALL(c.A, c.A_closed, 6, 1e-9);
    CHECK_NEAR_ALL(c.b, c.b_closed, 2, 1e-7);
}

static void e5(const System *y) /* M qdd = Q + Q^c */
{
    OK(ukFormulaOneFourMomentum(&y->s, y->U, x));
    for (int i = 0; i < y->n; i++) T[i] = y->Q[i] + y->Qi[i] + y->Qni[i];
    SAME(x, T, y->n);
}

static void e6(const System *y) /* A v = 0 */
{
    OK(ukFormulaVirtual(&y->s, y->y, x));
    mul(y->m, y->n, 1, y->A, x, T);
    ZERO(T, y->m, norm(y->m * y->n, y->A) * norm(y->n, y->y));
    for (int i = 0; i < y->n; i++) d[i] = y->y[i] - x[i]; /* what is taken from y is M-orthogonal to all such v */
    SAME(x, y->v, y->n);
    const double across = over(y->n, d, y->M, y->v);
    ZERO(&across, 1, over(y->n, y->y, y->M, y->y));
}

static void e7(const System *y) /* v'Q^c = v'C */
{
    OK(ukFormulaOneFourForces(&y->s, y->U, Qi, Qni));
    const double ideal = dot(y->n, y->v, Qi), work = dot(y->n, y->v, Qni), prescribed = dot(y->n, y->v, y->C);
    ZERO(&ideal, 1, norm(y->n, y->v) * norm(y->n, Qi));
    SAME(&work, &prescribed, 1);
    SAME(Qi, y->Qi, y->n);
    SAME(Qni, y->Qni, y->n);
}

static void e8(const System *y) /* A qhat = b, and [9] A (qhat - qdd) = 0 */
{
    OK(ukFormulaPossible(&y->s, y->qhat, x));
    mul(y->m, y->n, 1, y->A, x, T);
    SAME(T, y->b, y->m);
    SAME(x, y->qhat, y->n); /* which is possible: it stays as it is */
}

static void e10(const System *y) /* v'(M qdd - Q) = v'C and [11], [12] d'(M qdd - Q - C) = 0 */
{
    OK(ukFormulaOneFourAcceleration(&y->s, y->U, x));
    mul(y->n, y->n, 1, y->M, x, T);
    axpy(y->n, -1, y->Q, T);
    const double whole = dot(y->n, y->v, T), prescribed = dot(y->n, y->v, y->C);
    const double size = norm(y->n, y->v) * (norm(y->n, T) + norm(y->n, y->C));
    SAME_WITHIN(&whole, &prescribed, 1, size);
    axpy(y->n, -1, y->C, T);
    for (int i = 0; i < y->n; i++) d[i] = y->qhat[i] - y->qdd[i];
    const double rest = dot(y->n, d, T);
    ZERO(&rest, 1, size);
    mul(y->m, y->n, 1, y->A, x, T);
    SAME(T, y->b, y->m);
}

static double inner(int n, const double *u, const double *Y, const double *v)
{
    double value = 0;
    OK(ukFormulaInner(n, u, Y, v, &value));
    return value;
}

/* (e-g, e-g) - (e-f, e-f) = (g-f, g-f) - 2 (e-f, g-f), Y symmetric */
static void lemma1(const System *y)
{
    double eg[most], ef[most], gf[most];
    for (int i = 0; i < y->n; i++) {
        eg[i] = y->Q[i] - y->w[i], ef[i] = y->Q[i] - y->y[i];
        gf[i] = y->w[i] - y->y[i];
    }
    const double left = inner(y->n, eg, y->M, eg) - inner(y->n, ef, y->M, ef);
    const double right = over(y->n, gf, y->M, gf) - 2 * over(y->n, ef, y->M, gf);
    SAME_WITHIN(&left, &right, 1, over(y->n, ef, y->M, ef));
}

static double gaussian(const System *y, const double *q)
{
    double G = 0;
    OK(ukFormulaGaussianNonIdeal(&y->s, q, &G));
    return G;
}

/* of any two vectors, not only accelerations [14] */
static void lemma2(const System *y)
{
    double f[most], g[most], Mf[most];
    for (int i = 0; i < y->n; i++) f[i] = 3 * y->y[i], g[i] = -2 * y->w[i], d[i] = g[i] - f[i];
    mul(y->n, y->n, 1, y->M, f, Mf);
    axpy(y->n, -1, y->Q, Mf), axpy(y->n, -1, y->C, Mf);
    const double left = gaussian(y, g) - gaussian(y, f), right = over(y->n, d, y->M, d) + 2 * dot(y->n, Mf, d);
    SAME_WITHIN(&left, &right, 1, fabs(gaussian(y, f)));
}

static void e15(const System *y) /* G_ni by its definition */
{
    mul(y->n, y->n, 1, y->M, y->qhat, T);
    axpy(y->n, -1, y->Q, T), axpy(y->n, -1, y->C, T);
    const double G = gaussian(y, y->qhat), expected = over(y->n, T, y->Mi, T);
    SAME(&G, &expected, 1);
}

static void e16(const System *y) /* at the minimum it is that of Q^c - C */
{
    double Gi = 0, Gni = 0;
    for (int i = 0; i < y->n; i++) T[i] = y->Qi[i] + y->Qni[i];
    OK(ukFormulaMeasure(&y->s, T, &Gi, &Gni));
    const double G = gaussian(y, y->qdd);
    SAME_WITHIN(&Gni, &G, 1, 1e-3 * Gi);
    axpy(y->n, -1, y->C, T);
    const double expected = over(y->n, T, y->Mi, T);
    SAME(&Gni, &expected, 1);
}

static void e17(const System *y) /* the excess, and result 1: it is positive */
{
    double excess = 0;
    OK(ukFormulaExcess(&y->s, y->qhat, &excess));
    const double above = gaussian(y, y->qhat) - gaussian(y, y->qdd), expected = over(y->n, y->v, y->M, y->v);
    SAME_WITHIN(&above, &excess, 1, gaussian(y, y->qhat));
    SAME_WITHIN(&excess, &expected, 1, 1e-3 * norm(y->n, y->qdd) * norm(y->n, y->qdd));
    CHECK(excess > 0);
}

static void remark1(const System *y) /* Q^c - C does no work under virtual displacements */
{
    OK(ukFormulaOneFourForces(&y->s, NULL, Qi, Qni));
    axpy(y->n, 1, Qni, Qi), axpy(y->n, -1, y->C, Qi);
    const double work = dot(y->n, y->v, Qi);
    ZERO(&work, 1, 1e-2 * norm(y->n, y->v) * norm(y->n, y->C));
    tmul(y->n, y->n, 1, y->P, Qi, T); /* so it is in the range of A' */
    ZERO(T, y->n, norm(y->n, Qi));
    mul(y->n, y->n, 1, y->Mi, Qi, T);
    mul(y->m, y->n, 1, y->A, T, Z); /* and A qdd = b makes it this large */
    for (int i = 0; i < y->m; i++) {
        X[i] = y->b[i];
        for (int j = 0; j < y->n; j++) X[i] -= y->A[i * y->n + j] * (y->a[j] + y->c[j]);
    }
    SAME_WITHIN(Z, X, y->m, norm(y->m, y->b));
}

static void e18(const System *y) /* ideal: G_i = (Q^c, Q^c) at the minimum of Gauss's own function (remark 3) */
{
    ukFormulaSystem s = y->s;
    double qdd[most], G = 0, Gi = 0, Gni = 0;
    s.C = NULL;
    for (int i = 0; i < y->n; i++) qdd[i] = y->a[i];
    mul(y->n, y->n, 1, y->Mi, y->Qi, T);
    axpy(y->n, 1, T, qdd);
    OK(ukFormulaGaussian(&s, qdd, &G));
    OK(ukFormulaMeasure(&s, y->Qi, &Gi, &Gni));
    const double expected = over(y->n, y->Qi, y->Mi, y->Qi);
    SAME(&G, &expected, 1);
    SAME(&Gi, &expected, 1);
    SAME(&Gni, &expected, 1);
}

/* [19], remarks 4 and 5: the minimum over possible accelerations, near and far */
static void e19(const System *y)
{
    double q[most], qdd[most];
    OK(ukFormulaOneFourAcceleration(&y->s, y->U, qdd));
    const double least = gaussian(y, qdd);
    for (double far = 1e-2; far < 1e7; far *= -10) {
        for (int i = 0; i < y->n; i++) q[i] = y->qdd[i] + far * y->v[i];
        const double excess = far * far * over(y->n, y->v, y->M, y->v), above = gaussian(y, q) - least;
        CHECK(above > 0);
        SAME_WITHIN(&above, &excess, 1, least);
    }
    mul(y->m, y->n, 1, y->A, qdd, T);
    SAME(T, y->b, y->m);
}

static void e20(const System *y) /* (qdd - a - c)'M (qdd - a - c) */
{
    for (int i = 0; i < y->n; i++) d[i] = y->qhat[i] - y->a[i] - y->c[i];
    const double G = gaussian(y, y->qhat), expected = over(y->n, d, y->M, d);
    SAME_WITHIN(&G, &expected, 1, over(y->n, y->a, y->M, y->a));
}

static void e21(const System *y) /* qdd = M^-1/2 r + a + c */
{
    OK(ukFormulaOneFourR(&y->s, y->U, r));
    mul(y->n, y->n, 1, y->Si, r, x);
    axpy(y->n, 1, y->a, x), axpy(y->n, 1, y->c, x);
    SAME(x, y->qdd, y->n);
}

static void residual(const System *y, double *e) /* b - A a - A c */
{
    for (int i = 0; i < y->n; i++) x[i] = y->a[i] + y->c[i];
    mul(y->m, y->n, 1, y->A, x, e);
    for (int i = 0; i < y->m; i++) e[i] = y->b[i] - e[i];
}

static void e22(const System *y) /* A M^-1/2 r = b - A a - A c */
{
    double e[most];
    residual(y, e);
    OK(ukFormulaOneFourR(&y->s, y->U, r));
    mul(y->m, y->n, 1, y->B, r, T);
    SAME(T, e, y->m);
}

static void e23(const System *y) /* r = X (b - A a - A c), whichever X, of least length */
{
    double e[most], again[most];
    residual(y, e);
    OK(ukFormulaOneFourR(&y->s, y->U, r));
    OK(ukFormulaOneFourInverse(y->m, y->n, y->B, y->U, 0, X));
    mul(y->n, y->m, 1, X, e, again);
    SAME_WITHIN(r, again, y->n, norm(y->n * y->m, X) * norm(y->m, e) * 1e-2);
    mul(y->n, y->m, 1, y->Bp, e, again);
    SAME_WITHIN(r, again, y->n, norm(y->m, e));
}

static void oneFour(const System *y) /* B X B = B, (X B)' = X B; remark 8: B^+ for U = 0 */
{
    OK(ukFormulaOneFourInverse(y->m, y->n, y->B, y->U, 0, X));
    mul(y->n, y->m, y->n, X, y->B, T);
    double XBt[square], BXB[square];
    transpose(y->n, y->n, T, XBt);
    SAME_WITHIN(T, XBt, y->n * y->n, norm(y->n * y->m, X));
    mul(y->m, y->n, y->n, y->B, T, BXB);
    SAME_WITHIN(BXB, y->B, y->m * y->n, norm(y->n * y->m, X));
    OK(ukFormulaOneFourInverse(y->m, y->n, y->B, NULL, 0, Z));
    SAME(Z, y->Bp, y->n * y->m);
    axpy(y->n * y->m, -1, Z, X);
    CHECK(y->rank == y->m || norm(y->n * y->m, X) > 1e-3); /* U changes it where rows are dependent */
}

static void e24(const System *y)
{
    OK(ukFormulaOneFourAcceleration(&y->s, y->U, x));
    SAME(x, y->qdd, y->n);
}

static void e25(const System *y)
{
    OK(ukFormulaOneFourMomentum(&y->s, y->U, x));
    mul(y->n, y->n, 1, y->M, y->qdd, T);
    SAME(x, T, y->n);
}

static void e26(const System *y) /* Q^c = Q_i + Q_ni */
{
    OK(ukFormulaOneFourForces(&y->s, y->U, Qi, Qni));
    mul(y->n, y->n, 1, y->M, y->qdd, T);
    axpy(y->n, -1, y->Q, T);
    axpy(y->n, 1, Qni, Qi);
    SAME(T, Qi, y->n);
}

static void e27(const System *y)
{
    OK(ukFormulaOneFourForces(&y->s, y->U, Qi, Qni));
    SAME(Qi, y->Qi, y->n);
}

static void e28(const System *y)
{
    OK(ukFormulaOneFourForces(&y->s, y->U, Qi, Qni));
    SAME(Qni, y->Qni, y->n);
}

static void remark7(const System *y) /* two inverses, one acceleration */
{
    double again[most];
    OK(ukFormulaOneFourAcceleration(&y->s, y->U, x));
    OK(ukFormulaOneFourAcceleration(&y->s, NULL, again));
    SAME(x, again, y->n);
    SAME(x, y->qdd, y->n);
}

static void e29(const System *y)
{
    OK(ukFormulaOneFourAcceleration(&y->s, NULL, x));
    SAME(x, y->qdd, y->n);
}

static void e30(const System *y)
{
    OK(ukFormulaOneFourMomentum(&y->s, NULL, x));
    mul(y->n, y->n, 1, y->M, y->qdd, T);
    SAME(x, T, y->n);
}

/* ---- the example: a particle on a vertical ring with friction ---------------------------------------------------- */

typedef struct Ring {
    double R, g, mu, x, y, xd, yd, load; /* load (x'^2 + y'^2 - g y)/R */
    double M[4], Q[2], C[2], A[2], b[1];
    ukFormulaSystem s;
} Ring;

static void ring(Ring *p, double angle, double speed, bool friction)
{
    *p = (Ring){.R = 2, .g = 9.81, .mu = 0.3, .M = {1, 0, 0, 1}};
    p->x = p->R * cos(angle), p->y = p->R * sin(angle), p->xd = -speed * sin(angle), p->yd = speed * cos(angle);
    p->load = (speed * speed - p->g * p->y) / p->R;
    p->Q[1] = -p->g;
    p->A[0] = p->x, p->A[1] = p->y, p->b[0] = -speed * speed;
    for (int i = 0; i < 2 && friction; i++) /* [37], first equality */
        p->C[i] = -p->mu * fabs(p->load) / fabs(speed) * (i ? p->yd : p->xd);
    p->s = (ukFormulaSystem){.n = 2, .m = 1, .M = p->M, .A = p->A, .b = p->b, .Q = p->Q, .C = p->C};
}

static double sign(double u)
{
    return u > 0 ? 1 : -1;
}

static const double angles[] = {0.8, 2.5, -2.2, -0.4};

static void e31(void)
{
    Ring p;
    ring(&p, 0.8, 1.9, false);
    OK(ukFormulaFree(&p.s, x, NULL));
    CHECK_NEAR(x[0], 0, 1e-14);
    CHECK_NEAR(x[1], -p.g, 1e-14);
}

static int onRing(const ukFormulaState *s, double *value, void *R)
{
    *value = (s->q[0] * s->q[0] + s->q[1] * s->q[1] - *(double *)R * *(double *)R) / 2;
    return 0;
}

static void e32(void) /* the ring differentiated twice, and A^+ */
{
    Ring p;
    double A[2], b[1];
    ring(&p, 0.8, 1.9, false);
    const double q[] = {p.x, p.y}, v[] = {p.xd, p.yd};
    OK(ukFormulaDifferentiate(&(ukFormulaState){.n = 2, .q = q, .v = v}, 1, 0, onRing, &p.R, A, b));
    CHECK_NEAR_ALL(A, p.A, 2, 1e-9);
    CHECK_NEAR_ALL(b, p.b, 1, 1e-7);
}

static void e32inverse(void)
{
    Ring p;
    ring(&p, 0.8, 1.9, false);
    OK(ukFormulaPseudoinverse(1, 2, p.A, 0, x));
    CHECK_NEAR(x[0], p.x / (p.R * p.R), 1e-14);
    CHECK_NEAR(x[1], p.y / (p.R * p.R), 1e-14);
}

static void e33(void) /* and [35], its magnitude */
{
    for (int k = 0; k < 8; k++) {
        Ring p;
        ring(&p, angles[k / 2], k % 2 ? 1.9 : -4.5, true);
        OK(ukFormulaOneFourForces(&p.s, NULL, Qi, Qni));
        CHECK_NEAR(Qi[0], -p.x / p.R * p.load, 1e-12);
        CHECK_NEAR(Qi[1], -p.y / p.R * p.load, 1e-12);
        CHECK_NEAR(hypot(Qi[0], Qi[1]), fabs(p.load), 1e-12);
    }
}

static void e34(void) /* without friction */
{
    Ring p;
    ring(&p, 0.8, 1.9, false);
    OK(ukFormulaOneFourAcceleration(&p.s, NULL, x));
    CHECK_NEAR(x[0], -p.x / p.R * p.load, 1e-12);
    CHECK_NEAR(x[1], -p.g - p.y / p.R * p.load, 1e-12);
}

static void e36(void) /* the work of friction under a virtual displacement; [37], both forms; [38] */
{
    for (int k = 0; k < 8; k++) {
        Ring p;
        ring(&p, angles[k / 2], k % 2 ? 1.9 : -4.5, true);
        OK(ukFormulaOneFourForces(&p.s, NULL, Qi, Qni));
        const double along[] = {-p.y, p.x}, friction = p.mu * fabs(p.load);
        CHECK_NEAR(dot(2, along, Qni), -friction / hypot(p.xd, p.yd) * (along[0] * p.xd + along[1] * p.yd), 1e-12);
        const double closed[] = {friction * p.y * sign(p.x) / p.R * sign(p.yd),
                                 -friction * fabs(p.x) / p.R * sign(p.yd)};
        CHECK_NEAR_ALL(p.C, closed, 2, 1e-12);
        CHECK_NEAR_ALL(Qni, closed, 2, 1e-12);
    }
}

static void e39(void)
{
    for (int k = 0; k < 8; k++) {
        Ring p;
        ring(&p, angles[k / 2], k % 2 ? 1.9 : -4.5, true);
        OK(ukFormulaOneFourAcceleration(&p.s, NULL, x));
        const double friction = p.mu * fabs(p.load) * sign(p.x) / p.R * sign(p.yd);
        CHECK_NEAR(x[0], -p.x / p.R * p.load + friction * p.y, 1e-12);
        CHECK_NEAR(x[1], -p.g - p.y / p.R * p.load - friction * p.x, 1e-12);
    }
}

const Case cases_2000[] = {
    {.name = "2000/1", .on = e1},
    {.name = "2000/4", .once = e4},
    {.name = "2000/5", .on = e5},
    {.name = "2000/6", .on = e6},
    {.name = "2000/7", .on = e7},
    {.name = "2000/8", .on = e8},
    {.name = "2000/10", .on = e10},
    {.name = "2000/13", .on = lemma1},
    {.name = "2000/14", .on = lemma2},
    {.name = "2000/15", .on = e15},
    {.name = "2000/16", .on = e16},
    {.name = "2000/17", .on = e17},
    {.name = "2000/remark1", .on = remark1},
    {.name = "2000/18", .on = e18},
    {.name = "2000/19", .on = e19},
    {.name = "2000/20", .on = e20},
    {.name = "2000/21", .on = e21},
    {.name = "2000/22", .on = e22},
    {.name = "2000/23", .on = e23},
    {.name = "2000/inverse", .on = oneFour},
    {.name = "2000/24", .on = e24},
    {.name = "2000/25", .on = e25},
    {.name = "2000/26", .on = e26},
    {.name = "2000/27", .on = e27},
    {.name = "2000/28", .on = e28},
    {.name = "2000/remark7", .on = remark7},
    {.name = "2000/29", .on = e29},
    {.name = "2000/30", .on = e30},
    {.name = "2000/31", .once = e31},
    {.name = "2000/32", .once = e32},
    {.name = "2000/32-inverse", .once = e32inverse},
    {.name = "2000/33", .once = e33},
    {.name = "2000/34", .once = e34},
    {.name = "2000/36", .once = e36},
    {.name = "2000/39", .once = e39},
    {.name = NULL},
};
