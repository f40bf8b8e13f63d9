/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/verify/end.h: the end of a step in the discrete form, recomputed from its equations and its initial
 * state:
 *
 *     v+ = v + h acceleration, spin held to its cap,    pose+ = pose moved by h (v+ + u)
 *
 *     u = h M^-1 J' mu,    J u + h softness mu = side, of rows with bounds as far as these let mu        (split) */
#ifndef UKODE_PLUGIN_TOOLS_VERIFY_END_H
#define UKODE_PLUGIN_TOOLS_VERIFY_END_H

#include "plugin/tools/verify/residual.h"

/* Each is divided by the magnitudes that met in it, as those of Residual. */
typedef struct EndResidual {
    double velocity;
    double pose;
    double motion;     /* of the split correction: u and its forces */
    double rows;       /* what it is solved for */
    double asked;      /* its right-hand sides against what positions ask for, less what opens by itself */
    double reconciled; /* the same of rows that depend on one another: they are met half-way */
    int worst_velocity, worst_pose, worst_motion, worst_row, worst_asked; /* body, body, body, row, row; -1: none */
} EndResidual;

/* Kept from island to island; free both in the end. */
typedef struct EndWork {
    Scale scale;
    void *memory;
    size_t room;
} EndWork;

/* All zero where the island has no such end. false: no memory. */
bool endOf(const Island *island, EndWork *work, EndResidual *residual);

#endif
