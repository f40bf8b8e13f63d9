/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/path.h: a homotopy, that is, a parametric active-set method (Ferreau, Bock & Diehl 2008, for
 * quadratic programs), on the dense Schur complement,
 *
 *      w = S lambda - r,    lambda = lo: w >= 0,    lambda = hi: w <= 0,    between: w = 0,
 *
 * in bounds that are constant or, for friction, coupled to the normal forces of the same solution. Each residual w_i is
 * shifted by an offset so that the guess is optimal for a perturbed problem; the offsets then go to zero together. The
 * solutions of the perturbed problems are a piecewise linear path ("path" from here on), along which one row at a time
 * becomes free or reaches a bound. A good guess takes few such changes, and none where only the forces changed.
 *
 * A row that slides has lambda_t = +-mu lambda_n: it is condensed into its normal's column, and the system of the free
 * rows is unsymmetric. Where sliding wedges, the parameter turns round and goes on, as in Lemke's method, which this is
 * from zero. */
#ifndef UKODE_SOLVERS_BOUNDED_PATH_H
#define UKODE_SOLVERS_BOUNDED_PATH_H

#include "solvers/bounded/complement.h"
#include "solvers/factor/updated.h"

typedef struct ukPath {
    int events;                /* of the last path: how many rows became free or reached a bound */
    ukUpdated factors;         /* factors of the free rows, */
    int known;                 /* and the number of rows for which `in` is valid */
    bool following;            /* coupled bounds */
    double *lambda, *lo, *hi;  /* (ld) of the rows in the working set */
    double *offset, *w, *fall; /* (ld) offsets of w; w + offset; its decrease per unit of the parameter */
    double *follow, *followed; /* (ld) +-mu of rows that slide on a free normal, else 0; as factorized in `factors` */
    double *mu;                /* (ld) coefficient, 0: constant bounds */
    double *x, *y;             /* (ld) scratch */
    int *normal, *moved;       /* (ld) number of the normal row, -1: constant bounds; rows with a step */
    int *friction, *next;      /* (ld) a normal row's first friction row; a friction row's next one of the same; -1 */
    unsigned char *side, *in;  /* (ld) free, at lo or at hi; whether in `factors` */
    double *kept;              /* (m) the best multipliers */
} ukPath;

/* Carves the arrays for p and the largest working set of C. */
void ukPathCarve(ukPath *P, const ukComplement *C, const ukProblem *p, ukArena *arena);
/* After ukComplementSet. */
void ukPathBegin(ukPath *P);
/* Solves B for the working set of C; other rows keep their multipliers. following: friction bounds are those of the
 * solution's own normal forces instead of the present ones; all rows that may ever move are then in the working set,
 * and there are no discs. lambda is within the bounds on input, and the best found on output; with `following` its
 * bounds are not the present ones. Returns its residual, INFINITY if no path reached its end; ends at `goal`, or after
 * two paths. */
double ukPathSolve(ukPath *P, ukComplement *C, ukBounded *B, bool following, double goal, double *lambda);

#endif
