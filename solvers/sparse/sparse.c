/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/sparse/sparse.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/factor/factor.h"
#include "solvers/factor/pairs.h"
#include "solvers/factor/unsymmetric.h"
#include "solvers/problem/block.h"
#include "solvers/problem/tolerance.h"
#include "solvers/rank/pseudoinverse.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Of pivots, as fractions of the row's own K_ii. Rounding leaves 1e-16 ... 1e-13 of dependent rows. */
static const struct {
    double none; /* at or below: the row is dependent, where all that is asked is whether one is */
    double
        questioned; /* at or below: singular values of A M^-1/2 decide, where the whole answer is wanted (its square) */
    double certain; /* at or below: dependent, beside other pivots that are as small as they may be */
} pivot = {.none = 1e-11, .questioned = 1e-8, .certain = 1e-12};

/* Of what is left of the equations, and of the last correction, against the largest term there: only rounding. A row's
 * own terms are what A x is the sum of. */
static const struct {
    double residual, residual_of_terms, correction;
} rounding = {1e-14, 1e-15, 1e-13};

enum { Refinements = 4 };

struct ukSparse {
    ukSymbolic plans[2]; /* of the last two structures: ODE's spaces turn the order of contacts from step to step */
    ukSymbolic *plan;    /* the one in use */
    ukFactor factor;
    ukPairs pairs;              /* of contacts alone, instead */
    const ukSymbolic *paired;   /* the plan that they are laid out for, NULL: none */
    bool by_pairs;              /* the last factor is theirs */
    const ukProblem *following; /* the last one that follows is theirs, of this; NULL: the next one's */
    ukUnsymmetric unsymmetric;
    ukPseudoinverse pseudoinverse;
    const ukProblem *p; /* of the last factor */
    const double *softness;
    unsigned char *active; /* (rows) copy, or NULL when all are */
    unsigned char *active_memory;
    double *y;                 /* (unknowns) by position */
    double *f, *g, *x, *r, *l; /* (6 bodies) x 3, (rows) x 2: the whole solve's */
    bool clear;  /* the factor is that of a motion, and all of its pivots stand or have vanished for certain */
    bool motion; /* rows whose pivot vanished are left out, not looked at */
    size_t capacity[2];
};

ukSparse *ukSparseCreate(void)
{
    ukSparse *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->plans[0].bodies = s->plans[1].bodies = -1;
    s->plan = s->plans;
    return s;
}

void ukSparseDestroy(ukSparse *s)
{
    if (!s) return;
    ukSymbolicFree(s->plans);
    ukSymbolicFree(s->plans + 1);
    ukFactorFree(&s->factor);
    ukPairsFree(&s->pairs);
    ukUnsymmetricFree(&s->unsymmetric);
    ukPseudoinverseFree(&s->pseudoinverse);
    free(s->active_memory);
    free(s->y);
    free(s);
}

/* memory for the plan just made, with `status` */
static int reserve(ukSparse *s, const ukProblem *p, int status)
{
    if (status != ukOk) return status;
    const size_t n = 6 * (size_t)p->bodies + 2, m = (size_t)p->rows + 2;
    const bool grown =
        ukGrow(&s->active_memory, s->capacity, m) && ukGrow(&s->y, s->capacity + 1, 4 * (n + m) * sizeof *s->y);
    status = grown ? ukFactorReserve(&s->factor, s->plan) : ukErrorMemory;
    if (status != ukOk) {
        s->plan->bodies = -1;
        return status;
    }
    s->f = s->y + n + m, s->g = s->f + n, s->x = s->g + n, s->r = s->x + n, s->l = s->r + m;
    return ukOk;
}

int ukSparsePlanSoft(ukSparse *s, const ukProblem *p, const unsigned char *soft)
{
    const bool again = ukSymbolicFits(s->plan, p, soft);
    if (!again) s->plan = s->plans + (s->plan == s->plans);
    const int status = reserve(s, p, ukSymbolicPlan(s->plan, p, soft));
    if (status != ukOk || (again && s->paired == s->plan)) return status;
    s->paired = s->plan;
    const int laid_out = ukPairsPlan(&s->pairs, s->plan);
    if (laid_out != ukOk) s->plan->bodies = -1;
    return laid_out;
}

