/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems that are large enough to be divided among threads (solvers/problem/partition.h, solvers/factor/subtrees.h):
 * solution and check are those of the undivided problem but for rounding, and do not depend on the order of the
 * tasks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/base/status.h"
#include "solvers/check/gauss_check.h"
#include "solvers/equality/equality.h"
#include "solvers/factor/subtrees.h"
#include "solvers/problem/partition.h"
#include "tests/check.h"

/* ---- problems ---------------------------------------------------------------------------------------------------- */

enum { MostBodies = 9500, MostBlocks = 10000, RowsOfBlock = 5 };

typedef struct Large {
    ukProblem p;
    ukPartition partition;
    double mass[MostBodies], inertia[9 * MostBodies], inverse[9 * MostBodies], Q[6 * MostBodies];
    ukBlock block[MostBlocks];
    int body[2 * MostBlocks];
    double A[12 * RowsOfBlock * MostBlocks], b[RowsOfBlock * MostBlocks], lambda[RowsOfBlock * MostBlocks];
    double lo[RowsOfBlock * MostBlocks], hi[RowsOfBlock * MostBlocks], qdd[6 * MostBodies];
    double work[12 * MostBodies];
} Large;

static unsigned long long seed;

static double number(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-52 - 1;
}

/* a joint of random rows between bodies i and j (-1: the world) */
static void join(Large *l, int i, int j)
{
    ukProblem *p = &l->p;
    ukBlock *b = l->block + p->blocks;
    *b = (ukBlock){p->rows, RowsOfBlock, 2 * p->blocks, 2, 12 * (size_t)p->rows};
    l->body[b->slot] = i, l->body[b->slot + 1] = j;
    for (int k = 0; k < 12 * RowsOfBlock; k++) l->A[b->A + (size_t)k] = number();
    for (int k = 0; k < RowsOfBlock; k++) l->b[b->row + k] = number();
    p->blocks++, p->rows += RowsOfBlock;
}

static Large *begin(int bodies)
{
    Large *l = calloc(1, sizeof *l);
    static unsigned char shared[MostBlocks];
    static int owner[MostBodies], sharing[MostBlocks];
    seed = 7;
    l->partition = (ukPartition){.shared = shared, .owner = owner, .sharing = sharing};
    l->p = (ukProblem){.bodies = bodies,
                       .mass = l->mass,
                       .inertia = l->inertia,
                       .inverse_inertia = l->inverse,
                       .Q = l->Q,
                       .block = l->block,
                       .body = l->body,
                       .A = l->A,
                       .b = l->b};
    for (int i = 0; i < bodies; i++) {
        l->mass[i] = 1.5 + number();
        for (int k = 0; k < 3; k++) {
            l->inertia[9 * i + 4 * k] = 1.5 + number();
            l->inverse[9 * i + 4 * k] = 1 / l->inertia[9 * i + 4 * k];
        }
        for (int k = 0; k < 6; k++) l->Q[6 * i + k] = number();
    }
    return l;
}

static Large *chainOf(int bodies)
{
    Large *l = begin(bodies);
    for (int i = 0; i < bodies; i++) join(l, i, i - 1);
    return l;
}

static Large *treeOf(int bodies)
{
    Large *l = begin(bodies);
    for (int i = 0; i < bodies; i++) join(l, i, (i + 1) / 2 - 1);
    return l;
}

/* a body without joints, a hub whose spokes come in any order, and a ladder of ten closed loops */
static Large *mixtureOf(int bodies)
{
    Large *l = begin(bodies);
    join(l, 0, -1);
    for (int i = 1; i < bodies / 2; i++) join(l, (i * 701) % (bodies / 2 - 1) + 1, 0);
    for (int i = bodies / 2; i < bodies - 1; i++) join(l, i, i > bodies / 2 ? i - 1 : -1);
    for (int i = 0; i < 10; i++) join(l, bodies / 2 + 100 * i, bodies / 2 + 100 * i + 40);
    return l;
}

