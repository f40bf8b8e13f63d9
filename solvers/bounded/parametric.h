/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/parametric.h: a parametric active set (as Ferreau, Bock & Diehl 2008 have it for quadratic programs)
 * for a small dense bounded problem
 *
 *      w = S lambda - r,    lambda = lo: w >= 0,    lambda = hi: w <= 0,    between: w = 0,
 *
 * S symmetric positive definite. Every multiplier of a guess is forgiven what it misses by an offset to its w, so that
 * the guess solves a problem beside the one that is asked; all offsets then go to zero together. The solutions on the
 * way are a piecewise linear path, along which one row at a time becomes free or meets a bound: the Cholesky factor of
 * the free rows gets a column or loses one. A good guess takes few changes, and none at all where only the forces moved
 * but no row changed sides. */
#ifndef UKODE_SOLVERS_BOUNDED_PARAMETRIC_H
#define UKODE_SOLVERS_BOUNDED_PARAMETRIC_H

#include "solvers/base/arena.h"
#include "solvers/factor/kernel.h"

typedef struct ukParametric {
    const ukKernel *kernel;
    int most, ld;            /* rows there is room for; even, > most */
    int free;                /* free rows at the solution */
    int *row;                /* (free) which; the order of the factor */
    double *R;               /* (most x ld) S of the free rows = R' R, by rows of R */
    double *offset, *missed; /* (ld) to every w; w and offset along the path */
    double *step, *fall;     /* (ld) of the free rows' multipliers; of `missed`, downwards; per unit of the path */
    double *z, *y;           /* (ld) R'^-1 of the free rows' offsets; scratch */
    unsigned char *side;     /* (most) where a row stands */
} ukParametric;

/* Carves the arrays for at most `rows` rows. */
void ukParametricCarve(ukParametric *P, int rows, ukArena *arena);
/* S (ld x rows, P's ld, both triangles, zero up to an even row number), lo, hi, w of lambda (rows). lambda in: a guess
 * within lo and hi; out: the solution but for rounding, *changes how many rows changed sides.
 * ukOk; ukErrorSingular: no end within a multiple of the rows, or a pivot that is lost in rounding; lambda is then
 * somewhere on the way, within its bounds. */
int ukParametricSolve(ukParametric *P, const double *S, int rows, const double *lo, const double *hi, double *lambda,
                      const double *w, int *changes);
/* x (rows' order of P->row, P->free of them) <- (S of the free rows)^-1 x */
void ukParametricCorrect(const ukParametric *P, double *x);

/* 0.15 to 0.45, always the same for a row: how far offsets exceed what is missed. In common proportions they would make
 * rows meet their bounds at one point of the path, where it forks. */
double ukParametricSpread(int row);

#endif