int ukSparsePlan(ukSparse *s, const ukProblem *p)
{
    return ukSparsePlanSoft(s, p, NULL);
}

static ukSymbolic *planOf(ukSparse *s, int which)
{
    return which == 0 ? s->plan : s->plans + (s->plan == s->plans);
}

const ukSymbolic *ukSparsePlanOf(const ukSparse *s, int which)
{
    return planOf((ukSparse *)s, which);
}

int ukSparseRenewPlan(ukSparse *s, int which, const ukProblem *structure, const unsigned char *wish)
{
    s->paired = NULL;
    return ukSymbolicRenew(planOf(s, which), structure, wish);
}

/* Rows whose pivot vanished although one of their bodies was still to come may be independent all the same: they are
 * put after that body, and factored once more. The plan keeps that, so it happens once. */
static int delay(ukSparse *s, const ukProblem *p, bool all)
{
    int count = 0;
    for (int f = 0, k = 0; f < s->plan->fronts; f++)
        for (; k < s->factor.shifts && s->factor.shifted[k] < s->plan->front[f].at + s->plan->front[f].p; k++)
            if (s->plan->front[f].doubtful) s->factor.shifted[count++] = s->plan->row[s->factor.shifted[k]];
    return reserve(s, p, ukSymbolicDelay(s->plan, p, s->factor.shifted, all ? -1 : count));
}

/* what the next factor is of */
static void take(ukSparse *s, const ukProblem *p, const unsigned char *active, const double *softness)
{
    s->p = p;
    s->softness = softness;
    s->active = NULL;
    s->by_pairs = s->clear = false;
    if (active && p->rows > 0) s->active = memcpy(s->active_memory, active, (size_t)p->rows);
}

static int factorFor(ukSparse *s, const ukProblem *p, const unsigned char *active, const double *softness, double least)
{
    take(s, p, active, softness);
    int status = ukFactorCompute(&s->factor, s->plan, p, s->active, softness, least);
    for (int pass = 0; status == ukOk && s->factor.doubtful > 0; pass++) {
        status = delay(s, p, pass == 2);
        if (status == ukOk) status = ukFactorCompute(&s->factor, s->plan, p, s->active, softness, least);
    }
    return status;
}

static bool isPaired(const ukSparse *s)
{
    return s->paired == s->plan && s->pairs.suits;
}

int ukSparseFactor(ukSparse *s, const ukProblem *p, const unsigned char *active, const double *softness)
{
    if (isPaired(s)) {
        take(s, p, active, softness ? softness : p->softness);
        s->factor.shifts = 0;
        s->by_pairs = true;
        return ukPairsFactor(&s->pairs, p, s->active, s->softness, NULL);
    }
    const int status = factorFor(s, p, active, softness ? softness : p->softness, pivot.none);
    return status != ukOk ? status : s->factor.shifts > 0 ? ukErrorSingular : ukOk;
}

/* the components (trees of fronts) one after the other, last first; false after the first one. `shifts` of its pivots. */
typedef struct Walk {
    int first, last, shifts, left;
} Walk;

static bool nextComponent(const ukSparse *s, Walk *walk)
{
    walk->last = walk->first - 1;
    if (walk->last < 0) return false;
    walk->first = s->plan->front[walk->last].first;
    walk->shifts = walk->left;
    while (walk->left > 0 && s->factor.shifted[walk->left - 1] >= s->plan->front[walk->first].at) walk->left--;
    walk->shifts -= walk->left;
    return true;
}

static Walk components(const ukSparse *s)
{
    return (Walk){.first = s->plan->fronts, .left = s->factor.shifts};
}

static double larger(double x, double y)
{
    return x >= fabs(y) || isnan(x) ? x : fabs(y); /* NaN stays */
}

/* the same where NaN shows elsewhere, too */
static double wider(double x, double y)
{
    return fabs(y) > x ? fabs(y) : x;
}

