/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/solvers/test_gauss_check.c: the certificate accepts what is right and catches what is not. The right answers
 * are made, not solved for: multipliers and row residuals that are complementary come first, b follows from them. */
#include "solvers/base/status.h"
#include "solvers/check/gauss_check.h"
#include "solvers/papers/solvers.h"
#include "tests/check.h"
#include "tests/solvers/known_solution.h"
#include "tests/solvers/possible_acceleration.h"

#include <stdlib.h>
#include <float.h>
#include <string.h>

static const double right = 1e-12, wrong = 1e-11; /* what a certificate of a right, a wrong answer is below, above */

/* what a body's forces and torques add up to in magnitude */
static void magnitudes(const ukKnown *w, int body, double *force, double *torque)
{
    const ukProblem *p = &w->g.p;
    *force = *torque = 0;
    for (int c = 0; c < 3; c++) {
        *force += fabs(p->Q[6 * body + c]) + (p->C ? fabs(p->C[6 * body + c]) : 0);
        *torque += fabs(p->Q[6 * body + 3 + c]) + (p->C ? fabs(p->C[6 * body + 3 + c]) : 0);
    }
    for (int k = 0; k < p->blocks; k++)
        for (int r = 0; r < p->block[k].rows; r++)
            for (int s = 0; s < p->block[k].slots; s++) {
                if (p->body[p->block[k].slot + s] != body) continue;
                const double *A = p->A + p->block[k].A + 6 * (r * p->block[k].slots + s);
                for (int c = 0; c < 3; c++) {
                    *force += fabs(A[c] * w->lambda[p->block[k].row + r]);
                    *torque += fabs(A[3 + c] * w->lambda[p->block[k].row + r]);
                }
            }
    /* a body is one: both in the metric of the Gaussian */
    const double *I = p->inertia + 9 * body, *J = p->inverse_inertia + 9 * body;
    const double root = 1 / sqrt(p->mass[body]), turn = sqrt(fmax(J[0], fmax(J[4], J[8])));
    const double whole = root * *force + turn * *torque;
    *force = whole / root;
    *torque = whole * sqrt(fmax(I[0], fmax(I[4], I[8])));
}

static void rightAnswersPass(void)
{
    ukRandom random = {42};
    static ukKnown w;
    for (int trial = 0; trial < 3000; trial++) {
        const double force = trial % 7 == 0 ? 0 : ukRandomDecade(&random, -12, 12);
        ukKnownMake(&w, &random, (ukKnownKind)(trial % 5), force);
        if (trial % 11 == 0) w.g.p.C = NULL, ukKnownAccelerate(&w);
        if (trial % 11 == 0) continue; /* b is that of another C */
        const ukResiduals c = ukKnownResiduals(&w);
        CHECK(ukResidualsHold(&c, right));
        CHECK(c.minimum >= 0 && c.gaussian >= 0);
    }
}

/* Joints that pull against each other on bodies that nothing else moves: qdd is rounding, and no error */
static void noAlarmAtRest(void)
{
    ukRandom random = {51};
    static ukKnown w;
    int noisy = 0;
    for (int trial = 0; trial < 300; trial++) {
        memset(&w, 0, sizeof w);
        do ukRandomBlocksMake(&w.g, &random, 1);
        while (w.g.p.blocks < 3 || w.g.block[0].rows > 6);
        ukRandomBlocks *g = &w.g;
        memset(g->Q, 0, sizeof g->Q);
        memset(g->C, 0, sizeof g->C);
        const int rows = g->block[0].rows;
        g->p.blocks = 3, g->p.rows = 3 * rows;
        for (int k = 1; k < 3; k++) g->block[k] = g->block[0], g->block[k].row = k * rows;
        for (int i = 0; trial % 3 && i < 6 * rows * g->block[0].slots; i++)
            if ((i % 6 < 3) == (trial % 3 == 1)) g->A[i] = 0; /* forces alone, torques alone */
        w.e = (ukGaussEvidence){.qdd = w.qdd, .lambda = w.lambda};
        const double force = ukRandomDecade(&random, -9, 9);
        ukRandomVector(&random, force, w.lambda, 2 * rows);
        for (int i = 0; i < rows; i++) w.lambda[2 * rows + i] = -(w.lambda[i] + w.lambda[rows + i]);
        ukKnownAccelerate(&w);
        for (int i = 0; i < 6 * g->p.bodies; i++) noisy += w.qdd[i] != 0;
        const ukResiduals c = ukKnownResiduals(&w);
        CHECK(ukResidualsHold(&c, right));
        double total, torque;
        magnitudes(&w, 0, &total, &torque);
        w.qdd[0] += 1e-9 * (total + 1e-3) / g->mass[0];
        CHECK(ukKnownResiduals(&w).stationarity > wrong);
    }
    CHECK(noisy > 300);
}

