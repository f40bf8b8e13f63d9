/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/yielding.h: names joints that the world's CFM opens. A row yields by CFM times its force, and ERP
 * closes a part of the error in each step: a force f opens it by CFM f h/ERP, as a spring of ERP/(h CFM) does. Joints
 * with a CFM of their own are springs on purpose, and not named. */
#ifndef UKODE_BRIDGE_RESULTS_YIELDING_H
#define UKODE_BRIDGE_RESULTS_YIELDING_H

#include "bridge/world/record.h"

typedef struct ukYielding {
    double ratio;    /* of the gap to the size of the smaller body; 0: none */
    double gap, cfm; /* [m]; the world's CFM */
    char joint[64];
} ukYielding;

/* After a step of ukode's: replaces *worst by the ball, hinge or universal joint that is open by the largest share of
 * its smaller body's size, if this exceeds a twentieth and worst->ratio, and if the world's CFM and the joint's force
 * explain at least half of the gap. The size of a body is the edge of the cube of its mean moment of inertia. */
void ukYieldingWorst(const ukWorld *world, ukYielding *worst);

#endif
