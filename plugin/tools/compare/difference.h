/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/compare/difference.h: the differences between two states of a world, and the totals of one run. */
#ifndef UKODE_PLUGIN_TOOLS_COMPARE_DIFFERENCE_H
#define UKODE_PLUGIN_TOOLS_COMPARE_DIFFERENCE_H

#include "plugin/tools/compare/walk.h"

typedef struct Difference {
    bool alike;         /* as many bodies, and joints of the same types in the same order */
    double position;    /* largest distance of a body's centre [m] */
    double orientation; /* largest angle between a body's orientations [rad] */
    double velocity;    /* largest difference of a component [m/s or rad/s] */
    double energy;      /* second minus first [J] */
    double reaction; /* largest difference of the forces of a joint or contact [N]; NaN: none is known in both runs */
    double load;     /* the largest of these forces [N] */
    int farthest; /* index of the body with the largest distance or angle, whichever number is larger; -1: all are 0 */
    double farthest_position, farthest_angle; /* of that body */
} Difference;
Difference differenceOf(const Walk *x, const Walk *y);

/* The next joint from index *i, *k on that both states have; *i, *k: their indices in x and y. false: none is left. */
bool differencePairJoints(const Walk *x, const Walk *y, int *i, int *k);
/* Whether both states have as many contacts, of the same bodies in the same order. */
bool differenceSameContacts(const Walk *x, const Walk *y);

typedef struct Course {
    double steps, ours, fallbacks;
    double time;                          /* simulated [s] */
    double mean, median, worst;           /* wall time of a step [s] */
    double energy_first, energy_last;     /* after the first and the last step [J] */
    double energy_lowest, energy_highest; /* [J] */
    double residual, position_error;      /* the largest of ukode's own reports; 0 where all steps were ODE's */
    double bodies;                        /* in the first step */
} Course;
/* NaN where the recording cannot be read. */
Course courseOf(ukReader *reader, int64_t world);

#endif
