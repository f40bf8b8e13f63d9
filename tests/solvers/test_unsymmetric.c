/* SPDX-License-Identifier: BSD-3-Clause */
/* The factorization where friction follows its normal force, against LAPACK's of the whole system, dense, on random
 * graphs: trees, hubs and chains of joints, some hard, or none at all, and contacts of 1 to 6 rows between any bodies
 * and the world. */
#include "solvers/bounded/bounded.h"

#include "bounded_oracle.h"
#include "solvers/base/status.h"
#include "tests/check.h"

#include <lapacke.h>
#undef I /* of <complex.h> */

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { R = ukOracleRows, Size = R + 6 * ukOracleBodies };

typedef struct Case {
    ukOracleProblem o;
    unsigned char soft[ukOracleBlocks], held[R];
    double pivot[R], follow[R], r[R];
    double turn[R]; /* cosine and sine at the two rows of a pair that is turned */
    bool cones;
} Case;

/* ---- random systems ---- */

/* On bodies a and b (-1: the world, as a slot of its own or none). */
static void addBlock(Case *c, ukRandom *random, int a, int b)
{
    const bool slot = b < 0 && ukRandomInt(random, 0, 2) == 0;
    ukOracleBlock(&c->o, a, slot ? a : b);
    if (slot) c->o.body[2 * c->o.p.blocks - 1] = -1;
}

/* what makes a force on one thing and its opposite on the other, or anything at all */
static int addRow(Case *c, ukRandom *random, bool relative, int normal)
{
    double J[12];
    ukRandomVector(random, 1, J, 12);
    for (int k = 0; k < 3 && relative; k++) J[6 + k] = -J[k];
    const double mu = ukRandomUniform(random, 0.1, 2);
    const bool contact = normal != -2;
    const double lo = normal >= 0 ? -mu : contact ? 0 : -INFINITY;
    return ukOracleRow(&c->o, J, 0, 0, lo, normal >= 0 ? mu : INFINITY, normal >= 0 ? normal : -1);
}

static void addJoint(Case *c, ukRandom *random, int a, int b, int rows)
{
    const bool relative = ukRandomInt(random, 0, 1);
    addBlock(c, random, a, b);
    for (int k = 0; k < rows; k++) addRow(c, random, relative, -2);
}

/* a normal, friction and rolling rows that follow it; of six rows, seldom, the last three are a contact once more */
static void addContact(Case *c, ukRandom *random, int a, int b)
{
    const int rows = ukRandomInt(random, 1, 6), twice = rows == 6 && ukRandomInt(random, 0, 2) == 0;
    addBlock(c, random, a, b);
    c->soft[c->o.p.blocks - 1] = 1;
    int normal = -1;
    for (int k = 0; k < rows; k++) {
        const int row = addRow(c, random, true, k == 0 || (twice && k == 3) ? -1 : normal);
        if (c->o.normal[row] < 0) normal = row;
        c->o.cone[row] = c->cones && row == normal + 1 && k + 1 < rows && !(twice && k == 2);
    }
}

/* rows of a pair in the order of ukBounded's: turned, scaled by their mu */
static void row(const Case *c, int i, double *J)
{
    const int n = 6 * c->o.p.bodies;
    const bool first = c->o.cone[i], second = i > 0 && c->o.cone[i - 1];
    const int other = first ? i + 1 : i - 1;
    memcpy(J, c->o.full + i * n, (size_t)n * sizeof *J);
    if (!first && !second) return;
    const double cosine = c->turn[first ? i : other], sine = c->turn[first ? other : i];
    for (int e = 0; e < n; e++)
        J[e] = (first ? cosine : -cosine) * c->o.hi[i] * J[e] + sine * c->o.hi[other] * c->o.full[other * n + e];
}

static double own(const Case *c, int i)
{
    double J[6 * ukOracleBodies], x[6 * ukOracleBodies], sum = 0;
    row(c, i, J);
    ukProblemAccelerate(&c->o.p, J, x);
    for (int e = 0; e < 6 * c->o.p.bodies; e++) sum += J[e] * x[e];
    return sum;
}

