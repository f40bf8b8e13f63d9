/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/skyline.h: a small symmetric positive definite matrix within its skyline, K = U' U, and the
 * elimination of further columns. The kernels process two rows and four columns at a time: the number of rows is padded
 * to even (a zero row, with a unit diagonal in U), and each row to a multiple of four elements (zeros, overwritten by
 * the kernels). */
#ifndef UKODE_SOLVERS_FACTOR_SKYLINE_H
#define UKODE_SOLVERS_FACTOR_SKYLINE_H

#include "solvers/base/arena.h"

typedef struct ukSkyline {
    bool wide;     /* true: uses AVX2; the results are the same to the bit */
    int rows, ld;  /* ld: a multiple of four */
    int *first;    /* (rows) where column i begins, at most i */
    int *end;      /* (rows) row i is zero from this column on */
    double *U;     /* (rows x ld) its upper triangle; entries below are not used */
    double *pivot; /* (rows) 1 / U_ii */
} ukSkyline;

/* Carves the arrays for at most `most` rows. */
void ukSkylineCarve(ukSkyline *K, int most, ukArena *arena);
/* K = 0 within the skyline of `first`; K->rows and K->first are the caller's. */
void ukSkylineClear(ukSkyline *K);
/* Factorizes K into U. A pivot below least K_ii is increased by least K_ii. False: a pivot is at most lost K_ii; U is
 * then void. */
bool ukSkylineFactor(ukSkyline *K, double least, double lost);
/* z (rows, and a zero where that is odd) <- U'^-1 z */
void ukSkylineForward(const ukSkyline *K, double *z);
/* z (rows, likewise) <- U^-1 z */
void ukSkylineBackward(const ukSkyline *K, double *z);

/* Columns `from` ... `to` - 1 of a matrix of as many rows (ld each). */
typedef struct ukSkylineColumns {
    double *Y;
    int ld, from, to;
    const int *begin; /* (to) rows above which each is zero; used by ukSkylineComplement only */
} ukSkylineColumns;

/* Y <- U'^-1 Y */
void ukSkylineEliminate(const ukSkyline *K, const ukSkylineColumns *Y);
/* S (Y->to x Y->ld) -= Y' Y, restricted to the upper triangle in these columns; Y includes the columns before them */
void ukSkylineComplement(const ukSkyline *K, const ukSkylineColumns *Y, double *S);
/* z (rows) += Y x; x (columns, Y->from = 0), padded with zeros. */
void ukSkylineMultiply(const ukSkyline *K, const ukSkylineColumns *Y, const double *x, double *z);

#endif
