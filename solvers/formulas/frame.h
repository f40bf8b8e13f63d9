/* SPDX-License-Identifier: BSD-3-Clause */
/* solvers/formulas/frame.h: the workspace of one system: M's factor, free accelerations, and B = A M^-1/2 with its
 * singular values. What depends on the root of M (1997's J and E, 2000's X) takes the symmetric one, as the papers do;
 * what does not (A_M^+) takes the Cholesky factor. Scaled results are right to rounding. */
#ifndef UKODE_SOLVERS_FORMULAS_FRAME_H
#define UKODE_SOLVERS_FORMULAS_FRAME_H

#include "solvers/formulas/formulas.h"
#include "solvers/formulas/matrix.h"

typedef struct ukFormulaFrame {
    const ukFormulaSystem *s;
    int n, m;
    ukHeap heap;
    double *L;                   /* (n x n) M = L L' */
    double *a, *c;               /* (n) M^-1 Q, M^-1 C */
    double *root, *inverse_root; /* (n x n) symmetric; after ukFormulaScale */
    double *B;                   /* (m x n) A M^-1/2; after ukFormulaScale, or ukFormulaScaleByFactor: A L'^-1 */
    ukSvd svd;                   /* of B */
} ukFormulaFrame;

/* The arguments alone. A null or out-of-range one, also where `given` is false: ukErrorArgument; ukErrorNotFinite. The
 * frame must be ended whatever this and the next one return. */
int ukFormulaCheck(ukFormulaFrame *f, const ukFormulaSystem *s, bool given);
/* The same, and L, a, c. */
int ukFormulaBegin(ukFormulaFrame *f, const ukFormulaSystem *s, bool given);
int ukFormulaScale(ukFormulaFrame *f);
int ukFormulaScaleByFactor(ukFormulaFrame *f);
int ukFormulaEnd(ukFormulaFrame *f, int status);

/* (n) or (m) zeros, and matrices, of the frame's heap */
double *ukFormulaMatrix(ukFormulaFrame *f, int rows, int columns);
/* x (m) = b - A q; q NULL: b */
void ukFormulaResidual(const ukFormulaFrame *f, const double *q, double *x);
/* y (n) = A_M^+ x, x (m); after ukFormulaScaleByFactor */
void ukFormulaApplyMInverse(const ukFormulaFrame *f, const double *x, double *y);
/* y (n) := (I - A_M^+ A) y; likewise */
void ukFormulaProject(const ukFormulaFrame *f, double *y);
/* y (n) += M x */
void ukFormulaAddMass(const ukFormulaFrame *f, const double *x, double *y);
/* as (n) = M^-1/2 (Q + C); after ukFormulaScale */
void ukFormulaScaledForce(const ukFormulaFrame *f, double *as);

#endif
