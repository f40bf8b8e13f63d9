/* SPDX-License-Identifier: BSD-3-Clause */
/* The working solver against a singular value decomposition of B = A M^-1/2 written here, on random graphs. */
#include "solvers/equality/equality.h"
#include "solvers/kkt/kkt.h"

#include "solvers/base/status.h"
#include "tests/check.h"

#include <lapacke.h>
#undef I /* of <complex.h> */

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { MaxBodies = 64, MaxBlocks = 120, MaxRows = 400 };

/* ---- random numbers with a fixed seed ---- */

static unsigned long long seed;

static double uniform(double lo, double hi)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static int below(int n)
{
    return (int)uniform(0, n);
}

/* ---- a problem with memory of its own ---- */

typedef struct World {
    ukProblem p;
    ukBlock block[MaxBlocks];
    int body[4 * MaxBlocks], slots;
    double mass[MaxBodies], inertia[9 * MaxBodies], inverse[9 * MaxBodies], Q[6 * MaxBodies], C[6 * MaxBodies];
    double A[24 * MaxRows], b[MaxRows], softness[MaxRows];
    size_t size;
} World;

static void invert3(const double *S, double *R)
{
    const double c0 = S[4] * S[8] - S[5] * S[7], c1 = S[5] * S[6] - S[3] * S[8], c2 = S[3] * S[7] - S[4] * S[6];
    const double d = S[0] * c0 + S[1] * c1 + S[2] * c2;
    R[0] = c0 / d, R[3] = c1 / d, R[6] = c2 / d;
    R[1] = (S[2] * S[7] - S[1] * S[8]) / d, R[4] = (S[0] * S[8] - S[2] * S[6]) / d;
    R[7] = (S[1] * S[6] - S[0] * S[7]) / d;
    R[2] = (S[1] * S[5] - S[2] * S[4]) / d, R[5] = (S[2] * S[3] - S[0] * S[5]) / d;
    R[8] = (S[0] * S[4] - S[1] * S[3]) / d;
}

static void begin(World *w, int bodies, double spread)
{
    memset(&w->p, 0, sizeof w->p);
    w->slots = 0;
    w->size = 0;
    w->p = (ukProblem){.bodies = bodies,
                       .mass = w->mass,
                       .inertia = w->inertia,
                       .inverse_inertia = w->inverse,
                       .Q = w->Q,
                       .C = w->C,
                       .block = w->block,
                       .body = w->body,
                       .A = w->A,
                       .b = w->b,
                       .softness = w->softness};
    for (int i = 0; i < bodies; i++) {
        double G[9], *I = w->inertia + 9 * i;
        w->mass[i] = pow(10, uniform(-spread, spread));
        for (int k = 0; k < 9; k++) G[k] = uniform(-0.5, 0.5) + (k % 4 == 0);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                I[3 * r + c] = 0;
                for (int k = 0; k < 3; k++) I[3 * r + c] += 0.3 * w->mass[i] * G[3 * r + k] * G[3 * c + k];
            }
        invert3(I, w->inverse + 9 * i);
        for (int c = 0; c < 6; c++) w->Q[6 * i + c] = w->mass[i] * uniform(-10, 10), w->C[6 * i + c] = 0;
    }
}

/* a block of `rows` random rows on `count` bodies (-1: cannot move) */
static double *block(World *w, int rows, int count, const int *bodies)
{
    ukBlock *b = w->block + w->p.blocks++;
    *b = (ukBlock){.row = w->p.rows, .rows = rows, .slot = w->slots, .slots = count, .A = w->size};
    for (int c = 0; c < count; c++) w->body[w->slots++] = bodies[c];
    for (int r = 0; r < rows; r++) w->b[b->row + r] = uniform(-1, 1), w->softness[b->row + r] = 0;
    for (int k = 0; k < rows * 6 * count; k++) w->A[w->size + (size_t)k] = uniform(-1, 1);
    w->size += (size_t)(rows * 6 * count);
    w->p.rows += rows;
    return w->A + b->A;
}

