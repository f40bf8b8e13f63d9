/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/actuation.h: the spaces of a servo constraint's equations: the rigid rows, the accelerations that
 * actuators can cause under them, and the least actuator forces for given right-hand sides (docs/theory.md, "Actuators
 * of a servo constraint"). */
#ifndef UKODE_BRIDGE_ISLAND_ACTUATION_H
#define UKODE_BRIDGE_ISLAND_ACTUATION_H

#include "bridge/island/island.h"

enum { ukActuationSides = 2 }; /* right-hand sides that are solved together: b and rate, or phi */

/* The equations in the metric of M (bridge/island/metric.h). A soft row is a rigid one with an auxiliary unknown of
 * unit mass (docs/theory.md, section 3), which follows those of the bodies. */
typedef struct ukActuation {
    ukIsland *island;
    const ukProblem *problem; /* the island's or, with joint laws, also that without their rows and forces (ukIdeal) */
    const struct ukConstraint *c;
    const ukBlock *block;
    bool pose;                   /* true: holonomic rows, phi; false: all rows, b and rate */
    bool trial;                  /* rows that actuators cannot satisfy are no error */
    const unsigned char *active; /* (rows) with bounds: 1: an equality, 0: at a bound; NULL: there are none */
    const double *lambda;        /* (rows) multipliers of those at a bound */
    int n, m, p, stride;         /* unknowns, rows, actuators; coefficients of a row of the block */
    int rigid, rank, spans;      /* number of rows of K; of F; dimension of the space of S in F's coordinates */
    double tolerance;
    double impressed;  /* length of the free acceleration */
    double *K, *z;     /* (n x n), (n x 2) orthonormal rigid rows, and their right-hand sides */
    double *start;     /* (2 x n) the solution without actuators */
    double *a;         /* (m x n) the servo's rows */
    double *E, *d;     /* (p x stride), (p x n) R^{-1/2} E', R: diagonal matrix of the actuators' costs */
    double *F, *FN;    /* (p x n) rank rows: F, and N F', N: the projection onto the null space of K */
    double *S, *L, *k; /* (m x p), (m x p), (p x p): S = L k with orthonormal rows k */
    double *G, *H;     /* (m x p) L H^-1, (p x p) */
    double *side;      /* (2 x m) right-hand sides of the rows A_u */
    double *t;         /* (n + 2 m + 2 p) scratch */
    int *basis;        /* (p) rows of S that span its space */
} ukActuation;

/* Reserves memory of the island's solvers for n, m, p and stride. ukOk or ukErrorMemory. */
int ukActuationReserve(ukActuation *g);
/* side (2) of a row: b and rate, or phi. */
void ukActuationSide(const ukActuation *g, int row, double side[ukActuationSides]);
/* Computes K and z from the rows of all other blocks. */
void ukActuationAddRigid(ukActuation *g);
/* Subtracts from x (n) its projection onto the rows of K. */
void ukActuationProject(const ukActuation *g, double *x);
/* Computes the motion without actuators: in the directions that the rigid rows determine, the motion that they
 * prescribe, and for b the free acceleration in all others. */
void ukActuationStart(ukActuation *g);
/* S (m x count) = a N x' for `count` rows x, whose projections N x' are stored in xN; then S = L k, `spans` rows
 * of k. */
void ukActuationSpan(ukActuation *g, const double *x, int count, double *xN);
/* Solves L z = r for z (spans); with a weight, minimises (L z - r)'W (L z - r) and overwrites r. */
void ukActuationSolve(ukActuation *g, double *r, double *z);

#endif
