/* SPDX-License-Identifier: BSD-3-Clause */
#include "solvers/factor/condensed.h"

#include "solvers/factor/row_batch.h"

enum { Wide = ukBatchWide };

/* The entries of one block of rows: coefficients of its rows on the body whose update rows come first in the front, and
 * on the other one. */
typedef struct Block {
    const double *first, *second;
    int stride, row, rows, at;
} Block;

/* bodies: 1 or 2 */
UKODE_INLINE Block condensedBlock(const ukFront *front, const ukEntry *e, const int bodies, const double *A)
{
    const bool turned = bodies > 1 && e->column != front->p;
    return (Block){A + e[turned].A, A + e[bodies > 1 && !turned].A, e->stride, e->row, e->rows, e->at};
}

/* ---- factorization ----------------------------------------------------------------------------------------------- */

/* Pivot -softness of row `row`, at position `at` of the front; false: the row is not active, and the pivot infinite. */
UKODE_INLINE bool placeCondensedPivot(ukFactor *factor, const ukFront *front, const ukFactorInput *in, int row, int at)
{
    double *d = factor->pivot + front->at, *L = factor->L + front->L;
    if (in->active && !in->active[row]) {
        d[at] = -INFINITY;
        L[at] = 0;
        return false;
    }
    const double soft = in->softness ? in->softness[row] : 0;
    if (!(soft > 0)) factor->shifted[factor->shifts++] = front->at + at;
    d[at] = soft > 0 ? -soft : -1;
    L[at] = 1 / d[at];
    factor->diagonal[front->at + at] = 1;
    return true;
}

/* U += the sum over the batch's rows; T: what earlier batches sum to (ukRowBatchSum) */
UKODE_INLINE void addCondensedBatch(ukRowBatch *rows, const int bodies, bool *fresh, double *T)
{
    if (*fresh)
        ukRowBatchSum(rows, rows->x, rows->x, bodies + 1, true, T);
    else
        ukRowBatchSum(rows, rows->x, rows->x, bodies + 1, false, T);
    rows->count = 0, *fresh = false;
}

UKODE_INLINE void factorCondensed(ukFactor *factor, const ukSymbolic *plan, const ukFront *front,
                                  const ukFactorInput *in, const int bodies)
{
    ukRowBatch rows;
    double T[Wide * Wide], *U = factor->stack + front->U;
    const ukEntry *e = plan->entry + front->entry, *end = e + front->entries;
    bool fresh = true;
    for (rows.count = 0; e < end; e += bodies) {
        const Block b = condensedBlock(front, e, bodies, in->p->A);
        const double *A = b.first, *B = b.second;
        for (int r = 0; r < b.rows; r++, A += b.stride, B += b.stride) {
            if (!placeCondensedPivot(factor, front, in, b.row + r, b.at + r)) continue;
            double *x = rows.x + rows.count * Wide;
            memcpy(x, A, 6 * sizeof *x);
            if (bodies > 1)
                memcpy(x + 6, B, 6 * sizeof *x);
            else
                x[6] = x[7] = 0;
            rows.inverse[rows.count++] = -factor->L[front->L + (size_t)(b.at + r)];
            if (rows.count == ukBatchRows) addCondensedBatch(&rows, bodies, &fresh, T);
        }
    }
    if (rows.count > 0 || fresh) addCondensedBatch(&rows, bodies, &fresh, T);
    for (int c = 0; c < 6 * bodies; c++) memcpy(U + c * 6 * bodies, T + c * Wide, (size_t)(6 * bodies) * sizeof *U);
}

/* ---- solve ------------------------------------------------------------------------------------------------------- */

/* z (u) = y at the update rows, which are those of bodies; the other one is the reverse */
UKODE_INLINE void gatherBodies(const ukFront *front, const ukSymbolic *plan, const double *y, int origin, double *z)
{
    for (const ukRun *run = plan->run + front->run, *end = run + front->runs; run < end; run++)
        for (int x = 0; x < run->count; x += 6, z += 6) memcpy(z, y + run->at - origin + x, 6 * sizeof *z);
}

UKODE_INLINE void scatterBodies(const ukFront *front, const ukSymbolic *plan, const double *z, double *y, int origin)
{
    for (const ukRun *run = plan->run + front->run, *end = run + front->runs; run < end; run++)
        for (int x = 0; x < run->count; x += 6, z += 6) memcpy(y + run->at - origin + x, z, 6 * sizeof *z);
}