/* softness from 1e-9 of K_ii on; hard joints have `hard` of it */
static void make(Case *c, ukRandom *random, bool cones, double hard)
{
    const int bodies = ukRandomInt(random, 1, ukOracleBodies), shape = ukRandomInt(random, 0, 4);
    memset(c, 0, sizeof *c);
    ukOracleBegin(&c->o, random, bodies);
    c->cones = cones;
    for (int i = 0; i < bodies && shape < 4 && c->o.p.rows + 6 <= R / 2; i++) { /* chain, hub, tree, loose */
        const int to = i == 0 || shape == 3 ? -1 : shape == 0 ? i - 1 : shape == 1 ? 0 : ukRandomInt(random, 0, i - 1);
        if (ukRandomInt(random, 0, shape == 3 ? 3 : 8) > (shape == 3 ? 0 : 1)) continue;
        addJoint(c, random, i, to, ukRandomInt(random, 1, 6));
    }
    const int joints = c->o.p.rows;
    for (int k = ukRandomInt(random, 0, 2); k > 0 && shape < 4 && c->o.p.rows + 2 <= R / 2; k--)
        addJoint(c, random, ukRandomInt(random, 0, bodies - 1), -1, ukRandomInt(random, 1, 2)); /* soft ones */
    const int contacts = ukRandomInt(random, 1, ukOracleBlocks);
    for (int k = 0, a = 0, b = -1; k < contacts && c->o.p.rows + 6 <= R && c->o.p.blocks < ukOracleBlocks; k++) {
        if (k == 0 || ukRandomInt(random, 0, 2)) { /* else one more point between the same two */
            a = ukRandomInt(random, 0, bodies - 1), b = ukRandomInt(random, -1, bodies - 1);
            if (a == b) b = -1;
        }
        addContact(c, random, ukRandomInt(random, 0, 30) ? a : -1, b); /* seldom on nothing but the world */
    }
    ukOracleDense(&c->o);
    const double softest = ukRandomUniform(random, -9, 0), least = ukRandomInt(random, 0, 1) ? -9 : softest;
    for (int i = 0; i < c->o.p.rows; i++)
        if (c->o.cone[i]) {
            const double angle = ukRandomUniform(random, -4, 4);
            c->turn[i] = cos(angle), c->turn[i + 1] = sin(angle);
        }
    for (int i = 0; i < c->o.p.rows; i++) {
        c->held[i] = ukRandomInt(random, 0, 3) > 0;
        const double size = own(c, i);
        c->pivot[i] = (size > 0 ? size : 1) *
                      (i < joints && ukRandomInt(random, 0, 3) ? hard : ukRandomDecade(random, least, softest));
        c->r[i] = ukRandomUniform(random, -10, 10);
        if (c->o.normal[i] >= 0 && ukRandomInt(random, 0, 4)) c->follow[i] = ukRandomUniform(random, -1, 1);
    }
}

/* ---- the oracle ---- */

typedef struct Answer {
    double l[R];
    double scale[R]; /* of l_i: 1 / sqrt(K_ii + s_i) */
    double condition;
} Answer;

