/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/inverse.h: the forces of actuators, joints and contacts that give a world's bodies accelerations at
 * its present state. With N an M-orthonormal basis of the motions that the joints leave,
 *
 *      N' (M qdd - Q) = N' (W u + sum_k x_k g_k),   x_k >= 0,
 *
 * where g_k are the edges of the contacts' friction cones and the directions of active stops; joints' multipliers
 * follow. */
#ifndef UKODE_BRIDGE_ANALYZE_INVERSE_H
#define UKODE_BRIDGE_ANALYZE_INVERSE_H

#include <ukode/analysis.h>

#include "bridge/world/record.h"

/* The force of a unit of one actuator: force and torque on up to two bodies. */
typedef struct ukInverseActuator {
    dBodyID body[2]; /* NULL: the world */
    double wrench[2][6];
    double weight; /* > 0 */
} ukInverseActuator;

typedef struct ukInverseTask {
    const ukInverseActuator *actuator; /* (count) */
    int count;
    const double *acceleration; /* (6 x bodies of the world), in the order of creation; NULL: 0 */
    double *forces;             /* (count) out */
} ukInverseTask;

/* ukOk, whatever was found; out's arrays are the stepper's. Or a status as ukWorldInverseDynamics'. Nothing moves. */
int ukInverseFind(ukWorld *world, const ukInverseTask *task, ukInverse *out);

#endif
