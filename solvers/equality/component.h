/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/equality/component.h: products with K = A M^-1 A' + S on one connected component of a problem, and K~^-1 of
 * its factorization.
 *
 * Rows are unit rows (solvers/problem/tolerance.h): K here is that of B, with ones on its diagonal. Vectors are by
 * position, from the component's first one on. u has multipliers at the positions of rows, 0 at those of bodies; z =
 * (M^-1 A' u at the bodies, u at the rows) and w = (A' u, S u), so that z_i . w_j = u_i' K u_j without forming A M^-1
 * A'. */
#ifndef UKODE_SOLVERS_EQUALITY_COMPONENT_H
#define UKODE_SOLVERS_EQUALITY_COMPONENT_H

#include "solvers/factor/factor.h"

/* a problem and its factorization */
typedef struct ukFactored {
    ukFactor *factor;
    const ukSymbolic *plan;
    const ukProblem *p;
    const double *softness; /* (rows) S; NULL: 0 */
} ukFactored;

typedef struct ukComponent {
    const ukFactor *factor;
    const ukSymbolic *plan;
    const ukProblem *p;
    const double *softness; /* (rows) S; NULL: 0 */
    const double *unit;     /* (positions) ukRowUnit of the rows, 1 at the bodies */
    int first, last;        /* fronts, a whole tree */
    int at;                 /* first position */
    size_t size;            /* positions */
} ukComponent;

/* its fronts first ... last; unit: see above */
ukComponent ukComponentOf(const ukFactored *f, const double *unit, int first, int last);
/* computes z and w of u */
void ukComponentReact(const ukComponent *component, const double *u, double *z, double *w);
/* y = K u from z, w of ukComponentReact; 0 at the bodies */
void ukComponentApply(const ukComponent *component, const double *z, const double *w, double *y);
/* y = K~^-1 y, K~ the matrix that was factorized; 0 at the bodies */
void ukComponentSubstitute(const ukComponent *component, double *y);
/* A state t contains accelerations at the bodies and multipliers of unit rows at the rows: t from x (bodies x 6; NULL:
 * 0) and rows, and back. */
void ukComponentGather(const ukComponent *component, const double *x, const double *rows, double *t);
void ukComponentScatter(const ukComponent *component, const double *t, double *x, double *rows);
/* e = b - A x - S l of state t at the rows, 0 at the bodies */
void ukComponentResidual(const ukComponent *component, const double *b, const double *t, double *e);

double ukDotOf(size_t n, const double *x, const double *y);
void ukAddTo(size_t n, double s, const double *x, double *y); /* y += s x */
void ukScale(size_t n, double s, double *x);

#endif
