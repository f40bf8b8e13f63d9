/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/stiff_force.h: a user force, or a spring made of CFM, in the implicit method (stiff.h): its
 * derivatives with respect to the state, and the rows of its stiff part. */
#ifndef UKODE_BRIDGE_INTEGRATE_STIFF_FORCE_H
#define UKODE_BRIDGE_INTEGRATE_STIFF_FORCE_H

#include "bridge/island/assemble.h"
#include "bridge/island/spring.h"
#include "solvers/base/arena.h"

enum { ukStiffStages = 3 };
static const double ukStiffStep = 1e-7; /* of the differences, relative to a length or a speed */

/* A force of an island and its derivatives (n x n, n = 6 bodies) in the frames of its bodies; `force` is its value
 * where it was differentiated. Its rows G (rank x n), of which the first is the island's row `row`, also at the stages,
 * and the derivatives in the rows' coordinates (rank x rank). For a spring made of CFM (`f` NULL) the row and the
 * derivatives of its force are known. */
typedef struct ukStiffForce {
    struct ukForce *f;
    const ukSpring *made;
    ukBody *const *body;
    int n, *rank, *row;
    double *place, *rate, *force, *work;
    double *rows, *by_place, *by_rate;
} ukStiffForce;

/* Iterates over the forces of an island, then its springs; their arrays follow each other in the arena. */
typedef struct ukStiffWalk {
    int k;
    ukArena arena;
    ukStiffForce spring;
} ukStiffWalk;

/* whether element k of the island is a user force */
bool ukStiffIsForce(const ukIsland *island, int k);

ukStiffWalk ukStiffWalkBegin(const ukIsland *island);
bool ukStiffWalkNext(const ukIsland *island, ukStiffWalk *walk);

/* the rows at a stage (0 ...), stored after those at the state of differentiation */
double *ukStiffRowsAt(const ukStiffForce *spring, int stage);
/* the largest number of its rows */
int ukStiffMostRows(const ukStiffForce *spring);
/* inertia of coordinate i of a force's bodies, in their own frames; 0: the body does not move */
double ukStiffInertia(const ukIsland *island, const ukStiffForce *spring, int i);

/* The derivatives of a user force at the frames' states; by: steps of length, angle, and of their rates. ukOk, or the
 * force's status. */
int ukStiffForceDifferentiate(ukIsland *island, ukStiffForce *spring, const ukStepContext *at, const double by[4]);

/* Rows of G'G = positive part of S = -sym(g rate + g^2 place), at most most_rows, by Cholesky's factorization with
 * pivoting. *strength: at least the largest change of a force over g, relative to its inertia. */
void ukStiffForceFactor(const ukIsland *island, ukStiffForce *spring, double g, int most_rows, double *strength);
/* the same for the row of a spring made of CFM */
void ukStiffSpringRow(const ukIsland *island, ukStiffForce *spring, double g, int most_rows, double *strength);

/* Rows of a stage := S V, one row per direction, at the present state, where the force was evaluated last; then G from
 * S V (V'S V)^-1 V'S. ukOk, or the force's status. */
int ukStiffForceTurn(ukIsland *island, ukStiffForce *spring, int stage, const ukStepContext *at, double g,
                     double speed);
/* the row of a spring made of CFM, at the present state, in the frames of its bodies */
void ukStiffSpringLook(const ukIsland *island, const ukStiffForce *spring, double *row);

#endif
