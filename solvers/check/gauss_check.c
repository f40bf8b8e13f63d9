/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/check/gauss_check.h"

#include "solvers/check/scales.h"
#include "solvers/problem/block.h"
#include "solvers/problem/partition.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sums that the traversals of A accumulate in a body's scratch: M qdd - Q - C - A' lambda (6), and the magnitudes of
 * its terms (6), later those of the accelerations that they cause. Six lanes side by side, so that the traversals of A
 * are loops of six that a compiler can pair. */
enum { rest = 0, size = 6, per_body = 12 };

typedef struct Sums {
    double rest2;      /* |rest|^2 in M^-1 */
    double gap, stray; /* Fenchel-Young gaps; |A' (lambda - lambda')|_{M^-1} where lambda' is lambda put into bounds */
    double hard2;      /* squares of the residuals of hard equality rows */
    bool bounded;
} Sums;

UKODE_INLINE double quadratic3(const double *S, const double *x)
{
    return x[0] * ukDot3(S, x) + x[1] * ukDot3(S + 3, x) + x[2] * ukDot3(S + 6, x);
}

static double ratio(double x, double scale)
{
    return x == 0 ? 0 : x / scale;
}

/* A scale beyond may be a sum whose parts would overflow in another order or with other factors. */
static const double largest_scale = 0x1p-64 * DBL_MAX;

/* largest := x / scale where that is larger; divides only then. A NaN stays, 0 / 0 is 0. A scale near overflow
 * indicates nothing of x: the largest is infinite. */
UKODE_INLINE void gaussCheckWorst(double x, double scale, int where, double *largest, int *at)
{
    if (!(scale <= largest_scale)) {
        if (*largest <= DBL_MAX) *largest = isnan(x) ? x : INFINITY, *at = where;
        return;
    }
    if (x <= *largest * scale || isnan(*largest)) return;
    *largest = x / scale, *at = where;
}

/* x' M x of body i */
UKODE_INLINE double kinetic(const ukProblem *p, int i, const double *x)
{
    return p->mass[i] * ukDot3(x, x) + quadratic3(p->inertia + 9 * (size_t)i, x + 3);
}

/* what body i adds to a Gaussian */
UKODE_INLINE double gaussianOf(const ukProblem *p, const ukGaussEvidence *e, int i, const double *x)
{
    return e->massless && e->massless[i] ? 0 : kinetic(p, i, x);
}

/* y = x - M^-1 f of body i */
UKODE_INLINE void relative(const ukProblem *p, int i, const double *x, const double *f, double *y)
{
    const double *J = p->inverse_inertia + 9 * (size_t)i, inverse = 1 / p->mass[i];
    for (int c = 0; c < 3; c++) {
        y[c] = x[c] - inverse * f[c];
        y[3 + c] = x[3 + c] - ukDot3(J + 3 * c, f + 3);
    }
}

/* rest = M qdd - Q - C, size = |Q| + |C|; the Gaussian of Udwadia 2000 [15] and that of the whole constraint force */
UKODE_INLINE void beginBodies(const ukProblem *p, const ukGaussEvidence *e, double *work, int from, int to,
                              ukResiduals *c)
{
    const double *qdd = e->qdd + 6 * (size_t)from;
    work += per_body * (size_t)from;
    for (int i = from; i < to; i++, qdd += 6, work += per_body) {
        const double *Q = p->Q + 6 * (size_t)i, *C = p->C ? p->C + 6 * (size_t)i : NULL;
        const double *I = p->inertia + 9 * (size_t)i;
        double d[6];
        for (int k = 0; k < 3; k++) {
            work[rest + k] = p->mass[i] * qdd[k] - Q[k];
            work[rest + 3 + k] = ukDot3(I + 3 * k, qdd + 3) - Q[3 + k];
        }
        for (int k = 0; k < 6; k++) work[size + k] = fabs(Q[k]);
        relative(p, i, qdd, Q, d);
        double g = gaussianOf(p, e, i, d);
        c->gaussian += g;
        if (C) {
            for (int k = 0; k < 6; k++) work[rest + k] -= C[k], work[size + k] += fabs(C[k]);
            relative(p, i, d, C, d);
            g = gaussianOf(p, e, i, d);
        }
        c->minimum += g;
    }
}

