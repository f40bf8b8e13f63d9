/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/factor/updated.h: factors A = L D R' of a small dense matrix under insertion and deletion of rows and
 * columns, one of each at a time. An inserted row is the last one and costs a solve with each of L and R; when one is
 * deleted, its contribution to the others is added back, A + u d v' (Bennett 1965). There is no pivoting: A is
 * symmetric positive definite, L = R, or not far from it. */
#ifndef UKODE_SOLVERS_BOUNDED_UPDATED_H
#define UKODE_SOLVERS_BOUNDED_UPDATED_H

#include "solvers/base/arena.h"
#include "solvers/factor/kernel.h"

#include <stdbool.h>

typedef struct ukUpdated {
    const ukKernel *kernel;
    int count, ld;
    bool symmetric;
    int *row;      /* (count) the caller's numbers of the rows */
    double *L, *R; /* (ld x ld) by columns, unit diagonals left out */
    double *d;     /* (ld) */
    double *u, *v; /* (ld) scratch */
    double *y;     /* (ld) L^-1 r of ukUpdatedSolveKept, */
    int kept;      /* ... of which so many elements are valid */
} ukUpdated;

/* Carves the arrays for fewer than ld rows. */
void ukUpdatedCarve(ukUpdated *U, int ld, ukArena *arena);
/* Removes all rows. */
void ukUpdatedClear(ukUpdated *U, bool symmetric);
/* Appends a row and its column: above and left (count; overwritten) of its own element; symmetric: above alone. False:
 * only rounding is left of the element, and the row is not added. */
bool ukUpdatedAppend(ukUpdated *U, int row, double *above, double *left, double own);
/* Factorizes `count` rows at once, U being empty, to the same bits as if they were appended one by one. Their elements
 * are in U->R and, of an unsymmetric matrix, U->L on input: element (j, k) of the upper triangle in R[j ld + k],
 * element (k, j) of the lower one in L[j ld + k], j <= k. False: as ukUpdatedAppend, with the rows before. */
bool ukUpdatedFactor(ukUpdated *U, const int *row, int count);
/* Removes row k; later ones move up. */
void ukUpdatedDrop(ukUpdated *U, int k);
/* x (count) = A^-1 r, r[row] for the caller's number of a row. Between two calls r changes for rows
 * that are appended in between only; else ukUpdatedForgetKept comes first. The forward substitution begins at the first
 * row that is new, or after which one was dropped. */
void ukUpdatedSolveKept(ukUpdated *U, const double *r, double *x);
void ukUpdatedForgetKept(ukUpdated *U);

#endif
