/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/difference.h: what differs between two states of a world, and what one run of it amounts to. */
#ifndef UKODE_PLUGIN_CLI_DIFFERENCE_H
#define UKODE_PLUGIN_CLI_DIFFERENCE_H

#include "plugin/cli/trace_file.h"

typedef struct Difference {
    bool alike;         /* as many bodies, and joints with feedback of the same types in the same order */
    double position;    /* largest distance of a body's centre [m] */
    double orientation; /* largest angle between a body's orientations [rad] */
    double velocity;    /* largest difference of a component [m/s or rad/s] */
    double energy;      /* second minus first [J] */
    double reaction,
        load; /* largest difference of a feedback's force [N]; largest force itself; NaN without feedback */
} Difference;
Difference differenceOf(const ukTraceHeader *x, const ukTraceHeader *y);

typedef struct Course {
    int steps, ours, fallbacks;
    double time;                          /* simulated [s] */
    double mean, median, worst;           /* wall time of a step [s] */
    double energy_first, energy_last;     /* after the first and the last step [J] */
    double energy_lowest, energy_highest; /* [J] */
    double residual, position_error;      /* the largest of ukode's own reports; 0 where all steps were ODE's */
} Course;
Course courseOf(const TraceWorld *world);

#endif
