/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/form.h: completes rows as their joints write them, in the discrete or the continuous form (assemble.h).
 * r: the island's rows; A: the coefficients of the first of them. */
#ifndef UKODE_BRIDGE_ISLAND_FORM_H
#define UKODE_BRIDGE_ISLAND_FORM_H

#include "bridge/island/island.h"

typedef struct ukForm {
    bool continuous;
    double h;           /* [s] of the discrete form */
    double alpha, beta; /* Baumgarte's gains, of the continuous form [1/s] */
} ukForm;

/* Resets rows to equality rows with zero coefficients, no error and no bounds, which a joint then fills. */
void ukFormClear(const ukRowArrays *r, int row, int rows, double *A, int stride);

/* Computes b and softness and validates the rows, at the states of their bodies (slots). Sets *bounded if a row has
 * bounds. ukOk, ukErrorNotFinite, ukErrorParameter. */
int ukFormClose(const ukRowArrays *r, const ukForm *form, int row, int rows, const double *A, int slots,
                const ukState *const *state, bool *bounded);

/* Marks the two tangents of a contact under the elliptic cone. */
void ukFormMarkCone(const ukRowArrays *r, int row, int rows, const double *A, int stride);
/* Removes a row without coefficients (count) by a softness of 1: lambda = 0, or the nearest bound. */
void ukFormTakeOut(const ukRowArrays *r, int row, const double *A, int count);
/* Adds the position correction of rows that yield by their CFM to their velocity again (split correction): such a row
 * is a spring, whose force ERP determines. */
void ukFormReturnToSprings(const ukIsland *island, const ukProblem *p, double h);

#endif