/* By LAPACK, unknowns x sqrt(mass) and l / scale, so that all coefficients are about 1. In the turned frames. */
static bool solveDense(const Case *c, const double *r, Answer *out)
{
    static double T[Size * Size], y[Size];
    const ukProblem *p = &c->o.p;
    const int n = 6 * p->bodies, m = p->rows, N = n + m;
    memset(T, 0, sizeof T);
    for (int i = 0; i < m; i++) out->scale[i] = 1 / sqrt(own(c, i) + c->pivot[i]);
    for (int i = 0; i < n; i++) {
        const int body = i / 6, d = i % 6;
        y[i] = 0;
        for (int e = 0; e < 6; e++)
            T[(6 * body + e) * N + i] = d < 3   ? e == d
                                        : e < 3 ? 0
                                                : c->o.inertia[9 * body + 3 * (d - 3) + e - 3] / c->o.mass[body];
    }
    for (int i = 0; i < m; i++) {
        double J[6 * ukOracleBodies];
        const int normal = c->o.normal[i], at = n + i;
        row(c, i, J);
        for (int e = 0; e < n && c->held[i]; e++) {
            T[e * N + at] = J[e] * out->scale[i] / sqrt(c->o.mass[e / 6]);
            T[at * N + e] = -T[e * N + at];
        }
        const double own_part = c->held[i] ? out->scale[i] * out->scale[i] * c->pivot[i] : 1;
        T[at * N + at] = own_part;
        if (!c->held[i] && c->follow[i] != 0) /* its force acts, though its row is not held */
            for (int e = 0; e < n; e++) T[at * N + e] = -J[e] * out->scale[i] / sqrt(c->o.mass[e / 6]);
        if (c->follow[i] != 0) T[(n + normal) * N + at] = -own_part * c->follow[i] * out->scale[normal] / out->scale[i];
        y[at] = c->held[i] ? out->scale[i] * r[i] : 0;
    }
    lapack_int pivots[Size];
    const double size = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', N, N, T, N);
    if (LAPACKE_dgesv(LAPACK_COL_MAJOR, N, 1, T, N, pivots, y, N) != 0) return false;
    double reciprocal = 0;
    LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', N, T, N, size, &reciprocal);
    out->condition = 1 / reciprocal;
    for (int i = 0; i < m; i++) out->l[i] = out->scale[i] * y[n + i];
    return true;
}

/* largest |A x + s (l - follow l_normal) - r| of the rows held, and of l - follow l_normal of the others, each beside
 * the magnitudes that it is the sum of */
static double missOf(const Case *c, const double *r, const double *l)
{
    const ukProblem *p = &c->o.p;
    const int n = 6 * p->bodies, m = p->rows;
    double x[6 * ukOracleBodies] = {0}, size[6 * ukOracleBodies] = {0}, worst = 0;
    for (int i = 0; i < m; i++) {
        double J[6 * ukOracleBodies], a[6 * ukOracleBodies];
        row(c, i, J);
        ukProblemAccelerate(p, J, a);
        for (int e = 0; e < n; e++) x[e] += a[e] * l[i], size[e] += fabs(a[e] * l[i]);
    }
    for (int i = 0; i < m; i++) {
        double J[6 * ukOracleBodies];
        const double led = c->follow[i] != 0 ? c->follow[i] * l[c->o.normal[i]] : 0;
        double miss = l[i] - led, scale = fabs(l[i]) + fabs(led);
        /* turned into the frame of its pair and back, a force that is not there is rounding of the other's */
        if (c->o.cone[i]) scale += fabs(l[i + 1]);
        if (i > 0 && c->o.cone[i - 1]) scale += fabs(l[i - 1]);
        if (c->held[i]) {
            row(c, i, J);
            miss = c->pivot[i] * miss - r[i], scale = c->pivot[i] * scale + fabs(r[i]);
            for (int e = 0; e < n; e++) miss += J[e] * x[e], scale += fabs(J[e]) * size[e];
        }
        if (!(fabs(miss) <= worst * scale)) worst = fabs(miss) / scale;
        if (!isfinite(l[i])) return INFINITY;
    }
    return worst;
}

/* largest difference of l beside the largest of the oracle's, both by the rows' scale */
static double apart(const Answer *expected, const double *l, int m)
{
    double most = 0, size = DBL_MIN;
    for (int i = 0; i < m; i++) {
        const double difference = fabs(l[i] - expected->l[i]) / expected->scale[i];
        if (!(difference <= most)) most = difference;
        size = fmax(size, fabs(expected->l[i]) / expected->scale[i]);
    }
    return most / size;
}

/* ---- the promises ---- */

static double worst_once, worst_in_frames, worst_error;

static bool tell(bool ok, const Case *c, const char *what, int number, double miss, double error, double condition)
{
    if (!ok)
        printf("  %s %d: %d bodies, %d blocks, %d rows, miss %.2g, error %.2g, condition %.2g\n", what, number,
               c->o.p.bodies, c->o.p.blocks, c->o.p.rows, miss, error, condition);
    return ok;
}

/* What an equation misses, the answer misses times the condition; rounding of the oracle's own included. */
static bool near(const Answer *expected, const double *l, int m, double miss)
{
    const double error = apart(expected, l, m) / (expected->condition * (miss + DBL_EPSILON));
    worst_error = fmax(worst_error, error);
    return CHECK(error <= 1);
}

