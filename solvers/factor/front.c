/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/front.h"

#include "solvers/base/status.h"

/* the bodies' own mass matrices, and the coefficients of their rows below */
UKODE_INLINE void placeFrontBodies(double *F, int ld, int pivots, const ukFront *front, const ukSymbolic *plan,
                                   const ukProblem *p, const unsigned char *active)
{
    for (int j = 0; j < pivots; j += 6) {
        const size_t i = (size_t)((-1 - plan->row[front->at + j]) / 6);
        const double *I = p->inertia + 9 * i;
        double *to = F + j * (ld + 1);
        for (int c = 0; c < 3; c++) {
            to[c * (ld + 1)] = p->mass[i];
            for (int r = 0; r < 3; r++) to[(3 + c) * ld + 3 + r] = I[3 * r + c];
        }
    }
    for (int k = 0; k < front->entries; k++) {
        const ukEntry *e = plan->entry + front->entry + k;
        const double *A = p->A + e->A;
        double *to = F + e->column * ld + e->at;
        for (int r = 0; r < e->rows; r++, A += e->stride) {
            if (active && !active[e->row + r]) continue;
            for (int c = 0; c < 6; c++) to[c * ld + r] = A[c];
        }
    }
}

/* softness of the rows, and their coefficients on bodies that are eliminated later */
UKODE_INLINE void placeFrontRows(double *F, int ld, int pivots, const ukFront *front, const ukSymbolic *plan,
                                 const ukProblem *p, const unsigned char *active, const double *softness)
{
    for (int j = 0; j < pivots; j++) {
        const int row = plan->row[front->at + j];
        F[j * (ld + 1)] = active && !active[row] ? -1 : softness ? -softness[row] : 0;
    }
    for (int k = 0; k < front->entries; k++) {
        const ukEntry *e = plan->entry + front->entry + k;
        const double *A = p->A + e->A;
        for (int r = 0; r < e->rows; r++, A += e->stride)
            if (!active || active[e->row + r]) memcpy(F + (e->at + r) * ld + e->column, A, 6 * sizeof *A);
    }
}

UKODE_INLINE void addChildRun(double *to, const double *from, int count)
{
    int x = 0;
    for (; x + 3 < count; x += 4) {
        ukFour sum, more;
        ukLoadFour(&sum, to + x), ukLoadFour(&more, from + x);
        sum += more;
        ukStoreFour(to + x, &sum);
    }
    if (x + 1 < count) ukStorePair(to + x, ukLoadPair(to + x) + ukLoadPair(from + x)), x += 2;
    if (x < count) to[x] += from[x];
}

/* adds the columns of a child's Schur complement that are pivots here (panel), or those that are not (U) */
UKODE_INLINE void addChildComplement(const ukFront *front, const ukFront *child, const ukRun *run, const double *S,
                                     double *F, double *U, bool pivots)
{
    for (int b = 0, column = 0; b < child->runs; column += run[b].count, b++)
        for (int y = 0; y < run[b].count; y++) {
            const int to = run[b].to + y;
            if ((to < front->p) != pivots) continue;
            const int top = pivots ? 0 : front->p;
            double *target =
                pivots ? F + (size_t)to * (size_t)front->ld : U + (size_t)(to - front->p) * (size_t)front->ldu;
            const double *source = S + (size_t)(column + y) * (size_t)child->ldu + column + y;
            addChildRun(target + to - top, source, run[b].count - y);
            source += run[b].count - y;
            for (int a = b + 1; a < child->runs; source += run[a].count, a++)
                addChildRun(target + run[a].to - top, source, run[a].count);
        }
}

UKODE_INLINE void addChildren(const ukSymbolic *plan, int f, const double *stack, double *F, double *U, bool pivots)
{
    const ukFront *front = plan->front + f;
    for (int c = f - 1; c >= front->first; c = plan->front[c].first - 1) {
        const ukFront *child = plan->front + c;
        addChildComplement(front, child, plan->run + child->run, stack + child->U, F, U, pivots);
    }
}

/* Twice, as in solvers/factor/kernel.c: the same operations in the same order. */
#define UKODE_ADD_CHILDREN(suffix, target)                                                                             \
    target static void addChildren##suffix(const ukSymbolic *plan, int f, const double *stack, double *F, double *U,   \
                                           bool pivots)                                                                \
    {                                                                                                                  \
        if (pivots)                                                                                                    \
            addChildren(plan, f, stack, F, U, true);                                                                   \
        else                                                                                                           \
            addChildren(plan, f, stack, F, U, false);                                                                  \
    }

UKODE_FOR_PROCESSORS(UKODE_ADD_CHILDREN)

void ukFrontAddChildren(const ukSymbolic *plan, int f, const double *stack, double *F, double *U, bool pivots)
{
    UKODE_CHOSEN(addChildren)(plan, f, stack, F, U, pivots);
}

void ukFrontPlace(const ukSymbolic *plan, int f, const ukFactorInput *in, double *F)
{
    const ukFront *front = plan->front + f;
    if (front->body >= 0)
        placeFrontBodies(F, front->ld, front->p, front, plan, in->p, in->active);
    else
        placeFrontRows(F, front->ld, front->p, front, plan, in->p, in->active, in->softness);
}

