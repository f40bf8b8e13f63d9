/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/least_squares.h: dense least squares with some unknowns that are not negative:
 *
 *      min |G x - r|,  then min |x|,    x_i >= 0 for i >= free
 *
 * by the active-set method of Lawson & Hanson (1974, chapter 23), each set solved with least norm by its singular
 * values. Among several x with the least residual the one returned has the least norm of those with its positive
 * unknowns. */
#ifndef UKODE_BRIDGE_ANALYZE_LEAST_SQUARES_H
#define UKODE_BRIDGE_ANALYZE_LEAST_SQUARES_H

typedef struct ukLeastSquares {
    int rows, unknowns, free;
    const double *G; /* (rows x unknowns) */
    const double *r; /* (rows) */
    double *x;       /* (unknowns) out */
    double *left;    /* (rows) out: r - G x */
    int rank;        /* out: of the columns of the last set */
} ukLeastSquares;

/* ukOk; ukErrorMemory; ukErrorLapack; ukErrorNotConverged: the sets do not settle (the best x so far is returned). */
int ukLeastSquaresSolve(ukLeastSquares *problem);

#endif
