/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/modes.h: modes of motion: eigenvalues and eigenvectors of a continuous linearization. */
#ifndef UKODE_PLUGIN_ANALYSIS_MODES_H
#define UKODE_PLUGIN_ANALYSIS_MODES_H

#include <ukode/analysis.h>

#include "bridge/world/record.h"

/* The requested analysis: motors that joint forces among the inputs replace are released. */
typedef struct ukModesTask {
    const ukSignal *in;
    int inputs;
    bool differences; /* of motions, where the tangent would do, too */
} ukModesTask;

/* Statuses of ukWorldModes. The arrays belong to the world's stepper. about: out, the linearization; may be NULL. */
int ukModesFind(ukWorld *world, const ukModesTask *asked, const ukMode **modes, int *count, int *zero,
                ukLinearization *about);

#endif
