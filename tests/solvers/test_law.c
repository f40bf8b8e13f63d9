/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounded rows: the active set against enumeration, Gauss-Seidel and the conditions themselves; redundant rows; the
 * laws of friction; nothing allocated in a steady state, the same bits every time. */
#include "bounded_oracle.h"
#include "solvers/base/status.h"
#include "tests/check.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct Result {
    double qdd[6 * ukOracleBodies], lambda[ukOracleRows], lo[ukOracleRows], hi[ukOracleRows];
    ukSolution s;
    int status;
} Result;

static void solveWith(ukFrictionSolver *set, const ukOracleProblem *o, ukFrictionLaw law, const double *lambda0,
                      Result *r)
{
    memset(r, 0, sizeof *r);
    r->s = (ukSolution){.qdd = r->qdd, .lambda = r->lambda, .lo = r->lo, .hi = r->hi};
    const ukFrictionChoice choice = {.law = law, .iterations = ukUsualRounds, .tolerance = 1e-9};
    r->status = ukFrictionSolve(set, &o->p, &choice, lambda0, &r->s);
}

static double difference(const double *x, const double *y, int n)
{
    double worst = 0, size = 1e-300;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(x[i] - y[i])), size = fmax(size, fabs(y[i]));
    return worst / size;
}

/* K + S is well enough conditioned that the solution is unique to 1e-9 */
static void uniqueSolutions(ukFrictionSolver *set)
{
    ukRandom random = {101};
    static ukOracleProblem o;
    int enumerated = 0;
    for (int k = 0; k < 5000; k++) {
        Result r;
        double lambda[ukOracleRows] = {0};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, 6, 16), 1e-3, 1, false);
        ukOracleDense(&o);
        solveWith(set, &o, ukFrictionTwoPhase, NULL, &r);
        CHECK(r.status == ukOk && r.s.residual <= 1e-11);
        CHECK(ukOracleViolation(&o, r.qdd, r.lambda, o.lo, o.hi, false) <= 1e-10);
        CHECK(ukOracleSweep(&o, o.lo, o.hi, false, lambda) < 1e-13);
        CHECK(difference(r.lambda, lambda, o.p.rows) <= 1e-9);
        int bounded = 0;
        for (int i = 0; i < o.p.rows; i++) bounded += isfinite(o.lo[i]) || isfinite(o.hi[i]);
        if (bounded <= 6 && k % 5 == 0) {
            CHECK(ukOracleEnumerate(&o, o.lo, o.hi, lambda));
            CHECK(difference(r.lambda, lambda, o.p.rows) <= 1e-9);
            enumerated++;
        }
    }
    CHECK(enumerated > 200);
}

/* dWorldStep's two phases, each against Gauss-Seidel */
static void twoPhaseFriction(ukFrictionSolver *set)
{
    ukRandom random = {202};
    static ukOracleProblem o;
    for (int k = 0; k < 1500; k++) {
        Result r;
        double lambda[ukOracleRows] = {0}, lo[ukOracleRows], hi[ukOracleRows];
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, 6, 24), 1e-2, 1, true);
        ukOracleDense(&o);
        for (int i = 0; i < o.p.rows; i++) {
            lo[i] = o.normal[i] < 0 ? o.lo[i] : 0;
            hi[i] = o.normal[i] < 0 ? o.hi[i] : 0;
        }
        ukOracleSweep(&o, lo, hi, false, lambda);
        for (int i = 0; i < o.p.rows; i++)
            if (o.normal[i] >= 0) hi[i] = o.hi[i] * fabs(lambda[o.normal[i]]), lo[i] = -hi[i];
        ukOracleSweep(&o, lo, hi, false, lambda);
        solveWith(set, &o, ukFrictionTwoPhase, NULL, &r);
        CHECK(r.status == ukOk && r.s.residual <= 1e-9);
        CHECK(difference(r.lambda, lambda, o.p.rows) <= 1e-9);
        for (int i = 0; i < o.p.rows; i++)
            if (o.normal[i] >= 0) CHECK_NEAR(r.hi[i], hi[i], 1e-9 * (1 + hi[i]));
        CHECK(ukOracleViolation(&o, r.qdd, r.lambda, r.lo, r.hi, false) <= 1e-9);
    }
}

/* Bounds of the solution itself. With softness there is one (boxes: complementary pivoting always finds it; cones:
 * nearly always found). */