/* ukFrontMeasure where some rows belong to the top */
static void measureOutside(const ukFront *front, const ukSymbolic *plan, const double *U, double *diagonal,
                           double *outer)
{
    for (int r = 0; r < front->runs; r++) {
        const ukRun *run = plan->run + front->run + r;
        for (int x = 0; x < run->count; x++, U += front->ldu + 1) {
            const int out = plan->outer[run->at + x];
            *(out < 0 ? diagonal + run->at + x : outer + out) -= *U;
        }
    }
}

/* Assembles the front's matrix and eliminates its pivots. */
int ukFrontFactor(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in)
{
    const ukFront *front = plan->front + f;
    const int p = front->p, n = p + front->u, ld = front->ld, ldu = front->ldu;
    double *F = factor->L + front->L, *diagonal = factor->diagonal + front->at, *d = factor->pivot + front->at;
    double *U = factor->stack + front->U, *floor = factor->floor, *t = factor->work;
    int *shifted = factor->shifted + factor->shifts;
    const bool body = front->body >= 0;

    memset(F, 0, (size_t)(ld * p) * sizeof *F);
    ukFrontPlace(plan, f, in, F);
    ukFrontAddChildren(plan, f, factor->stack, F, NULL, true);
    for (int j = 0; j < p; j++) {
        if (body) {
            floor[j] = 0;
            continue;
        }
        const int row = plan->row[front->at + j];
        const double soft = in->softness ? in->softness[row] : 0;
        const bool active = !in->active || in->active[row];
        diagonal[j] = active ? diagonal[j] + soft : 1;
        floor[j] = active ? ukFrontFloor(in, soft, diagonal[j]) : 0;
        if (!(diagonal[j] > floor[j])) diagonal[j] = 1; /* the row's coefficients are negligible */
    }
    const double sign = body ? 1 : -1;
    const int count = factor->kernel->eliminate(F, ld, p, n, sign, floor, diagonal, d, t, shifted, U, ldu);
    if (body) {
        if (count > 0) return ukErrorMass;
        if (front->outside)
            measureOutside(front, plan, U, factor->diagonal, factor->outer);
        else
            ukFrontMeasure(front, plan, U, factor->diagonal);
    } else {
        for (int k = 0; k < count; k++) shifted[k] += front->at;
        factor->shifts += count;
        if (front->doubtful) factor->doubtful += count;
        for (int j = 0; j < p; j++) factor->weak += ukFrontIsWeak(d[j], diagonal[j]);
    }
    if (front->rest) ukFrontAddChildren(plan, f, factor->stack, NULL, U, false);
    return ukOk;
}

/* z (u) = y at the update rows; the other one is the reverse */
UKODE_INLINE void gatherUpdateRows(const ukFront *front, const ukSymbolic *plan, const double *y, int origin, double *z)
{
    for (int r = 0; r < front->runs; r++) {
        const ukRun *run = plan->run + front->run + r;
        for (int x = 0; x < run->count; x++) *z++ = y[run->at - origin + x];
    }
    *z = 0;
}

UKODE_INLINE void scatterUpdateRows(const ukFront *front, const ukSymbolic *plan, const double *z, double *y,
                                    int origin)
{
    for (int r = 0; r < front->runs; r++) {
        const ukRun *run = plan->run + front->run + r;
        for (int x = 0; x < run->count; x++) y[run->at - origin + x] = *z++;
    }
}

void ukFrontGather(const ukFront *front, const ukSymbolic *plan, const double *y, double *z)
{
    gatherUpdateRows(front, plan, y, 0, z);
}

void ukFrontScatter(const ukFront *front, const ukSymbolic *plan, const double *z, double *y)
{
    scatterUpdateRows(front, plan, z, y, 0);
}

void ukFrontForward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin)
{
    gatherUpdateRows(front, plan, y, origin, factor->work);
    factor->kernel->forward(factor->L + front->L, front->ld, front->p, front->p + front->u, y + front->at - origin,
                            factor->work);
    scatterUpdateRows(front, plan, factor->work, y, origin);
}

void ukFrontForwardOutside(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y,
                           double *outer)
{
    for (int scatter = 0; scatter < 2; scatter++) {
        double *z = factor->work;
        for (int r = 0; r < front->runs; r++) {
            const ukRun *run = plan->run + front->run + r;
            for (int x = 0; x < run->count; x++, z++) {
                const int out = plan->outer[run->at + x];
                double *at = out < 0 ? y + run->at + x : outer + out;
                if (scatter)
                    *at = *z;
                else
                    *z = *at;
            }
        }
        if (scatter) return;
        *z = 0;
        factor->kernel->forward(factor->L + front->L, front->ld, front->p, front->p + front->u, y + front->at,
                                factor->work);
    }
}

void ukFrontBackward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin)
{
    gatherUpdateRows(front, plan, y, origin, factor->work);
    factor->kernel->backward(factor->L + front->L, front->ld, front->p, front->p + front->u, y + front->at - origin,
                             factor->work);
}
