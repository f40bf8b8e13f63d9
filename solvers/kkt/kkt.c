/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/kkt/kkt.h"

#include "solvers/base/status.h"
#include "solvers/factor/tree.h"
#include "solvers/kkt/store.h"
#include "solvers/problem/block.h"
#include "solvers/problem/partition.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A pivot at or below this fraction of its row's own element of K = A M^-1 A' + S counts as zero. Rounding leaves pivots
 * of 1e-16 ... 1e-13 in dependent rows. */
static const double vanished = 1e-11;

/* ---- factorization ----------------------------------------------------------------------------------------------- */

/* initializes the factor that is about to be computed */
static ukKktFactor startFactor(ukKkt *kkt, ukKktStorage storage, const ukProblem *p, const unsigned char *active,
                               const double *softness)
{
    ukKktFactor factor = {kkt, storage, p, NULL, softness};
    kkt->serial++;
    if (active && p->rows > 0) factor.active = memcpy(kkt->active, active, (size_t)p->rows);
    return factor;
}

static int factorizeFronts(ukKktFactor *factor, double least)
{
    ukKkt *kkt = factor->kkt;
    const ukProblem *p = factor->p;
    int status = ukFactorCompute(&kkt->factor, kkt->plan, p, factor->active, factor->softness, least);
    for (int iteration = 0; status == ukOk && kkt->factor.doubtful > 0; iteration++) {
        status = ukKktDelayRows(kkt, p, iteration == 2);
        if (status == ukOk)
            status = ukFactorCompute(&kkt->factor, kkt->plan, p, factor->active, factor->softness, least);
    }
    return status;
}

int ukKktFactorizeShifted(ukKkt *kkt, const ukProblem *p, const double *softness, double least, ukKktFactor *factor)
{
    *factor = startFactor(kkt, ukKktFronts, p, NULL, softness);
    return factorizeFronts(factor, least);
}

int ukKktFactorize(ukKkt *kkt, const ukProblem *p, const unsigned char *active, const double *softness,
                   ukKktFactor *factor)
{
    if (!softness) softness = p->softness;
    if (ukKktIsPaired(kkt)) {
        *factor = startFactor(kkt, ukKktPairs, p, active, softness);
        kkt->factor.shifts = 0;
        return ukPairsFactor(&kkt->pairs, p, factor->active, softness, NULL);
    }
    *factor = startFactor(kkt, ukKktFronts, p, active, softness);
    const int status = factorizeFronts(factor, vanished);
    return status != ukOk ? status : kkt->factor.shifts > 0 ? ukErrorSingular : ukOk;
}

/* ---- substitution ------------------------------------------------------------------------------------------------ */

/* The arguments of a solve, for its stages: y = (f, r) by position before the substitution, (x, -l) = y after it. */
typedef struct Arranged {
    const ukKktFactor *factor;
    const double *f, *r;
    double *x, *l;
} Arranged;

/* part k of `tasks` */
UKODE_INLINE void arrangeRightSides(const Arranged *of, int tasks, int k)
{
    const ukKkt *kkt = of->factor->kkt;
    const ukSymbolic *plan = kkt->plan;
    const unsigned char *const active = of->factor->active;
    const double *const f = of->f, *const r = of->r;
    const int bodies = ukPartitionBegin(plan->bodies, tasks, k + 1), rows = ukPartitionBegin(plan->rows, tasks, k + 1);
    double *y = kkt->y;
    for (int i = ukPartitionBegin(plan->bodies, tasks, k); i < bodies; i++)
        for (int c = 0; c < 6; c++) y[plan->body_at[i] + c] = f ? f[6 * (size_t)i + (size_t)c] : 0;
    for (int i = ukPartitionBegin(plan->rows, tasks, k); i < rows; i++)
        y[plan->row_at[i]] = !r || (active && !active[i]) ? 0 : r[i];
}