/* z (6 per body) -= A' (L v) */
UKODE_INLINE void subtractCondensedRows(const Block *b, const int bodies, const double *L, const double *v, double *z)
{
    ukFour low[2], a;
    ukPair high[2];
    UKODE_UNROLL
    for (int k = 0; k < bodies; k++) ukLoadFour(low + k, z + 6 * k), high[k] = ukLoadPair(z + 6 * k + 4);
    const double *A[2] = {b->first, b->second};
    for (int r = b->at; r < b->at + b->rows; r++) {
        const double t = v[r] * L[r];
        UKODE_UNROLL
        for (int k = 0; k < bodies; k++) {
            ukLoadFour(&a, A[k]);
            low[k] -= t * a, high[k] -= ukBothOf(t) * ukLoadPair(A[k] + 4);
            A[k] += b->stride;
        }
    }
    UKODE_UNROLL
    for (int k = 0; k < bodies; k++) ukStoreFour(z + 6 * k, low + k), ukStorePair(z + 6 * k + 4, high[k]);
}

/* v = L (v - A z), z 6 per body */
UKODE_INLINE void solveCondensedRows(const Block *b, const int bodies, const double *L, const double *z, double *v)
{
    ukFour low[2], a;
    ukPair high[2];
    UKODE_UNROLL
    for (int k = 0; k < bodies; k++) ukLoadFour(low + k, z + 6 * k), high[k] = ukLoadPair(z + 6 * k + 4);
    const double *A[2] = {b->first, b->second};
    for (int r = b->at; r < b->at + b->rows; r++) {
        ukFour product = {0};
        ukPair sum = {0};
        UKODE_UNROLL
        for (int k = 0; k < bodies; k++) {
            ukLoadFour(&a, A[k]);
            product += a * low[k], sum += ukLoadPair(A[k] + 4) * high[k];
            A[k] += b->stride;
        }
        sum += (ukPair){product[0], product[1]} + (ukPair){product[2], product[3]};
        v[r] = L[r] * (v[r] - (sum[0] + sum[1]));
    }
}

UKODE_INLINE void forwardCondensed(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front,
                                   const int bodies, double *y, int origin)
{
    const double *L = factor->L + front->L, *v = y + front->at - origin;
    double z[Wide];
    gatherBodies(front, plan, y, origin, z);
    for (const ukEntry *e = plan->entry + front->entry, *end = e + front->entries; e < end; e += bodies) {
        const Block b = condensedBlock(front, e, bodies, factor->A);
        subtractCondensedRows(&b, bodies, L, v, z);
    }
    scatterBodies(front, plan, z, y, origin);
}

UKODE_INLINE void backwardCondensed(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front,
                                    const int bodies, double *y, int origin)
{
    const double *L = factor->L + front->L;
    double *v = y + front->at - origin, z[Wide];
    gatherBodies(front, plan, y, origin, z);
    for (const ukEntry *e = plan->entry + front->entry, *end = e + front->entries; e < end; e += bodies) {
        const Block b = condensedBlock(front, e, bodies, factor->A);
        solveCondensedRows(&b, bodies, L, z, v);
    }
}

/* ---- for this processor ------------------------------------------------------------------------------------------ */

#define UKODE_CONDENSED(suffix, target)                                                                                \
    target static void factorCondensed##suffix(ukFactor *factor, const ukSymbolic *plan, const ukFront *front,         \
                                               const ukFactorInput *in, int bodies)                                    \
    {                                                                                                                  \
        if (bodies == 1)                                                                                               \
            factorCondensed(factor, plan, front, in, 1);                                                               \
        else                                                                                                           \
            factorCondensed(factor, plan, front, in, 2);                                                               \
    }                                                                                                                  \
    target static void forwardCondensed##suffix(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front,  \
                                                double *y, int origin)                                                 \
    {                                                                                                                  \
        if (front->u == 6)                                                                                             \
            forwardCondensed(factor, plan, front, 1, y, origin);                                                       \
        else                                                                                                           \
            forwardCondensed(factor, plan, front, 2, y, origin);                                                       \
    }                                                                                                                  \
    target static void backwardCondensed##suffix(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, \
                                                 double *y, int origin)                                                \
    {                                                                                                                  \
        if (front->u == 6)                                                                                             \
            backwardCondensed(factor, plan, front, 1, y, origin);                                                      \
        else                                                                                                           \
            backwardCondensed(factor, plan, front, 2, y, origin);                                                      \
    }

UKODE_FOR_PROCESSORS(UKODE_CONDENSED)

void ukCondensedFactor(ukFactor *factor, const ukSymbolic *plan, int f, const ukFactorInput *in)
{
    const ukFront *front = plan->front + f;
    UKODE_CHOSEN(factorCondensed)(factor, plan, front, in, front->u / 6);
}

void ukCondensedForward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin)
{
    UKODE_CHOSEN(forwardCondensed)(factor, plan, front, y, origin);
}

void ukCondensedBackward(const ukFactor *factor, const ukSymbolic *plan, const ukFront *front, double *y, int origin)
{
    UKODE_CHOSEN(backwardCondensed)(factor, plan, front, y, origin);
}
