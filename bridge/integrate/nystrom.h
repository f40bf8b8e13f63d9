/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/nystrom.h: explicit Runge-Kutta-Nyström methods for second-order equations on the Lie group.
 *
 *   q_k = node_k h u_0 + h^2 sum_j pose_kj a_j,   u_k = u_0 + h sum_j rate_kj a_j,   a_k = q'' at stage k
 *
 * Orientation advances on the group: R = exp(q) R_0 with a rotation vector q that begins at zero, u = q', spin w =
 * dexp_q u. A rotation vector's second rate is not the angular acceleration: w' = alpha is solved for it, so these
 * are Munthe-Kaas' methods with the derivative of the exponential map in full. */
#ifndef UKODE_BRIDGE_INTEGRATE_NYSTROM_H
#define UKODE_BRIDGE_INTEGRATE_NYSTROM_H

#include "bridge/island/island.h"

enum { ukMostStages = 8 };

/* The second derivatives of one body's coordinates at the stages: position, then rotation vector. */
typedef struct ukRates {
    double a[ukMostStages][6];
} ukRates;
_Static_assert(sizeof(ukRates) <= 48 * sizeof(double), "ukFrameArrays.stage holds 48 doubles a body");

/* The coefficients of a state: a combination of the rates of the `uses` stages before it; for an implicit stage also
 * its own. */
typedef struct ukStage {
    int uses;
    double node, pose[ukMostStages], rate[ukMostStages];
} ukStage;

/* A tableau. The first stage is the start; `end` is the end of the step. */
typedef struct ukMethod {
    int stages;
    ukStage stage[7], end;
} ukMethod;

static inline ukRates *ukRatesOf(const ukIsland *island, int frame)
{
    return (ukRates *)(island->states.stage + 48 * frame);
}

/* Sets the frames of an island to the states of a stage of a step of h [s]. */
void ukNystromPlace(ukIsland *island, const ukStage *stage, double h);

/* Stores the second derivatives that belong to the accelerations `qdd` (6 per moving body) at the stage, as rates
 * `to`. */
void ukNystromRecord(ukIsland *island, const double *qdd, int to, const ukStage *stage, double h);

/* The accelerations (6 per moving body) that belong to rates `of` at the stage. */
void ukNystromAccelerations(const ukIsland *island, int of, const ukStage *stage, double h, double *qdd);

/* For one frame of the island at the stage. Rate: the rate that belongs to a change of its acceleration by `local` (6),
 * in its own axes. Vary: the changes of pose and velocity, in its own axes, that belong to changes of position and
 * rotation vector and of their rates. */
void ukNystromRate(const ukIsland *island, int frame, const ukStage *stage, double h, const double local[6],
                   double rate[6]);
void ukNystromVary(const ukIsland *island, int frame, const ukStage *stage, double h, double change[2][6],
                   double local[2][6]);

#endif