/* a joint as ODE makes them, on bodies i and j (-1: the world): rows u, r x u of anchors and axes */
static void joint(World *w, int kind, int i, int j)
{
    const int rows = kind == 0 ? 3 : kind == 1 ? 5 : kind == 2 ? 6 : kind == 3 ? 4 : 1;
    double *A = block(w, rows, 2, (int[]){i, j});
    double ra[3], rb[3];
    for (int c = 0; c < 3; c++) ra[c] = uniform(-0.5, 0.5), rb[c] = uniform(-0.5, 0.5);
    memset(A, 0, (size_t)(12 * rows) * sizeof *A);
    for (int r = 0; r < rows && r < 3; r++) {
        const int y = (r + 1) % 3, z = (r + 2) % 3; /* r x e_r has components z: -r_y, y: r_z */
        A[12 * r + r] = 1, A[12 * r + 6 + r] = -1;
        A[12 * r + 3 + y] = ra[z], A[12 * r + 3 + z] = -ra[y];
        A[12 * r + 9 + y] = -rb[z], A[12 * r + 9 + z] = rb[y];
    }
    for (int r = 3; r < rows; r++)
        for (int c = 0; c < 3; c++) A[12 * r + 3 + c] = uniform(-1, 1), A[12 * r + 9 + c] = -A[12 * r + 3 + c];
}

/* body i on one of the bodies before it, or on the world */
static void attach(World *w, int i)
{
    const int kind = below(4), free_end = i == 0 || below(8) == 0;
    joint(w, kind, i, free_end ? -1 : below(i));
}

/* ---- the oracle ---- */

typedef struct Answer {
    double qdd[6 * MaxBodies], lambda[MaxRows];
    int rank;
    double smallest, gap; /* of unit rows: smallest singular value kept, of the largest; largest dropped */
} Answer;

/* A M^-1/2 to the rows of B, for inverse inertias L L' */
static void scaledRows(const ukProblem *p, const double *L, double *B, int columns)
{
    for (int k = 0; k < p->blocks; k++)
        for (int q = 0; q < p->block[k].rows; q++)
            for (int c = 0; c < p->block[k].slots; c++) {
                const int i = p->body[p->block[k].slot + c], row = p->block[k].row + q;
                const double *J = p->A + p->block[k].A + (size_t)(q * 6 * p->block[k].slots + 6 * c);
                if (i < 0) continue;
                for (int d = 0; d < 3; d++) {
                    B[row * columns + 6 * i + d] = J[d] / sqrt(p->mass[i]);
                    for (int e = d; e < 3; e++) B[row * columns + 6 * i + 3 + d] += J[3 + e] * L[9 * i + 3 * e + d];
                }
            }
}

/* Udwadia's M-inverse through B = A M^-1/2 of unit rows, by SVD; softness as rows on masses of their own; rows not
 * active left out */
static void oracle(const ukProblem *p, const unsigned char *active, double tolerance, Answer *out)
{
    const int n = 6 * p->bodies, m = p->rows, columns = n + m, least = m < columns ? m : columns;
    double *B = calloc((size_t)(m * columns + 1), sizeof *B), *U = malloc((size_t)(m * m + 1) * sizeof *U);
    double *Vt = malloc((size_t)(least * columns + 1) * sizeof *Vt), *s = malloc((size_t)(m + 1) * sizeof *s);
    double *work = malloc((size_t)(m + 1) * sizeof *work), *L = calloc((size_t)(9 * p->bodies + 1), sizeof *L);
    double a[6 * MaxBodies], r[MaxRows], f[6 * MaxBodies], size[MaxRows];
    for (int i = 0; i < n; i++) f[i] = p->Q[i] + (p->C ? p->C[i] : 0);
    ukProblemAccelerate(p, f, a);
    ukProblemApply(p, a, r);
    for (int i = 0; i < p->bodies; i++) { /* inverse inertia = L L' */
        memcpy(L + 9 * i, p->inverse_inertia + 9 * i, 9 * sizeof *L);
        LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', 3, L + 9 * i, 3);
    }
    scaledRows(p, L, B, columns);
    for (int i = 0; i < m; i++) {
        B[i * columns + n + i] = p->softness ? sqrt(p->softness[i]) : 0;
        r[i] = p->b[i] - r[i];
        if (active && !active[i]) {
            memset(B + i * columns, 0, (size_t)columns * sizeof *B);
            r[i] = 0;
        }
    }
    for (int i = 0; i < m; i++) {
        double square = 0;
        for (int c = 0; c < columns; c++) square += B[i * columns + c] * B[i * columns + c];
        size[i] = square > 0 ? sqrt(square) : 1;
        for (int c = 0; c < columns; c++) B[i * columns + c] /= size[i];
        r[i] /= size[i];
    }
    if (m > 0) LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'S', m, columns, B, columns, s, U, m, Vt, columns, work);
    memset(out, 0, sizeof *out);
    out->smallest = 1;
    for (int k = 0; k < least; k++) {
        if (!(s[k] > tolerance)) {
            out->gap = fmax(out->gap, s[k]);
            continue;
        }
        double z = 0;
        for (int i = 0; i < m; i++) z += U[i * m + k] * r[i];
        for (int i = 0; i < m; i++) out->lambda[i] += U[i * m + k] * z / (s[k] * s[k]);
        for (int i = 0; i < p->bodies; i++)
            for (int d = 0; d < 3; d++) {
                out->qdd[6 * i + d] += Vt[k * columns + 6 * i + d] * z / s[k] / sqrt(p->mass[i]);
                for (int e = 0; e <= d; e++)
                    out->qdd[6 * i + 3 + d] += L[9 * i + 3 * d + e] * Vt[k * columns + 6 * i + 3 + e] * z / s[k];
            }
        out->rank++;
        out->smallest = s[k] / s[0];
    }
    for (int i = 0; i < n; i++) out->qdd[i] += a[i];
    for (int i = 0; i < m; i++) out->lambda[i] /= size[i];
    free(B), free(U), free(Vt), free(s), free(work), free(L);
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static double apart(const double *x, const double *y, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i] - y[i]) <= most)) most = fabs(x[i] - y[i]);
    return most;
}