/* g (bodies x 6) += A' l and y (rows) = A x, A read once */
static void applyBoth(const ukProblem *p, const double *x, const double *l, double *g, double *y)
{
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const double *A = p->A + b->A;
        for (int r = b->row; r < b->row + b->rows; r++) {
            const ukPair force = ukBothOf(l[r]);
            ukPair sum = ukBothOf(0);
            for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
                if (p->body[s] < 0) continue;
                const double *v = x + 6 * (size_t)p->body[s];
                double *f = g + 6 * (size_t)p->body[s];
                for (int c = 0; c < 6; c += 2) {
                    const ukPair a = ukLoadPair(A + c);
                    sum += a * ukLoadPair(v + c);
                    ukStorePair(f + c, ukLoadPair(f + c) + a * force);
                }
            }
            y[r] = sum[0] + sum[1];
        }
    }
}

/* largest sum |A| |x| of a row: what A x can be told from */
static double rowScale(const ukProblem *p, const double *x)
{
    double most = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const double *A = p->A + b->A;
        for (int r = 0; r < b->rows; r++) {
            double sum = 0;
            for (int s = b->slot; s < b->slot + b->slots; s++, A += 6)
                for (int c = 0; c < 6 && p->body[s] >= 0; c++) sum += fabs(A[c] * x[6 * p->body[s] + c]);
            most = fmax(most, sum);
        }
    }
    return most;
}

/* y = what is left of M x - A' l = f, A x + S l = b (NULL: 0), 0 in components with dependent rows, or, where it is the
 * motion that counts, in those rows; *left its relative size. True when that is only rounding; `rough`: of the terms
 * that A x is the sum of. */
static bool residual(ukSparse *s, const double *f, const double *b, const double *x, const double *l, bool rough,
                     double *left)
{
    const ukProblem *p = s->p;
    const ukSymbolic *plan = s->plan;
    const size_t n = 6 * (size_t)p->bodies;
    const bool whole = s->factor.shifts == 0;
    double force = 0, forces = 0, row = 0, rows = 0;
    if (f)
        memcpy(s->g, f, n * sizeof *s->g);
    else
        memset(s->g, 0, n * sizeof *s->g);
    applyBoth(p, x, l, s->g, s->r);
    for (int i = 0; i < p->bodies; i++) {
        const double *v = x + 6 * (size_t)i, *I = p->inertia + 9 * (size_t)i, *g = s->g + 6 * (size_t)i;
        double *y = s->y + plan->body_at[i];
        for (int c = 0; c < 3; c++) {
            const double a = p->mass[i] * v[c], t = I[3 * c] * v[3] + I[3 * c + 1] * v[4] + I[3 * c + 2] * v[5];
            y[c] = g[c] - a;
            y[3 + c] = g[3 + c] - t;
            forces = wider(wider(forces, a), t);
            if (whole) force = larger(larger(force, y[c]), y[3 + c]);
        }
    }
    for (int i = 0; i < p->rows; i++) {
        const double soft = s->softness ? s->softness[i] * l[i] : 0, right = (b ? b[i] : 0) - soft;
        const bool active = !s->active || s->active[i];
        const double rest = active ? right - s->r[i] : 0;
        s->y[plan->row_at[i]] = rest;
        if (whole) row = larger(row, rest);
        if (active) rows = wider(wider(wider(rows, right), s->r[i]), soft);
    }
    for (Walk w = components(s); !whole && nextComponent(s, &w);) {
        const int from = plan->front[w.first].at, to = plan->front[w.last].at + plan->front[w.last].p;
        for (int k = 0; k < w.shifts && s->motion; k++) s->y[s->factor.shifted[w.left + k]] = 0;
        for (int k = from; k < to; k++) {
            if (w.shifts > 0 && !s->motion) s->y[k] = 0;
            if (plan->row[k] < 0)
                force = larger(force, s->y[k]);
            else
                row = larger(row, s->y[k]);
        }
    }
    *left = fmax(force / fmax(forces, DBL_MIN), row / fmax(rows, DBL_MIN));
    return force <= rounding.residual * forces &&
           (row <= rounding.residual * rows || (rough && row <= rounding.residual_of_terms * rowScale(p, x)));
}

