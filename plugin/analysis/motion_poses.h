/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/motion_poses.h: poses of a world that satisfy its joints and have given positions of joints and
 * bodies: Newton's method in the coordinates of bridge/analyze/coordinates.h, for one row of a table of motion. */
#ifndef UKODE_PLUGIN_ANALYSIS_MOTION_POSES_H
#define UKODE_PLUGIN_ANALYSIS_MOTION_POSES_H

#include "plugin/analysis/signal_list.h"

typedef struct ukMotionAim {
    const ukSignalList *list; /* positions of joints and bodies */
    const double *value;      /* (list->count) */
    double time, h;           /* of the row, for messages; of the world's steps [s] */
} ukMotionAim;

/* Moves the world's bodies there from their present poses, at rest. ukOk; ukErrorArgument: the joints do not admit the
 * positions, or these leave motions undetermined; ukErrorUnsupported: the world has contacts; statuses of
 * coordinates. */
int ukMotionPosesFind(ukWorld *world, const ukMotionAim *aim);

#endif