/* the dense solvers' answers, redundant rows among them; masses of six decades in one dense factorization leave eps 1e6
 * at worst */
static void solvedAnswersPass(void)
{
    ukRandom random = {43};
    static ukKnown w;
    double largest = 0;
    int usual = 0;
    for (int trial = 0; trial < 600; trial++) {
        ukKnownMake(&w, &random, (ukKnownKind)(trial % 2), ukRandomDecade(&random, -6, 6));
        ukSolution s = {.qdd = w.qdd, .lambda = w.lambda};
        const int which = trial % ukDenseLagrange;
        const size_t bytes = ukDenseProblemScratch(&w.g.p, which);
        void *block = NULL;
        CHECK(posix_memalign(&block, 64, bytes) == 0);
        ukArena arena = ukArenaOver(block, bytes);
        CHECK(ukDenseSolveActive(&w.g.p, which, NULL, 0, &arena, &s) == ukOk);
        free(block);
        const ukResiduals c = ukKnownResiduals(&w);
        largest = fmax(largest, fmax(c.feasibility, c.stationarity));
        CHECK(ukResidualsHold(&c, 1e6 * DBL_EPSILON));
        usual += ukResidualsHold(&c, right);
        const double excess = ukPossibleExcess(&w.g.p, w.qdd, (unsigned)trial, 2, (double[24 * 6 + 4 * ukKnownM]){0});
        CHECK(excess <= 1e-9);
    }
    CHECK(usual > 540);
    printf("%d of 600 within 1e-12; largest scaled residual of a reference solver: %.2g\n", usual, largest);
}

/* a row that acts on a body that can move, or -1 */
static int actingRow(const ukKnown *w, ukRandom *random)
{
    const int m = w->g.p.rows, first = m > 0 ? ukRandomInt(random, 0, m - 1) : 0;
    for (int i = 0; i < m; i++)
        if (ukKnownCompliance(w, (first + i) % m) > 0) return (first + i) % m;
    return -1;
}

static void wrongAccelerationsFail(void)
{
    ukRandom random = {44};
    static ukKnown w;
    for (int trial = 0; trial < 1000; trial++) {
        ukKnownMake(&w, &random, (ukKnownKind)(trial % 5), ukRandomDecade(&random, -9, 9));
        const int body = ukRandomInt(&random, 0, w.g.p.bodies - 1), c = ukRandomInt(&random, 0, 5);
        const double *J = w.g.inverse + 9 * body;
        double force, torque;
        magnitudes(&w, body, &force, &torque);
        const double size = c < 3 ? force / w.g.mass[body] : torque * (J[0] + J[4] + J[8]) / 3;
        w.qdd[6 * body + c] += 1e-9 * (size + fabs(w.qdd[6 * body + c]));
        const ukResiduals residuals = ukKnownResiduals(&w);
        CHECK(residuals.stationarity > wrong && residuals.worst_body == body);
    }
}

static void wrongForcesFail(void)
{
    ukRandom random = {45};
    static ukKnown w;
    for (int trial = 0; trial < 1000; trial++) {
        ukKnownMake(&w, &random, (ukKnownKind)(trial % 5), ukRandomDecade(&random, -9, 9));
        const int body = ukRandomInt(&random, 0, w.g.p.bodies - 1), c = ukRandomInt(&random, 0, 5);
        double force, torque;
        magnitudes(&w, body, &force, &torque);
        double *f = trial % 2 && w.g.p.C ? w.g.C : w.g.Q;
        f[6 * body + c] += 1e-9 * (c < 3 ? force : 10 * torque);
        CHECK(ukKnownResiduals(&w).stationarity > wrong);
    }
}