/* y <- H^-1 y, by position, of the symmetric form: it has -l */
static void correctPairs(ukSparse *s)
{
    const ukSymbolic *plan = s->plan;
    for (int i = 0; i < plan->bodies; i++) memcpy(s->f + 6 * (size_t)i, s->y + plan->body_at[i], 6 * sizeof *s->f);
    for (int i = 0; i < plan->rows; i++) s->r[i] = s->y[plan->row_at[i]];
    ukPairsSolve(&s->pairs, s->p, s->f, s->r, s->x, s->l);
    for (int i = 0; i < plan->bodies; i++) memcpy(s->y + plan->body_at[i], s->x + 6 * (size_t)i, 6 * sizeof *s->x);
    for (int i = 0; i < plan->rows; i++) s->y[plan->row_at[i]] = -s->l[i];
}

/* x, l += H^-1 y; true when that changed l by rounding only */
static bool correct(ukSparse *s, double *x, double *l)
{
    const ukSymbolic *plan = s->plan;
    double step = 0, size = 0;
    if (s->by_pairs)
        correctPairs(s);
    else
        ukFactorSolve(&s->factor, plan, 0, plan->fronts - 1, s->y);
    for (int i = 0; i < plan->bodies; i++)
        for (int c = 0; c < 6; c++) x[6 * i + c] += s->y[plan->body_at[i] + c];
    for (int i = 0; i < plan->rows; i++) {
        const double d = s->y[plan->row_at[i]];
        l[i] -= d;
        step = larger(step, d);
        size = larger(size, l[i]);
    }
    return step <= rounding.correction * size;
}

/* Whether the lightest body is beyond `even` of the heaviest: what is rounding of the forces on one is not of those on
 * the other. */
static bool uneven(const ukProblem *p)
{
    static const double even = 1e-4;
    double least = INFINITY, most = 0;
    for (int i = 0; i < p->bodies; i++) {
        least = p->mass[i] < least ? p->mass[i] : least;
        most = p->mass[i] > most ? p->mass[i] : most;
    }
    return least < even * most;
}

/* the largest residual of a body in s->y, of the forces on that body alone */
static double leftOfBodies(const ukSparse *s, const double *f, const double *x)
{
    const ukProblem *p = s->p;
    double left = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *v = x + 6 * (size_t)i, *I = p->inertia + 9 * (size_t)i, *y = s->y + s->plan->body_at[i];
        double off[2] = {0}, size[2] = {DBL_MIN, DBL_MIN};
        for (int c = 0; c < 3; c++) {
            const double force = f ? f[6 * (size_t)i + (size_t)c] : 0,
                         torque = f ? f[6 * (size_t)i + 3 + (size_t)c] : 0;
            const double turn = I[3 * c] * v[3] + I[3 * c + 1] * v[4] + I[3 * c + 2] * v[5];
            off[0] = larger(off[0], y[c]), off[1] = larger(off[1], y[3 + c]);
            size[0] = wider(wider(size[0], force), p->mass[i] * v[c]), size[1] = wider(wider(size[1], torque), turn);
        }
        left = fmax(left, fmax(off[0] / size[0], off[1] / size[1]));
    }
    return left;
}

/* Further H-corrections while they bring the residuals of single bodies down. */
static void refineBodies(ukSparse *s, const double *f, const double *b, double *x, double *l)
{
    static const double enough = 1e-15, slow = 1;
    double before = INFINITY, left;
    for (int pass = 0; pass < Refinements; pass++, before = left) {
        residual(s, f, b, x, l, true, &left);
        left = leftOfBodies(s, f, x);
        if (left <= enough || !(left < slow * before)) return;
        correct(s, x, l);
    }
}

/* H-corrections until only rounding is left, or as long as they help; at least one unless the factor is `sound` */
static void refineWhole(ukSparse *s, const double *f, const double *b, double *x, double *l, bool sound)
{
    double before = INFINITY, left;
    for (int pass = 0; pass < Refinements; pass++, before = left) {
        const bool small = residual(s, f, b, x, l, sound, &left);
        if ((small && (sound || pass > 0)) || !(left < before) || correct(s, x, l)) return;
    }
}

