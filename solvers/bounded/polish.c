/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/bounded/polish.h"

#include "solvers/base/status.h"

#include <stdlib.h>
#include <string.h>

/* Ratio of a multiplier's own acceleration, K_ii |lambda|, to what its row needs, |b| + softness |lambda| and the
 * acceleration without constraints, above which forces cancel. Rows that agree stay below their bodies' mass ratio.
 * Below 1e7 the methods' multipliers are right to 1e-8. *Measured:* 1e5 takes 26 more passes in 10500 random islands,
 * in which the proximal term is below the softness. */
static const double cancelling = 1e7;

/* Largest number of active sets that are tried, each one pass. *Measured:* solve/test_contradicting_rows needs three;
 * the scenes of bench/gate need none. */
enum { MaxSets = 6 };

typedef struct Polish {
    ukBounded *B;
    ukProblem p;           /* the free rows; the others have no coefficients, b = 0 and softness 1 */
    double *A, *b, *soft;  /* its arrays */
    double *force;         /* (n) Q + C + A' lambda of the rows at their bounds */
    double *x, *l;         /* (n), (m) solution */
    double *lambda, *next; /* (m) multipliers of all rows */
    unsigned char *is_free, *was_free;
} Polish;

void ukPolishFree(ukPolish *polish)
{
    free(polish->memory);
    *polish = (ukPolish){0};
}

/* largest acceleration of a body without constraints, in the metric M */
static double largestFree(const ukBounded *B)
{
    double most = 0;
    for (int i = 0; i < B->p.bodies; i++) most = B->still[i] > most ? B->still[i] : most;
    return most;
}

/* Whether the multiplier of a soft row cancels those of others. */
static bool doForcesCancel(const ukBounded *B, const double *lambda)
{
    double most = -1; /* computed where a row needs it */
    for (int i = 0; i < B->m; i++) {
        const double size = fabs(lambda[i]), force = B->diagonal[i] * size;
        const double own = cancelling * (fabs(B->p.b[i]) + B->softness[i] * size);
        if (!(force > own) || B->softness[i] == 0) continue;
        if (most < 0) most = largestFree(B);
        if (force * force > cancelling * cancelling * B->diagonal[i] * most * most) return true;
    }
    return false;
}

static bool carvePolish(ukPolish *memory, ukBounded *B, Polish *P)
{
    const size_t n = (size_t)B->n, m = (size_t)B->m, pairs = 6 * ukBoundedPairs(&B->p);
    if (!ukGrow(&memory->memory, &memory->capacity, (pairs + 2 * n + 5 * m + 1) * sizeof(double) + 2 * m)) return false;
    double *at = memory->memory;
    double **const arrays[] = {&P->A, &P->force, &P->x, &P->b, &P->soft, &P->l, &P->lambda, &P->next};
    const size_t sizes[] = {pairs, n, n, m, m, m, m, m};
    for (int k = 0; k < 8; k++) *arrays[k] = at, at += sizes[k];
    P->is_free = (unsigned char *)at, P->was_free = P->is_free + m;
    P->B = B;
    return true;
}

/* The natural map of (lambda, w): next = P_C(lambda - w / d), is_free: it is strictly inside. Sliding discs keep their
 * force. */
static void classifyNaturally(Polish *P, const double *lambda, const double *w)
{
    const ukBounded *B = P->B;
    for (int i = 0, n = 0; i < B->m; i += n) {
        n = ukDiscRows(B, i);
        const double d = ukDiscScale(B, i, n);
        for (int k = i; k < i + n; k++) P->next[k] = d > 0 ? lambda[k] - w[k] / d : lambda[k];
        const bool disc = n > 1, inside = disc ? ukDiscSize(P->next + i, n) < B->hi[i]
                                               : P->next[i] > B->lo[i] && P->next[i] < B->hi[i];
        for (int k = i; k < i + n; k++) {
            P->is_free[k] = inside && d > 0;
            if (inside || disc) P->next[k] = lambda[k];
        }
        if (!disc) P->next[i] = ukClamp(P->next[i], B->lo[i], B->hi[i]);
    }
}

/* The problem of the free rows, with the forces of the others, of P->next. */
static void buildFreeProblem(Polish *P)
{
    const ukBounded *B = P->B;
    P->p = B->p;
    P->p.Q = P->force, P->p.C = NULL, P->p.A = P->A, P->p.b = P->b, P->p.softness = P->soft;
    P->p.lo = P->p.hi = NULL, P->p.normal = NULL, P->p.cone = NULL;
    for (int i = 0; i < B->m; i++) {
        P->b[i] = P->is_free[i] ? B->p.b[i] : 0;
        P->soft[i] = P->is_free[i] ? B->softness[i] : 1;
        P->l[i] = P->is_free[i] ? 0 : P->next[i];
    }
    memcpy(P->force, B->force, (size_t)B->n * sizeof *P->force);
    ukProblemApplyTransposed(&B->p, P->l, P->force);
    for (int k = 0; k < B->p.blocks; k++) {
        const ukBlock *b = B->p.block + k;
        const size_t width = 6 * (size_t)b->slots;
        for (int r = 0; r < b->rows; r++) {
            const size_t at = b->A + (size_t)r * width;
            if (P->is_free[b->row + r])
                memcpy(P->A + at, B->p.A + at, width * sizeof *P->A);
            else
                memset(P->A + at, 0, width * sizeof *P->A);
        }
    }
}

/* Solves the free rows. On return B has x, w and f at P->lambda; x is that of the solve. */
static int solveFreeSet(Polish *P, ukEquality *equality)
{
    ukBounded *B = P->B;
    ukSolution s = {.qdd = P->x, .lambda = P->l};
    buildFreeProblem(P);
    B->passes++;
    const int status = ukEqualitySolve(equality, &P->p, 0, &s);
    if (status != ukOk) return status;
    for (int i = 0; i < B->m; i++) P->lambda[i] = P->is_free[i] ? P->l[i] : P->next[i];
    memcpy(B->of, P->lambda, (size_t)B->m * sizeof *B->of);
    memcpy(B->x, P->x, (size_t)B->n * sizeof *B->x);
    ukProblemInertia(&B->p, B->x, B->f);
    ukProblemApply(&B->p, B->x, B->w);
    for (int i = 0; i < B->m; i++) B->w[i] += B->softness[i] * P->lambda[i] - B->p.b[i];
    B->evaluated = true;
    return ukOk;
}

int ukPolishSolve(ukPolish *memory, ukEquality *equality, ukBounded *B, double tolerance, double *lambda,
                  double *residual)
{
    Polish P;
    bool settled = false;
    if (!doForcesCancel(B, lambda)) return ukOk;
    if (!carvePolish(memory, B, &P)) return ukErrorMemory;
    const size_t m = (size_t)B->m;
    int status = ukOk, sets = ukPassesLeft(B, MaxSets);
    ukBoundedEvaluate(B, lambda);
    classifyNaturally(&P, lambda, B->w);
    while (!settled && status == ukOk && sets-- > 0) {
        status = solveFreeSet(&P, equality);
        if (status != ukOk) break;
        memcpy(P.was_free, P.is_free, m);
        classifyNaturally(&P, P.lambda, B->w);
        settled = memcmp(P.was_free, P.is_free, m) == 0;
    }
    B->planned = B->factored = false; /* the plan is that of the equality rows now */
    const double now = settled ? ukBoundedResidual(B, P.lambda) : INFINITY;
    if (now <= tolerance) {
        memcpy(lambda, P.lambda, m * sizeof *lambda);
        *residual = now;
    } else
        B->evaluated = false;
    return status == ukErrorMemory ? status : ukOk;
}