UKODE_INLINE void collectSolution(const Arranged *of, int tasks, int k)
{
    const ukKkt *kkt = of->factor->kkt;
    const ukSymbolic *plan = kkt->plan;
    const double *const y = kkt->y;
    double *const x = of->x, *const l = of->l;
    const int bodies = ukPartitionBegin(plan->bodies, tasks, k + 1), rows = ukPartitionBegin(plan->rows, tasks, k + 1);
    for (int i = ukPartitionBegin(plan->bodies, tasks, k); i < bodies; i++)
        memcpy(x + 6 * (size_t)i, y + plan->body_at[i], 6 * sizeof *y);
    for (int i = ukPartitionBegin(plan->rows, tasks, k); i < rows; i++) l[i] = 0 - y[plan->row_at[i]];
}

static void arrangePart(void *context, int k)
{
    arrangeRightSides(context, ukPartitionParts, k);
}

static void collectPart(void *context, int k)
{
    collectSolution(context, ukPartitionParts, k);
}

void ukKktSolve(const ukKktFactor *factor, const double *f, const double *r, double *x, double *l)
{
    ukKkt *kkt = factor->kkt;
    if (factor->storage == ukKktPairs) {
        ukPairsSolve(&kkt->pairs, factor->p, f, r, x, l);
        return;
    }
    const Arranged of = {factor, f, r, x, l};
    const bool divided = ukPartitionOf(factor->p) != NULL;
    if (divided)
        ukTeamRun(factor->p->team, ukPartitionParts, arrangePart, (void *)&of);
    else
        arrangeRightSides(&of, 1, 0);
    ukFactorSolve(&kkt->factor, kkt->plan, 0, kkt->plan->fronts - 1, kkt->y); /* H (x, -l) = (f, r), H = [M A'; A -S] */
    if (divided)
        ukTeamRun(factor->p->team, ukPartitionParts, collectPart, (void *)&of);
    else
        collectSolution(&of, 1, 0);
}

/* ---- iterative refinement ---------------------------------------------------------------------------------------- */

/* At or below these values, residuals are rounding relative to the largest term of the equations, and corrections
 * relative to the largest multiplier. The terms of a row are the products whose sum is A x. */
static const struct {
    double residual, residual_of_terms, correction;
} rounding = {1e-14, 1e-15, 1e-13};

enum { MaxRefinements = 4 };

/* max(x, |y|); NaN propagates */
static double maxAbs(double x, double y)
{
    return x >= fabs(y) || isnan(x) ? x : fabs(y);
}

/* the same; NaN is dropped */
UKODE_INLINE double maxAbsNumber(double x, double y)
{
    return fabs(y) > x ? fabs(y) : x;
}

enum { rows_at_once = 8 };

/* applyBothWays for at most rows_at_once rows of block b, A the first of them */
UKODE_INLINE void applyRows(const ukProblem *p, const ukBlock *b, const double *A, int rows, const double *x,
                            const double *l, double *g, double *y)
{
    const int stride = 6 * b->slots;
    ukPair sum[rows_at_once];
    for (int r = 0; r < rows; r++) sum[r] = ukBothOf(0);
    for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
        if (p->body[s] < 0) continue;
        const double *v = x + 6 * (size_t)p->body[s], *a = A;
        double *f = g + 6 * (size_t)p->body[s];
        const ukPair v0 = ukLoadPair(v), v1 = ukLoadPair(v + 2), v2 = ukLoadPair(v + 4);
        ukPair f0 = ukLoadPair(f), f1 = ukLoadPair(f + 2), f2 = ukLoadPair(f + 4);
        for (int r = 0; r < rows; r++, a += stride) {
            const ukPair a0 = ukLoadPair(a), a1 = ukLoadPair(a + 2), a2 = ukLoadPair(a + 4), force = ukBothOf(l[r]);
            sum[r] = sum[r] + a0 * v0 + a1 * v1 + a2 * v2;
            f0 += a0 * force, f1 += a1 * force, f2 += a2 * force;
        }
        ukStorePair(f, f0), ukStorePair(f + 2, f1), ukStorePair(f + 4, f2);
    }
    for (int r = 0; r < rows; r++) y[r] = sum[r][0] + sum[r][1];
}

