/* Complementary pivoting: it always comes to an end, and what it ends at meets the conditions, one by one. */
#include "bounded_oracle.h"
#include "solvers/bounded/lemke.h"
#include "solvers/base/status.h"
#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct Solver {
    ukLemke lemke;
    ukSparse *sparse;
    ukBounded B;
    void *memory;
} Solver;

static void pose(Solver *s, const ukProblem *p, bool cones)
{
    for (int pass = 0; pass < 2; pass++) {
        ukArena arena = ukArenaOver(pass == 0 ? NULL : s->memory, pass == 0 ? 0 : (size_t)1 << 30);
        s->B = (ukBounded){.sparse = s->sparse, .elliptic = cones};
        ukBoundedCarve(&s->B, p, ukBoundedPairs(p), &arena);
        if (pass == 1) break;
        free(s->memory);
        s->memory = aligned_alloc(64, (arena.used + 63) / 64 * 64);
    }
    ukBoundedSet(&s->B, p, 1e-9);
}

/* natural residual; pivots added up */
static double solve(Solver *s, const ukProblem *p, bool coupled, double *lambda, long *pivots)
{
    int count;
    pose(s, p, false);
    CHECK(ukLemkeSolve(&s->lemke, &s->B, coupled, lambda, &count) == ukOk);
    *pivots += count;
    return ukBoundedResidual(&s->B, lambda);
}

static void widen(ukOracleProblem *o, ukRandom *random)
{
    for (int i = 0; i < o->p.rows; i++)
        if (o->normal[i] >= 0) o->hi[i] *= ukRandomDecade(random, -1, 2), o->lo[i] = -o->hi[i];
}

/* Friction coefficients from 0.01 to 100: with softness there is a solution, whatever they are. */
static void coupledFriction(Solver *s)
{
    ukRandom random = {11};
    static ukOracleProblem o;
    long pivots = 0, rows = 0;
    for (int k = 0; k < 3000; k++) {
        double lambda[ukOracleRows] = {0};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 6));
        ukOracleFill(&o, &random, ukRandomInt(&random, 6, 60), 1e-6, 1, true);
        widen(&o, &random);
        ukOracleDense(&o);
        CHECK(solve(s, &o.p, true, lambda, &pivots) <= 1e-10);
        CHECK(ukOracleViolation(&o, s->B.x, lambda, s->B.lo, s->B.hi, false) <= 1e-9);
        for (int i = 0; i < o.p.rows; i++)
            if (o.normal[i] >= 0) CHECK_NEAR(s->B.hi[i], o.hi[i] * lambda[o.normal[i]], 1e-12 * (1 + s->B.hi[i]));
        rows += o.p.rows;
    }
    printf("coupled friction: %.2f pivots a row\n", (double)pivots / (double)rows);
}

/* Normal forces that have an upper bound too, and reach it: friction follows them there. A limit is no cone: there need
 * not be a solution. */
static void limitedNormals(Solver *s)
{
    ukRandom random = {55};
    static ukOracleProblem o;
    long pivots = 0, solved = 0, at_limit = 0;
    for (int k = 0; k < 300; k++) {
        double lambda[ukOracleRows] = {0};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, 6, 30), 1e-4, 1, true);
        for (int i = 0; i < o.p.rows; i++)
            if (o.normal[i] >= 0) o.hi[o.normal[i]] = ukRandomDecade(&random, -1, 1);
        ukOracleDense(&o);
        if (solve(s, &o.p, true, lambda, &pivots) > 1e-10) continue;
        solved++;
        CHECK(ukOracleViolation(&o, s->B.x, lambda, s->B.lo, s->B.hi, false) <= 1e-9);
        for (int i = 0; i < o.p.rows; i++)
            at_limit += o.normal[i] >= 0 && lambda[o.normal[i]] >= o.hi[o.normal[i]] && fabs(lambda[i]) >= s->B.hi[i];
    }
    printf("limited normal forces: %ld of 300 solved, %ld rows slide under a load at its limit\n", solved, at_limit);
    CHECK(solved >= 270 && at_limit > 100);
}

