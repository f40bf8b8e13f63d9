/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/island/spring.h: rows that are springs by their CFM and ERP.
 *
 * ODE's row A v+ = target - (erp/h) phi - cfm lambda, in steps of h, is a spring and a damper
 *
 *   lambda = -kp phi - kd (A v - target),   kp = erp/(h cfm),   kd = (1 - erp)/cfm
 *
 * whose state it takes at the end of the step. The continuous form takes them at the time: the row becomes a force. */
#ifndef UKODE_BRIDGE_ISLAND_SPRING_H
#define UKODE_BRIDGE_ISLAND_SPRING_H

#include <stdbool.h>

#include "bridge/island/island.h"

/* A row of softness s = cfm/h and compliance d = (A M^-1 A')_ii is a spring that swings by sqrt(d/s) radians a step: up
 * to ten it is one, beyond it is there to hold. */
static inline bool ukRowIsSpring(double softness, double compliance)
{
    static const double rigid = 0.01;
    return !(softness <= rigid * compliance);
}

/* Of an island. What couples them in implicit stages is dense: with more of them they stay rows. */
enum { ukMostSprings = 256 };

/* A row that is a force: at the state that its island was assembled for last. */
typedef struct ukSpring {
    ukJoint *joint;
    double J[12], lambda;
    double kp, kd; /* how lambda changes with phi and A v: 0 at a bound */
    bool motor;    /* it drives, and has no place */
} ukSpring;

/* Spring i of the island. */
ukSpring *ukSpringOf(const ukIsland *island, int i);

/* The rows of places that a joint has just written, no motors, are rigid where the world's CFM is theirs and no spring of any of them by
 * ukRowIsSpring, with the least compliance that they have wherever the joint turns. */
void ukSpringsHarden(const ukJoint *joint, const ukRowContext *context, ukRowSink *sink, int rows);

/* Takes the springs out of the rows that a joint has just written to the sink, and adds their forces, within their
 * bounds, to those of its bodies; sink->drive: the first of its motors that have modes, or NULL. Left are, in their
 * order, rows with no CFM that counts, and any that have no continuous form: an active stop, ERP outside 0 ... 1, numbers
 * that are not finite. Returns how many, or ukErrorMemory; *held: how many of those that the joint holds are gone. */
int ukSpringsTake(const ukIsland *island, ukJoint *joint, const ukState *const state[2], const ukRowContext *context,
                  ukRowSink *sink, int rows, int *held);

#endif
