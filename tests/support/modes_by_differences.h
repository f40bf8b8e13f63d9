/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/modes_by_differences.h: the eigenvalues of a world by differences of motions, against those of its
 * modes. */
#ifndef UKODE_TESTS_SUPPORT_MODES_BY_DIFFERENCES_H
#define UKODE_TESTS_SUPPORT_MODES_BY_DIFFERENCES_H

#include <math.h>
#include <stdlib.h>
#include <ukode/analysis.h>

#include "bridge/world/registry.h"
#include "plugin/analysis/modes.h"

/* The largest distance of an eigenvalue by differences to the nearest of `modes` (count), over the largest; infinity if
 * it fails or finds another number. The modes of the world are overwritten. */
static inline double modesByDifferences(dWorldID w, const ukMode *modes, int count)
{
    const ukModesTask task = {.differences = true};
    const ukMode *other;
    int others = 0;
    double worst = 0, largest = 0;
    double *const known = calloc(2 * (size_t)count + 1, sizeof *known);
    for (int i = 0; i < count; i++) {
        known[2 * i] = modes[i].growth, known[2 * i + 1] = modes[i].frequency;
        largest = fmax(largest, hypot(modes[i].growth, modes[i].frequency));
    }
    const int status = ukModesFind(ukRegistryWorld(w), &task, &other, &others, NULL, NULL);
    for (int i = 0; i < others && status == 0; i++) {
        double nearest = INFINITY;
        for (int k = 0; k < count; k++)
            nearest = fmin(nearest, hypot(other[i].growth - known[2 * k], other[i].frequency - known[2 * k + 1]));
        worst = fmax(worst, nearest);
    }
    free(known);
    return status != 0 || others != count ? INFINITY : largest > 0 ? worst / largest : 0;
}

#endif
