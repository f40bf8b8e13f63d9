/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/rows.h: the record of a convex problem of bounded rows (solvers/bounded/bounded.h). */
#ifndef UKODE_SOLVERS_BOUNDED_ROWS_H
#define UKODE_SOLVERS_BOUNDED_ROWS_H

#include "solvers/base/arena.h"
#include "solvers/sparse/sparse.h"

#include <stdbool.h>

typedef enum ukRowKind {
    ukRowBox,   /* lo <= lambda <= hi, equalities included */
    ukRowDisc,  /* first of the two or three rows of a disc, |lambda| of them <= hi[first] */
    ukRowDisc2, /* the others */
} ukRowKind;

typedef struct ukBounded {
    const ukProblem *given;
    ukProblem p;      /* given, cone rows scaled; rows keep their order */
    ukProblem turned; /* p with each disc turned to (along, across); what is factored */
    ukSparse *sparse;
    int n, m;       /* 6 bodies, rows */
    bool cones;     /* there are discs: p and turned have arrays of their own */
    bool elliptic;  /* the law asks for those of contacts */
    ukBlock *block; /* compact: at[k] / 6 counts (row, slot) pairs */
    double *A, *At, *b, *softness;
    unsigned char *kind;     /* (m) ukRowKind */
    double *lo, *hi;         /* (m) in force; disc: radius in hi of its first row, negated in lo */
    double *force;           /* (n) Q + C */
    double *a;               /* (n) M^-1 force */
    double *diagonal;        /* (m) K_ii, K = A M^-1 A' */
    double *norm;            /* (row, slot) |A_i,body| in the metric M^-1 */
    double *shift;           /* (m) proximal term: softness + shift is what is factored */
    double *of;              /* (m) the multipliers that were evaluated last, */
    double *x, *w;           /* (n), (m) accelerations and residuals of them, */
    double *f;               /* (n) and the forces: Q + C + A' lambda */
    bool evaluated;          /* x, w and f are those of `of` */
    double *scale;           /* (m) magnitude of each row's terms, same moment */
    double *rounding;        /* (m) what rounding may leave of w, same moment */
    double *still;           /* (bodies) |a| in the metric M */
    double *body, *load;     /* (bodies) scratch */
    double *y;               /* (m) scratch */
    double *turn;            /* (m) unit vectors: the frames of the discs (solvers/bounded/disc.h) */
    double *turned_by;       /* (m) those of `turned` */
    unsigned char *held;     /* (m) of the last factorization, turned rows */
    double *pivot;           /* (m) softness of the last factorization, turned rows */
    double *follow;          /* (m) of the last unsymmetric one */
    double *left, *more, *g; /* (m), (m), (n) scratch of solves */
    bool planned, factored;
    bool starved; /* there was no memory for a plan or a factorization: what came out without it does not count */
    int passes;   /* factorizations so far */
} ukBounded;

#endif