/* w: rest -= A' lambda, size += the magnitudes, of one body in one block */
UKODE_INLINE void subtractForce(const double *A, size_t stride, int rows, const double *lambda, double *w)
{
    ukPair f0 = ukLoadPair(w + rest), f1 = ukLoadPair(w + rest + 2), f2 = ukLoadPair(w + rest + 4);
    ukPair s0 = ukLoadPair(w + size), s1 = ukLoadPair(w + size + 2), s2 = ukLoadPair(w + size + 4);
    for (int r = 0; r < rows; r++, A += stride) {
        const ukPair l = ukBothOf(lambda[r]);
        const ukPair x0 = l * ukLoadPair(A), x1 = l * ukLoadPair(A + 2), x2 = l * ukLoadPair(A + 4);
        f0 -= x0, f1 -= x1, f2 -= x2;
        s0 += ukPairAbsolute(x0), s1 += ukPairAbsolute(x1), s2 += ukPairAbsolute(x2);
    }
    ukStorePair(w + rest, f0), ukStorePair(w + rest + 2, f1), ukStorePair(w + rest + 4, f2);
    ukStorePair(w + size, s0), ukStorePair(w + size + 2, s1), ukStorePair(w + size + 4, s2);
}

/* of block k */
UKODE_INLINE void subtractForces(const ukProblem *p, int k, const double *lambda, double *work)
{
    const ukBlock *b = p->block + k;
    for (int s = 0; s < b->slots; s++) {
        const int i = p->body[b->slot + s];
        if (i >= 0)
            subtractForce(p->A + b->A + 6 * (size_t)s, 6 * (size_t)b->slots, b->rows, lambda + b->row,
                          work + per_body * (size_t)i);
    }
}

/* Multipliers may exceed the forces present, and their rounding errors, by this factor: at a tolerance of 1e-9 a
 * residual above a thousandth of the accelerations is not accepted as rounding. Where rows exclude each other, nothing
 * else bounds the multipliers. */
static const double largest_lever = 1e6;

/* Forces that cancel, and whose squares overflow: their rounding is beyond what their rows can be compared with. */
static const double largest_cancelled = 0x1p511;

/* Stationarity. A body is one: what rounding can make of its force and torque is measured together, in the metric of
 * the Gaussian (|f| / sqrt(m) beside |torque| sqrt(|I^-1|)). Apart, a component that ought to vanish, as the torque on
 * a body at rest under its weight, would be measured against its own rounding. */