/* ---- the promise: the oracle's answer ---- */

static double worst_qdd, worst_lambda;

static void compare(ukEquality *equality, const World *w, double tolerance, const char *what, int number)
{
    static Answer expected;
    static double qdd[6 * MaxBodies], lambda[MaxRows];
    ukSolution s = {.qdd = qdd, .lambda = lambda};
    const int n = 6 * w->p.bodies, m = w->p.rows;
    oracle(&w->p, NULL, tolerance > 0 ? tolerance : 1e-11, &expected);
    if (!CHECK(ukEqualitySolve(equality, &w->p, tolerance, &s) == ukOk)) return;
    const double q = apart(qdd, expected.qdd, n) / largest(expected.qdd, n);
    const double l = m == 0 ? 0 : apart(lambda, expected.lambda, m) / fmax(largest(expected.lambda, m), 1e-300);
    /* eps/sigma^2 is what K = B B' leaves undetermined, and B B' is what the promise is about */
    const double lost = fmin(1, expected.smallest / 5e-4), allowed = 1e-9 / (lost * lost);
    worst_qdd = fmax(worst_qdd, q * 1e-9 / allowed), worst_lambda = fmax(worst_lambda, l * 1e-9 / allowed);
    const bool near = CHECK(q <= allowed), also = CHECK(l <= allowed), same = CHECK(s.rank == expected.rank);
    if (!near || !also || !same)
        printf(
            "  %s %d: %d bodies, %d blocks, %d rows, rank %d (expected %d), qdd %.2g lambda %.2g, smallest kept %.2g, "
            "largest dropped %.2g\n",
            what, number, w->p.bodies, w->p.blocks, m, s.rank, expected.rank, q, l, expected.smallest, expected.gap);
}

static void treesAndLoops(ukEquality *equality)
{
    static World w;
    for (int k = 0; k < 600; k++) {
        seed = 1000 + (unsigned)k;
        const int bodies = 1 + below(12);
        begin(&w, bodies, 1);
        for (int i = 0; i < bodies; i++)
            if (i > 0 || below(2)) attach(&w, i);
        for (int extra = k % 3 == 0 ? 0 : below(4); extra > 0; extra--) { /* loops */
            const int i = below(bodies), j = below(bodies + 1) - 1;
            const int kind = below(2) ? 4 : 0;
            if (i != j) joint(&w, kind, i, j);
        }
        compare(equality, &w, 0, "tree or loop", k);
    }
}

/* rows of any kind, as user constraints have them: 1 to 4 bodies, some that cannot move, 1 to 8 rows */
static void anyBlock(World *w, int most)
{
    int slots[4], count = 1 + below(w->p.bodies < 4 ? w->p.bodies : 4), n = 0;
    while (n < count) {
        const int i = below(8) ? below(w->p.bodies) : -1;
        bool there = false;
        for (int c = 0; c < n; c++) there = there || (i >= 0 && slots[c] == i);
        if (!there) slots[n++] = i;
    }
    block(w, 1 + below(most), count, slots);
}

