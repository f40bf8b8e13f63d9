/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/kkt/refine.h: iterative refinement of a solution of the KKT system,  (x, l) += H^-1 residual, by a factor in
 * fronts. */
#ifndef UKODE_SOLVERS_KKT_REFINE_H
#define UKODE_SOLVERS_KKT_REFINE_H

#include "solvers/kkt/kkt.h"

#include <stdbool.h>

/* The unknowns that are not refined if pivots were shifted (ukKktFactorizeShifted): H is then not the system's
 * matrix. */
typedef enum ukRefineScope {
    ukRefineNoShiftedTree, /* any unknown of a component with a shifted pivot */
    ukRefineNoShiftedRow   /* the shifted rows only: they are left out of the system */
} ukRefineScope;

/* Refines x and l of  M x - A' l = f,  A x + S l = b  (f, b NULL: 0) until the residual is rounding, or as long as it
 * decreases. sound: no pivot is weak; the first correction is then made only if the residual exceeds the rounding of
 * the terms of A x. */
void ukKktRefine(const ukKktFactor *factor, const double *f, const double *b, ukRefineScope scope, bool sound,
                 double *x, double *l);

#endif
