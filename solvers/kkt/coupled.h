/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/kkt/coupled.h: factors of systems that are not symmetric: friction rows follow normal rows, or rows and columns
 * are those of two problems. */
#ifndef UKODE_SOLVERS_KKT_COUPLED_H
#define UKODE_SOLVERS_KKT_COUPLED_H

#include "solvers/kkt/plans.h"

typedef struct ukKktCoupledFactor {
    ukKkt *kkt;
    ukKktStorage storage;
    const ukProblem *p;
} ukKktCoupledFactor;

typedef struct ukKktMixedFactor {
    ukKkt *kkt;
} ukKktMixedFactor;

/* The multipliers of friction rows follow those of their normal rows, by coupling (rows): solvers/factor/unsymmetric.h.
 * All three arrays (rows) must stay unchanged until the last solve. Rows that follow are in soft blocks. f = 0; l and r
 * (rows). ukOk, ukErrorMemory, ukErrorSingular. */
int ukKktFactorizeCoupled(ukKkt *kkt, const ukProblem *p, const unsigned char *active, const double *softness,
                          const double *coupling, ukKktCoupledFactor *factor);
void ukKktSolveCoupled(const ukKktCoupledFactor *factor, const double *r, double *l);

/* Rows and columns differ,  M x - B' l = 0,  A x = r:  M and A are those of `rows`, M' and B those of `columns`, two
 * problems of one structure, without softness. The plan must be without soft blocks. ukOk, ukErrorMemory,
 * ukErrorSingular (the symmetric part is not definite). */
int ukKktFactorizeMixed(ukKkt *kkt, const ukProblem *rows, const ukProblem *columns, ukKktMixedFactor *factor);
void ukKktSolveMixed(const ukKktMixedFactor *factor, const double *r, double *l);

#endif
