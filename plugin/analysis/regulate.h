/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/regulate.h: gains of a linear-quadratic regulator from a linearization. */
#ifndef UKODE_PLUGIN_ANALYSIS_REGULATE_H
#define UKODE_PLUGIN_ANALYSIS_REGULATE_H

#include <ukode/analysis.h>

#include "bridge/world/record.h"

typedef struct ukRegulateTask {
    const ukSignal *in;
    int inputs;
    double effort, h; /* h: 0: continuous */
} ukRegulateTask;

/* Statuses of ukWorldRegulate. The arrays belong to the world's stepper. */
int ukRegulate(ukWorld *world, const ukRegulateTask *task, ukRegulator *regulator);

#endif