/* Constant bounds: the solution is unique, and Gauss-Seidel comes to the same. */
static void constantBounds(Solver *s)
{
    ukRandom random = {22};
    static ukOracleProblem o;
    long pivots = 0;
    for (int k = 0; k < 1000; k++) {
        double lambda[ukOracleRows] = {0}, swept[ukOracleRows] = {0};
        ukOracleBegin(&o, &random, ukRandomInt(&random, 1, 4));
        ukOracleFill(&o, &random, ukRandomInt(&random, 6, 24), 1e-2, 1, false);
        ukOracleDense(&o);
        CHECK(solve(s, &o.p, false, lambda, &pivots) <= 1e-11);
        CHECK(ukOracleSweep(&o, o.lo, o.hi, false, swept) < 1e-13);
        for (int i = 0; i < o.p.rows; i++) CHECK_NEAR(lambda[i], swept[i], 1e-9 * (1 + fabs(swept[i])));
    }
}

/* Contacts two to four times over, rigid: forces split in many ways, K without an inverse. */
static void redundantContacts(Solver *s)
{
    ukRandom random = {33};
    static ukOracleProblem o;
    long pivots = 0;
    for (int k = 0; k < 1000; k++) {
        double lambda[ukOracleRows] = {0};
        const int bodies = ukRandomInt(&random, 1, 4);
        ukOracleBegin(&o, &random, bodies);
        for (int c = ukRandomInt(&random, 1, 2 * bodies); c > 0; c--) {
            const int on = ukRandomInt(&random, 0, bodies - 1), copies = ukRandomInt(&random, 2, 4);
            const double want = ukRandomUniform(&random, -10, 10), mu = ukRandomDecade(&random, -1, 1);
            double n[12], t[12], u[12];
            ukRandomVector(&random, 1, n, 12), ukRandomVector(&random, 1, t, 12), ukRandomVector(&random, 1, u, 12);
            for (int i = 0; i < copies && o.p.blocks < ukOracleBlocks; i++) {
                ukOracleBlock(&o, on, bodies > 1 ? (on + 1) % bodies : -1);
                const int row = ukOracleRow(&o, n, want, 0, 0, INFINITY, -1);
                ukOracleRow(&o, t, 0, 0, -mu, mu, row), ukOracleRow(&o, u, 0, 0, -mu, mu, row);
            }
        }
        ukOracleDense(&o);
        /* rows of several contacts may contradict each other: then there need not be a solution */
        int count;
        pose(s, &o.p, false);
        const int status = ukLemkeSolve(&s->lemke, &s->B, true, lambda, &count);
        const bool solved = status == ukOk && ukBoundedResidual(&s->B, lambda) <= 1e-9;
        pivots += solved;
        if (solved) CHECK(ukOracleViolation(&o, s->B.x, lambda, s->B.lo, s->B.hi, false) <= 1e-8);
    }
    printf("redundant rigid contacts: %ld of 1000 solved\n", pivots);
    CHECK(pivots >= 990);
}

static void refusals(Solver *s)
{
    ukRandom random = {44};
    static ukOracleProblem o;
    double lambda[ukOracleRows] = {7};
    int count;
    ukOracleBegin(&o, &random, 2);
    ukOracleFill(&o, &random, 40, 1e-3, 1, true);
    bool cone = false;
    for (int i = 0; i < o.p.rows; i++) cone = cone || o.cone[i];
    CHECK(cone);
    pose(s, &o.p, true);
    CHECK(ukLemkeSolve(&s->lemke, &s->B, false, lambda, &count) == ukErrorUnsupported);
    CHECK(lambda[0] == 7);
}

int main(void)
{
    Solver s = {.sparse = ukSparseCreate()};
    coupledFriction(&s);
    limitedNormals(&s);
    constantBounds(&s);
    redundantContacts(&s);
    refusals(&s);
    ukSparseDestroy(s.sparse);
    ukLemkeFree(&s.lemke);
    free(s.memory);
    return ukTestEnd();
}