static void refine(ukSparse *s, const double *f, const double *b, double *x, double *l, bool sound)
{
    refineWhole(s, f, b, x, l, sound);
    if (uneven(s->p)) refineBodies(s, f, b, x, l);
}

void ukSparseSolveOnce(ukSparse *s, const double *f, const double *r, double *x, double *l)
{
    const ukSymbolic *plan = s->plan;
    double *y = s->y;
    if (s->by_pairs) {
        ukPairsSolve(&s->pairs, s->p, f, r, x, l);
        return;
    }
    for (int i = 0; i < plan->bodies; i++)
        for (int c = 0; c < 6; c++) y[plan->body_at[i] + c] = f ? f[6 * (size_t)i + (size_t)c] : 0;
    for (int i = 0; i < plan->rows; i++) y[plan->row_at[i]] = !r || (s->active && !s->active[i]) ? 0 : r[i];
    ukFactorSolve(&s->factor, plan, 0, plan->fronts - 1, y);
    for (int i = 0; i < plan->bodies; i++) memcpy(x + 6 * (size_t)i, y + plan->body_at[i], 6 * sizeof *x);
    for (int i = 0; i < plan->rows; i++) l[i] = 0 - y[plan->row_at[i]]; /* the symmetric form has -l */
}

void ukSparseSolve(ukSparse *s, const double *f, const double *r, double *x, double *l)
{
    s->motion = false;
    ukSparseSolveOnce(s, f, r, x, l);
    if (s->plan->condensed > 0) refine(s, f, r, x, l, false);
}

int ukSparseFactorFollowing(ukSparse *s, const ukProblem *p, const unsigned char *active, const double *softness,
                            const double *coupling)
{
    s->following = NULL;
    if (isPaired(s)) {
        s->following = p;
        return ukPairsFactor(&s->pairs, p, active, softness, coupling);
    }
    const int status = ukUnsymmetricReserve(&s->unsymmetric, s->plan);
    return status != ukOk ? status : ukUnsymmetricCompute(&s->unsymmetric, s->plan, p, active, softness, coupling);
}

void ukSparseSolveFollowing(ukSparse *s, const double *r, double *l)
{
    if (s->following)
        ukPairsSolve(&s->pairs, s->following, NULL, r, s->x, l);
    else
        ukUnsymmetricSolve(&s->unsymmetric, s->plan, r, l);
}

int ukSparseFactorBetween(ukSparse *s, const ukProblem *rows, const ukProblem *columns)
{
    const int status = ukUnsymmetricReserve(&s->unsymmetric, s->plan);
    return status != ukOk ? status : ukUnsymmetricComputeBetween(&s->unsymmetric, s->plan, rows, columns);
}

void ukSparseSolveBetween(ukSparse *s, const double *r, double *l)
{
    ukUnsymmetricSolveBetween(&s->unsymmetric, s->plan, r, l);
}

/* cut on singular values: the rounding level for 0, and where a row is soft (then none is dependent for long) */
static double cut(const ukProblem *p, double tolerance)
{
    for (int i = 0; p->softness && i < p->rows; i++)
        if (p->softness[i] > 0) tolerance = 0;
    return tolerance > 0 ? tolerance : ukRankRounding(6 * p->bodies, p->rows);
}

static double floorOf(double tolerance)
{
    return 100 * tolerance * tolerance;
}

/* A pivot says little of a singular value: the row's own part in the singular vector may be small. What a pivot must be
 * above, of its row's own size, where a hard row's is small enough to have to do with one below the cut; else 0. */
static double floorFor(const ukSparse *s, double tolerance)
{
    const ukSymbolic *plan = s->plan;
    const double floor = floorOf(tolerance);
    for (int i = 0; i < plan->rows; i++) {
        const bool soft = s->softness && s->softness[i] > 0;
        const int at = plan->row_at[i];
        if (!soft && fabs(s->factor.pivot[at]) <= floor * s->factor.diagonal[at]) return floor;
    }
    return 0;
}