/* lambda wrong and qdd made with it: only the rows can tell */
static void wrongMultipliersFail(void)
{
    ukRandom random = {46};
    static ukKnown w;
    int tried = 0;
    for (int trial = 0; trial < 1000; trial++) {
        ukKnownMake(&w, &random, (ukKnownKind)(trial % 5), ukRandomDecade(&random, -9, 9));
        const int row = actingRow(&w, &random);
        if (row < 0) continue;
        tried++;
        double largest = 0;
        for (int i = 0; i < w.g.p.bodies; i++) {
            double force, torque, l[ukKnownM] = {0}, f[ukKnownN] = {0};
            magnitudes(&w, i, &force, &torque);
            l[row] = 1;
            ukProblemApplyTransposed(&w.g.p, l, f);
            for (int c = 0; c < 6; c++)
                if (f[6 * i + c] != 0) largest = fmax(largest, (c < 3 ? force : torque) / fabs(f[6 * i + c]));
        }
        const double kept = w.lambda[row];
        w.lambda[row] += 1e-9 * fmin(largest, 100 * fabs(kept) + 1e-300);
        const ukResiduals alone = ukKnownResiduals(&w); /* qdd is not made with it */
        CHECK(!ukResidualsHold(&alone, right) || fabs(w.lambda[row] - kept) < 1e-11 * largest);
        w.lambda[row] = kept + (w.lambda[row] - kept) * 1e3;
        ukKnownAccelerate(&w);
        const ukResiduals made = ukKnownResiduals(&w);
        CHECK(made.stationarity <= right);
        CHECK(!ukResidualsHold(&made, wrong) || fabs(w.lambda[row] - kept) < 1e-9 * largest);
    }
    CHECK(tried > 500);
}

/* the terms that meet in a row, as a user would count them */
static double rowSize(const ukKnown *w, int row)
{
    double sum = fabs(w->g.b[row]) + w->g.softness[row] * fabs(w->lambda[row]);
    for (int i = 0; i < w->g.p.bodies; i++) {
        double l[ukKnownM] = {0}, f[ukKnownN] = {0}, force, torque;
        const double *J = w->g.inverse + 9 * i;
        l[row] = 1;
        ukProblemApplyTransposed(&w->g.p, l, f);
        magnitudes(w, i, &force, &torque);
        for (int c = 0; c < 3; c++) {
            sum += fabs(f[6 * i + c]) * (force / w->g.mass[i] + fabs(w->qdd[6 * i + c]));
            sum += fabs(f[6 * i + 3 + c]) * (torque * (J[0] + J[4] + J[8]) / 3 + fabs(w->qdd[6 * i + 3 + c]));
        }
    }
    return sum;
}

static void wrongRowsFail(void)
{
    ukRandom random = {47};
    static ukKnown w;
    int tried = 0, cone_rows = 0;
    for (int trial = 0; trial < 2500; trial++) {
        ukKnownMake(&w, &random, (ukKnownKind)(trial % 5), ukRandomDecade(&random, -9, 9));
        if (w.g.p.rows == 0) continue;
        const int row = ukRandomInt(&random, 0, w.g.p.rows - 1);
        const bool bounded = w.e.lo && (w.g.lo[row] > -INFINITY || w.g.hi[row] < INFINITY);
        const bool cone = w.e.elliptic && (w.g.cone[row] || (row > 0 && w.g.cone[row - 1]));
        const bool held = !bounded || (w.lambda[row] > w.g.lo[row] && w.lambda[row] < w.g.hi[row]);
        if (!held || rowSize(&w, row) == 0 || (bounded && ukKnownCompliance(&w, row) == 0)) continue;
        tried++, cone_rows += cone;
        w.g.b[row] += (trial % 2 ? 1e-9 : -1e-9) * rowSize(&w, row);
        const ukResiduals c = ukKnownResiduals(&w);
        if (!cone) CHECK((bounded ? c.complementarity : c.feasibility) > wrong && c.worst_row == row);
    }
    CHECK(tried > 500 && cone_rows > 20);
}