UKODE_INLINE void judgeBodies(const ukProblem *p, const ukGaussEvidence *e, double *work, int from, int to, Sums *sums,
                              ukResiduals *c)
{
    const double *qdd = e->qdd + 6 * (size_t)from, least = e->massless ? ukScaleLeast(p, e->massless) : 0;
    work += per_body * (size_t)from;
    double most_root = INFINITY, most_turn = INFINITY, most = 0;
    int measured = 0; /* forces of bodies, of rows */
    if (e->massless) ukScaleMobile(p, e->massless, &most_root, &most_turn);
    for (int i = from; i < to; i++, qdd += 6, work += per_body) {
        const double *J = p->inverse_inertia + 9 * (size_t)i, inverse = 1 / p->mass[i];
        double slowness = ukNorm3(p->inertia + 9 * (size_t)i), ease = ukNorm3(J);
        if (least > 0 && e->massless[i] && slowness < least) slowness = least, ease = 1 / least;
        const double root = sqrt(inverse), turn = sqrt(ease), torque = sqrt(slowness);
        const double moves = ukAbs3(qdd) / root + torque * ukAbs3(qdd + 3);
        const double whole = root * ukAbs3(work + size) + turn * ukAbs3(work + size + 3) + moves +
                             DBL_MIN * (root + turn + 1 / root + torque); /* below it numbers round as it does */
        double linear = root, angular = turn, rounds = whole;
        gaussCheckWorst(ukAbs3(work + rest) * root, whole, i, &c->stationarity, &c->worst_body);
        gaussCheckWorst(ukAbs3(work + rest + 3), torque * whole * (1 + torque * turn), i, &c->stationarity,
                        &c->worst_body);
        sums->rest2 += inverse * ukDot3(work + rest, work + rest) + quadratic3(J, work + rest + 3);
        if (e->massless && e->massless[i]) {
            linear = fmin(root, most_root), angular = fmin(turn, most_turn);
            rounds = linear * ukAbs3(work + size) + angular * ukAbs3(work + size + 3) + ukAbs3(qdd) / linear +
                     ukAbs3(qdd + 3) / angular;
        }
        if (rounds > largest_lever * moves) {
            if (rounds > largest_cancelled) gaussCheckWorst(rounds, INFINITY, i, &c->stationarity, &c->worst_body);
            for (; rounds > most && measured < 2; measured++)
                most = largest_lever * (measured == 0 ? ukScaleBodies(p) : ukScaleForces(p, e->lambda, e->lo, e->hi));
            rounds = rounds > most ? most : rounds;
        }
        for (int k = 0; k < 3; k++) work[size + k] = linear * rounds, work[size + 3 + k] = angular * rounds;
    }
}

typedef struct Row {
    double u, w, scale, k; /* b - A qdd, S lambda - u, what can round, ~ (A M^-1 A') (only where bounded) */
    double lambda, softness, lo, hi;
} Row;

enum { most_rows = 3 }; /* of a disc */

typedef struct Judged { /* where the largest residuals are so far; the rows of a disc that wait for its last one */
    int equality, bounded;
    Row disc[most_rows];
    int waiting, rows; /* of the disc */
} Judged;

UKODE_INLINE double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* psi(u) - lambda u + S lambda^2/2 for lambda within lo, hi (not both infinite or S > 0) */
UKODE_INLINE double gapOf(const Row *r, double lambda)
{
    if (r->softness > 0) {
        const double mu = clamp(r->u / r->softness, r->lo, r->hi);
        return (mu - lambda) * (r->u - 0.5 * r->softness * (mu + lambda));
    }
    return r->u == 0 ? 0 : ((r->u > 0 ? r->hi : r->lo) - lambda) * r->u;
}

/* A box row whose natural residual needs no look: it rests against its bound, or, since projections bring points no
 * farther apart, it is at most |w|, which is not the largest so far. Nearly all are such, and spare the compliance. */
UKODE_INLINE bool inOrder(const Row *r, double largest)
{
    if (!(r->lambda >= r->lo && r->lambda <= r->hi) || !(r->scale <= largest_scale)) return false;
    if ((r->lambda == r->lo && r->w >= 0) || (r->lambda == r->hi && r->w <= 0)) return true;
    return fabs(r->w) <= largest * r->scale;
}

static void judgeBox(const Row *r, int row, int *at, Sums *sums, ukResiduals *c)
{
    const double k = r->k + r->softness, lambda = clamp(r->lambda, r->lo, r->hi), gap = gapOf(r, lambda);
    double e = 0;
    if (k > 0)
        e = (r->lambda - clamp(r->lambda - r->w / k, r->lo, r->hi)) * k;
    else if (r->w > 0 ? r->lambda > r->lo : r->lambda < r->hi)
        e = r->w; /* moves nothing: no force unit */
    gaussCheckWorst(fabs(e), r->scale, row, &c->complementarity, at);
    if (r->lambda != lambda) sums->stray += fabs(r->lambda - lambda) * sqrt(r->k);
    sums->gap += gap < 0 ? 0 : gap;
}

/* The n rows of one disc, with the semi-axes hi. In the coordinates lambda/hi the ellipse is the unit ball, and maximal
 * dissipation (lambda' w least on the ellipse) is the natural residual there. */