/* whether a pivot has vanished in every component: null vectors find all of the answer */
static bool allShifted(const ukSparse *s)
{
    for (Walk w = components(s); nextComponent(s, &w);)
        if (w.shifts == 0) return false;
    return true;
}

/* s->x and s->l of s->f with the factor as it stands */
static int solveFactored(ukSparse *s, double tolerance, bool all_dependent, int *dropped)
{
    const ukProblem *p = s->p;
    *dropped = 0;
    if (s->factor.shifts == 0 || !allShifted(s)) {
        ukSparseSolveOnce(s, s->f, p->b, s->x, s->l);
        refine(s, s->f, p->b, s->x, s->l, s->factor.weak == 0);
    }
    if (s->factor.shifts == 0) return ukOk;
    ukProblemAccelerate(p, s->f, s->g);
    const ukFactored factored = {&s->factor, s->plan, p, s->softness};
    const int status = ukPseudoinverseSolve(&s->pseudoinverse, &factored, s->g, tolerance, all_dependent, s->x, s->l);
    *dropped = s->pseudoinverse.dropped;
    return status;
}

static void loadForces(ukSparse *s, const ukProblem *p)
{
    const size_t n = 6 * (size_t)p->bodies;
    memcpy(s->f, p->Q, n * sizeof *s->f);
    for (size_t i = 0; p->C && i < n; i++) s->f[i] += p->C[i];
}

static int handOver(const ukSparse *s, const ukProblem *p, int dropped, ukSolution *solution)
{
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    double size = 0;
    for (size_t i = 0; i < n; i++) size = larger(size, s->x[i]);
    for (size_t i = 0; i < m; i++) size = larger(size, s->l[i]);
    if (!(size <= DBL_MAX)) return ukErrorNotFinite;
    memcpy(solution->qdd, s->x, n * sizeof *s->x);
    if (m > 0) memcpy(solution->lambda, s->l, m * sizeof *s->l);
    solution->rank = p->rows - dropped;
    solution->active = p->rows;
    solution->pivots = 0;
    solution->residual = 0;
    return ukOk;
}

/* Pivots at or below `least` times their own size, or at what stands for the tolerance, count as vanished. */
static int factorForCut(ukSparse *s, const ukProblem *p, double least, double tolerance)
{
    const int status = factorFor(s, p, NULL, p->softness, least);
    if (status != ukOk) return status;
    const double floor = floorFor(s, tolerance);
    return floor > least ? factorFor(s, p, NULL, p->softness, floor) : ukOk;
}

int ukSparseSolveProblem(ukSparse *s, const ukProblem *p, double rank_tolerance, ukSolution *solution)
{
    return ukSparseSolveSuspect(s, p, rank_tolerance, 0, solution);
}

int ukSparseSolveSuspect(ukSparse *s, const ukProblem *p, double rank_tolerance, double suspect, ukSolution *solution)
{
    int status = ukSparsePlan(s, p), dropped = 0;
    if (status != ukOk) return status;
    const double tolerance = cut(p, rank_tolerance);
    s->motion = false;
    status = suspect > 0 ? factorFor(s, p, NULL, p->softness, fmax(pivot.questioned, suspect))
                         : factorForCut(s, p, pivot.questioned, tolerance);
    if (status != ukOk) return status;
    loadForces(s, p);
    status = solveFactored(s, tolerance, false, &dropped);
    if (status == ukPseudoinverseUndecided) {
        status = factorFor(s, p, NULL, p->softness, fmax(pivot.certain, tolerance * tolerance));
        if (status == ukOk) status = solveFactored(s, tolerance, true, &dropped);
    }
    return status == ukOk ? handOver(s, p, dropped, solution) : status;
}

int ukSparseSolveHeld(ukSparse *s, const ukProblem *p, double rank_tolerance, double suspect, const double *springs,
                      double *grip, ukSolution *solution)
{
    s->pseudoinverse.springs = springs;
    s->pseudoinverse.grip = 0;
    const int status = ukSparseSolveSuspect(s, p, rank_tolerance, suspect, solution);
    s->pseudoinverse.springs = NULL;
    *grip = s->pseudoinverse.grip;
    return status;
}