/* largest K_ii / s_i of the springs: 1/s stands beside M, and takes as many digits */
static double stiffness(const Case *c)
{
    double most = 1;
    for (int k = 0; k < c->o.p.blocks; k++)
        for (int i = c->o.block[k].row; c->soft[k] && i < c->o.block[k].row + c->o.block[k].rows; i++)
            most = fmax(most, own(c, i) / c->pivot[i]);
    return most;
}

static void oneSolve(ukKkt *kkt)
{
    static Case c;
    static Answer expected;
    for (int k = 0; k < 2000; k++) {
        ukRandom random = {.state = 1000 + (unsigned)k};
        double l[R], again[R];
        ukKktCoupledFactor factor;
        make(&c, &random, false, k % 2 ? 1e-9 : 0);
        if (!CHECK(solveDense(&c, c.r, &expected))) continue;
        CHECK(ukKktPlan(kkt, &c.o.p, c.soft) == ukOk);
        if (!CHECK(ukKktFactorizeCoupled(kkt, &c.o.p, c.held, c.pivot, c.follow, &factor) == ukOk)) continue;
        ukKktSolveCoupled(&factor, c.r, l);
        ukKktSolveCoupled(&factor, c.r, again);
        CHECK(memcmp(l, again, (size_t)c.o.p.rows * sizeof *l) == 0);
        const double miss = missOf(&c, c.r, l), lost = miss / stiffness(&c);
        worst_once = fmax(worst_once, lost);
        const bool small = CHECK(lost <= 1e-14), right = near(&expected, l, c.o.p.rows, miss);
        tell(small && right, &c, "once", k, miss, apart(&expected, l, c.o.p.rows), expected.condition);
    }
}

/* from p's frame to the pairs' own, or back */
static void turnPairs(const Case *c, double *r)
{
    for (int i = 0; i < c->o.p.rows; i++)
        if (c->o.cone[i]) {
            const double u = r[i], v = r[i + 1], cosine = c->turn[i], sine = c->turn[i + 1];
            r[i] = cosine * u + sine * v, r[i + 1] = sine * u - cosine * v;
        }
}

/* Through ukBounded, with cones in frames of their own or without: what is left is rounding, by
 * stiffness, and of two turns more. */
static void inFrames(ukKkt *kkt)
{
    static Case c;
    static Answer expected;
    for (int k = 0; k < 2000; k++) {
        ukRandom random = {.state = 50000 + (unsigned)k};
        const bool cones = k % 2;
        make(&c, &random, cones, k % 3 ? 1e-9 : 0);
        const size_t pairs = ukBoundedPairs(&c.o.p);
        ukBounded B = {.kkt = kkt, .elliptic = cones};
        ukArena arena = ukArenaOver(NULL, 0);
        ukBoundedCarve(&B, &c.o.p, pairs, &arena);
        const size_t size = (arena.used + 63) & ~(size_t)63;
        void *memory = aligned_alloc(64, size);
        arena = ukArenaOver(memory, size);
        ukBoundedCarve(&B, &c.o.p, pairs, &arena);
        CHECK(!arena.exhausted);
        ukBoundedSet(&B, &c.o.p, 1e-9);
        double l[R], r[R];
        memcpy(r, c.r, sizeof r);
        turnPairs(&c, r);
        if (cones) memcpy(B.turn, c.turn, (size_t)c.o.p.rows * sizeof *B.turn);
        if (CHECK(solveDense(&c, r, &expected)) && CHECK(ukBoundedFactor(&B, c.held, c.pivot, c.follow) == ukOk)) {
            ukBoundedSolve(&B, c.r, l);
            turnPairs(&c, l);
            const double miss = missOf(&c, r, l), lost = miss / stiffness(&c);
            worst_in_frames = fmax(worst_in_frames, lost);
            const bool small = CHECK(lost <= 2e-14), right = near(&expected, l, c.o.p.rows, miss);
            tell(small && right, &c, "in frames", k, miss, apart(&expected, l, c.o.p.rows), expected.condition);
        }
        free(memory);
    }
}