static void judgeDisc(const Row *r, int n, int row, int *at, Sums *sums, ukResiduals *c)
{
    double longest = 0, scale = 0, k = 0, pull = 0;
    for (int i = 0; i < n; i++) {
        longest = fmax(longest, r[i].hi), scale = fmax(scale, r[i].scale), k = fmax(k, r[i].k + r[i].softness);
        pull = hypot(pull, r[i].hi * r[i].w);
    }
    if (k == 0) k = pull / (longest * longest); /* moves nothing: any step serves */
    const double step = k > 0 ? k * longest * longest : 1;
    double x[most_rows], natural[most_rows], beyond = 0, out = 0;
    for (int i = 0; i < n; i++) {
        x[i] = r[i].lambda / r[i].hi, natural[i] = x[i] - r[i].hi * r[i].w / step;
        beyond = hypot(beyond, x[i]), out = hypot(out, natural[i]);
    }
    beyond = fmax(1, beyond), out = fmax(1, out);
    /* lambda put into the ellipse, then the gap: exact inside the ellipse and on hard rows, else psi without softness,
     * which is not smaller */
    double inside = 0, outside = 0, size = 0, reach = 0;
    for (int i = 0; i < n; i++) {
        const double lambda = r[i].lambda / beyond, soft = r[i].softness, free = soft > 0 ? r[i].u / soft : INFINITY;
        gaussCheckWorst(fabs(x[i] - natural[i] / out) * r[i].hi * k, scale, row + i, &c->complementarity, at);
        sums->stray += fabs(r[i].lambda - lambda) * sqrt(r[i].k);
        size = hypot(size, free / r[i].hi), reach = hypot(reach, r[i].hi * r[i].u);
        inside += 0.5 * soft * (free - lambda) * (free - lambda);
        outside += 0.5 * soft * lambda * lambda - lambda * r[i].u;
    }
    const double gap = size <= 1 ? inside : reach + outside;
    sums->gap += gap < 0 ? 0 : gap;
}

enum { chunk = 8 }; /* rows of a block at a time */

/* what is judged, and the bodies' part of the work (ukGaussCheckWork) */
typedef struct Case {
    const ukProblem *problem;
    const ukGaussEvidence *evidence;
    const double *work;
} Case;

/* x = A v, y = |A| |accelerations| of `rows` rows, each as two halves */
UKODE_INLINE void sumRows(const ukProblem *p, const ukBlock *b, const double *A, int rows, const double *qdd,
                          const double *work, ukPair *x, ukPair *y)
{
    const size_t stride = 6 * (size_t)b->slots;
    const int *body = p->body + b->slot;
    for (int r = 0; r < rows; r++) x[r] = y[r] = ukBothOf(0);
    for (int s = 0; s < b->slots; s++, A += 6) {
        if (body[s] < 0) continue;
        const double *v = qdd + 6 * (size_t)body[s], *g = work + per_body * (size_t)body[s] + size, *a = A;
        const ukPair v0 = ukLoadPair(v), v1 = ukLoadPair(v + 2), v2 = ukLoadPair(v + 4);
        const ukPair g0 = ukLoadPair(g), g1 = ukLoadPair(g + 2), g2 = ukLoadPair(g + 4);
        for (int r = 0; r < rows; r++, a += stride) {
            const ukPair a0 = ukLoadPair(a), a1 = ukLoadPair(a + 2), a2 = ukLoadPair(a + 4);
            x[r] += (a0 * v0 + a1 * v1) + a2 * v2;
            y[r] += (ukPairAbsolute(a0) * g0 + ukPairAbsolute(a1) * g1) + ukPairAbsolute(a2) * g2;
        }
    }
}

