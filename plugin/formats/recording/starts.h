/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/starts.h: samples before a step: the states of bodies, and the angles, anchors and axes of
 * joints, before the first step that they take part in; and bodies whose poses the program set between two steps. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_STARTS_H
#define UKODE_PLUGIN_FORMATS_RECORDING_STARTS_H

#include "bridge/world/record.h"
#include "plugin/formats/recording/queue.h"

typedef struct ukStartBody {
    uint64_t serial;
    double state[13]; /* position, quaternion, velocity, angular velocity */
} ukStartBody;

typedef struct ukStartJoint {
    uint64_t serial;
    double angle[3], anchor[2][3], axis[2][3]; /* NaN: it has none */
} ukStartJoint;

/* A body's state at the end of the last step. */
typedef struct ukEndState {
    uint64_t serial;
    double pose[7], velocity[6];
    bool heavy;         /* gravity acts on it */
    double moved;       /* by how much the program has set its centre off since [m]; NaN: it has not set the pose */
    int64_t last_event; /* number of the step of the last event of this body; 0: none */
} ukEndState;

typedef struct ukStarts {
    uint64_t changes; /* of the world at the last search for new objects; 0: search again */
    ukStartBody *body;
    ukStartJoint *joint;
    ukEndState *end; /* in the order of the world's bodies at the end of the last step */
    int bodies, joints, ends;
    size_t body_capacity, joint_capacity, end_capacity;
    bool any_moved;
    bool ours; /* the last step was ukode's */
} ukStarts;

/* Called before a step: copies the states of bodies and joints that are not in the recording yet, and compares states
 * with those after the last step. Returns whether any differs, may differ, or belongs to a body with a moved callback.
 * Without memory nothing is copied, and no such rows are written. */
bool ukStartsSearch(ukStarts *starts, const ukWorld *world);
/* Called after the step: puts the row of a body or joint that is new in `step`, if it existed before the step. */
void ukStartsPutBody(const ukStarts *starts, ukQueue *queue, const ukBody *body, int64_t step);
void ukStartsPutJoint(const ukStarts *starts, ukQueue *queue, const ukJoint *joint, int64_t step);
/* Returns the key of the next body, from index *from on, whose pose was set before this step and that has had no event
 * in the last ten steps, and the distance by which it was moved [m]. 0: none left. */
int64_t ukStartsMoved(ukStarts *starts, const ukWorld *world, int64_t number, int *from, double *distance);
/* Called last: stores the states after the step, which ukode (ours) or ODE has taken. */
void ukStartsKeep(ukStarts *starts, const ukWorld *world, bool ours);
/* Called after a failed step: the next one searches again. */
void ukStartsFailed(ukStarts *starts);
void ukStartsFree(ukStarts *starts);

#endif
