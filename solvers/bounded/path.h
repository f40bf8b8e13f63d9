/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/path.h: a parametric active set (as Ferreau, Bock & Diehl 2008 have it for quadratic programs) on the
 * dense complement,
 *
 *      w = S lambda - r,    lambda = lo: w >= 0,    lambda = hi: w <= 0,    between: w = 0,
 *
 * in bounds that are constants or, of friction, follow the normal forces of the same solution. Every multiplier of a
 * guess is forgiven what it misses by an offset to its w, so that the guess solves a problem beside the one that is
 * asked; all offsets then go to zero together. The solutions on the way are a piecewise linear path, along which one row
 * at a time becomes free or meets a bound. A good guess takes few changes, and none where only the forces moved.
 *
 * A row that slides has its normal's multiplier in its own, lambda_t = +-mu lambda_n: in its normal's column, and what is
 * left is an unsymmetric system of the free rows. Where sliding wedges the path turns round and goes on, as Lemke's
 * does, which it is from a start of its own. */
#ifndef UKODE_SOLVERS_BOUNDED_PATH_H
#define UKODE_SOLVERS_BOUNDED_PATH_H

#include "solvers/bounded/complement.h"
#include "solvers/factor/updated.h"

typedef struct ukPath {
    ukUpdated set;             /* equations of the free rows, */
    int known;                 /* and of how many rows in play it is known whether they are in it */
    bool following;            /* friction follows its normals */
    double *lambda, *lo, *hi;  /* (ld) of the rows in play */
    double *offset, *w, *fall; /* (ld) to every w; w and offset; that of it, downwards, per unit of the path */
    double *follow, *followed; /* (ld) +-mu of rows that slide on a free normal, else 0; those of `set` */
    double *mu;                /* (ld) coefficient, 0: constant bounds */
    double *x, *y;             /* (ld) scratch */
    int *normal, *moved;       /* (ld) number of the normal row in play, -1: constant bounds; rows with a step */
    unsigned char *side, *in;  /* (ld) where a row is; whether in `set` */
    double *kept;              /* (m) the best multipliers */
} ukPath;

/* Carves the arrays for p and the rows that C may have in play. */
void ukPathCarve(ukPath *P, const ukComplement *C, const ukProblem *p, ukArena *arena);
/* For a complement that was set anew. */
void ukPathBegin(ukPath *P);
/* Solves B with the rows of C in play; the others stay as they are. following: not the bounds in force, but those of
 * the solution's own normal forces; every row that may come by room is then in play, and no discs are. lambda in:
 * within the bounds; out: the best found, whose bounds are not those in force. Returns its
 * residual, INFINITY where no path came to an end; ends at `goal`, or after two paths. */
double ukPathSolve(ukPath *P, ukComplement *C, ukBounded *B, bool following, double goal, double *lambda);

#endif