/* rows first ... first + rows - 1 of block b, A the first of them */
UKODE_INLINE void judgeChunk(const Case *of, const ukBlock *b, const double *A, int first, int rows, Judged *judged,
                             Sums *sums, ukResiduals *c)
{
    const ukProblem *p = of->problem;
    const ukGaussEvidence *e = of->evidence;
    ukPair x[chunk], y[chunk];
    double feasibility = c->feasibility, gap = 0, hard2 = 0, last = 0, stiffness = 0;
    int at_worst = judged->equality;
    sumRows(p, b, A, rows, e->qdd, of->work, x, y);
    for (int j = 0; j < rows; j++) {
        const int i = first + j;
        const double lambda = e->lambda[i], softness = p->softness ? p->softness[i] : 0;
        const double u = p->b[i] - (x[j][0] + x[j][1]), w = softness * lambda - u;
        const double scale = (y[j][0] + y[j][1]) + fabs(p->b[i]) + softness * fabs(lambda) + DBL_MIN * (1 + softness);
        const double lo = e->lo ? e->lo[i] : -INFINITY, hi = e->lo ? e->hi[i] : INFINITY;
        if (lo == -INFINITY && hi == INFINITY) {
            gaussCheckWorst(fabs(w), scale, i, &feasibility, &at_worst);
            if (softness > 0) {
                if (softness != last) last = softness, stiffness = 1 / softness; /* rows mostly share it */
                gap += w * w * stiffness;
            } else {
                hard2 += u * u;
            }
            continue;
        }
        Row r = {u, w, scale, 0, lambda, softness, lo, hi};
        sums->bounded = true;
        if (judged->waiting == 0)
            judged->rows = p->cone ? ukProblemDisc(p, e->hi, e->elliptic, i, b->row + b->rows) : 1;
        if (judged->rows == 1 && inOrder(&r, c->complementarity)) {
            const double of_row = gapOf(&r, lambda);
            sums->gap += of_row < 0 ? 0 : of_row;
            continue;
        }
        r.k = ukScaleCompliance(p, b, A + 6 * (size_t)(j * b->slots));
        judged->disc[judged->waiting++] = r;
        if (judged->waiting < judged->rows) continue;
        if (judged->rows == 1)
            judgeBox(&r, i, &judged->bounded, sums, c);
        else
            judgeDisc(judged->disc, judged->rows, i + 1 - judged->rows, &judged->bounded, sums, c);
        judged->waiting = 0;
    }
    sums->gap += 0.5 * gap;
    sums->hard2 += hard2;
    c->feasibility = feasibility;
    judged->equality = at_worst;
}

/* rows of the blocks from ... to - 1 */
UKODE_INLINE void judgeRows(const Case *of, int from, int to, Sums *sums, ukResiduals *c)
{
    const ukProblem *p = of->problem;
    Judged judged = {.equality = -1, .bounded = -1};
    for (int k = from; k < to; k++) {
        const ukBlock *b = p->block + k;
        for (int done = 0; done < b->rows; done += chunk) {
            const int rows = b->rows - done < chunk ? b->rows - done : chunk;
            const double *A = p->A + b->A + 6 * (size_t)b->slots * (size_t)done;
            judgeChunk(of, b, A, b->row + done, rows, &judged, sums, c);
        }
    }
    c->worst_row = c->feasibility >= c->complementarity || isnan(c->feasibility) ? judged.equality : judged.bounded;
}

/* Qi = A' lambda_ideal, Qni = M qdd - Q - Qi, and their M^-1 products (Udwadia 2004 [9]-[12]) */
static void split(const ukProblem *p, const ukGaussEvidence *e, double *work, ukResiduals *c)
{
    bool prescribed = p->C && e->lambda_ideal; /* or stands in rows of friction */
    for (size_t i = 0; p->C && i < 6 * (size_t)p->bodies; i++) prescribed |= p->C[i] != 0;
    c->gaussian_ideal = c->gaussian;
    if (!prescribed) return;
    c->gaussian_ideal = c->gaussian_nonideal = c->orthogonality = NAN;
    if (!e->lambda_ideal) return;

    double ideal = 0, nonideal = 0, cross = 0, *Qi = work;
    memset(Qi, 0, 6 * (size_t)p->bodies * sizeof *Qi);
    ukProblemApplyTransposed(p, e->lambda_ideal, Qi);
    for (int i = 0; i < p->bodies; i++, Qi += 6) {
        const double *qdd = e->qdd + 6 * (size_t)i, none[6] = {0};
        double d[6], qi[6];
        relative(p, i, none, Qi, qi); /* -M^-1 Qi */
        relative(p, i, qdd, p->Q + 6 * (size_t)i, d);
        relative(p, i, d, Qi, d); /* M^-1 Qni */
        ideal += gaussianOf(p, e, i, qi);
        nonideal += gaussianOf(p, e, i, d);
        if (!(e->massless && e->massless[i])) cross += ukDot3(Qi, d) + ukDot3(Qi + 3, d + 3);
    }
    c->gaussian_ideal = ideal;
    c->gaussian_nonideal = nonideal;
    c->orthogonality = ratio(fabs(cross), sqrt(ideal) * sqrt(nonideal));
}