static void coupledFriction(ukFrictionSolver *set, ukFrictionLaw law)
{
    ukRandom random = {303};
    static ukOracleProblem o;
    int solved = 0, count = 1000;
    for (int k = 0; k < count; k++) {
        Result r;
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, 6, 24), 1e-3, 1, true);
        ukOracleDense(&o);
        solveWith(set, &o, law, NULL, &r);
        CHECK(r.status == ukOk && r.s.residual <= 1e-9);
        if (r.s.coupling > 0) continue; /* bounds of an earlier round */
        solved++;
        for (int i = 0; i < o.p.rows; i++)
            if (o.normal[i] >= 0) CHECK_NEAR(r.hi[i], o.hi[i] * fabs(r.lambda[o.normal[i]]), 1e-12 * (1 + r.hi[i]));
        CHECK(ukOracleViolation(&o, r.qdd, r.lambda, r.lo, r.hi, law == ukFrictionElliptic) <= 1e-8);
    }
    CHECK(solved >= (law == ukFrictionCoupled ? count : count * 99 / 100));
    if (solved < count) printf("law %d: %d of %d solved\n", (int)law, solved, count);
}

/* Rows that share a constant bound, beside stops, motors and contacts: a convex problem under the two-phase law,
 * whatever the guess. */
static void discsOfConstantRadius(ukFrictionSolver *set)
{
    ukRandom random = {707};
    static ukOracleProblem o;
    int solved[3] = {0}, stick = 0, slide = 0;
    for (int k = 0; k < 3000; k++) {
        const ukFrictionLaw law = (ukFrictionLaw)(k % 3);
        const double softness = k % 2 ? 1e-8 : 1e-3;
        double lambda0[ukOracleRows];
        Result r;
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, 0, 24), softness, 1, k % 5 > 0);
        ukOracleDiscs(&o, &random, ukRandomInt(&random, 1, 5), softness);
        ukOracleDense(&o);
        for (int i = 0; i < o.p.rows; i++) lambda0[i] = 100 * ukRandomUniform(&random, -1, 1);
        solveWith(set, &o, law, k % 4 == 1 ? lambda0 : NULL, &r);
        CHECK(r.status == ukOk && (law != ukFrictionTwoPhase || r.s.residual <= 1e-9));
        if (r.s.coupling > 0) continue;
        solved[law]++;
        double largest = 0; /* a jam without softness to speak of: forces of 1e7 cancel, but for rounding */
        for (int i = 0; i < o.p.rows; i++) largest = fmax(largest, fabs(r.lambda[i]));
        CHECK(ukOracleViolation(&o, r.qdd, r.lambda, r.lo, r.hi, law == ukFrictionElliptic) <=
              fmax(1e-8, 64 * DBL_EPSILON * largest));
        for (int i = 0; i < o.p.rows; i++) {
            if (!o.cone[i] || o.normal[i] >= 0) continue;
            double size = 0;
            for (int j = i; j <= i + o.cone[i]; j++) size = hypot(size, r.lambda[j]);
            CHECK(r.hi[i] == o.hi[i]);
            stick += size < 0.999 * o.hi[i];
            slide += size > 0.999999 * o.hi[i];
        }
    }
    printf("discs: %d, %d, %d of 1000 solved under the three laws\n", solved[0], solved[1], solved[2]);
    CHECK(solved[0] == 1000 && solved[1] >= 995 && solved[2] >= 990);
    CHECK(stick > 500 && slide > 500);
}

/* Rows that share a disc and are not equally soft, from none to ten times what their bodies give way: contacts that
 * slip more along one tangent than along the other. */