/* g (bodies x 6) += A' l and y (rows) = A x for the rows of block k, with A read once */
UKODE_INLINE void applyBothWays(const ukProblem *p, int k, const double *x, const double *l, double *g, double *y)
{
    const ukBlock *b = p->block + k;
    for (int done = 0; done < b->rows; done += rows_at_once) {
        const int rows = b->rows - done < rows_at_once ? b->rows - done : rows_at_once, first = b->row + done;
        applyRows(p, b, p->A + b->A + (size_t)(6 * b->slots * done), rows, x, l + first, g, y + first);
    }
}

/* Whether residuals of the rows of size `row` are rounding of the terms of A x: at most so much of the largest
 * sum |A_ij| |x_j| of a row. The last rows come first: programs create chains and trees from their roots, and the ends
 * accelerate most. */
static bool isRoundingOfTerms(const ukProblem *p, const double *x, double row)
{
    for (int k = p->blocks - 1; k >= 0; k--) {
        const ukBlock *b = p->block + k;
        const double *A = p->A + b->A;
        for (int r = 0; r < b->rows; r++) {
            ukPair sum = ukBothOf(0);
            for (int s = b->slot; s < b->slot + b->slots; s++, A += 6) {
                if (p->body[s] < 0) continue;
                const double *v = x + 6 * (size_t)p->body[s];
                for (int c = 0; c < 6; c += 2) sum += ukPairAbsolute(ukLoadPair(A + c) * ukLoadPair(v + c));
            }
            if (row <= rounding.residual_of_terms * (sum[0] + sum[1])) return true;
        }
    }
    return row <= 0;
}

/* largest residual of forces and rows, and largest term of their equations */
typedef struct Residual {
    double force, row, forces, rows;
} Residual;

/* max |x| of n numbers at `at` of each of `count` places; NaN if any is */
static double maxAbsAt(const double *x, const int *at, int count, int n)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < n; k++) most = maxAbs(most, x[at[i] + k]);
    return most;
}

/* The arguments of a residual; with a partition, the sizes of its parts. */
typedef struct ResidualOf {
    const ukKktFactor *factor;
    const double *f, *b, *x, *l;
    Residual part[ukPartitionParts];
} ResidualOf;

/* kkt->g += A' l, kkt->r = A x by the blocks from ... to - 1, those that other parts share left out */
UKODE_INLINE void applyBlocks(const ResidualOf *of, int from, int to)
{
    ukKkt *kkt = of->factor->kkt;
    const ukProblem *p = of->factor->p;
    const ukPartition *const partition = ukPartitionOf(p);
    const unsigned char *const shared = partition ? partition->shared : NULL;
    for (int k = from; k < to; k++)
        if (!shared || !shared[k]) applyBothWays(p, k, of->x, of->l, kkt->g, kkt->r);
}

/* y = g - M x at the bodies from ... to - 1 */
UKODE_INLINE void residualOfForces(const ResidualOf *of, int from, int to, Residual *size)
{
    ukKkt *kkt = of->factor->kkt;
    const ukProblem *p = of->factor->p;
    const int *at = kkt->plan->body_at;
    double force = 0, forces = 0, all = 0;
    for (int i = from; i < to; i++) {
        const double *v = of->x + 6 * (size_t)i, *I = p->inertia + 9 * (size_t)i, *g = kkt->g + 6 * (size_t)i;
        double *y = kkt->y + at[i];
        for (int c = 0; c < 3; c++) {
            const double a = p->mass[i] * v[c], t = I[3 * c] * v[3] + I[3 * c + 1] * v[4] + I[3 * c + 2] * v[5];
            const double rest = g[c] - a, turn = g[3 + c] - t;
            y[c] = rest, y[3 + c] = turn;
            forces = maxAbsNumber(maxAbsNumber(forces, a), t);
            force = maxAbsNumber(maxAbsNumber(force, rest), turn);
            all += rest + turn;
        }
    }
    size->force = all * 0 == 0 ? force : maxAbsAt(kkt->y, at + from, to - from, 6);
    size->forces = forces;
}