/* Nothing follows: the symmetric factor's answer. */
static void nothingFollows(ukKkt *kkt)
{
    static Case c;
    static Answer expected;
    for (int k = 0; k < 1000; k++) {
        ukRandom random = {.state = 100000 + (unsigned)k};
        double x[6 * ukOracleBodies], before[R], l[R];
        ukKktFactor symmetric;
        ukKktCoupledFactor factor;
        make(&c, &random, false, k % 2 ? 1e-9 : 0);
        const int m = c.o.p.rows;
        memset(c.follow, 0, sizeof c.follow);
        if (!CHECK(solveDense(&c, c.r, &expected))) continue;
        CHECK(ukKktPlan(kkt, &c.o.p, c.soft) == ukOk);
        CHECK(ukKktFactorize(kkt, &c.o.p, c.held, c.pivot, &symmetric) == ukOk);
        ukKktSolve(&symmetric, NULL, c.r, x, before);
        CHECK(ukKktFactorizeCoupled(kkt, &c.o.p, c.held, c.pivot, c.follow, &factor) == ukOk);
        ukKktSolveCoupled(&factor, c.r, l);
        memcpy(expected.l, before, sizeof before);
        const double miss = missOf(&c, c.r, l) + missOf(&c, c.r, before), lost = miss / stiffness(&c);
        const bool small = CHECK(lost <= 1e-14), right = near(&expected, l, m, miss);
        tell(small && right, &c, "nothing follows", k, miss, apart(&expected, l, m), expected.condition);
    }
}

/* A hard joint given twice, or a joint whose rows are 0, without softness: told, or some finite answer. */
static void singular(ukKkt *kkt)
{
    static Case c;
    int told = 0;
    for (int k = 0; k < 500; k++) {
        ukRandom random = {.state = 200000 + (unsigned)k};
        double l[R];
        ukKktCoupledFactor factor;
        make(&c, &random, false, 0);
        for (int i = 0; i < c.o.p.rows; i++) c.held[i] = 1;
        const ukBlock *b = c.o.block;
        for (int q = 0; q < c.o.p.blocks; q++, b++) {
            if (c.soft[q] || b->rows < 2) continue;
            const size_t width = 6 * (size_t)b->slots, at = b->A;
            for (size_t e = 0; e < width; e++) c.o.A[at + width + e] = k % 2 ? c.o.A[at + e] : 0;
            c.pivot[b->row] = c.pivot[b->row + 1] = 0;
        }
        CHECK(ukKktPlan(kkt, &c.o.p, c.soft) == ukOk);
        const int status = ukKktFactorizeCoupled(kkt, &c.o.p, c.held, c.pivot, c.follow, &factor);
        CHECK(status == ukOk || status == ukErrorSingular);
        told += status == ukErrorSingular;
        if (status != ukOk) continue;
        ukKktSolveCoupled(&factor, c.r, l);
        for (int i = 0; i < c.o.p.rows; i++) CHECK(isfinite(l[i]));
    }
    CHECK(told > 0);
}

/* a tree of joints of 3 or 5 rows, now and then of another number; no bounds */
static void makeTree(Case *c, ukRandom *random)
{
    memset(c, 0, sizeof *c);
    const int bodies = ukRandomInt(random, 1, ukOracleBodies), usual = ukRandomInt(random, 0, 1) ? 5 : 3;
    const bool chain = ukRandomInt(random, 0, 1);
    ukOracleBegin(&c->o, random, bodies);
    for (int i = 0; i < bodies; i++) {
        const int parent = chain ? i - 1 : ukRandomInt(random, -1, i - 1);
        addJoint(c, random, i, parent, ukRandomInt(random, 0, 5) ? usual : ukRandomInt(random, 1, 6));
    }
    c->o.p.softness = NULL;
}

