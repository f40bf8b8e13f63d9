/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/bordered.h: dense equations whose rows change a few at a time. A row is free, S_i x = r_i, or
 * follows, x_i = follow_i x_normal(i), with 0 as a rule. The LU factors are those of a base set; every row k that has
 * changed since borders it, B x + sum e_k c_k = r, by Woodbury's formula
 *
 *      Z = B^-1 E,    (T Z) c = r - T B^-1 r,    x = B^-1 r + Z c,    T: the changed rows as they are now,
 *
 * until there are so many that a new base costs less: a change takes a solve with the factors, and not their making. */
#ifndef UKODE_SOLVERS_BOUNDED_BORDERED_H
#define UKODE_SOLVERS_BOUNDED_BORDERED_H

#include "solvers/base/arena.h"
#include "solvers/factor/kernel.h"

enum { ukBorderMost = 16 }; /* rows that have changed, before a new base is made */

typedef struct ukBordered {
    const ukKernel *kernel;
    const double *S;              /* (rows x ld), both triangles */
    const int *normal;            /* (rows) what a row follows */
    int rows, ld, free, changed;  /* in play; of S; free in the base; changed since, -1: there is no base */
    double *LU;                   /* (rows x ld) of the base's free rows, by rows */
    int *row, *swap;              /* (free) which rows these are; pivots */
    unsigned char *held, *based;  /* (rows) free now, free in the base */
    double *follow, *base_follow; /* (ld) likewise */
    double *Z, *x;                /* (ukBorderMost x ld); (ld) scratch */
    int *place, *which;           /* (rows) number among the changed rows, -1: it is not; (ukBorderMost) back */
    double W[ukBorderMost * ukBorderMost], V[ukBorderMost * ukBorderMost]; /* T Z; its LU factors */
    int turn[ukBorderMost];                                                /* pivots of V */
} ukBordered;

/* Carves the arrays for at most `rows` rows of S (ld: even). */
void ukBorderedCarve(ukBordered *N, const ukKernel *kernel, int rows, int ld, ukArena *arena);
/* Another S; S and normal stay the caller's. */
void ukBorderedBegin(ukBordered *N, const double *S, int rows, const int *normal);
/* held (rows): who is free; follow (rows): of the others. A row that is followed is free. False: singular. */
bool ukBorderedSet(ukBordered *N, const unsigned char *held, const double *follow);
/* The set as it is becomes the base: without the digits that the formula may cost. False: singular, or it is. */
bool ukBorderedRenew(ukBordered *N);
/* x (ld) of r (rows; read of free rows) */
void ukBorderedSolve(ukBordered *N, const double *r, double *x);

#endif