/* Three rows that share a bound of 13, on a body of 2 kg with no other force: w = lambda/2 - b. */
static void ballLineByLine(void)
{
    const double Q[6] = {0};
    const ukBlock block[] = {{.row = 0, .rows = 3, .slot = 0, .slots = 1, .A = 0}};
    const double A[18] = {[0] = 1, [7] = 1, [14] = 1}, lo[] = {-13, -13, -13}, hi[] = {13, 13, 13};
    struct {
        double lambda[3], b[3];
        unsigned char cone[3];
        double least; /* complementarity at least this; 0: right */
    } const cases[] = {
        {{3, 4, 12}, {3, 4, 12}, {2, 0, 0}, 0},              /* on the ball, slip opposite */
        {{3, 4, 12}, {3, 4, 12 + 1e-6}, {2, 0, 0}, 1e-9},    /* not quite opposite */
        {{3, 4, 12 + 1e-6}, {3, 4, 12}, {2, 0, 0}, 1e-9},    /* outside */
        {{3, 4, 12}, {1.5, 2, 6}, {2, 0, 0}, 0},             /* sticks at the limit */
        {{3, 4, 11}, {1.5, 2, 5.5}, {2, 0, 0}, 0},           /* sticks */
        {{3, 4, 11}, {1.5, 2, 5.5 + 1e-6}, {2, 0, 0}, 1e-9}, /* inside, and gives way */
        {{3, 4, 12}, {1, 1, 5}, {2, 0, 0}, 1e-3},            /* slips with the force */
        {{12, 12, 12}, {6, 6, 6}, {2, 0, 0}, 1e-3},          /* in the box, outside the ball */
        {{12, 12, 12}, {6, 6, 6}, {0, 0, 0}, 0},             /* a box */
        {{5, 12, 13}, {5, 12, 7}, {1, 0, 0}, 0},             /* a disc of two, and a row by itself at its bound */
        {{5, 12, 12}, {5, 12, 7}, {1, 0, 0}, 1e-3},          /* which is not there yet */
        {{13, 5, 12}, {7, 5, 12}, {0, 1, 0}, 0},             /* the other way round */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *l = cases[i].lambda, qdd[] = {l[0] / 2, l[1] / 2, l[2] / 2, 0, 0, 0};
        ukProblem p = ukKnownOneBody(block, Q, A, cases[i].b);
        p.lo = lo, p.hi = hi, p.cone = cases[i].cone;
        const ukGaussEvidence e = {.qdd = qdd, .lambda = l, .lo = lo, .hi = hi};
        double work[12];
        ukResiduals c;
        ukGaussCheck(&p, &e, work, &c);
        if (!CHECK(c.stationarity <= 1e-15 && c.feasibility == 0 &&
                   (cases[i].least > 0 ? c.complementarity > cases[i].least : c.complementarity <= 1e-15)))
            printf("ball %zu: %g %g\n", i, c.complementarity, c.stationarity);
    }
}

