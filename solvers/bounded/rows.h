/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/bounded/rows.h: the record of a convex problem of bounded rows (solvers/bounded/bounded.h), and groups of
 * rows that share one bound |lambda| <= radius: the two tangents of a contact under the cone, the two or three axes
 * along which one friction force acts. Row i is the first of n. Their frame is F with F u = e_1 and F e_1 = u, u the
 * unit vector in B->turn: a reflection, which is its own inverse. */
#ifndef UKODE_SOLVERS_BOUNDED_ROWS_H
#define UKODE_SOLVERS_BOUNDED_ROWS_H

#include "solvers/base/arena.h"
#include "solvers/kkt/coupled.h"
#include "solvers/kkt/kkt.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef enum ukRowKind {
    ukRowBox,   /* lo <= lambda <= hi, equalities included */
    ukRowDisc,  /* first of the two or three rows of a disc, |lambda| of them <= hi[first] */
    ukRowDisc2, /* the others */
} ukRowKind;

typedef struct ukBounded {
    const ukProblem *given;
    ukProblem p;      /* the given problem, cone rows scaled; rows keep their order */
    ukProblem turned; /* p with each disc rotated to (along, across); this problem is factorized */
    ukKkt *kkt;
    int n, m;       /* 6 bodies, rows */
    bool cones;     /* there are discs: p and turned have their own arrays */
    bool elliptic;  /* contacts have discs, not boxes */
    ukBlock *block; /* compact: at[k] / 6 counts (row, slot) pairs */
    double *A, *At, *b, *softness;
    unsigned char *kind;   /* (m) ukRowKind */
    double *lo, *hi;       /* (m) current bounds; disc: radius in hi of its first row, negated in lo */
    double *force;         /* (n) Q + C */
    double *a;             /* (n) M^-1 force */
    double *diagonal;      /* (m) K_ii, K = A M^-1 A' */
    double *norm;          /* (row, slot) |A_i,body| in the metric M^-1 */
    double *response;      /* M^-1 A_i,body', in the layout of A, for sweeps; */
    bool responses;        /* whether `response` is computed */
    double *shift;         /* (m) proximal term: softness + shift is factorized */
    double *of;            /* (m) the multipliers of the last ukBoundedEvaluate, */
    double *x, *w;         /* (n), (m) their accelerations and residuals, */
    double *f;             /* (n) and the forces: Q + C + A' lambda */
    bool evaluated;        /* x, w and f are those of `of` */
    double *scale;         /* (m) magnitude of the terms of w, at the last ukBoundedMeasure */
    double *rounding;      /* (m) rounding of w, at the last ukBoundedMeasure */
    double *still;         /* (bodies) |a| in the metric M */
    double *body, *load;   /* (bodies) scratch */
    double *turn;          /* (m) unit vectors: the frames of the discs (below) */
    double *turned_by;     /* (m) frames with which `turned` was computed */
    unsigned char *active; /* (m) active rows of the last factorization, rows of `turned` */
    double *pivot;         /* (m) its softness, rows of `turned` */
    double *follow;        /* (m) coupling of the last coupled factorization */
    double *g;             /* (n) scratch of solves */
    bool planned, factored;
    bool following;             /* the last factorization is coupled: */
    ukKktCoupledFactor coupled; /* in this factor, */
    ukKktFactor factor;         /* else in this one */
    bool starved;               /* there was no memory for a plan or a factorization: the solve fails */
    int passes;                 /* factorizations so far, and homotopies, which update one factor */
    int most_passes;            /* largest number that the problem may take; 0: any number */
    int pivots;                 /* changes of the active set so far: rows that became free or met a bound */
} ukBounded;

enum { ukDiscMost = 3 };

/* rows of the disc that begins at row i; 1: a box */
static inline int ukDiscRows(const ukBounded *B, int i)
{
    return B->kind[i] == ukRowDisc ? 1 + B->given->cone[i] : 1;
}

static inline double ukDiscDot(const double *x, const double *y, int n)
{
    return n == 2 ? x[0] * y[0] + x[1] * y[1] : x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline double ukDiscSize(const double *x, int n)
{
    return n == 2 ? hypot(x[0], x[1]) : hypot(hypot(x[0], x[1]), x[2]);
}

static inline double ukClamp(double x, double lo, double hi) /* fmin and fmax are calls */
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* `wanted` passes, or those that the problem may still take if these are fewer */
static inline int ukPassesLeft(const ukBounded *B, int wanted)
{
    const int left = B->most_passes - B->passes;
    return B->most_passes == 0 || wanted < left ? wanted : left;
}

/* K_ii + softness: d of the natural map lambda - w / d of one row */
static inline double ukRowScale(const ukBounded *B, int i)
{
    return B->diagonal[i] + B->softness[i];
}

/* the same for a whole disc */
static inline double ukDiscScale(const ukBounded *B, int i, int n)
{
    double d = 0;
    for (int k = i; k < i + n; k++) d = fmax(d, ukRowScale(B, k));
    return d;
}

/* softness of row i with its proximal term */
static inline double ukSoftened(const ukBounded *B, int i)
{
    return B->softness[i] + B->shift[i];
}

/* whether the n rows of a disc have equal softness; three always have (ukBoundedShift) */
static inline bool ukDiscAlike(const ukBounded *B, int i, int n)
{
    return n != 2 || ukSoftened(B, i) == ukSoftened(B, i + 1);
}

/* u along x, of length `size`; e_1 for 0 */
static inline void ukDiscFrame(ukBounded *B, int i, int n, const double *x, double size)
{
    for (int k = 0; k < n; k++) B->turn[i + k] = size > 0 ? x[k] / size : k == 0;
}

/* x <- F x, for n numbers `stride` apart */
static inline void ukDiscTurn(const ukBounded *B, int i, int n, double *x, size_t stride)
{
    const double *u = B->turn + i, sign = u[0] < 0 ? 1 : -1;
    double along = (u[0] - sign) * x[0];
    for (int k = 1; k < n; k++) along += u[k] * x[(size_t)k * stride];
    along /= 1 - sign * u[0];
    x[0] = sign * (x[0] - along * (u[0] - sign));
    for (int k = 1; k < n; k++) x[(size_t)k * stride] = sign * (x[(size_t)k * stride] - along * u[k]);
}

#endif
