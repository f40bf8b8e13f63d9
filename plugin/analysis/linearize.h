/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/linearize.h: A, B, C, D of a world by central differences of trials (plugin/analysis/trial.h),
 * or, continuous, by the tangent (plugin/analysis/tangent_columns.h) where there is one. Differences are extrapolated
 * twice (Richardson): with d(e) = (r(e) - r(-e)) / 2e at e, e/2, e/4 the error is of order e^6, and the
 * difference from the result of order e^4 estimates it. */
#ifndef UKODE_PLUGIN_ANALYSIS_LINEARIZE_H
#define UKODE_PLUGIN_ANALYSIS_LINEARIZE_H

#include <ukode/analysis.h>

#include "bridge/island/stepper.h"

/* The requested linearization. */
typedef struct ukLinearizeTask {
    const ukSignal *in, *out;
    int inputs, outputs;
    double h;         /* 0: continuous */
    ukAnalysis as;    /* the analysis in whose memory of the world the result is stored */
    bool differences; /* never by the tangent: to compare */
    bool following;   /* continuous: velocities in coordinates that follow the rows (plugin/analysis/transport.h) */
    double *rate;     /* out [1/s]: what accelerations make of the world's length; may be NULL */
    double *forces;   /* out (inputs): present forces of motors that joint forces stand for; may be NULL */
} ukLinearizeTask;

/* The result's arrays are one block of the world's stepper, which replaces the last of that kind. Statuses of
 * ukWorldLinearize; on an error the last result is gone. */
int ukLinearize(ukWorld *world, const ukLinearizeTask *task, ukLinearization *result);

#endif