static void discsOfTwoSoftnesses(ukFrictionSolver *set)
{
    ukRandom random = {808};
    static ukOracleProblem o;
    int met[3] = {0};
    for (int k = 0; k < 3000; k++) {
        const ukFrictionLaw law = (ukFrictionLaw)(k % 3);
        Result r;
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, 12, 32), 1e-3, 1, true);
        ukOracleDiscs(&o, &random, ukRandomInt(&random, 0, 2), 1e-3);
        for (int i = 0; i < o.p.rows; i++)
            for (int j = i; o.cone[i] == 1 && j <= i + 1; j++)
                if (ukRandomInt(&random, 0, 2) > 0) o.softness[j] = ukRandomDecade(&random, -6, 1);
        ukOracleDense(&o);
        solveWith(set, &o, law, NULL, &r);
        CHECK(r.status == ukOk && r.s.residual <= 1e-9);
        if (r.s.coupling > 0) continue; /* bounds of an earlier round */
        met[law]++;
        double largest = 0;
        for (int i = 0; i < o.p.rows; i++) largest = fmax(largest, fabs(r.lambda[i]));
        CHECK(ukOracleViolation(&o, r.qdd, r.lambda, r.lo, r.hi, law == ukFrictionElliptic) <=
              fmax(1e-8, 64 * DBL_EPSILON * largest));
    }
    printf("discs of two softnesses: %d, %d, %d of 1000 met\n", met[0], met[1], met[2]);
    CHECK(met[0] == 1000 && met[1] >= 990 && met[2] >= 990);
}

/* The same one-sided row two or three times over, without softness: forces split in many ways, one acceleration. */
static void redundantRows(ukFrictionSolver *set, double softness)
{
    ukRandom random = {404};
    static ukOracleProblem once, more;
    for (int k = 0; k < 1000; k++) {
        Result a, b;
        const int bodies = ukRandomInt(&random, 1, 4);
        ukOracleBegin(&once, &random, bodies);
        more = once;
        more.p.mass = more.mass, more.p.inertia = more.inertia, more.p.inverse_inertia = more.inverse;
        more.p.Q = more.Q, more.p.C = more.C, more.p.block = more.block, more.p.body = more.body, more.p.A = more.A;
        more.p.b = more.b, more.p.softness = more.softness, more.p.lo = more.lo, more.p.hi = more.hi;
        more.p.normal = more.normal, more.p.cone = more.cone;
        for (int i = 0; i < ukRandomInt(&random, 1, 3 * bodies); i++) {
            double J[12];
            const int on = ukRandomInt(&random, 0, bodies - 1), copies = ukRandomInt(&random, 1, 4);
            const double want = ukRandomUniform(&random, -10, 10);
            ukRandomVector(&random, 1, J, 12);
            const int other = bodies > 1 ? (on + 1) % bodies : -1;
            ukOracleBlock(&once, on, other);
            ukOracleRow(&once, J, want, softness / copies, 0, INFINITY, -1);
            ukOracleBlock(&more, on, other);
            for (int c = 0; c < copies; c++) ukOracleRow(&more, J, want, softness, 0, INFINITY, -1);
        }
        ukOracleDense(&once), ukOracleDense(&more);
        solveWith(set, &once, ukFrictionTwoPhase, NULL, &a);
        solveWith(set, &more, ukFrictionTwoPhase, NULL, &b);
        CHECK(a.status == ukOk && b.status == ukOk && a.s.residual <= 1e-9 && b.s.residual <= 1e-9);
        CHECK(ukOracleViolation(&more, b.qdd, b.lambda, more.lo, more.hi, false) <= 1e-8);
        CHECK(difference(b.qdd, a.qdd, 6 * bodies) <= 1e-8);
    }
}

/* a cube of 2 kg and side 0.6 m on a plane, contacts at its corners (and edges), turned gravity g */
static void cube(ukOracleProblem *o, const double g[3], int points, double mu1, double mu2, double softness)
{
    ukRandom random = {1};
    ukOracleBegin(o, &random, 1);
    o->mass[0] = 2;
    memset(o->inertia, 0, sizeof o->inertia), memset(o->inverse, 0, sizeof o->inverse);
    for (int c = 0; c < 3; c++) o->inertia[4 * c] = 0.12, o->inverse[4 * c] = 1 / 0.12;
    for (int c = 0; c < 3; c++) o->Q[c] = 2 * g[c], o->Q[3 + c] = 0, o->C[c] = o->C[3 + c] = 0;
    static const double at[8][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int k = 0; k < points; k++) {
        const double x = points == 1 ? 0 : 0.3 * at[k][0], y = points == 1 ? 0 : 0.3 * at[k][1];
        const double z = points == 1 ? 0 : -0.3; /* one point: a particle */
        const double n[6] = {0, 0, 1, y, -x, 0}, t[6] = {1, 0, 0, 0, z, -y}, u[6] = {0, 1, 0, -z, 0, x};
        ukOracleBlock(o, 0, -1);
        const int row = ukOracleRow(o, n, 0, softness, 0, INFINITY, -1);
        const int first = mu1 > 0 ? ukOracleRow(o, t, 0, softness, -mu1, mu1, row) : 0;
        if (mu1 > 0) ukOracleRow(o, u, 0, softness, -mu2, mu2, row), o->cone[first] = 1;
    }
    ukOracleDense(o);
}

