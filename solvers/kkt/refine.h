/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/kkt/refine.h: iterative refinement of a solution of the KKT system,  (x, l) += H^-1 residual. */
#ifndef UKODE_SOLVERS_KKT_REFINE_H
#define UKODE_SOLVERS_KKT_REFINE_H

#include "solvers/kkt/kkt.h"

#include <stdbool.h>

/* What is not refined where pivots were shifted (ukKktFactorizeShifted): H is then not the matrix of the system. */
typedef enum ukRefineScope {
    ukRefineNoShiftedTree, /* any unknown of a component with a shifted pivot */
    ukRefineNoShiftedRow   /* the shifted rows only: they are left out of the system */
} ukRefineScope;

/* Refines x and l of  M x - A' l = f,  A x + S l = b  (f, b NULL: 0) until the residual is rounding, or as long as it
 * falls. sound: no pivot is weak; the first correction is then taken only where the residual is more than rounding of
 * the terms of A x. */
void ukKktRefine(const ukKktFactor *factor, const double *f, const double *b, ukRefineScope scope, bool sound,
                 double *x, double *l);

/* ukKktSolve, and refinement where the plan has soft blocks, which brings back the digits that these lose. */
void ukKktSolveRefined(const ukKktFactor *factor, const double *f, const double *r, double *x, double *l);

#endif