/* y = b - S l - A x at the active rows of from ... to - 1, 0 at the others */
UKODE_INLINE void residualOfRows(const ResidualOf *of, int from, int to, Residual *size)
{
    ukKkt *kkt = of->factor->kkt;
    const unsigned char *const active = of->factor->active;
    const double *const softness = of->factor->softness, *const b = of->b, *const l = of->l;
    const int *at = kkt->plan->row_at;
    double row = 0, rows = 0, all = 0;
    for (int i = from; i < to; i++) {
        const double soft = softness ? softness[i] * l[i] : 0, right = (b ? b[i] : 0) - soft;
        if (active && !active[i]) {
            kkt->y[at[i]] = 0;
            continue;
        }
        const double rest = right - kkt->r[i];
        kkt->y[at[i]] = rest;
        row = maxAbsNumber(row, rest);
        rows = maxAbsNumber(maxAbsNumber(maxAbsNumber(rows, right), kkt->r[i]), soft);
        all += rest;
    }
    size->row = all * 0 == 0 ? row : maxAbsAt(kkt->y, at + from, to - from, 1);
    size->rows = rows;
}

/* g = f from body `from` to body `to` - 1 */
UKODE_INLINE void beginResidual(const ResidualOf *of, int from, int to)
{
    double *const g = of->factor->kkt->g + 6 * (size_t)from;
    const size_t bytes = 6 * (size_t)(to - from) * sizeof *g;
    if (of->f)
        memcpy(g, of->f + 6 * (size_t)from, bytes);
    else
        memset(g, 0, bytes);
}

/* Twice, as in solvers/factor/kernel.c: the same operations in the same order. The residual as a whole, and its two
 * stages for part k. */
#define UKODE_RESIDUALS(suffix, target)                                                                                \
    target static void residuals##suffix(const ResidualOf *of, Residual *size)                                         \
    {                                                                                                                  \
        const ukProblem *p = of->factor->p;                                                                            \
        beginResidual(of, 0, p->bodies);                                                                               \
        applyBlocks(of, 0, p->blocks);                                                                                 \
        residualOfForces(of, 0, p->bodies, size);                                                                      \
        residualOfRows(of, 0, p->rows, size);                                                                          \
    }                                                                                                                  \
    target static void residualBlocks##suffix(const ResidualOf *of, int k)                                             \
    {                                                                                                                  \
        const int n = of->factor->p->blocks;                                                                           \
        applyBlocks(of, ukPartitionBegin(n, ukPartitionParts, k), ukPartitionBegin(n, ukPartitionParts, k + 1));       \
    }                                                                                                                  \
    target static void residualSizes##suffix(ResidualOf *of, int k)                                                    \
    {                                                                                                                  \
        const int n = of->factor->p->bodies, m = of->factor->p->rows, parts = ukPartitionParts;                        \
        residualOfForces(of, ukPartitionBegin(n, parts, k), ukPartitionBegin(n, parts, k + 1), &of->part[k]);          \
        residualOfRows(of, ukPartitionBegin(m, parts, k), ukPartitionBegin(m, parts, k + 1), &of->part[k]);            \
    }

UKODE_FOR_PROCESSORS(UKODE_RESIDUALS)

static void beginResidualPart(void *context, int k)
{
    const ResidualOf *of = context;
    const int n = of->factor->p->bodies;
    beginResidual(of, ukPartitionBegin(n, ukPartitionParts, k), ukPartitionBegin(n, ukPartitionParts, k + 1));
}

static void residualBlocksPart(void *context, int k)
{
    UKODE_CHOSEN(residualBlocks)(context, k);
}

static void residualSizesPart(void *context, int k)
{
    UKODE_CHOSEN(residualSizes)(context, k);
}

