/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/opening.h: names joints that a step of Euler's method opens, or of another integrator in the
 * discrete form. A step satisfies the joints in velocities: a body that rotates by x radians in it leaves its anchor by
 * x^2/2 of its length, which no position correction of the next steps keeps up with once x is of order one. The step is
 * certified, since it solves its equations, and inaccurate. */
#ifndef UKODE_BRIDGE_RESULTS_OPENING_H
#define UKODE_BRIDGE_RESULTS_OPENING_H

#include "bridge/world/record.h"

enum { ukOpeningLength = 64 };

typedef struct ukOpening {
    double ratio; /* of the two following ones; 0: none */
    double gap,
        length; /* by how far the step has opened the joint, and the distance of the bodies' centres along it [m] */
    char joint[ukOpeningLength];
} ukOpening;

/* After a step of ukode's: replaces *worst by the rigid ball, hinge, universal, hinge2 or double ball joint whose
 * bodies the step has moved apart by the largest share of their length, if it exceeds a tenth and worst->ratio. Motion
 * by the program between steps does not count. Returns whether *worst was replaced. */
bool ukOpeningWorst(const ukWorld *world, ukOpening *worst);

#endif
