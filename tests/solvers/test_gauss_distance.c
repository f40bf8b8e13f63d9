/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_gauss_distance.c: the bound on the distance to the exact solution, and the random possible
 * accelerations. */
#include "tests/check.h"
#include "tests/solvers/known_solution.h"
#include "tests/solvers/possible_acceleration.h"

#include <lapacke.h>
#include <string.h>

/* the least non-zero singular value of [A M^-1/2, S^1/2] by LAPACK */
static double sigmaMin(const ukKnown *w)
{
    enum { most = ukKnownN + ukKnownM };
    static double B[most * ukKnownM], sigma[ukKnownM], work[10 * most];
    const int n = 6 * w->g.p.bodies, m = w->g.p.rows, size = n + m;
    for (int i = 0; i < m; i++) {
        double l[ukKnownM] = {0}, f[ukKnownN] = {0};
        l[i] = 1;
        ukProblemApplyTransposed(&w->g.p, l, f);
        double *column = B + i * size;
        memset(column, 0, sizeof(double) * (size_t)size);
        for (int k = 0; k < w->g.p.bodies; k++) {
            double R[9]; /* inverse inertia = R R', R lower */
            memcpy(R, w->g.inverse + 9 * k, sizeof R);
            LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', 3, R, 3);
            for (int c = 0; c < 3; c++) {
                column[6 * k + c] = f[6 * k + c] / sqrt(w->g.mass[k]);
                for (int r = c; r < 3; r++) column[6 * k + 3 + c] += R[3 * r + c] * f[6 * k + 3 + r];
            }
        }
        column[n + i] = sqrt(w->g.softness[i]);
    }
    if (m == 0) return 1;
    CHECK(LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'N', size, m, B, size, sigma, NULL, 1, NULL, 1, work, 10 * most) ==
          0);
    double least = 0;
    for (int i = 0; i < m && sigma[i] > 1e-11 * sigma[0]; i++) least = sigma[i];
    return least;
}

/* distance + missed/sigma; sigma 0: unknown */
static double boundOf(const ukResiduals *c, double sigma)
{
    return c->missed == 0 ? c->distance : sigma > 0 ? c->distance + c->missed / sigma : INFINITY;
}

static double boundOn(const ukProblem *p, const ukGaussEvidence *e, double sigma)
{
    double work[12];
    ukResiduals c;
    ukGaussCheck(p, e, work, &c);
    return boundOf(&c, sigma);
}

/* the bound holds for wrong answers of every size, and is finite where it can be */
static void distanceBounds(void)
{
    ukRandom random = {48};
    static ukKnown w;
    int finite = 0, tight = 0, bounded = 0, tried = 0;
    for (int trial = 0; trial < 3000; trial++) {
        const ukKnownKind kind = (ukKnownKind)(trial % 5);
        ukKnownMake(&w, &random, kind, 1);
        const int n = 6 * w.g.p.bodies, m = w.g.p.rows;
        double exact[ukKnownN], d[ukKnownN], f[ukKnownN], distance = 0;
        memcpy(exact, w.qdd, sizeof exact);
        const double size = ukRandomDecade(&random, -6, 1);
        for (int i = 0; i < m; i++) w.lambda[i] += trial % 3 ? size * ukRandomUniform(&random, -1, 1) : 0;
        if (trial % 2) ukKnownAccelerate(&w);
        for (int i = 0; i < n; i++) w.qdd[i] += trial % 4 ? 0 : size * ukRandomUniform(&random, -1, 1);
        for (int i = 0; i < n; i++) d[i] = w.qdd[i] - exact[i];
        ukProblemInertia(&w.g.p, d, f);
        for (int i = 0; i < n; i++) distance += d[i] * f[i];
        distance = sqrt(distance);
        const ukResiduals c = ukKnownResiduals(&w);
        const double bound = boundOf(&c, sigmaMin(&w));
        CHECK(distance <= bound * (1 + 1e-9) + 1e-9);
        CHECK(c.distance <= bound);
        if (kind == ukKnownSoftBoxes || kind <= ukKnownSoft) {
            tried++, finite += bound < INFINITY;
        } else {
            bounded += bound < INFINITY && m > 0;
        }
        if (kind <= ukKnownSoftBoxes && distance > 0) tight += bound < 3 * distance;
    }
    CHECK(finite == tried && bounded > 100 && tight > 100); /* neither infinite nor idle */
}

/* max over the set of mu' u - mu' S mu / 2 by trying; the set is a box, or the ellipse with the semi-axes hi */
static double psi(const double *u, const double *S, const double *lo, const double *hi, bool ellipse)
{
    const int steps = 2000;
    double most = -INFINITY;
    for (int i = 0; i <= steps; i++)
        for (int j = 0; j <= (ellipse ? 3 * steps : steps); j++) {
            double mu[2], r = (double)i / steps, s = (double)j / steps;
            mu[0] = ellipse ? hi[0] * r * cos(2.1 * s) : lo[0] + (hi[0] - lo[0]) * r;
            mu[1] = ellipse ? hi[1] * r * sin(2.1 * s) : lo[1] + (hi[1] - lo[1]) * s;
            most = fmax(most, mu[0] * u[0] + mu[1] * u[1] - 0.5 * (S[0] * mu[0] * mu[0] + S[1] * mu[1] * mu[1]));
        }
    return most;
}