/* r = A M^-1 B' l, dense */
static void dense(const ukProblem *rows, const ukProblem *columns, const double *l, double *r)
{
    double f[6 * ukOracleBodies] = {0}, x[6 * ukOracleBodies];
    ukProblemApplyTransposed(columns, l, f);
    for (int i = 0; i < rows->bodies; i++) {
        double M[9];
        int pivots[3];
        memcpy(M, rows->inertia + 9 * i, sizeof M);
        memcpy(x + 6 * i, f + 6 * i, 6 * sizeof *x);
        for (int k = 0; k < 3; k++) x[6 * i + k] /= rows->mass[i];
        CHECK(LAPACKE_dgesv(LAPACK_ROW_MAJOR, 3, 1, M, 3, pivots, x + 6 * i + 3, 1) == 0);
    }
    ukProblemApply(rows, x, r);
}

/* Rows and columns that differ by `part` of their size, and a mass matrix that is not symmetric. */
static void between(ukKkt *kkt, double part)
{
    static Case c;
    double worst = 0;
    int solved = 0, loose = 0; /* rows that are dependent but for little */
    for (int k = 0; k < 1000; k++) {
        ukRandom random = {.state = 300000 + (unsigned)k};
        double more[12 * R], M[9 * ukOracleBodies], T[9 * ukOracleBodies], l[R], wanted[R], r[R];
        ukKktMixedFactor factor;
        makeTree(&c, &random);
        ukProblem rows = c.o.p, columns = c.o.p;
        ukRandomVector(&random, part, more, (int)c.o.used);
        for (size_t e = 0; e < c.o.used; e++) more[e] += c.o.A[e];
        columns.A = more;
        for (int i = 0; i < 9 * rows.bodies; i++) {
            const int other = i - i % 9 + 3 * (i % 3) + i % 9 / 3;
            const double odd = part * (i < other ? 1 : i > other ? -1 : 0);
            M[i] = c.o.inertia[i] + odd * sqrt(c.o.inertia[i - i % 9] * c.o.inertia[i - i % 9 + 8]);
            T[other] = M[i];
        }
        rows.inertia = M, columns.inertia = T;
        ukRandomVector(&random, 1, wanted, rows.rows);
        CHECK(ukKktPlan(kkt, &rows, NULL) == ukOk);
        if (ukKktFactorizeMixed(kkt, &rows, &columns, &factor) != ukOk) continue;
        ukKktSolveMixed(&factor, wanted, l);
        dense(&rows, &columns, l, r);
        double size = 1, off = 0; /* of what sums up to r */
        for (int q = 0; q < rows.blocks; q++)
            for (int i = rows.block[q].row; i < rows.block[q].row + rows.block[q].rows; i++)
                size = fmax(size, fabs(l[i]) * ukProblemCompliance(&rows, &rows.block[q], i));
        for (int i = 0; i < rows.rows; i++) off = fmax(off, fabs(r[i] - wanted[i]));
        worst = fmax(worst, off / size);
        loose += off > 1e-12 * size;
        solved++;
    }
    if (!CHECK(solved > (part > 0 ? 500 : 999) && loose < 10 && worst < 1e-8))
        printf("%g: %d solved, %d loosely, off by %g\n", part, solved, loose, worst);
}

/* Columns that are the rows' opposites: told. */
static void opposite(ukKkt *kkt)
{
    static Case c;
    for (int k = 0; k < 100; k++) {
        ukRandom random = {.state = 400000 + (unsigned)k};
        double minus[12 * R];
        ukKktMixedFactor factor;
        makeTree(&c, &random);
        ukProblem columns = c.o.p;
        for (size_t e = 0; e < c.o.used; e++) minus[e] = -c.o.A[e];
        columns.A = minus;
        CHECK(ukKktPlan(kkt, &c.o.p, NULL) == ukOk);
        CHECK(ukKktFactorizeMixed(kkt, &c.o.p, &columns, &factor) == ukErrorSingular);
    }
}

int main(void)
{
    ukKkt *kkt = ukKktCreate();
    between(kkt, 0);
    between(kkt, 0.1);
    opposite(kkt);
    oneSolve(kkt);
    inFrames(kkt);
    nothingFollows(kkt);
    singular(kkt);
    printf("worst: miss %.2g once (by stiffness), %.2g in frames, error %.2g of what the miss allows\n", worst_once,
           worst_in_frames, worst_error);
    ukKktDestroy(kkt);
    return ukTestEnd();
}