static void cubeOnPlane(ukFrictionSolver *set)
{
    static ukOracleProblem o;
    static const double soft[] = {0, 1e-8, 1e-3};
    for (int points = 4; points <= 8; points += 4)
        for (int k = 0; k < 3; k++)
            for (int law = 0; law < 3; law++) {
                Result r;
                const double slope = 0.4, g[3] = {9.81 * sin(slope), 0, -9.81 * cos(slope)};
                const double slack = 1e-8 + 20 * soft[k];
                /* sticks: tan 0.4 = 0.42 */
                cube(&o, g, points, 0.6, 0.6, soft[k]);
                solveWith(set, &o, (ukFrictionLaw)law, NULL, &r);
                double N = 0;
                for (int i = 0; i < o.p.rows; i += 3) N += r.lambda[i];
                CHECK(r.status == ukOk && r.s.residual <= 1e-9);
                CHECK_NEAR(N, 2 * 9.81 * cos(slope), 2 * slack);
                CHECK_NEAR(r.qdd[0], 0, slack);
                CHECK_NEAR(r.qdd[4], 0, 10 * slack);
                /* slides */
                cube(&o, g, points, 0.2, 0.2, soft[k]);
                solveWith(set, &o, (ukFrictionLaw)law, NULL, &r);
                CHECK(r.status == ukOk && r.s.residual <= 1e-9);
                CHECK_NEAR(r.qdd[0], 9.81 * (sin(slope) - 0.2 * cos(slope)), 2 * slack);
            }
}

/* One particle that slides under a force along (1, 2): box, circle and ellipse differ. */
static void particle(ukFrictionSolver *set)
{
    static ukOracleProblem o;
    Result r;
    const double g[3] = {6, 12, -9.81}, N = 2 * 9.81;
    cube(&o, g, 1, 0.5, 0.5, 0);
    solveWith(set, &o, ukFrictionCoupled, NULL, &r);
    CHECK_NEAR(r.lambda[1], -0.5 * N, 1e-9);
    CHECK_NEAR(r.lambda[2], -0.5 * N, 1e-9);
    solveWith(set, &o, ukFrictionElliptic, NULL, &r);
    CHECK_NEAR(r.lambda[1], -0.5 * N / sqrt(5), 1e-9);
    CHECK_NEAR(r.lambda[2], -0.5 * N * 2 / sqrt(5), 1e-9);
    cube(&o, g, 1, 0.3, 0.8, 0);
    solveWith(set, &o, ukFrictionElliptic, NULL, &r);
    const double w[2] = {r.qdd[0], r.qdd[1]}, d = hypot(0.3 * w[0], 0.8 * w[1]);
    CHECK(r.s.residual <= 1e-11 && w[0] > 0 && w[1] > 0);
    CHECK_NEAR(r.lambda[1], -N * 0.3 * 0.3 * w[0] / d, 1e-8);
    CHECK_NEAR(r.lambda[2], -N * 0.8 * 0.8 * w[1] / d, 1e-8);
    /* greatest dissipation over the ellipse */
    for (int k = 0; k < 360; k++) {
        const double angle = k * 0.017453292519943295;
        const double power = N * (0.3 * cos(angle) * w[0] + 0.8 * sin(angle) * w[1]);
        CHECK(-(r.lambda[1] * w[0] + r.lambda[2] * w[1]) >= power - 1e-9);
    }
    /* mu = infinity holds under load, and is nothing without */
    const double up[3] = {6, 12, 1};
    for (int law = 0; law < 3; law++) {
        cube(&o, g, 1, INFINITY, INFINITY, 0);
        solveWith(set, &o, (ukFrictionLaw)law, NULL, &r);
        CHECK(r.status == ukOk);
        CHECK_NEAR(r.qdd[0], 0, 1e-9);
        CHECK_NEAR(r.qdd[1], 0, 1e-9);
        cube(&o, up, 1, INFINITY, INFINITY, 0);
        solveWith(set, &o, (ukFrictionLaw)law, NULL, &r);
        CHECK(r.status == ukOk);
        CHECK_NEAR(r.qdd[0], 6, 1e-9);
        CHECK_NEAR(r.lambda[1], 0, 1e-9);
    }
}

