/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/coupled.h: friction that follows the normal forces of the same solution, in small islands: the path
 * of parametric.h on the dense complement, with bounds that move. On a set of rows that stick, slide and are open the
 * equations are linear; a row that slides has its normal's multiplier in its own, lambda_t = +-mu lambda_n, and what is
 * left is a dense unsymmetric system of the free rows. Where sliding wedges the path turns round and goes on, as
 * Lemke's does, which it is from a start of its own. */
#ifndef UKODE_SOLVERS_BOUNDED_COUPLED_H
#define UKODE_SOLVERS_BOUNDED_COUPLED_H

#include "solvers/bounded/bordered.h"
#include "solvers/bounded/complement.h"

typedef struct ukCoupled {
    ukBordered set;        /* the equations on the sides that rows are on */
    double *w;             /* (ld) of the rows in play */
    double *offset, *fall; /* (ld) of the path, as in parametric.h */
    double *follow;        /* (ld) +-mu of rows that slide on a free normal, else 0 */
    int *normal;           /* (rows) number of the normal row in play, -1: constant bounds */
    unsigned char *side;   /* (rows) */
    unsigned char *held;   /* (rows) free */
} ukCoupled;

/* Carves the arrays for the rows that C may have in play. */
void ukCoupledCarve(ukCoupled *N, const ukComplement *C, ukArena *arena);
/* From lambda (in C), of which B->w was evaluated and whose normal forces the bounds go by; C has every row in play
 * that may come by room; no discs. True: the solution but for rounding, with its bounds; false: the path came back to
 * its start, or to no end. w is not evaluated. */
bool ukCoupledWalk(ukCoupled *N, ukComplement *C, ukBounded *B, double *lambda);
/* After it, B->w of lambda: what rounding and the proximal term left, on the same set. */
void ukCoupledCorrect(ukCoupled *N, ukComplement *C, ukBounded *B, double *lambda);

#endif
