/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/stiff.h: derivatives of users' forces with respect to the state, and the Newton matrix of implicit
 * stages.
 *
 * Stages (1 ... s) have accelerations a_j, whose weights are h A_ij in velocities and h^2 (A A)_ij in positions. A
 * force changes with these by D du + K dq; its stiff part is G'(D_G G du + K_G G dq) with a few rows G, one per spring
 * or damper. With X = P G', where P maps forces to the accelerations that they cause under the constraints, the changes
 * of the a_j that remove errors r_i of the accelerations are the solution of
 *
 *   a_i - X sum_j (h A_ij D_G + h^2 (A A)_ij K_G) G a_j = r_i
 *
 * so the stages are coupled only by dense equations in the G a_j. The other parts of the derivatives are left to
 * Newton's iterations. */
#ifndef UKODE_BRIDGE_INTEGRATE_STIFF_H
#define UKODE_BRIDGE_INTEGRATE_STIFF_H

#include "bridge/integrate/nystrom.h"
#include "bridge/integrate/stiff_force.h"

/* Whether an island has forces that may be stiff: of users, or springs made of CFM. */
bool ukStiffAny(const ukIsland *island);
/* ... and neither joint laws nor bodies without mass, which implicit stages do not support. */
bool ukStiffPossible(const ukIsland *island);

/* Differentiates the island's forces at its frames' states, by differences of ukStiffStep [rad] and ukStiffStep times
 * `length` [m], and of the same per `unit` [s] for the velocities. The derivatives are stored in the frames of their
 * bodies, where those of a spring do not change when the whole rotates. ukOk, ukErrorMemory, or a status of a force. */
int ukStiffDifferentiate(ukIsland *island, const ukStepContext *at, double length, double unit);

/* ukOk, or ukNotContinuous: since ukStiffDifferentiate, the island has gained or lost springs made of CFM (a soft stop
 * is reached), for which there are no derivatives, and no arrays of the functions below. */
int ukStiffUnchanged(const ukIsland *island);

/* Computes the rows of the restoring part of the symmetric part of g D + g^2 K, g [s], and the derivatives in their
 * coordinates; returns their strength: the largest change of a force over that of momentum. */
double ukStiffRows(ukIsland *island, double g);

/* Computes the rows G at the state of a stage (0 ...) for which the island was just assembled: G'G = S V (V'S V)^-1 V'S
 * with S the restoring part of ukStiffRows there, and V = M^-1 G' of the present rows and their g, by one call of a
 * force per row; `speed` is |u|_M. Also computes X there. */
int ukStiffUpdateRows(ukIsland *island, int stage, const ukStepContext *at, double g, double speed);

/* Stages of a sub-step of h, with the present rates, and their h A and h^2 A A (stages x stages). */
typedef struct ukStiff {
    int first, stages; /* index of the first stage in the rows; number of stages */
    const ukStage *stage;
    double h;
    const double *by_place, *by_rate;
} ukStiff;

/* Assembles and factorizes the equations; ukErrorSingular. */
int ukStiffCouple(ukIsland *island, const ukStiff *of);
/* Solves for the corrections in ukStiffVectors (stages x 6 moving bodies), residuals on input, in the frames of the
 * bodies. */
void ukStiffCorrect(ukIsland *island, const ukStiff *of);
double *ukStiffVectors(const ukIsland *island);

#endif
