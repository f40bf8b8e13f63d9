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
    const ukSpring *spring; /* NULL: a user force */
    ukBody *const *body;
    int n, *rank, *row;
    double *place, *rate, *force, *work;
    double *rows, *by_place, *by_rate;
} ukStiffForce;

/* Iterates over the forces of an island, then its springs; their arrays follow each other in the arena. */
typedef struct ukStiffWalk {
    int k;
    ukArena arena;
    ukStiffForce force;
} ukStiffWalk;

/* whether element k of the island is a user force */
bool ukStiffIsForce(const ukIsland *island, int k);

ukStiffWalk ukStiffWalkBegin(const ukIsland *island);
bool ukStiffWalkNext(const ukIsland *island, ukStiffWalk *walk);

/* the rows at a stage (0 ...), stored after those at the state of differentiation */
double *ukStiffRowsAt(const ukStiffForce *force, int stage);
/* the largest number of its rows */
int ukStiffMostRows(const ukStiffForce *force);
/* inertia of coordinate i of a force's bodies, in their own frames; 0: the body does not move */
double ukStiffInertia(const ukIsland *island, const ukStiffForce *force, int i);

/* The derivatives of a user force at the frames' states; by: steps of length, angle, and of their rates. ukOk, or the
 * force's status. */
int ukStiffForceDifferentiate(ukIsland *island, ukStiffForce *force, const ukStepContext *at, const double by[4]);

/* Rows of G'G = positive part of S = -sym(g rate + g^2 place), at most most_rows, by Cholesky's factorization with
 * pivoting. *strength is raised to the largest pivot of S relative to its inertia, a lower bound of the largest
 * eigenvalue of M^-1 S. */
void ukStiffForceFactor(const ukIsland *island, ukStiffForce *force, double g, int most_rows, double *strength);
/* the same for the row of a spring made of CFM */
void ukStiffSpringRow(const ukIsland *island, ukStiffForce *force, double g, int most_rows, double *strength);

/* Updates the rows of a stage at the present state, where the force was evaluated last. The columns of V = M^-1 G' are
 * the directions of the rows G at the state of differentiation. S V comes from one difference of the force per
 * direction, and the new G satisfies G'G = S V (V'S V)^-1 V'S. ukOk, or the force's status. */
int ukStiffForceUpdateRows(ukIsland *island, ukStiffForce *force, int stage, const ukStepContext *at, double g,
                           double speed);
/* Writes the row of a spring made of CFM at the present state, in the frames of its bodies. */
void ukStiffSpringRowAt(const ukIsland *island, const ukStiffForce *force, double *row);

#endif
