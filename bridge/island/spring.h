/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/spring.h: rows that are springs by their CFM and ERP.
 *
 * ODE's row A v+ = target - (erp/h) phi - cfm lambda, in steps of h, is a spring and a damper
 *
 *   lambda = -kp phi - kd (A v - target),   kp = erp/(h cfm),   kd = (1 - erp)/cfm
 *
 * evaluated at the end of the step. In the continuous form they are evaluated at the present state: the row becomes a
 * force. */
#ifndef UKODE_BRIDGE_ISLAND_SPRING_H
#define UKODE_BRIDGE_ISLAND_SPRING_H

#include <stdbool.h>

#include "bridge/island/island.h"

/* A row of softness s = cfm/h and compliance d = (A M^-1 A')_ii is a spring that oscillates by sqrt(d/s) radians per
 * step: up to ten the row is treated as a spring, above as a rigid constraint. */
static inline bool ukRowIsSpring(double softness, double compliance)
{
    static const double rigid = 0.01;
    return !(softness <= rigid * compliance);
}

/* Largest number of springs of an island. Their coupling matrix in implicit stages is dense: in islands with more
 * springs they stay rows. */
enum { ukMostSprings = 256 };

/* A row that acts as a force, at the state of its island's last assembly. */
typedef struct ukSpring {
    ukJoint *joint;
    double J[12], lambda;
    double kp, kd; /* derivatives of lambda by phi and A v: 0 at a bound */
    bool motor;    /* the row is a motor's, without position */
} ukSpring;

/* Spring i of the island. */
ukSpring *ukSpringOf(const ukIsland *island, int i);

/* Makes the position rows that a joint has just written, except motors, rigid if they have the world's CFM and none of
 * them is a spring by ukRowIsSpring, for the least compliance that they have in any orientation of the joint. */
void ukSpringsHarden(const ukJoint *joint, const ukRowContext *context, ukRowSink *sink, int rows);

/* Removes the springs from the rows that a joint has just written to the sink, and adds their forces, within their
 * bounds, to those of its bodies; sink->modal_motor: the first of its motors that have modes, or NULL. The remaining
 * rows, in their order, are those with negligible CFM, and those that have no continuous form: an active stop, ERP
 * outside 0 ... 1, numbers that are not finite. Returns their number, or ukErrorMemory; *velocity_rows: the number of
 * the joint's velocity rows that were removed. */
int ukSpringsTake(const ukIsland *island, ukJoint *joint, const ukState *const state[2], const ukRowContext *context,
                  ukRowSink *sink, int rows, int *velocity_rows);

#endif
