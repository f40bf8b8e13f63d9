/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/stiff.h: derivatives of users' forces with respect to the state, and the Newton matrix of implicit
 * stages.
 *
 * Stages (1 ... s) hold accelerations a_j, in velocities as h A_ij a_j and in places as h^2 (A A)_ij a_j. A force changes
 * with these by D du + K dq; what of it is stiff is G'(D_G G du + K_G G dq) with a few rows G, one a spring or damper.
 * With X = P G' the accelerations that forces along the rows make on the constraints, errors r_i of the accelerations
 * go back to those of the a_j by
 *
 *   a_i - X sum_j (h A_ij D_G + h^2 (A A)_ij K_G) G a_j = r_i
 *
 * so dense equations in the G a_j are all that couples the stages. What is not stiff, and the change of everything
 * else, is for Newton's passes. */
#ifndef UKODE_BRIDGE_INTEGRATE_STIFF_H
#define UKODE_BRIDGE_INTEGRATE_STIFF_H

#include "bridge/integrate/nystrom.h"
#include "bridge/island/assemble.h"

enum { ukStiffStages = 3 };

/* Whether an island has forces that may be stiff, and none of what implicit stages do not know: laws. */
bool ukStiffPossible(const ukIsland *island);

/* The derivatives of the island's forces at its frames' states, by differences of `angle` [rad] and `length` [m], and
 * of as much in the time `unit` [s]. They are kept in the frames of their bodies, where those of a spring stay what
 * they are however the whole turns. ukOk, ukErrorMemory, or a status of a force. */
int ukStiffDifferentiate(ukIsland *island, const ukStepContext *at, double length, double unit);

/* The rows of what holds back in the symmetric part of g D + g^2 K, g [s]; how strong they are: the largest change of a
 * force over that of momentum, at least. And the derivatives in them. */
double ukStiffRows(ukIsland *island, double g);

/* The rows as they are at the state of a stage (0 ...) that the island was just assembled for, of the subspace that they
 * span: S V (V'S V)^-1 V'S with V = M^-1 G' of the rows so far and their g, one call of a force a row. `speed` is
 * |u|_M. And X there. */
int ukStiffTurn(ukIsland *island, int stage, const ukStepContext *at, double g, double speed);

/* Stages of a sub-step of h, as the rates stand, with their h A and h^2 A A (stages x stages). */
typedef struct ukStiff {
    int first, stages; /* the rows' number of the first one; how many */
    const ukStage *stage;
    double h;
    const double *by_place, *by_rate;
} ukStiff;

/* The equations, factored; ukErrorSingular. */
int ukStiffCouple(ukIsland *island, const ukStiff *of);
/* r to a in ukStiffVectors (stages x 6 moving bodies), in the frames of the bodies. */
void ukStiffCorrect(ukIsland *island, const ukStiff *of);
double *ukStiffVectors(const ukIsland *island);

#endif
