/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/unsymmetric.h"

#include "solvers/base/arena.h"
#include "solvers/base/status.h"
#include "solvers/factor/branch.h"
#include "solvers/factor/condensed.h"
#include "solvers/factor/front.h"

#include <stdlib.h>

int ukUnsymmetricReserve(ukUnsymmetric *f, const ukSymbolic *plan)
{
    const size_t n = 6 * (size_t)plan->bodies + (size_t)plan->rows + 2, d = sizeof(double);
    f->kernel = ukKernelOfProcessor();
    const bool ok = ukGrow(&f->L, f->capacity, (plan->factor + 2) * d) &&
                    ukGrow(&f->R, f->capacity + 1, (plan->factor + 2) * d) &&
                    ukGrow(&f->lower, f->capacity + 2, (plan->stack + 2) * d) &&
                    ukGrow(&f->upper, f->capacity + 3, (plan->stack + 2) * d) &&
                    ukGrow(&f->pivot, f->capacity + 4, n * d) && ukGrow(&f->y, f->capacity + 5, n * d) &&
                    ukGrow(&f->work, f->capacity + 6, 16 * n * d) && ukGrow(&f->condensed, f->capacity + 7, n);
    return ok ? ukOk : ukErrorMemory;
}

void ukUnsymmetricFree(ukUnsymmetric *f)
{
    void *all[] = {f->L, f->R, f->lower, f->upper, f->pivot, f->y, f->work, f->condensed};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    *f = (ukUnsymmetric){0};
}

/* count rows' (A_i + sum of follow_j A_j) A_i' / s_i into both triangles; `left` and `right` (ldu x count) */
static void addUnsymmetricRows(ukUnsymmetric *f, const ukFront *front, const double *left, const double *right,
                               const double *inverse, double *t, int count, int fresh)
{
    const int u = front->u, ldu = front->ldu;
    for (int side = 0; side < 2; side++) {
        const double *J = side == 0 ? left : right, *K = side == 0 ? right : left;
        for (int j = 0; j < count; j++)
            for (int c = 0; c < u; c++) t[c * count + j] = -K[j * ldu + c] * inverse[j];
        f->kernel->update((side == 0 ? f->lower : f->upper) + front->U, ldu, u, J, t, count, fresh);
    }
}

/* Writes row r of a block with entries on `bodies` bodies, e the first, as a row (u) of a condensed block's update. */
static void placeRow(const ukFront *front, const ukEntry *e, int bodies, int r, const double *A, double *J)
{
    for (int c = 0; c < bodies; c++)
        memcpy(J + e[c].column - front->p, A + e[c].A + (size_t)(r * e[c].stride), 6 * sizeof *J);
}

static void factorUnsymmetricCondensed(ukUnsymmetric *f, const ukSymbolic *plan, const ukFront *front)
{
    const ukProblem *p = f->p;
    const int unknowns = 6 * plan->bodies + plan->rows, ldu = front->ldu;
    const int capacity = 4 * unknowns / ldu, most = capacity < 16 ? capacity : 16;
    double *right = f->work, *left = right + most * ldu, *t = left + most * ldu, *other = t + most * ldu;
    double inverse[16];
    int count = 0, fresh = 1;
    for (int k = 0, bodies = 1; k < front->entries; k += bodies, bodies = 1) {
        const ukEntry *e = plan->entry + front->entry + k;
        while (k + bodies < front->entries && e[bodies].row == e->row) bodies++;
        for (int r = 0; r < e->rows; r++) {
            const int row = e->row + r;
            f->condensed[row] = 1;
            if (!f->active[row]) continue;
            double *J = right + count * ldu, *K = left + count * ldu;
            memset(J, 0, (size_t)ldu * sizeof *J);
            placeRow(front, e, bodies, r, p->A, J);
            memcpy(K, J, (size_t)ldu * sizeof *K);
            for (int q = r + 1; q < e->rows; q++) {
                const double coupling = f->coupling[e->row + q];
                if (coupling == 0 || p->normal[e->row + q] != row) continue;
                memset(other, 0, (size_t)ldu * sizeof *other);
                placeRow(front, e, bodies, q, p->A, other);
                for (int c = 0; c < ldu; c++) K[c] += coupling * other[c];
            }
            inverse[count] = 1 / f->softness[row];
            if (++count < most) continue;
            addUnsymmetricRows(f, front, left, right, inverse, t, count, fresh);
            count = fresh = 0;
        }
    }
    addUnsymmetricRows(f, front, left, right, inverse, t, count, fresh);
}

static bool factorUnsymmetricFront(ukUnsymmetric *factor, const ukSymbolic *plan, int f)
{
    const ukFront *front = plan->front + f;
    const ukFactorInput in = {.p = factor->p, .active = factor->active, .softness = factor->softness};
    const ukFactorInput other = {.p = factor->columns, .active = factor->active, .softness = factor->softness};
    const int p = front->p, n = p + front->u;
    const size_t size = (size_t)front->ld * (size_t)p * sizeof(double);
    double *F = factor->L + front->L, *G = factor->R + front->L;
    double *U = factor->lower + front->U, *V = factor->upper + front->U;
    memset(F, 0, size);
    ukFrontPlace(plan, f, front->body >= 0 ? &in : &other, F);
    if (factor->columns == factor->p) {
        memcpy(G, F, size);
    } else {
        memset(G, 0, size);
        ukFrontPlace(plan, f, front->body >= 0 ? &other : &in, G);
    }
    ukFrontAddChildren(plan, f, factor->lower, F, NULL, true);
    ukFrontAddChildren(plan, f, factor->upper, G, NULL, true);
    if (factor->kernel->eliminateBoth(F, G, front->ld, p, n, factor->pivot + front->at, factor->work, U, V,
                                      front->ldu) > 0)
        return false;
    if (!front->rest) return true;
    ukFrontAddChildren(plan, f, factor->lower, NULL, U, false);
    ukFrontAddChildren(plan, f, factor->upper, NULL, V, false);
    return true;
}