static void bound(const Sums *s, ukResiduals *c)
{
    c->distance = hypot(sqrt(s->rest2) + s->stray, sqrt(2 * s->gap));
    c->missed = s->bounded && s->hard2 > 0 ? INFINITY : sqrt(s->hard2);
}

size_t ukGaussCheckWork(const ukProblem *p)
{
    return per_body * (size_t)p->bodies;
}

UKODE_INLINE void gaussCheck(const ukProblem *p, const ukGaussEvidence *e, double *work, ukResiduals *residuals)
{
    Sums sums = {0};
    *residuals = (ukResiduals){.worst_row = -1, .worst_body = -1};
    beginBodies(p, e, work, 0, p->bodies, residuals);
    for (int k = 0; k < p->blocks; k++) subtractForces(p, k, e->lambda, work);
    judgeBodies(p, e, work, 0, p->bodies, &sums, residuals);
    judgeRows(&(Case){p, e, work}, 0, p->blocks, &sums, residuals);
    bound(&sums, residuals);
    split(p, e, work, residuals);
}

/* The check of a divided problem: stages for its parts, each with sums and largest residuals of its own. */
typedef struct Divided {
    const ukProblem *p;
    const ukGaussEvidence *e;
    double *work;
    Sums sums[ukPartitionParts];
    ukResiduals residuals[ukPartitionParts];
} Divided;

enum { first_of_part = 0, end_of_part = 1 };

UKODE_INLINE int bodyOfPart(const Divided *of, int k, int end)
{
    return ukPartitionBegin(of->p->bodies, ukPartitionParts, k + end);
}

UKODE_INLINE int blockOfPart(const Divided *of, int k, int end)
{
    return ukPartitionBegin(of->p->blocks, ukPartitionParts, k + end);
}

/* Twice, as in solvers/factor/kernel.c: the same operations in the same order. */
#define UKODE_GAUSS_CHECK(suffix, target)                                                                              \
    target static void gaussCheck##suffix(const ukProblem *p, const ukGaussEvidence *e, double *work,                  \
                                          ukResiduals *residuals)                                                      \
    {                                                                                                                  \
        gaussCheck(p, e, work, residuals);                                                                             \
    }                                                                                                                  \
    target static void beginPart##suffix(Divided *of, int k)                                                           \
    {                                                                                                                  \
        of->sums[k] = (Sums){0};                                                                                       \
        of->residuals[k] = (ukResiduals){.worst_row = -1, .worst_body = -1};                                           \
        beginBodies(of->p, of->e, of->work, bodyOfPart(of, k, first_of_part), bodyOfPart(of, k, end_of_part),          \
                    &of->residuals[k]);                                                                                \
    }                                                                                                                  \
    target static void subtractPart##suffix(Divided *of, int k)                                                        \
    {                                                                                                                  \
        const int end = blockOfPart(of, k, end_of_part);                                                               \
        for (int i = blockOfPart(of, k, first_of_part); i < end; i++)                                                  \
            if (!of->p->partition->shared[i]) subtractForces(of->p, i, of->e->lambda, of->work);                       \
    }                                                                                                                  \
    target static void judgeBodiesPart##suffix(Divided *of, int k)                                                     \
    {                                                                                                                  \
        judgeBodies(of->p, of->e, of->work, bodyOfPart(of, k, first_of_part), bodyOfPart(of, k, end_of_part),          \
                    &of->sums[k], &of->residuals[k]);                                                                  \
    }                                                                                                                  \
    target static void judgeRowsPart##suffix(Divided *of, int k)                                                       \
    {                                                                                                                  \
        judgeRows(&(Case){of->p, of->e, of->work}, blockOfPart(of, k, first_of_part), blockOfPart(of, k, end_of_part), \
                  &of->sums[k], &of->residuals[k]);                                                                    \
    }

