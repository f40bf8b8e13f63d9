/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/bounded.h"

#include "solvers/base/status.h"

#include <float.h>
#include <math.h>
#include <string.h>

size_t ukBoundedPairs(const ukProblem *p)
{
    size_t pairs = 0;
    for (int k = 0; k < p->blocks; k++) pairs += (size_t)p->block[k].rows * (size_t)p->block[k].slots;
    return pairs;
}

void ukBoundedCarve(ukBounded *B, const ukProblem *p, size_t pairs, ukArena *arena)
{
    const bool cones = p->cone != NULL;
    const size_t m = (size_t)p->rows, bodies = (size_t)p->bodies;
    double **of_bodies[] = {&B->force, &B->a, &B->x, &B->f, &B->g}, **of_each[] = {&B->still, &B->body, &B->load};
    UKODE_DOUBLES(arena, m, &B->b, &B->softness, &B->lo, &B->hi, &B->diagonal, &B->shift, &B->of, &B->w, &B->scale,
                  &B->rounding, &B->pivot, &B->follow, &B->turn, &B->turned_by);
    for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++) *of_bodies[i] = ukArenaDoubles(arena, 6 * bodies);
    for (size_t i = 0; i < sizeof of_each / sizeof *of_each; i++) *of_each[i] = ukArenaDoubles(arena, bodies);
    B->norm = ukArenaDoubles(arena, pairs);
    B->response = ukArenaDoubles(arena, 6 * pairs);
    UKODE_DOUBLES(arena, cones ? 6 * pairs : 0, &B->A, &B->At);
    B->block = ukArenaBytes(arena, (size_t)p->blocks * sizeof *B->block);
    B->kind = ukArenaBytes(arena, m);
    B->active = ukArenaBytes(arena, m);
}

double ukBoundedUnit(const ukBounded *B, int i)
{
    return B->kind[i] == ukRowBox || ukProblemNormal(B->given, i) < 0 ? 1 : B->given->hi[i];
}

static void scaleConeRows(ukBounded *B)
{
    const ukProblem *p = B->given;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        const size_t width = 6 * (size_t)b->slots;
        for (int r = 0; r < b->rows; r++) {
            const int row = b->row + r;
            const double mu = ukBoundedUnit(B, row);
            const double *from = p->A + b->A + (size_t)r * width;
            double *to = B->A + B->block[k].A + (size_t)r * width;
            for (size_t c = 0; c < width; c++) to[c] = mu * from[c];
            B->b[row] = mu * p->b[row];
            B->softness[row] *= mu * mu;
        }
    }
    memcpy(B->At, B->A, 6 * ukBoundedPairs(p) * sizeof *B->A);
    B->p.block = B->block, B->p.A = B->A, B->p.b = B->b;
    B->turned = B->p;
    B->turned.A = B->At;
}

/* diagonal = K_ii, norm = |A_i,body| in the metric M^-1; a body's inverse inertia is read once for all rows of a
 * block */
static void measureRowScales(ukBounded *B)
{
    const ukProblem *p = &B->p;
    double *norm = B->norm;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        for (int r = b->row; r < b->row + b->rows; r++) B->diagonal[r] = 0;
        for (int s = 0; s < b->slots; s++) {
            const int body = p->body[b->slot + s];
            const double *A = p->A + b->A + 6 * s, *J = body < 0 ? NULL : p->inverse_inertia + 9 * (size_t)body;
            const double inverse = J ? 1 / p->mass[body] : 0;
            for (int r = 0; r < b->rows; r++, A += 6 * b->slots) {
                const double x = A[3], y = A[4], z = A[5];
                const double sum = !J ? 0
                                      : (A[0] * A[0] + A[1] * A[1] + A[2] * A[2]) * inverse +
                                            (J[0] * x * x + J[4] * y * y + J[8] * z * z) +
                                            2 * (J[1] * x * y + J[2] * x * z + J[5] * y * z);
                B->diagonal[b->row + r] += sum;
                norm[r * b->slots + s] = sqrt(sum);
            }
        }
        norm += (size_t)b->rows * (size_t)b->slots;
    }
}

void ukBoundedShift(ukBounded *B, double relative)
{
    for (int i = 0; i < B->m; i++) {
        const double more = relative * B->diagonal[i] - B->softness[i];
        B->shift[i] = more > 0 ? more : 0; /* fmax would be a function call */
    }
    /* discs: softness + shift equal in all directions, except for two rows whose softness differs and is larger */
    for (int i = 0, n = 0; B->cones && i < B->m; i += n) {
        double most = 0, soft = 0;
        n = ukDiscRows(B, i);
        for (int k = i; k < i + n; k++) most = fmax(most, B->diagonal[k]), soft = fmax(soft, B->softness[k]);
        for (int k = i; n > 1 && k < i + n; k++)
            B->shift[k] = fmax(relative * most, n == 2 ? B->softness[k] : soft) - B->softness[k];
    }
}