static void anyRows(ukEquality *equality)
{
    static World w;
    for (int k = 0; k < 400; k++) {
        seed = 20000 + (unsigned)k;
        begin(&w, 2 + below(10), k % 2 ? 1 : 3);
        while (w.p.rows < 4 * w.p.bodies && w.p.blocks < MaxBlocks) anyBlock(&w, k % 4 ? 3 : 8);
        compare(equality, &w, 0, "any rows", k);
    }
}

/* a block on the bodies of an earlier one, whose rows are combinations of that one's; b agrees or not */
static void dependent(World *w, int from, double difference, bool consistent)
{
    const ukBlock b = w->block[from];
    int slots[4];
    for (int c = 0; c < b.slots; c++) slots[c] = w->body[b.slot + c];
    const int rows = 1 + below(3), width = 6 * b.slots;
    double *A = block(w, rows, b.slots, slots);
    for (int r = 0; r < rows; r++) {
        double *row = A + r * width, *right = w->b + w->p.rows - rows + r;
        for (int c = 0; c < width; c++) row[c] = difference * uniform(-1, 1);
        if (consistent) *right = 0;
        for (int q = 0; q < b.rows; q++) {
            const double t = below(4) ? uniform(-1, 1) : 0;
            for (int c = 0; c < width; c++) row[c] += t * w->A[b.A + (size_t)(q * width + c)];
            if (consistent) *right += t * w->b[b.row + q];
        }
    }
}

static void dependentRows(ukEquality *equality)
{
    static World w;
    for (int k = 0; k < 600; k++) {
        seed = 30000 + (unsigned)k;
        const int bodies = 2 + below(10);
        begin(&w, bodies, 1);
        for (int i = 0; i < bodies; i++) attach(&w, i);
        if (k % 2) joint(&w, 0, 0, bodies - 1);
        if (k % 3 == 0) { /* rows without coefficients, and a block on nothing that can move */
            memset(block(&w, 2, 1, (int[]){below(bodies)}), 0, 12 * sizeof(double));
            block(&w, 2, 2, (int[]){-1, -1});
        }
        for (int extra = 1 + below(3); extra > 0; extra--) dependent(&w, below(bodies), k % 4 == 3 ? 1e-11 : 0, k % 2);
        compare(equality, &w, k % 4 == 3 ? 1e-7 : 0, "dependent", k);
    }
}

/* n x n bodies in one plane on ball joints: more dependent rows than are looked at one by one */
static void flatNets(ukEquality *equality)
{
    static World w;
    for (int k = 0; k < 20; k++) {
        seed = 35000 + (unsigned)k;
        const int side = 4 + k % 5;
        begin(&w, side * side, 0.3);
        for (int i = 0; i < side * side; i++)
            for (int way = 0; way < 2; way++) {
                const int j = way ? i + side : i + 1;
                if (way ? j >= side * side : j % side == 0) continue;
                double *A = block(&w, 3, 2, (int[]){i, j});
                memset(A, 0, 36 * sizeof *A);
                for (int r = 0; r < 3; r++) A[12 * r + r] = 1, A[12 * r + 6 + r] = -1;
                const int across = way ? 0 : 1; /* lever 0.5 along on i, -0.5 on j: r x u */
                A[12 * across + 5] = A[12 * across + 11] = way ? -0.5 : 0.5;
                A[12 * 2 + 3 + across] = A[12 * 2 + 9 + across] = way ? 0.5 : -0.5;
            }
        joint(&w, 0, 0, -1);
        for (int i = 0; i < w.p.rows && k % 2; i++) w.b[i] = 0;
        compare(equality, &w, 0, "flat net", k);
    }
}

static void softRows(ukEquality *equality)
{
    static const double softness[4] = {0, 1e-6, 1e-2, 1};
    static World w;
    for (int k = 0; k < 300; k++) {
        seed = 40000 + (unsigned)k;
        const int bodies = 2 + below(10);
        begin(&w, bodies, 1);
        for (int i = 0; i < bodies; i++) attach(&w, i);
        for (int extra = below(4); extra > 0; extra--) dependent(&w, below(bodies), 0, false);
        for (int i = 0; i < w.p.rows; i++) w.softness[i] = softness[k % 3 ? below(4) : 1 + below(3)];
        compare(equality, &w, 0, "soft", k);
    }
}