/* Whether to look closely after all: a row that stays has a small pivot. Rows that disagree by the drift can hide
 * behind one; and rows that are a poor choice for those left out make that disagreement grow. */
static bool doubtful(const ukSparse *s, double growth)
{
    const ukFactor *f = &s->factor;
    const double least = f->shifts > 0 ? 1 / (growth * growth) : pivot.questioned;
    for (int i = 0; i < s->plan->rows; i++)
        if (fabs(f->pivot[s->plan->row_at[i]]) < least * f->diagonal[s->plan->row_at[i]]) return true;
    return false;
}

int ukSparseSolveMotion(ukSparse *s, const ukProblem *p, double rank_tolerance, double growth, ukSolution *solution)
{
    int status = ukSparsePlan(s, p);
    if (status != ukOk) return status;
    s->motion = true;
    status = factorForCut(s, p, pivot.certain, cut(p, rank_tolerance));
    if (status != ukOk) return status;
    if (doubtful(s, growth)) return ukSparseSolveProblem(s, p, rank_tolerance, solution);
    s->clear = floorOf(cut(p, rank_tolerance)) <= pivot.questioned;
    loadForces(s, p);
    ukSparseSolveOnce(s, s->f, p->b, s->x, s->l);
    refine(s, s->f, p->b, s->x, s->l, s->factor.weak == 0);
    return handOver(s, p, s->factor.shifts, solution);
}

int ukSparseSolveAgain(ukSparse *s, const ukProblem *p, double rank_tolerance, ukSolution *solution)
{
    const double tolerance = cut(p, rank_tolerance);
    int dropped = 0;
    if (!s->clear || floorOf(tolerance) > pivot.questioned) return ukSparseSolveProblem(s, p, rank_tolerance, solution);
    take(s, p, NULL, p->softness);
    s->motion = false;
    loadForces(s, p);
    const int status = solveFactored(s, tolerance, false, &dropped);
    if (status == ukPseudoinverseUndecided) return ukSparseSolveProblem(s, p, rank_tolerance, solution);
    return status == ukOk ? handOver(s, p, dropped, solution) : status;
}

int ukSparseIndependent(ukSparse *s, const ukProblem *p, double rank_tolerance, unsigned char *held, bool *all)
{
    const double tolerance = cut(p, rank_tolerance);
    int status = ukSparsePlan(s, p);
    *all = true;
    if (status == ukOk) status = factorForCut(s, p, pivot.questioned, tolerance);
    if (status != ukOk || s->factor.shifts == 0) return status;
    memset(held, 1, (size_t)p->rows);
    const ukFactored factored = {&s->factor, s->plan, p, s->softness};
    status = ukPseudoinverseIndependent(&s->pseudoinverse, &factored, tolerance, held);
    *all = !memchr(held, 0, (size_t)p->rows);
    return status;
}

bool ukSparseWeak(const ukSparse *s, double suspect)
{
    bool weak = s->factor.shifts > 0;
    for (int i = 0; i < s->plan->rows && !weak; i++) {
        const int k = s->plan->row_at[i];
        weak = fabs(s->factor.pivot[k]) <= suspect * s->factor.diagonal[k];
    }
    return weak;
}

double ukSparseGrip(ukSparse *s, double tolerance, double suspect)
{
    const ukSymbolic *plan = s->plan;
    int *weak = s->factor.shifted, count = 0;
    if (s->factor.shifts > 0) return 1;
    for (int k = 0; k < 6 * plan->bodies + plan->rows; k++)
        if (plan->row[k] >= 0 && fabs(s->factor.pivot[k]) <= suspect * s->factor.diagonal[k]) weak[count++] = k;
    if (count == 0) return 0;
    const double grip = ukPseudoinverseGrip(&s->pseudoinverse, &(ukFactored){&s->factor, plan, s->p, s->softness}, weak,
                                            count, tolerance);
    return grip < 0 ? 1 : grip;
}
