/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/form.h: completes rows as their joints write them, in the discrete or the continuous form (assemble.h).
 * r: the island's rows; A: the coefficients of the first of them. */
#ifndef UKODE_BRIDGE_ISLAND_FORM_H
#define UKODE_BRIDGE_ISLAND_FORM_H

#include <math.h>
#include <string.h>

#include "bridge/base/vector.h"
#include "bridge/island/island.h"
#include "bridge/island/massless.h"
#include "bridge/island/spring.h"
#include "solvers/base/status.h"
#include "solvers/problem/block.h"

typedef struct ukForm {
    bool continuous;
    double h;           /* [s] of the discrete form */
    double alpha, beta; /* Baumgarte's gains, of the continuous form [1/s] */
} ukForm;

/* Resets rows to equality rows with zero coefficients, no error and no bounds, which a joint then fills. Row by row,
 * since one memset per array would be a call each for five numbers. */
static inline void ukFormClear(const ukRowArrays *r, int row, int rows, double *A, int stride)
{
    memset(A, 0, (size_t)(rows * stride) * sizeof(double));
    for (int i = row; i < row + rows; i++) {
        r->c[i] = r->push[i] = r->restitution[i] = r->phi[i] = r->target[i] = r->erp[i] = r->cfm[i] = r->bias[i] = 0;
        r->velocity[i] = r->discrete_only[i] = r->cone[i] = r->spring[i] = 0;
        r->lo[i] = -INFINITY;
        r->hi[i] = INFINITY;
        r->normal[i] = -1;
    }
}

/* |A|^2 of a bounded row below which the row acts on no body: its multiplier has no meaning, and the solvers would meet
 * a pivot of zero. */
static const double ukFormNothing = 1e-200;

/* Marks the two tangents of a contact under the elliptic cone: consecutive rows with the same normal and a linear part.
 * With an infinite coefficient there is no sliding direction, and a box suffices. */
static inline void ukFormMarkCone(const ukRowArrays *r, int row, int rows, const double *A, int stride)
{
    for (int i = 0; i + 1 < rows; i++) {
        const double *t1 = A + i * stride, *t2 = t1 + stride;
        const bool translations = ukDot(t1, t1) > ukFormNothing && ukDot(t2, t2) > ukFormNothing;
        if (r->normal[row + i] < 0 || r->normal[row + i] != r->normal[row + i + 1] || !translations) continue;
        if (r->hi[row + i] == INFINITY || r->hi[row + i + 1] == INFINITY) return;
        r->cone[row + i] = 1;
        return;
    }
}

/* x . y, as the two halves of a sum */
static inline ukPair ukFormDot(const double *x, const double *y)
{
    return (ukLoadPair(x) * ukLoadPair(y) + ukLoadPair(x + 2) * ukLoadPair(y + 2)) +
           ukLoadPair(x + 4) * ukLoadPair(y + 4);
}

/* Removes a row without coefficients (count) by a softness of 1: lambda = 0, or the nearest bound. */
static inline void ukFormTakeOut(const ukRowArrays *r, int row, const double *A, int count)
{
    double square = 0;
    for (int k = 0; k < count; k++) square += A[k] * A[k];
    if (!(square < ukFormNothing)) return;
    r->softness[row] = 1;
    r->b[row] = 0;
}

/* Computes b and softness and validates the rows, at the states of their bodies (slots). Sets *bounded if a row has
 * bounds. ukOk, ukErrorNotFinite, ukErrorParameter. */
static inline int ukFormClose(const ukRowArrays *r, const ukForm *form, int row, int rows, const double *A, int slots,
                              const ukState *const *state, bool *bounded)
{
    const double fps = 1 / form->h;
    for (int i = row; i < row + rows; i++) {
        const double *const of_row = A;
        ukPair sum = ukBothOf(0);
        for (int slot = 0; slot < slots; slot++, A += 6) sum += ukFormDot(A, state[slot]->v);
        const double rate = r->rate[i] = sum[0] + sum[1];
        if (form->continuous) {
            r->b[i] = -r->bias[i] - 2 * form->alpha * (rate - r->target[i]);
            if (!r->velocity[i]) r->b[i] -= form->beta * form->beta * r->phi[i];
            r->softness[i] = 0;
        } else {
            r->b[i] = (r->c[i] - rate) * fps;
            r->softness[i] = r->cfm[i] * fps;
        }
        if (r->b[i] * 0 != 0 || r->cfm[i] * 0 != 0) return ukErrorNotFinite;
        if (!(r->lo[i] <= r->hi[i]) || r->cfm[i] < 0) return ukErrorParameter;
        if (r->lo[i] > -INFINITY || r->hi[i] < INFINITY) {
            *bounded = true;
            if (r->softness[i] == 0) ukFormTakeOut(r, i, of_row, 6 * slots);
        }
        if (r->normal[i] >= 0) r->normal[i] += row;
    }
    return ukOk;
}

/* Adds the position correction of rows that yield by their CFM to their velocity again (split correction): such a row
 * is a spring, whose force ERP determines. */
static inline void ukFormReturnToSprings(const ukIsland *island, const ukProblem *p, double h)
{
    const ukRowArrays *r = &island->rows;
    for (int k = 0; k < p->blocks; k++)
        for (int i = p->block[k].row; i < p->block[k].row + p->block[k].rows; i++) {
            if (r->velocity[i] || !(r->softness[i] > 0)) continue;
            if (!ukRowIsSpring(r->softness[i], ukMasslessCompliance(island, p, &p->block[k], i))) continue;
            r->spring[i] = 1;
            r->c[i] += r->push[i];
            r->b[i] += r->push[i] / h;
            r->push[i] = 0;
        }
}

#endif