/* Records a lack of memory: the method continues with another one, but the solve fails (B->starved). */
static int noteMemory(ukBounded *B, int status)
{
    B->starved |= status == ukErrorMemory;
    return status;
}

/* Rows of contacts are eliminated first, each on its own softness (ukKktPlan); the methods' own corrections make up for
 * the digits lost. *Measured:* a pyramid, a pile and twenty ragdolls take 0.6, 0.7 and 0.8 of the time that they take
 * without. */
static int planSoftContacts(ukBounded *B)
{
    const ukProblem *p = B->given;
    unsigned char *soft = B->active; /* unused until the first factorization */
    if (B->planned) return ukOk;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        soft[k] = b->rows > 0 && p->lo && p->lo[b->row] == 0 && p->hi[b->row] == INFINITY;
        for (int r = b->row; p->normal && r < b->row + b->rows; r++) soft[k] |= p->normal[r] >= 0;
    }
    const int status = ukKktPlan(B->kkt, &B->turned, soft);
    B->planned = status == ukOk;
    return noteMemory(B, status);
}

/* M-norm of a body's M^-1 f */
static double massNorm(const double *a, const double *f)
{
    double sum = 0;
    for (int c = 0; c < 6; c++) sum += a[c] * f[c];
    return sum > 0 ? sqrt(sum) : 0;
}

void ukBoundedSet(ukBounded *B, const ukProblem *p, double shift)
{
    B->given = p, B->p = *p, B->turned = *p;
    B->n = 6 * p->bodies, B->m = p->rows;
    B->planned = B->factored = B->evaluated = B->cones = B->responses = false, B->passes = B->pivots = 0;
    for (int i = 0; i < B->m; i++) {
        B->softness[i] = p->softness ? p->softness[i] : 0;
        B->kind[i] = ukRowBox;
    }
    B->p.softness = B->softness;
    size_t at = 0;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        B->block[k] = *b;
        B->block[k].A = at;
        at += 6 * (size_t)b->rows * (size_t)b->slots;
        const int end = b->row + b->rows;
        for (int r = b->row, rows = 0; p->cone && r < end; r += rows) {
            rows = ukProblemDisc(p, p->hi, B->elliptic, r, end);
            if (rows == 1) continue;
            memset(B->kind + r, ukRowDisc2, (size_t)rows);
            B->kind[r] = ukRowDisc;
            B->cones = true;
        }
    }
    if (B->cones) scaleConeRows(B);
    for (int i = 0; i < B->n; i++) B->force[i] = p->Q[i] + (p->C ? p->C[i] : 0);
    ukProblemAccelerate(p, B->force, B->a);
    for (int i = 0; i < p->bodies; i++) B->still[i] = massNorm(B->a + 6 * (size_t)i, B->force + 6 * (size_t)i);
    measureRowScales(B);
    for (int i = 0; i < B->m; i++) {
        const bool loaded = ukProblemNormal(p, i) >= 0; /* the normal force that bounds the row is not known yet */
        B->lo[i] = !p->lo ? -INFINITY : loaded ? 0 : p->lo[i];
        B->hi[i] = !p->hi ? INFINITY : loaded ? 0 : p->hi[i];
    }
    ukBoundedShift(B, shift);
    for (int i = 0; B->cones && i < B->m; i++) B->turn[i] = B->kind[i] == ukRowDisc, B->turned_by[i] = 0;
}

void ukBoundedFreeze(ukBounded *B, const double *lambda)
{
    const ukProblem *p = B->given;
    for (int i = 0; p->normal && i < B->m; i++) {
        if (p->normal[i] < 0) continue;
        const double load = fabs(lambda[p->normal[i]]);
        B->hi[i] = load > 0 ? ukBoundedCoefficient(B, i) * load : 0;
        B->lo[i] = -B->hi[i];
    }
}

void ukBoundedProject(const ukBounded *B, double *lambda)
{
    for (int i = 0; !B->cones && i < B->m; i++) lambda[i] = ukClamp(lambda[i], B->lo[i], B->hi[i]);
    for (int i = 0, n = 0; B->cones && i < B->m; i += n) {
        n = ukDiscRows(B, i);
        if (n == 1) {
            lambda[i] = ukClamp(lambda[i], B->lo[i], B->hi[i]);
            continue;
        }
        /* a point on the circle, up to rounding, stays unchanged */
        const double size = ukDiscSize(lambda + i, n), most = B->hi[i] * (1 + 4 * DBL_EPSILON);
        for (int k = i; size > most && k < i + n; k++) lambda[k] *= B->hi[i] / size;
    }
}