/* the residual of a divided problem */
static void residualsByParts(ResidualOf *of, Residual *size)
{
    ukKkt *kkt = of->factor->kkt;
    const ukProblem *p = of->factor->p;
    ukTeamRun(p->team, ukPartitionParts, beginResidualPart, of);
    ukTeamRun(p->team, ukPartitionParts, residualBlocksPart, of);
    for (int k = 0; k < p->partition->count; k++)
        applyBothWays(p, p->partition->sharing[k], of->x, of->l, kkt->g, kkt->r);
    ukTeamRun(p->team, ukPartitionParts, residualSizesPart, of);
    *size = (Residual){0};
    for (int k = 0; k < ukPartitionParts; k++) {
        size->force = maxAbs(size->force, of->part[k].force);
        size->row = maxAbs(size->row, of->part[k].row);
        size->forces = maxAbs(size->forces, of->part[k].forces);
        size->rows = maxAbs(size->rows, of->part[k].rows);
    }
}

/* sets to 0 the residuals of unknowns that are out of scope, where pivots were shifted, and finds the largest others */
static void clearOutOfScope(const ukKktFactor *factor, ukRefineScope scope, Residual *size)
{
    ukKkt *kkt = factor->kkt;
    const ukSymbolic *plan = kkt->plan;
    const bool rows = scope == ukRefineNoShiftedRow;
    for (ukTree t = ukTreesOf(&kkt->factor, plan); ukTreePrevious(&kkt->factor, plan, &t);) {
        const int from = plan->front[t.first].at, to = plan->front[t.last].at + plan->front[t.last].p;
        for (int k = 0; k < t.shifts && rows; k++) kkt->y[kkt->factor.shifted[t.shift + k]] = 0;
        for (int k = from; k < to; k++) {
            if (t.shifts > 0 && !rows) kkt->y[k] = 0;
            if (plan->row[k] < 0)
                size->force = maxAbs(size->force, kkt->y[k]);
            else
                size->row = maxAbs(size->row, kkt->y[k]);
        }
    }
}

/* kkt->y = residual of  M x - A' l = f,  A x + S l = b;  *left: its relative size. True if the residual is rounding;
 * of_terms: the rounding of the terms of A x counts as well. */
static bool residualOfSystem(const ukKktFactor *factor, const double *f, const double *b, ukRefineScope scope,
                             const double *x, const double *l, bool of_terms, double *left)
{
    const bool whole = factor->kkt->factor.shifts == 0;
    Residual size;
    ResidualOf of;
    of.factor = factor, of.f = f, of.b = b, of.x = x, of.l = l;
    if (ukPartitionOf(factor->p))
        residualsByParts(&of, &size);
    else
        UKODE_CHOSEN(residuals)(&of, &size);
    if (!whole) {
        size.force = size.row = 0;
        clearOutOfScope(factor, scope, &size);
    }
    *left = fmax(size.force / fmax(size.forces, DBL_MIN), size.row / fmax(size.rows, DBL_MIN));
    return size.force <= rounding.residual * size.forces &&
           (size.row <= rounding.residual * size.rows || (of_terms && isRoundingOfTerms(factor->p, x, size.row)));
}

/* A correction in kkt->y that is added to x and l; with a partition, the sizes of its parts. */
typedef struct Correction {
    const ukKktFactor *factor;
    double *x, *l;
    double step[ukPartitionParts], size[ukPartitionParts];
} Correction;

/* part k of `tasks` */
UKODE_INLINE void addCorrectionPart(Correction *of, int tasks, int k)
{
    const ukKkt *kkt = of->factor->kkt;
    const ukSymbolic *plan = kkt->plan;
    double step = 0, size = 0, *const x = of->x, *const l = of->l;
    const int bodies = ukPartitionBegin(plan->bodies, tasks, k + 1), rows = ukPartitionBegin(plan->rows, tasks, k + 1);
    for (int i = ukPartitionBegin(plan->bodies, tasks, k); i < bodies; i++)
        for (int c = 0; c < 6; c++) x[6 * i + c] += kkt->y[plan->body_at[i] + c];
    for (int i = ukPartitionBegin(plan->rows, tasks, k); i < rows; i++) {
        const double d = kkt->y[plan->row_at[i]];
        l[i] -= d;
        step = maxAbs(step, d);
        size = maxAbs(size, l[i]);
    }
    of->step[k] = step, of->size[k] = size;
}