/* Two corrections, which restore the digits that soft blocks lose. */
static void solveRefined(const ukKktFactor *factor, const double *f, const double *b, double *x, double *l)
{
    const ukProblem *p = factor->p;
    const int n = 6 * p->bodies;
    double left[6 * MaxBodies], r[MaxRows], dx[6 * MaxBodies], dl[MaxRows];
    ukKktSolve(factor, f, b, x, l);
    for (int k = 0; k < 2; k++) {
        ukProblemInertia(p, x, dx);
        memset(left, 0, sizeof left);
        ukProblemApplyTransposed(p, l, left);
        for (int i = 0; i < n; i++) left[i] += f[i] - dx[i];
        ukProblemApply(p, x, r);
        for (int i = 0; i < p->rows; i++) r[i] = b[i] - r[i] - (factor->softness ? factor->softness[i] * l[i] : 0);
        ukKktSolve(factor, left, r, dx, dl);
        for (int i = 0; i < n; i++) x[i] += dx[i];
        for (int i = 0; i < p->rows; i++) l[i] += dl[i];
    }
}

/* Factor and solve for the active rows alone, all blocks in the common order or some of them as soft ones first. */
static void activeRows(ukKkt *kkt)
{
    static World w;
    static Answer expected;
    ukKktFactor factor;
    static double x[6 * MaxBodies], l[MaxRows];
    static unsigned char active[MaxRows], soft[MaxBlocks];
    for (int k = 0; k < 600; k++) {
        seed = 50000 + (unsigned)k;
        const int bodies = 2 + below(12), n = 6 * bodies;
        begin(&w, bodies, 1);
        for (int i = 0; i < bodies; i++) attach(&w, i);
        for (int extra = below(8); extra > 0;
             extra--) { /* several between the same bodies, as the points of a contact */
            const int i = below(bodies), j = below(bodies + 1) - 1;
            if (i != j) joint(&w, 0, i, j);
            if (i != j && below(2)) joint(&w, 0, j, i);
        }
        for (int b = 0; b < w.p.blocks; b++) soft[b] = k % 3 == 0 && (k % 2 || below(2)); /* k odd: contacts alone */
        for (int b = 0; b < w.p.blocks; b++)
            for (int r = w.block[b].row; r < w.block[b].row + w.block[b].rows; r++)
                w.softness[r] = k % 3 == 1 ? 1e-3 : pow(10, uniform(-6, 0));
        for (int i = 0; i < w.p.rows; i++) active[i] = below(3) > 0;
        oracle(&w.p, active, 1e-14, &expected);
        CHECK(ukKktPlan(kkt, &w.p, soft) == ukOk);
        CHECK(ukKktFactorize(kkt, &w.p, active, k % 2 ? w.softness : NULL, &factor) == ukOk);
        solveRefined(&factor, w.Q, w.b, x, l);
        /* eps/sigma^2 is what the data themselves leave undetermined */
        const double lost = fmin(1, expected.smallest / 5e-4), allowed = 1e-9 / (lost * lost);
        CHECK_NEAR(apart(x, expected.qdd, n) / largest(expected.qdd, n), 0, allowed);
        if (w.p.rows > 0)
            CHECK_NEAR(apart(l, expected.lambda, w.p.rows), 0, allowed * largest(expected.lambda, w.p.rows));
        for (int i = 0; i < w.p.rows; i++)
            if (!active[i]) CHECK(l[i] == 0);

        static double f[6 * MaxBodies], y[6 * MaxBodies], again[MaxRows]; /* no forces */
        ukKktSolve(&factor, NULL, w.b, x, l);
        ukKktSolve(&factor, f, w.b, y, again);
        CHECK(memcmp(x, y, (size_t)n * sizeof *x) == 0 && memcmp(l, again, (size_t)w.p.rows * sizeof *l) == 0);
    }
}

int main(void)
{
    ukEquality *equality = ukEqualityCreate();
    treesAndLoops(equality);
    anyRows(equality);
    dependentRows(equality);
    flatNets(equality);
    softRows(equality);
    activeRows(ukEqualityKkt(equality));
    printf("worst: qdd %.2g, lambda %.2g\n", worst_qdd, worst_lambda);
    ukEqualityDestroy(equality);
    return ukTestEnd();
}