bool ukBoundedLoaded(const ukBounded *B, const double *lambda)
{
    for (int i = 0; i < B->m; i++)
        if (lambda[i] != 0) return true;
    return false;
}

/* body = |a_i| + |x_i| in the metric M: accelerations without and with the rows' forces */
static void measureAccelerations(ukBounded *B)
{
    for (int i = 0; i < B->p.bodies; i++) {
        const size_t at = 6 * (size_t)i;
        B->body[i] = B->still[i] + massNorm(B->x + at, B->f + at);
    }
}

/* load = body + sum over the body's rows of |lambda| |A_i,body|: what may cancel in w */
static void measureForceSums(ukBounded *B, const double *lambda)
{
    const ukProblem *p = &B->p;
    memcpy(B->load, B->body, (size_t)p->bodies * sizeof *B->load);
    const double *part = B->norm;
    for (int k = 0; k < p->blocks; k++) {
        const ukBlock *b = p->block + k;
        for (int r = b->row; r < b->row + b->rows; r++)
            for (int s = b->slot; s < b->slot + b->slots; s++, part++)
                if (p->body[s] >= 0) B->load[p->body[s]] += fabs(lambda[r]) * *part;
    }
}

static double ownTerms(const ukBounded *B, int row, const double *lambda)
{
    return fabs(B->p.b[row]) + B->softness[row] * fabs(lambda[row]);
}

/* Rounding of a row, in units of DBL_EPSILON times its terms. *Measured:* 8 takes 1.00 of the passes (stack of 10 under
 * the cone 1.19), 128 takes 0.99 (stack of 10 under the cone 0.93; pile of 200, QuickStep's law, 1.03). */
static const double ulps = 32;

/* scale and rounding of one row of the block; part: B->norm of its first slot */
static void measureRow(ukBounded *B, const ukBlock *b, int row, const double *part, const double *lambda)
{
    const ukProblem *p = &B->p;
    const double own = ownTerms(B, row, lambda);
    double size = own, load = own;
    for (int s = b->slot; s < b->slot + b->slots; s++, part++) {
        if (p->body[s] < 0) continue;
        size += B->body[p->body[s]] * *part;
        load += B->load[p->body[s]] * *part;
    }
    B->scale[row] = size;
    B->rounding[row] = ulps * DBL_EPSILON * load;
}

void ukBoundedMeasure(ukBounded *B, const double *lambda)
{
    const double *part = B->norm;
    measureAccelerations(B);
    measureForceSums(B, lambda);
    for (int k = 0; k < B->p.blocks; k++) {
        const ukBlock *b = B->p.block + k;
        for (int r = b->row; r < b->row + b->rows; r++, part += b->slots) measureRow(B, b, r, part, lambda);
    }
}

void ukBoundedEvaluate(ukBounded *B, const double *lambda)
{
    const size_t bytes = (size_t)B->m * sizeof *lambda;
    if (B->evaluated && memcmp(B->of, lambda, bytes) == 0) return;
    memcpy(B->of, lambda, bytes);
    B->evaluated = true;
    memcpy(B->f, B->force, (size_t)B->n * sizeof *B->f);
    ukProblemApplyTransposed(&B->p, lambda, B->f);
    ukProblemAccelerate(&B->p, B->f, B->x);
    ukProblemApply(&B->p, B->x, B->w);
    for (int i = 0; i < B->m; i++) B->w[i] += B->softness[i] * lambda[i] - B->p.b[i];
}

/* d |lambda - P(lambda - w / d)| of the n rows that share the bound of row i */
static double naturalResidualOf(const ukBounded *B, int i, int n, const double *lambda)
{
    const double d = n > 1 ? ukDiscScale(B, i, n) : ukRowScale(B, i);
    double to[ukDiscMost];
    if (n == 1) return d > 0 ? fabs(ukClamp(B->w[i], d * (lambda[i] - B->hi[i]), d * (lambda[i] - B->lo[i]))) : 0;
    for (int k = 0; k < n; k++) to[k] = lambda[i + k] - B->w[i + k] / d;
    const double size = ukDiscSize(to, n), keep = size > B->hi[i] ? B->hi[i] / size : 1;
    for (int k = 0; k < n; k++) to[k] = lambda[i + k] - keep * to[k];
    return d * ukDiscSize(to, n);
}