static void addCorrectionOfPart(void *context, int k)
{
    addCorrectionPart(context, ukPartitionParts, k);
}

/* (x, l) += H^-1 y; true where this changed l by rounding only */
static bool addCorrection(const ukKktFactor *factor, double *x, double *l)
{
    ukKkt *kkt = factor->kkt;
    const ukSymbolic *plan = kkt->plan;
    ukFactorSolve(&kkt->factor, plan, 0, plan->fronts - 1, kkt->y);
    Correction of;
    of.factor = factor, of.x = x, of.l = l;
    if (!ukPartitionOf(factor->p)) {
        addCorrectionPart(&of, 1, 0);
        return of.step[0] <= rounding.correction * of.size[0];
    }
    ukTeamRun(factor->p->team, ukPartitionParts, addCorrectionOfPart, &of);
    double step = 0, size = 0;
    for (int k = 0; k < ukPartitionParts; k++) step = maxAbs(step, of.step[k]), size = maxAbs(size, of.size[k]);
    return step <= rounding.correction * size;
}

/* Whether masses differ so much that residuals that are rounding for the heaviest body are not rounding for the
 * lightest. */
static bool hasUnevenMasses(const ukProblem *p)
{
    static const double even = 1e-4;
    double least = INFINITY, most = 0;
    for (int i = 0; i < p->bodies; i++) {
        least = p->mass[i] < least ? p->mass[i] : least;
        most = p->mass[i] > most ? p->mass[i] : most;
    }
    return least < even * most;
}

/* the largest residual of a body in kkt->y, relative to the forces on that body alone */
static double residualPerBody(const ukKktFactor *factor, const double *f, const double *x)
{
    const ukProblem *p = factor->p;
    double left = 0;
    for (int i = 0; i < p->bodies; i++) {
        const double *v = x + 6 * (size_t)i, *I = p->inertia + 9 * (size_t)i;
        const double *y = factor->kkt->y + factor->kkt->plan->body_at[i];
        double off[2] = {0}, size[2] = {DBL_MIN, DBL_MIN};
        for (int c = 0; c < 3; c++) {
            const double force = f ? f[6 * (size_t)i + (size_t)c] : 0,
                         torque = f ? f[6 * (size_t)i + 3 + (size_t)c] : 0;
            const double turn = I[3 * c] * v[3] + I[3 * c + 1] * v[4] + I[3 * c + 2] * v[5];
            off[0] = maxAbs(off[0], y[c]), off[1] = maxAbs(off[1], y[3 + c]);
            size[0] = maxAbsNumber(maxAbsNumber(size[0], force), p->mass[i] * v[c]);
            size[1] = maxAbsNumber(maxAbsNumber(size[1], torque), turn);
        }
        left = fmax(left, fmax(off[0] / size[0], off[1] / size[1]));
    }
    return left;
}

/* Further refinements, as long as they reduce the residual relative to each body's own forces. */
static void refinePerBody(const ukKktFactor *factor, const double *f, const double *b, ukRefineScope scope, double *x,
                          double *l)
{
    static const double enough = 1e-15;
    double before = INFINITY, left;
    for (int iteration = 0; iteration < MaxRefinements; iteration++, before = left) {
        residualOfSystem(factor, f, b, scope, x, l, true, &left);
        left = residualPerBody(factor, f, x);
        if (left <= enough || !(left < before)) return;
        addCorrection(factor, x, l);
    }
}

void ukKktRefine(const ukKktFactor *factor, const double *f, const double *b, ukRefineScope scope, bool sound,
                 double *x, double *l)
{
    double before = INFINITY, left;
    for (int iteration = 0; iteration < MaxRefinements; iteration++, before = left) {
        const bool small = residualOfSystem(factor, f, b, scope, x, l, sound, &left);
        if ((small && (sound || iteration > 0)) || !(left < before) || addCorrection(factor, x, l)) break;
    }
    if (hasUnevenMasses(factor->p)) refinePerBody(factor, f, b, scope, x, l);
}