/* sign and size of bounded multipliers, one line of the conditions after the other */
static void complementarityLineByLine(void)
{
    const double Q[] = {0, 0, -20, 0, 0, 0};
    const ukBlock block[] = {{.row = 0, .rows = 3, .slot = 0, .slots = 1, .A = 0}};
    const int normal[] = {-1, 0, 0};
    const double A[] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
    const double lo[] = {0, -10, -10}, hi[] = {INFINITY, 10, 10}, mu_lo[] = {0, -0.5, -0.5},
                 mu_hi[] = {INFINITY, 0.5, 0.5};
    const unsigned char cone[] = {0, 1, 0};
    double b[3] = {0}, work[12];
    ukProblem p = ukKnownOneBody(block, Q, A, b);
    p.lo = mu_lo, p.hi = mu_hi, p.normal = normal, p.cone = cone;
    ukGaussEvidence e = {.lo = lo, .hi = hi};
    ukResiduals c;
    struct {
        double lambda[3], qz, b[3];
        bool elliptic;
        double least; /* complementarity at least this; 0: right */
    } const cases[] = {
        {{20, 0, 0}, 0, {0, 0, 0}, false, 0},                  /* rests */
        {{20 + 2e-7, 0, 0}, 1e-7, {0, 0, 0}, false, 1e-9},     /* pushed off: w > 0 with lambda > 0 */
        {{0, 0, 0}, -10, {-11, 0, 0}, false, 0},               /* separates: lambda = 0, w > 0 */
        {{0, 0, 0}, -10, {-10 + 1e-6, 0, 0}, false, 1e-9},     /* penetrates: w < 0 with lambda = 0 */
        {{-2e-7, 0, 0}, -10 - 1e-7, {-11, 0, 0}, false, 1e-9}, /* pulls */
        {{20, 5, 0}, 0, {0, 2.5, 0}, false, 0},                /* sticks */
        {{20, 10, 0}, 0, {0, 7, 0}, false, 0},                 /* slips against the force: w = 5 - 7 < 0 at hi */
        {{20, 10, 0}, 0, {0, 4, 0}, false, 1e-3},              /* slips with the force */
        {{20, 10 + 1e-6, 0}, 0, {0, 7, 0}, false, 1e-9},       /* beyond mu */
        {{20, 6, 8}, 0, {0, 6, 8}, true, 0},                   /* on the circle, slip opposite: w = (3-6, 4-8) */
        {{20, 6, 8}, 0, {0, 6, 8 + 1e-6}, true, 1e-9},         /* not quite opposite */
        {{20, 6, 8 + 1e-6}, 0, {0, 6, 8}, true, 1e-9},         /* outside */
        {{20, 6, 8}, 0, {0, 3, 4}, true, 0},                   /* sticks at the limit */
        {{20, 6, 8}, 0, {0, 2, 4}, true, 1e-3},                /* slips with the force */
        {{20, 9, 9}, 0, {0, 4.5, 4.5}, true, 1e-3},            /* in the box, outside the circle */
        {{20, 9, 9}, 0, {0, 4.5, 4.5}, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double qdd[] = {cases[i].lambda[1] / 2, cases[i].lambda[2] / 2, cases[i].qz, 0, 0, 0};
        memcpy(b, cases[i].b, sizeof b);
        e.qdd = qdd, e.lambda = cases[i].lambda, e.elliptic = cases[i].elliptic;
        ukGaussCheck(&p, &e, work, &c);
        if (!CHECK(c.stationarity <= 1e-15 && c.feasibility == 0 &&
                   (cases[i].least > 0 ? c.complementarity > cases[i].least : c.complementarity <= 1e-15)))
            printf("case %zu: %g %g\n", i, c.complementarity, c.stationarity);
    }
}

/* Udwadia 2000, the ring: the Gaussian, what is minimised, and the two orthogonal parts, in closed form */
static void partsOfTheGaussian(void)
{
    const double R = 2, g = 9.81, mu = 0.3, x = R * cos(0.6), y = R * sin(0.6), speed = 3, m = 1.5;
    const double xd = -speed * sin(0.6), yd = speed * cos(0.6), pull = m * (speed * speed - g * y) / R;
    const double mass[] = {m}, unit[] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, A[] = {x, y, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    const double Q[] = {0, -m * g, 0, 0, 0, 0}, b[] = {-speed * speed, 0};
    const double tilt = 0.7, load = fabs(pull); /* C has a part along the constraint, which Q_ni has not */
    const double C[] = {-mu * load * xd / speed + tilt * x, -mu * load * yd / speed + tilt * y, 0, 0, 0, 0};
    const ukBlock block[] = {{.rows = 2, .slots = 1}};
    const int body[] = {0};
    ukProblem p = {.bodies = 1,
                   .blocks = 1,
                   .rows = 2,
                   .mass = mass,
                   .inertia = unit,
                   .inverse_inertia = unit,
                   .Q = Q,
                   .C = C,
                   .block = block,
                   .body = body,
                   .A = A,
                   .b = b};
    const double Qx = -x / R * pull - mu * load * xd / speed, Qy = -y / R * pull - mu * load * yd / speed;
    const double qdd[] = {Qx / m, Qy / m - g, 0, 0, 0, 0};
    const double lambda[] = {-pull / R - tilt, 0}, ideal[] = {-pull / R, 0};
    double work[12];
    ukGaussEvidence e = {.qdd = qdd, .lambda = lambda, .lambda_ideal = ideal};
    ukResiduals c;
    ukGaussCheck(&p, &e, work, &c);
    CHECK(ukResidualsHold(&c, 1e-15));
    CHECK_NEAR(c.gaussian, (Qx * Qx + Qy * Qy) / m, 1e-12);
    CHECK_NEAR(c.gaussian_ideal, pull * pull / m, 1e-12);
    CHECK_NEAR(c.gaussian_nonideal, mu * mu * pull * pull / m, 1e-12);
    CHECK_NEAR(c.gaussian_ideal + c.gaussian_nonideal, c.gaussian, 1e-12);
    CHECK_NEAR(c.minimum, R * R * lambda[0] * lambda[0] / m, 1e-12);
    CHECK(c.orthogonality <= 1e-14);
    e.lambda_ideal = NULL;
    ukGaussCheck(&p, &e, work, &c);
    CHECK(isnan(c.gaussian_ideal) && isnan(c.gaussian_nonideal));
    const double wrong_ideal[] = {-pull / R - tilt, 0};
    e.lambda_ideal = wrong_ideal;
    ukGaussCheck(&p, &e, work, &c);
    CHECK(c.orthogonality > 1e-3);
    p.C = NULL;
    ukGaussCheck(&p, &e, work, &c);
    CHECK(c.gaussian_ideal == c.gaussian && c.gaussian_nonideal == 0);
}

/* Rows that exclude each other have no multipliers; a solver's grow until they round to any acceleration. That is no
 * excuse for a residual, but bounds of their own explain large forces: those of a motor at a stop. */
static void endlessMultipliersFail(void)
{
    const ukBlock block = {.rows = 2, .slots = 1};
    const double Q[6] = {0, 0, -20, 0, 0, 0}, A[12] = {0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    for (int k = 0; k < 2; k++) {
        double b[2] = {k == 0, 0}, work[16], qdd[6] = {0, 0, k == 0 ? 3 : 1e-5, 0, 0, 0};
        const double force = k == 0 ? 1e18 : 1e11, lambda[2] = {force, -force + 20 + 2 * qdd[2]};
        const double lo[2] = {-INFINITY, -force}, hi[2] = {k == 0 ? INFINITY : force, INFINITY};
        const ukProblem p = ukKnownOneBody(&block, Q, A, b);
        const ukGaussEvidence e = {.qdd = qdd, .lambda = lambda, .lo = k ? lo : NULL, .hi = k ? hi : NULL};
        ukResiduals c;
        ukGaussCheck(&p, &e, work, &c);
        CHECK(c.stationarity < right);
        CHECK((c.feasibility > 1e-9) == (k == 0) && ukResidualsHold(&c, 1e-9) == (k == 1));
    }
}

/* Forces of 1e110 that cancel at levers of 1e100: their rounding is no excuse for a row that is missed by all of b. */
static void cancelledOverflowFails(void)
{
    const ukBlock block = {.rows = 3, .slots = 1};
    const double Q[6] = {0, 0, -20, 0, 0, 0}, A[18] = {[0] = 1, [5] = 1e100, [6] = 1, [11] = 1e100, [14] = 1};
    const double lambda[3] = {1e110, -1e110, 20};
    double b[3] = {1e7, 1e7, 0}, work[16], qdd[6] = {0};
    const ukProblem p = ukKnownOneBody(&block, Q, A, b);
    ukResiduals c;
    ukGaussCheck(&p, &(ukGaussEvidence){.qdd = qdd, .lambda = lambda}, work, &c);
    CHECK(isinf(c.stationarity) && c.worst_body == 0 && !ukResidualsHold(&c, 0.1));
}

/* no rows, zero rows, zero forces, bodies that cannot move, NaN */
static void corners(void)
{
    static ukKnown w;
    ukRandom random = {49};
    ukKnownMake(&w, &random, ukKnownEqualities, 1);
    w.g.p.blocks = w.g.p.rows = 0;
    memset(w.lambda, 0, sizeof w.lambda);
    ukKnownAccelerate(&w);
    ukResiduals c = ukKnownResiduals(&w);
    CHECK(ukResidualsHold(&c, right) && c.worst_row == -1 && c.feasibility == 0 && c.distance < 1e-9 && c.missed == 0);
    w.g.p.bodies = 0;
    c = ukKnownResiduals(&w);
    CHECK(ukResidualsHold(&c, 0) && c.gaussian == 0 && c.distance == 0 && c.missed == 0);

    ukKnownMake(&w, &random, ukKnownEqualities, 0);
    c = ukKnownResiduals(&w);
    CHECK(ukResidualsHold(&c, 0) && c.distance == 0 && c.missed == 0);
    w.qdd[3] = 1e-300; /* nothing moves it */
    CHECK(!ukResidualsHold((c = ukKnownResiduals(&w), &c), 0.1));

    do ukKnownMake(&w, &random, ukKnownBoxes, 1);
    while (w.g.p.rows < 3);
    w.g.b[1] = NAN;
    c = ukKnownResiduals(&w);
    CHECK(!ukResidualsHold(&c, INFINITY));
    ukKnownMake(&w, &random, ukKnownSoft, 1);
    w.qdd[0] = NAN;
    c = ukKnownResiduals(&w);
    CHECK(isnan(c.stationarity) && isnan(c.distance) && c.worst_body == 0 && !ukResidualsHold(&c, INFINITY));
}

int main(void)
{
    rightAnswersPass();
    noAlarmAtRest();
    solvedAnswersPass();
    wrongAccelerationsFail();
    wrongForcesFail();
    wrongMultipliersFail();
    wrongRowsFail();
    complementarityLineByLine();
    ballLineByLine();
    partsOfTheGaussian();
    endlessMultipliersFail();
    cancelledOverflowFails();
    corners();
    return ukTestEnd();
}