/* a stack of cubes, each on 8 points of the one below */
static void stack(ukOracleProblem *o, int cubes, double mu, double softness)
{
    ukRandom random = {1};
    ukOracleBegin(o, &random, cubes);
    memset(o->inertia, 0, sizeof o->inertia), memset(o->inverse, 0, sizeof o->inverse);
    for (int i = 0; i < cubes; i++) {
        o->mass[i] = 1;
        for (int c = 0; c < 3; c++) o->inertia[9 * i + 4 * c] = 0.06, o->inverse[9 * i + 4 * c] = 1 / 0.06;
        for (int c = 0; c < 6; c++) o->Q[6 * i + c] = o->C[6 * i + c] = 0;
        o->Q[6 * i + 2] = -9.81;
        for (int k = 0; k < 4; k++) {
            const double x = k % 2 ? 0.3 : -0.3, y = k / 2 ? 0.3 : -0.3;
            const double n[12] = {0, 0, 1, y, -x, 0, 0, 0, -1, -y, x, 0};
            const double t[12] = {1, 0, 0, 0, -0.3, -y, -1, 0, 0, 0, -0.3, y};
            const double u[12] = {0, 1, 0, 0.3, 0, x, 0, -1, 0, 0.3, 0, -x};
            ukOracleBlock(o, i, i > 0 ? i - 1 : -1);
            const int row = ukOracleRow(o, n, 0, softness, 0, INFINITY, -1);
            ukOracleRow(o, t, 0, softness, -mu, mu, row);
            o->cone[ukOracleRow(o, u, 0, softness, -mu, mu, row) - 1] = 1;
        }
    }
    ukOracleDense(o);
}

static void stackAtRest(ukFrictionSolver *set)
{
    static ukOracleProblem o;
    static const double soft[] = {0, 1e-8, 1e-3};
    for (int k = 0; k < 3; k++)
        for (int law = 0; law < 3; law++) {
            Result cold, warm;
            stack(&o, 6, 0.5, soft[k]);
            solveWith(set, &o, (ukFrictionLaw)law, NULL, &cold);
            CHECK(cold.status == ukOk && cold.s.residual <= 1e-11);
            for (int i = 0; i < 36; i++) CHECK_NEAR(cold.qdd[i], 0, fmax(1e-9, 100 * soft[k]));
            solveWith(set, &o, (ukFrictionLaw)law, cold.lambda, &warm);
            CHECK(warm.status == ukOk && warm.s.residual <= 1e-11);
            CHECK(difference(warm.lambda, cold.lambda, o.p.rows) <= (k > 0 ? 1e-6 : 1));
        }
}

/* Equalities that contradict each other, CFM = 0: an answer, and a residual that does not hide it. */
static void contradiction(ukFrictionSolver *set)
{
    static ukOracleProblem o;
    Result r;
    const double g[3] = {0, 0, -9.81}, z[6] = {0, 0, 1, 0, 0, 0};
    for (int law = 0; law < 3; law++) {
        cube(&o, g, 4, 0.5, 0.5, 0);
        ukOracleBlock(&o, 0, -1);
        ukOracleRow(&o, z, 1, 0, -INFINITY, INFINITY, -1);
        ukOracleRow(&o, z, 2, 0, -INFINITY, INFINITY, -1);
        ukOracleDense(&o);
        solveWith(set, &o, (ukFrictionLaw)law, NULL, &r);
        CHECK(r.status == ukOk && isfinite(r.s.residual) && r.s.residual > 1e-3);
        for (int i = 0; i < 6; i++) CHECK(isfinite(r.qdd[i]));
    }
}

static void badInput(ukFrictionSolver *set)
{
    static ukOracleProblem o;
    Result r;
    const double g[3] = {0, 0, -9.81};
    cube(&o, g, 4, 0.5, 0.5, 1e-8);
    o.b[0] = NAN;
    for (int law = 0; law < 3; law++) {
        solveWith(set, &o, (ukFrictionLaw)law, NULL, &r);
        CHECK(r.status == ukErrorNotFinite);
    }
    cube(&o, g, 4, 0.5, 0.5, 1e-8);
    double lambda0[ukOracleRows];
    for (int i = 0; i < ukOracleRows; i++) lambda0[i] = i % 2 ? NAN : -1e9; /* a bad guess is only a guess */
    for (int law = 0; law < 3; law++) {
        solveWith(set, &o, (ukFrictionLaw)law, lambda0, &r);
        CHECK(r.status == ukOk && r.s.residual <= 1e-9);
        CHECK_NEAR(r.qdd[2], 0, 1e-6);
    }
}