/* ---- teams ------------------------------------------------------------------------------------------------------- */

static int tasks_run;

static void runBackwards(int threads, int tasks, ukTeamTask *task, void *context)
{
    (void)threads;
    for (int k = tasks - 1; k >= 0; k--) task(context, k);
    tasks_run += tasks;
}

static const ukTeam backwards = {2, runBackwards};

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static double largest(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void solve(Large *l, const ukTeam *team, bool divided)
{
    ukEquality *e = ukEqualityCreate();
    ukSolution out = {.qdd = l->qdd, .lambda = l->lambda};
    l->p.team = team;
    l->p.partition = NULL;
    if (divided) ukPartitionDivide(&l->partition, &l->p);
    CHECK((l->p.partition != NULL) == divided);
    CHECK(ukEqualitySolve(e, &l->p, 1e-10, &out) == ukOk);
    ukEqualityDestroy(e);
}

static ukResiduals check(Large *l, bool bounds)
{
    ukResiduals r;
    const ukGaussEvidence evidence = {
        .qdd = l->qdd, .lambda = l->lambda, .lo = bounds ? l->lo : NULL, .hi = bounds ? l->hi : NULL};
    ukGaussCheck(&l->p, &evidence, l->work, &r);
    return r;
}

static void compareChecks(const ukResiduals *x, const ukResiduals *y)
{
    static const double rounding = 1e-10;
    CHECK(x->feasibility == y->feasibility || fabs(x->feasibility - y->feasibility) <= 1e-15);
    CHECK(x->stationarity == y->stationarity || fabs(x->stationarity - y->stationarity) <= 1e-15);
    CHECK(x->complementarity == y->complementarity || fabs(x->complementarity - y->complementarity) <= 1e-15);
    CHECK_NEAR(x->minimum, y->minimum, rounding * fabs(y->minimum));
    CHECK_NEAR(x->gaussian, y->gaussian, rounding * fabs(y->gaussian));
    CHECK_NEAR(x->gaussian_ideal, y->gaussian_ideal, rounding * fabs(y->gaussian_ideal));
    CHECK(x->distance == y->distance || fabs(x->distance - y->distance) <= 1e-6 * y->distance + 1e-12);
    CHECK((x->missed == INFINITY) == (y->missed == INFINITY));
}

/* The check of a right and of a wrong solution, divided or not; the wrong row and body are named. */
static void testCheck(Large *l)
{
    for (int wrong = 0; wrong < 4; wrong++) {
        const int row = l->p.rows / 3, body = 2 * l->p.bodies / 3;
        double *const spoilt = wrong == 1   ? &l->qdd[6 * body + 1]
                               : wrong == 2 ? &l->lambda[row]
                                            : NULL,
                      before = spoilt ? *spoilt : 0;
        if (spoilt) *spoilt += 1e6;
        for (int i = 0; i < l->p.rows; i++) l->lo[i] = -INFINITY, l->hi[i] = INFINITY;
        if (wrong == 3) l->lo[row] = l->hi[row] = 0.5 * l->lambda[row];
        l->p.partition = NULL;
        const ukResiduals whole = check(l, wrong == 3);
        ukPartitionDivide(&l->partition, &l->p);
        const ukResiduals parts = check(l, wrong == 3);
        CHECK(ukResidualsHold(&whole, 1e-9) == (wrong == 0));
        compareChecks(&parts, &whole);
        if (wrong > 0) CHECK(parts.worst_row == whole.worst_row && parts.worst_body == whole.worst_body);
        if (spoilt) *spoilt = before;
    }
    const double before = l->qdd[6];
    l->qdd[6] = NAN;
    const ukResiduals unknown = check(l, false);
    CHECK(isnan(unknown.feasibility) && isnan(unknown.stationarity));
    l->qdd[6] = before;
}

static void testProblem(const char *name, Large *l)
{
    const size_t n = 6 * (size_t)l->p.bodies, m = (size_t)l->p.rows;
    double *x = malloc(n * sizeof *x), *lambda = malloc(m * sizeof *lambda);
    solve(l, NULL, false);
    memcpy(x, l->qdd, n * sizeof *x), memcpy(lambda, l->lambda, m * sizeof *lambda);
    solve(l, NULL, true);
    printf("%s: %d unknowns\n", name, 6 * l->p.bodies + l->p.rows);
    CHECK_NEAR_ALL(l->qdd, x, n, 1e-9 * largest(x, n));
    CHECK_NEAR_ALL(l->lambda, lambda, m, 1e-9 * largest(lambda, m));
    const ukResiduals forwards = check(l, false);
    CHECK(ukResidualsHold(&forwards, 1e-10));
    memcpy(x, l->qdd, n * sizeof *x), memcpy(lambda, l->lambda, m * sizeof *lambda);
    tasks_run = 0;
    solve(l, &backwards, true);
    CHECK(tasks_run > 5 * ukPartitionParts);
    CHECK(memcmp(l->qdd, x, n * sizeof *x) == 0 && memcmp(l->lambda, lambda, m * sizeof *lambda) == 0);
    const ukResiduals again = check(l, false);
    CHECK(memcmp(&again, &forwards, sizeof again) == 0);
    testCheck(l);
    free(x), free(lambda), free(l);
}

/* Parts consist of whole subtrees, ascending; two threads share the work of `forest` with at most `most` for one. */
static void testSubtrees(const char *name, int fronts, const int *parent, double most)
{
    int *first = malloc((size_t)fronts * sizeof *first);
    double *work = malloc(2 * (size_t)fronts * sizeof *work);
    for (int f = 0; f < fronts; f++) first[f] = f, work[f] = 1;
    for (int f = 0; f < fronts; f++)
        if (parent[f] >= 0 && first[f] < first[parent[f]]) first[parent[f]] = first[f];
    const ukSubtrees s = ukSubtreesChoose(fronts, parent, first, work, work + fronts);
    printf("%s: %d parts, %.3f of the work\n", name, s.parts, s.longest / s.all);
    CHECK(s.all == fronts && s.longest <= most * s.all && s.parts <= ukMostSubtrees);
    for (int k = 0, last = -1; k < s.parts; last = s.last[k++]) {
        CHECK(s.first[k] > last && s.last[k] >= s.first[k]);
        for (int f = s.first[k]; f <= s.last[k]; f++) CHECK(first[f] >= s.first[k]);
    }
    free(first), free(work);
}

/* a complete binary tree of 2^height - 1 fronts, in postorder from front `begin` on */
static void plantTree(int *parent, int height, int begin, int above)
{
    const int half = (1 << (height - 1)) - 1, root = begin + 2 * half;
    parent[root] = above;
    if (height == 1) return;
    plantTree(parent, height - 1, begin, root);
    plantTree(parent, height - 1, begin + half, root);
}

static void testForests(void)
{
    enum { Many = 1023 };
    int parent[Many];
    for (int f = 0; f < Many; f++) parent[f] = f + 1 < Many ? f + 1 : -1;
    testSubtrees("path", Many, parent, 1);
    for (int f = 0; f < Many; f++) parent[f] = f + 1 < Many ? Many - 1 : -1;
    testSubtrees("star", Many, parent, 0.6);
    for (int f = 0; f < Many; f++) parent[f] = -1;
    testSubtrees("roots", Many, parent, 0.6);
    for (int f = 0; f < Many; f++) parent[f] = f == Many / 2 || f == Many - 2 ? Many - 1 : f + 1 < Many ? f + 1 : -1;
    testSubtrees("two paths", Many, parent, 0.6);
    plantTree(parent, 10, 0, -1);
    testSubtrees("binary", Many, parent, 0.6);
}

int main(void)
{
    testForests();
    testProblem("chain", chainOf(9200));
    testProblem("tree", treeOf(4095));
    testProblem("mixture", mixtureOf(4500));
    return ukTestEnd();
}