double ukBoundedResidualWithin(ukBounded *B, const double *lambda, double least, double most)
{
    ukBoundedEvaluate(B, lambda);
    const double *part = B->norm;
    double worst = 0;
    bool bodies = false, loads = false; /* whether the terms of bodies and of force sums are computed */
    for (int k = 0; k < B->p.blocks; k++) {
        const ukBlock *b = B->p.block + k;
        for (int i = b->row, n = 0; i < b->row + b->rows; i += n, part += n * b->slots) {
            n = ukDiscRows(B, i);
            const double passes = worst > least ? worst : least;
            double scale = n == 1 ? ownTerms(B, i, lambda) : 0, rounding = 0;
            if (n == 1 && fabs(B->w[i]) <= passes * scale) continue; /* miss <= |w|: projections are nonexpansive */
            const double miss = naturalResidualOf(B, i, n, lambda);
            if (n == 1 && miss <= passes * scale) continue;
            if (isnan(miss)) return INFINITY;
            if (!bodies) measureAccelerations(B);
            bodies = true;
            for (int s = 0; n == 1 && s < b->slots; s++)
                if (B->p.body[b->slot + s] >= 0) scale += B->body[B->p.body[b->slot + s]] * part[s];
            if (n == 1 && miss <= passes * scale) continue;
            if (!loads) measureForceSums(B, lambda);
            loads = true;
            for (int q = i; q < i + n; q++) {
                measureRow(B, b, q, part + (q - i) * b->slots, lambda);
                scale = B->scale[q] > scale ? B->scale[q] : scale;
                rounding = B->rounding[q] > rounding ? B->rounding[q] : rounding;
            }
            scale =
                scale > DBL_MIN ? scale : DBL_MIN; /* the terms of a motion that has died away are no longer normal */
            if (miss > rounding + worst * scale) worst = (miss - rounding) / scale;
            if (worst > most) return worst;
        }
    }
    return worst;
}

double ukBoundedResidual(ukBounded *B, const double *lambda)
{
    /* Relative to a row's own terms: most rows of a solution need no scale. *Measured:* 1e-12 and 0: 1.00. */
    const double negligible = 1e-13;
    return ukBoundedResidualWithin(B, lambda, negligible, INFINITY);
}

/* At: the rows of discs along and across their frames (turn) */
static void rotateDiscRows(ukBounded *B)
{
    memcpy(B->turned_by, B->turn, (size_t)B->m * sizeof *B->turn);
    for (int k = 0; k < B->p.blocks; k++) {
        const ukBlock *b = B->block + k;
        const size_t width = 6 * (size_t)b->slots;
        for (int r = b->row; r < b->row + b->rows; r++) {
            if (B->kind[r] != ukRowDisc) continue;
            const int rows = ukDiscRows(B, r);
            const size_t at = b->A + (size_t)(r - b->row) * width;
            memcpy(B->At + at, B->A + at, (size_t)rows * width * sizeof *B->A);
            for (size_t c = at; c < at + width; c++) ukDiscTurn(B, r, rows, B->At + c, width);
        }
    }
}

static bool haveFramesChanged(const ukBounded *B)
{
    return B->cones && memcmp(B->turn, B->turned_by, (size_t)B->m * sizeof *B->turn) != 0;
}

int ukBoundedFactor(ukBounded *B, const unsigned char *active, const double *pivot, const double *follow)
{
    const size_t m = (size_t)B->m, bytes = m * sizeof *pivot;
    const bool turned = haveFramesChanged(B), same = B->factored && !turned && !follow && !B->following;
    if (same && memcmp(active, B->active, m) == 0 && memcmp(pivot, B->pivot, bytes) == 0) return ukOk;
    if (turned) rotateDiscRows(B);
    int status = planSoftContacts(B);
    if (status != ukOk) return status;
    memcpy(B->active, active, m);
    memcpy(B->pivot, pivot, bytes);
    if (follow) memcpy(B->follow, follow, bytes);
    B->following = follow != NULL;
    B->passes++;
    status = follow ? ukKktFactorizeCoupled(B->kkt, &B->turned, B->active, B->pivot, B->follow, &B->coupled)
                    : ukKktFactorize(B->kkt, &B->turned, B->active, B->pivot, &B->factor);
    B->factored = status == ukOk;
    return noteMemory(B, status);
}

double ukBoundedCoefficient(const ukBounded *B, int i)
{
    return B->kind[i] == ukRowBox ? B->given->hi[i] : 1;
}

/* multipliers of discs in `rows` (m) from p's frame to their own, or back */
static void rotateDiscVectors(const ukBounded *B, double *rows)
{
    for (int i = 0; B->cones && i < B->m; i++)
        if (B->kind[i] == ukRowDisc) ukDiscTurn(B, i, ukDiscRows(B, i), rows + i, 1);
}

void ukBoundedSolve(ukBounded *B, double *r, double *step)
{
    rotateDiscVectors(B, r);
    if (B->following)
        ukKktSolveCoupled(&B->coupled, r, step);
    else
        ukKktSolve(&B->factor, NULL, r, B->g, step);
    rotateDiscVectors(B, step);
}