/* one body that two rows push in x and y, M qdd = Q + A' lambda exactly, so that the gaps are all of the distance */
static void gapsOfTheDistance(void)
{
    const double Q[6] = {0}, A[] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    const ukBlock block[] = {{.rows = 2, .slots = 1}};
    const int normal[] = {0, 0};
    const unsigned char cone[] = {1, 0};
    const struct {
        double S[2], b[2], lambda[2];
        bool ellipse, exact;
    } cases[] = {
        {{0, 0}, {3, -1}, {0.5, -0.2}, false, true},     /* hard: towards hi, towards lo */
        {{0, 0}, {0.25, 3}, {0.5, 2}, false, true},      /* u = 0; at the bound */
        {{0.5, 2}, {0.4, 0.3}, {0.1, 0.2}, false, true}, /* soft, within the bounds */
        {{0.5, 2}, {9, -9}, {0.1, 0.2}, false, true},    /* soft, at the bounds */
        {{0, 0}, {3, 1}, {0.5, 0.4}, true, true},        /* hard, on the ellipse */
        {{0.5, 2}, {0.4, 0.3}, {0.1, 0.2}, true, true},  /* soft, inside */
        {{0.5, 2}, {9, 7}, {0.1, 0.2}, true, false},     /* soft, on the ellipse: an upper bound */
    };
    const double lo[] = {-1, -2}, hi[] = {1, 2}, infinite[] = {INFINITY, INFINITY}, minus[] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *l = cases[i].lambda, *S = cases[i].S, *b = cases[i].b;
        const double qdd[] = {l[0] / 2, l[1] / 2, 0, 0, 0, 0}, u[] = {b[0] - qdd[0], b[1] - qdd[1]};
        ukProblem p = ukKnownOneBody(block, Q, A, b);
        p.softness = S, p.normal = normal, p.cone = cone;
        ukGaussEvidence e = {.qdd = qdd, .lambda = l, .lo = lo, .hi = hi, .elliptic = cases[i].ellipse};
        const double gap = psi(u, S, lo, hi, cases[i].ellipse) - l[0] * u[0] - l[1] * u[1] +
                           0.5 * (S[0] * l[0] * l[0] + S[1] * l[1] * l[1]);
        const double bound = boundOn(&p, &e, 0);
        CHECK(bound >= sqrt(2 * gap) - 1e-5);
        if (cases[i].exact) CHECK_NEAR(bound, sqrt(2 * gap), 2e-3);

        e.lo = e.hi = NULL; /* equalities: |w|^2 / S, or the singular value 1/sqrt(2) of A M^-1/2 */
        const double w[] = {S[0] * l[0] - u[0], S[1] * l[1] - u[1]}, all_soft = boundOn(&p, &e, 0);
        if (S[0] > 0)
            CHECK_NEAR(all_soft, sqrt(w[0] * w[0] / S[0] + w[1] * w[1] / S[1]), 1e-12 * all_soft);
        else
            CHECK(all_soft == INFINITY);
        if (S[0] == 0) CHECK_NEAR(boundOn(&p, &e, sqrt(0.5)), hypot(w[0], w[1]) * sqrt(2), 1e-12);

        const double mixed_lo[] = {minus[0], lo[1]},
                     mixed_hi[] = {infinite[0], hi[1]}; /* a hard equality beside a bounded row */
        e.lo = mixed_lo, e.hi = mixed_hi, e.elliptic = false;
        if (S[0] == 0 && u[0] != 0) CHECK(boundOn(&p, &e, sqrt(0.5)) == INFINITY);
    }
}

/* Udwadia 2000 [17] without the multipliers: the excess tells a wrong qdd even where the rows hold */
static void possibleAccelerations(void)
{
    ukRandom random = {50};
    static ukKnown w;
    static double work[24 * ukRandomMaxBodies + 4 * ukKnownM];
    int found = 0;
    for (int trial = 0; trial < 300; trial++) {
        ukKnownMake(&w, &random, ukKnownEqualities, 1);
        CHECK(ukPossibleWork(&w.g.p) <= sizeof work / sizeof *work);
        const double as_it_is = ukPossibleExcess(&w.g.p, w.qdd, 1, 3, work);
        CHECK(as_it_is <= 1e-9);
        double d[ukKnownN];
        memcpy(d, w.qdd, sizeof d);
        for (int i = 0; i < 6 * w.g.p.bodies; i++) w.qdd[i] += 1e-3 * ukRandomUniform(&random, -1, 1) * fabs(w.qdd[i]);
        found += ukPossibleExcess(&w.g.p, w.qdd, 1, 3, work) > 1e-6;
    }
    CHECK(found > 150); /* the others have no possible motion left */
}

int main(void)
{
    distanceBounds();
    gapsOfTheDistance();
    possibleAccelerations();
    return ukTestEnd();
}