int ukUnsymmetricCompute(ukUnsymmetric *f, const ukSymbolic *plan, const ukProblem *p, const unsigned char *active,
                         const double *softness, const double *coupling)
{
    f->p = f->columns = p, f->active = active, f->softness = softness, f->coupling = coupling;
    memset(f->condensed, 0, (size_t)p->rows);
    for (int k = 0; k < plan->fronts; k++)
        if (plan->front[k].kind == ukFrontCondensed)
            factorUnsymmetricCondensed(f, plan, plan->front + k);
        else if (!factorUnsymmetricFront(f, plan, k))
            return ukErrorSingular;
    return ukOk;
}

/* l = T r on the condensed rows, l = 0 on the others */
static void applyUnsymmetricCondensed(const ukUnsymmetric *f, const double *r, double *l)
{
    for (int i = 0; i < f->p->rows; i++) {
        l[i] = f->condensed[i] && f->active[i] ? r[i] / f->softness[i] : 0;
        if (f->condensed[i] && f->coupling[i] != 0) l[i] += f->coupling[i] * l[f->p->normal[i]];
    }
}

/* y (unknowns, by position) = H^-1 y on all fronts but condensed blocks */
static void applyUnsymmetricInverse(ukUnsymmetric *f, const ukSymbolic *plan, double *y)
{
    double *z = f->work;
    for (int k = 0; k < plan->fronts; k++) {
        const ukFront *front = plan->front + k;
        if (front->kind == ukFrontCondensed || ukBranchForward(f->L, plan, front, y, 0)) continue;
        ukFrontGather(front, plan, y, z);
        f->kernel->forward(f->L + front->L, front->ld, front->p, front->p + front->u, y + front->at, z);
        ukFrontScatter(front, plan, z, y);
    }
    for (int k = plan->fronts - 1; k >= 0; k--) {
        const ukFront *front = plan->front + k;
        if (front->kind == ukFrontCondensed || ukBranchBackward(f->R, plan, front, y, 0)) continue;
        ukFrontGather(front, plan, y, z);
        f->kernel->backward(f->R + front->L, front->ld, front->p, front->p + front->u, y + front->at, z);
    }
}

int ukUnsymmetricComputeBetween(ukUnsymmetric *f, const ukSymbolic *plan, const ukProblem *rows,
                                const ukProblem *columns)
{
    f->p = rows, f->columns = columns, f->active = NULL, f->softness = NULL;
    const ukBoth to = {rows, columns, f->L, f->R, f->lower, f->upper, f->pivot};
    bool ok;
    for (int k = 0; k < plan->fronts; k++) {
        const ukFront *front = plan->front + k;
        if (!ukBranchFactorBoth(&to, plan, k, &ok)) ok = factorUnsymmetricFront(f, plan, k);
        if (!ok) return ukErrorSingular;
        for (int j = front->at; front->body < 0 && j < front->at + front->p; j++)
            if (!(f->pivot[j] < 0)) return ukErrorSingular;
    }
    return ukOk;
}

void ukUnsymmetricSolveBetween(ukUnsymmetric *f, const ukSymbolic *plan, const double *r, double *l)
{
    memset(f->y, 0, (6 * (size_t)plan->bodies + (size_t)plan->rows) * sizeof *f->y);
    for (int i = 0; i < plan->rows; i++) f->y[plan->row_at[i]] = r[i];
    applyUnsymmetricInverse(f, plan, f->y);
    for (int i = 0; i < plan->rows; i++) l[i] = 0 - f->y[plan->row_at[i]]; /* the symmetric form has -l */
}

void ukUnsymmetricSolve(ukUnsymmetric *f, const ukSymbolic *plan, const double *r, double *l)
{
    const ukProblem *p = f->p;
    const size_t n = 6 * (size_t)p->bodies, m = (size_t)p->rows;
    double *g = f->work + 4 * (n + m), *rest = g + n;
    applyUnsymmetricCondensed(f, r, l);
    memset(g, 0, n * sizeof *g);
    ukProblemApplyTransposed(p, l, g);
    for (int i = 0; i < p->bodies; i++) memcpy(f->y + plan->body_at[i], g + 6 * i, 6 * sizeof *g);
    for (int i = 0; i < p->rows; i++) f->y[plan->row_at[i]] = f->active[i] && !f->condensed[i] ? r[i] : 0;
    applyUnsymmetricInverse(f, plan, f->y);
    for (int i = 0; i < p->bodies; i++) memcpy(g + 6 * i, f->y + plan->body_at[i], 6 * sizeof *g);
    ukProblemApply(p, g, rest);
    for (int i = 0; i < p->rows; i++) rest[i] = r[i] - rest[i];
    applyUnsymmetricCondensed(f, rest, l);
    for (int i = 0; i < p->rows; i++) {
        if (f->condensed[i]) continue;
        l[i] = f->active[i] ? 0 - f->y[plan->row_at[i]] : 0; /* the symmetric form has -l */
        if (f->coupling[i] != 0) l[i] += f->coupling[i] * l[p->normal[i]];
    }
}
