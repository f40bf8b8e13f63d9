/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/actuation.h: the spaces of a servo constraint's equations: the rigid rows, what the actuators can do beside
 * them, and the least forces for given sides (docs/theory.md, "Actuators of a servo constraint"). */
#ifndef UKODE_BRIDGE_ISLAND_ACTUATION_H
#define UKODE_BRIDGE_ISLAND_ACTUATION_H

#include "bridge/island/island.h"

enum { ukActuationSides = 2 }; /* right-hand sides at once: b and rate, or phi */

/* The equations in the metric of M (bridge/island/metric.h). A soft row is a rigid one with an auxiliary unknown of unit
 * mass (docs/theory.md, section 3), behind those of the bodies. */
typedef struct ukActuation {
    ukIsland *island;
    const struct ukConstraint *c;
    const ukBlock *block;
    bool pose;             /* holonomic rows, phi; else all rows, b and rate */
    int n, m, p, stride;   /* unknowns, rows, actuators; coefficients of a row of the block */
    int held, rank, spans; /* rows of K; of F; of the space that S has in F's coordinates */
    double tolerance;
    double *K, *z;     /* (n x n), (n x 2) orthonormal rigid rows, and their sides */
    double *start;     /* (2 x n) the solution without actuators */
    double *a;         /* (m x n) the servo's rows */
    double *E, *d;     /* (p x stride), (p x n) R^{-1/2} E' */
    double *F, *FN;    /* (p x n) rank rows: F, and N F' */
    double *S, *L, *k; /* (m x p), (m x p), (p x p): S = L k with orthonormal rows k */
    double *G, *H;     /* (m x p) L H^-1, (p x p) */
    double *side;      /* (2 x m) of the rows A_u */
    double *t;         /* (n + 2 m + 2 p) scratch */
    int *basis;        /* (p) the rows of S that span it */
} ukActuation;

static inline double ukDotRows(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* Memory of the island's solvers for n, m, p and stride. ukOk or ukErrorMemory. */
int ukActuationReserve(ukActuation *g);
/* x (n) := coefficients of a block, `A` its bodies', in the metric of M. */
void ukActuationRow(const ukActuation *g, const ukBlock *block, const double *A, double *x);
/* side (2) of a row: b and rate, or phi. */
void ukActuationSide(const ukActuation *g, int row, double side[ukActuationSides]);
/* K and z from the rows of all other blocks. */
void ukActuationHold(ukActuation *g);
/* x (n) -= its part in K. */
void ukActuationRelease(const ukActuation *g, double *x);
/* The motion without actuators: what the rigid rows require, and of b the free acceleration along the rest. */
void ukActuationStart(const ukActuation *g);
/* S (m x count) = a N x' of `count` rows x, whose projections N x' come to xN; then S = L k, `spans` rows of k. */
void ukActuationSpan(ukActuation *g, const double *x, int count, double *xN);
/* z (spans) of L z = r; with a weight the one of least (L z - r)'W (L z - r). r is lost with a weight. */
void ukActuationSolve(ukActuation *g, double *r, double *z);

#endif