UKODE_FOR_PROCESSORS(UKODE_GAUSS_CHECK)

static void beginBodiesTask(void *context, int k)
{
    UKODE_CHOSEN(beginPart)(context, k);
}

static void subtractForcesTask(void *context, int k)
{
    UKODE_CHOSEN(subtractPart)(context, k);
}

static void judgeBodiesTask(void *context, int k)
{
    UKODE_CHOSEN(judgeBodiesPart)(context, k);
}

static void judgeRowsTask(void *context, int k)
{
    UKODE_CHOSEN(judgeRowsPart)(context, k);
}

/* largest := x where that is larger; the first NaN stays */
static void takeWorst(double x, int where, double *largest, int *at)
{
    if (x <= *largest || isnan(*largest)) return;
    *largest = x, *at = where;
}

/* The results of all parts, in their order. A part's row is that of its larger residual (judgeRows). */
static void joinParts(const Divided *of, Sums *sums, ukResiduals *c)
{
    double worst = 0;
    *sums = (Sums){0};
    *c = (ukResiduals){.worst_row = -1, .worst_body = -1};
    for (int k = 0; k < ukPartitionParts; k++) {
        const Sums *s = &of->sums[k];
        const ukResiduals *r = &of->residuals[k];
        int unused = 0;
        sums->rest2 += s->rest2, sums->gap += s->gap, sums->stray += s->stray, sums->hard2 += s->hard2;
        sums->bounded |= s->bounded;
        c->gaussian += r->gaussian, c->minimum += r->minimum;
        takeWorst(r->stationarity, r->worst_body, &c->stationarity, &c->worst_body);
        takeWorst(r->feasibility, 0, &c->feasibility, &unused);
        takeWorst(r->complementarity, 0, &c->complementarity, &unused);
        const double of_rows =
            r->feasibility >= r->complementarity || isnan(r->feasibility) ? r->feasibility : r->complementarity;
        takeWorst(of_rows, r->worst_row, &worst, &c->worst_row);
    }
}

static void checkDivided(const ukProblem *p, const ukGaussEvidence *e, double *work, ukResiduals *residuals)
{
    Divided of;
    Sums sums;
    of.p = p, of.e = e, of.work = work;
    ukTeamRun(p->team, ukPartitionParts, beginBodiesTask, &of);
    ukTeamRun(p->team, ukPartitionParts, subtractForcesTask, &of);
    for (int k = 0; k < p->partition->count; k++) subtractForces(p, p->partition->sharing[k], e->lambda, work);
    ukTeamRun(p->team, ukPartitionParts, judgeBodiesTask, &of);
    ukTeamRun(p->team, ukPartitionParts, judgeRowsTask, &of);
    joinParts(&of, &sums, residuals);
    bound(&sums, residuals);
    split(p, e, work, residuals);
}

void ukGaussCheck(const ukProblem *p, const ukGaussEvidence *e, double *work, ukResiduals *residuals)
{
    if (ukPartitionOf(p))
        checkDivided(p, e, work, residuals);
    else
        UKODE_CHOSEN(gaussCheck)(p, e, work, residuals);
}

const double *ukGaussCheckSizes(const double *work, int body)
{
    return work + per_body * (size_t)body + size;
}

bool ukResidualsHold(const ukResiduals *c, double tolerance)
{
    return c->feasibility <= tolerance && c->stationarity <= tolerance && c->complementarity <= tolerance;
}