/* Frozen bounds make a convex problem: it is solved from any initial guess, redundant rows or not, and again from its
 * own solution. */
static void wildGuesses(ukFrictionSolver *set)
{
    ukRandom random = {606};
    static ukOracleProblem o;
    for (int k = 0; k < 1500; k++) {
        const ukFrictionChoice choice = {.law = ukFrictionTwoPhase, .tolerance = 1e-9};
        double lambda0[ukOracleRows], first[ukOracleRows];
        Result r = {.status = ukOk};
        r.s = (ukSolution){.qdd = r.qdd, .lambda = r.lambda, .lo = r.lo, .hi = r.hi, .loads = first};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, 12, 48), k % 2 ? 1e-8 : 1e-4, 1, true);
        const double size = pow(10, ukRandomUniform(&random, -3, 6));
        for (int i = 0; i < o.p.rows; i++) {
            lambda0[i] = size * ukRandomUniform(&random, -1, 1);
            first[i] = size * ukRandomUniform(&random, -1, 1);
        }
        CHECK(ukFrictionSolve(set, &o.p, &choice, lambda0, &r.s) == ukOk);
        CHECK(r.s.residual <= 1e-9);
        for (int i = 0; i < o.p.rows; i++) CHECK(o.normal[i] < 0 || first[i] == 0);
        if (r.s.residual > 1e-11) continue; /* short of what cheap stages go for: they would try */
        memcpy(lambda0, r.lambda, sizeof lambda0);
        CHECK(ukFrictionSolve(set, &o.p, &choice, lambda0, &r.s) == ukOk);
        CHECK(r.s.residual <= 1e-11);
    }
}

/* The same bits from a fresh set, from a used one, and after something else; also where rounds come to an end, and the
 * one that changed least is the solution. */
static void deterministic(void)
{
    ukRandom random = {505};
    static ukOracleProblem o, other;
    int rounds = 0;
    ukOracleBegin(&other, &random, 5);
    ukOracleFill(&other, &random, 60, 1e-6, 1, true);
    for (int k = 0; k < 600; k++) {
        Result a, b;
        ukOracleBegin(&o, &random, 3);
        ukOracleFill(&o, &random, k < 60 ? 24 : 60, 1e-8, 1, true);
        ukFrictionSolver *fresh = ukFrictionSolverCreate(), *used = ukFrictionSolverCreate();
        solveWith(used, &other, (ukFrictionLaw)((k + 1) % 3), NULL, &b);
        solveWith(used, &o, (ukFrictionLaw)(k % 3), NULL, &b);
        solveWith(used, &o, (ukFrictionLaw)(k % 3), NULL, &b);
        solveWith(fresh, &o, (ukFrictionLaw)(k % 3), NULL, &a);
        CHECK(memcmp(a.qdd, b.qdd, sizeof a.qdd) == 0 && memcmp(a.lambda, b.lambda, sizeof a.lambda) == 0);
        CHECK(a.s.coupling == b.s.coupling);
        rounds += a.s.coupling > 0;
        ukFrictionSolverDestroy(fresh), ukFrictionSolverDestroy(used);
    }
    CHECK(rounds > 0);
}

int main(void)
{
    ukFrictionSolver *set = ukFrictionSolverCreate();
    CHECK(set != NULL);
    uniqueSolutions(set);
    twoPhaseFriction(set);
    coupledFriction(set, ukFrictionCoupled);
    coupledFriction(set, ukFrictionElliptic);
    discsOfConstantRadius(set);
    discsOfTwoSoftnesses(set);
    redundantRows(set, 0);
    redundantRows(set, 1e-8);
    cubeOnPlane(set);
    particle(set);
    stackAtRest(set);
    contradiction(set);
    badInput(set);
    wildGuesses(set);
    deterministic();
    ukFrictionSolverDestroy(set);
    return ukTestEnd();
}
