/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/work.h: the work of the forces on an island's bodies at one stage, by cause. */
#ifndef UKODE_BRIDGE_RESULTS_WORK_H
#define UKODE_BRIDGE_RESULTS_WORK_H

#include "bridge/island/island.h"

/* Parameters of one summation of work: the time, and the velocity that a force is multiplied with, the mean of a body's
 * velocity: v + h qdd/2 with v at the frame's start (discrete form), or v of the frame's state. */
typedef struct ukWorkStage {
    const ukIsland *island;
    const ukProblem *p;
    const double *qdd;
    double time;       /* h, or the weight of the stage [s] */
    double h;          /* [s] 0: continuous form */
    bool driven;       /* some of the rows may be stops, motors or springs */
    bool soft;         /* some rows may yield by their CFM */
    bool has_feedback; /* the force of each joint's block is in the joint's reaction */
    bool begins;       /* v of the frames' starts, as always in the discrete form; false: of their states */
} ukWorkStage;

ukWorkStage ukWorkStageOf(const ukIsland *island, double time, double h);

/* Each adds to the entries of l. */

/* The work of user forces, of gyroscopic torques, and of motors at stops (the rest of the frames' forces); returns the
 * work of gravity. */
double ukWorkOfBodies(const ukWorkStage *stage, ukLedger *l);
/* the work of the multipliers of all rows */
void ukWorkOfRows(const ukWorkStage *stage, ukLedger *l);
/* the work of the joint laws' forces that have no rows */
void ukWorkOfLaws(const ukWorkStage *stage, ukLedger *l);

#endif
