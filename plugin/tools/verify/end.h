/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/verify/end.h: the end of a step in the discrete form, recomputed from its equations and its initial
 * state:
 *
 *     v+ = v + h acceleration, spin limited to its cap,    pose+ = pose moved by h (v+ + u)
 *
 *     u = h M^-1 J' mu,    J u + h softness mu = side, of rows with bounds as far as these let mu        (split) */
#ifndef UKODE_PLUGIN_TOOLS_VERIFY_END_H
#define UKODE_PLUGIN_TOOLS_VERIFY_END_H

#include "plugin/tools/verify/residual.h"

/* Each residual is relative to the sum of the magnitudes of its terms, as in Residual. */
typedef struct EndResidual {
    double velocity;
    double pose;
    double motion;           /* of the split correction: u and its forces */
    double rows;             /* of its rows */
    double right_side_error; /* of its right-hand sides: push minus opening rate, see judgeSplitRightSides */
    double reconciled;       /* the same of dependent rows, which are satisfied in the least-squares sense */
    int worst_velocity, worst_pose, worst_motion, worst_row,
        worst_right_side; /* body, body, body, row, row; -1: none */
} EndResidual;

/* Memory that is reused for the next island; the caller frees both. */
typedef struct EndWork {
    Scale scale;
    void *memory;
    size_t capacity;
} EndWork;

/* Computes the residuals of the end of a step; all are zero if the island has none. false: no memory. */
bool endOf(const Island *island, EndWork *work, EndResidual *residual);

#endif
