/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/verify/residual.h: every residual of an island, recomputed from its equations alone, in long double. */
#ifndef UKODE_PLUGIN_TOOLS_VERIFY_RESIDUAL_H
#define UKODE_PLUGIN_TOOLS_VERIFY_RESIDUAL_H

#include "plugin/tools/verify/island.h"

typedef long double Real; /* 64 bits of mantissa (x86) or 113 (arm64): 2000 times a double's, or more */

/* Numbers of an island that more than one check needs; one memory, kept from island to island. */
typedef struct Scale {
    Real *inverse; /* (bodies x 9) of the inertia */
    Real *linear,
        *turn; /* (bodies) scale of the rounding errors of a body's accelerations: all forces on it, its acceleration */
    Real *row; /* (rows) sum of the magnitudes of the terms of a row */
    Real *compliance; /* (rows) J M^-1 J' of the row itself */
    Real *out;        /* (bodies x 6) M acceleration - force - prescribed - J' multiplier */
    Real *size;       /* (bodies x 6) sums of the magnitudes of the terms of `out` */
    void *memory;
    size_t capacity;
} Scale;

/* Each residual is relative to the sum of the magnitudes of its terms; 0/0 is 0, NaN stays. Row and body numbers count
 * from 0 in the island; -1: no residual. */
typedef struct Residual {
    double motion;          /* equations of motion */
    double rows;            /* equality rows */
    double complementarity; /* rows with bounds: natural residual for the bounds used */
    double law;             /* bounds used against the stated ones, and against the normal forces that scale them */
    double first_phase;     /* two-phase friction: natural residual of the phase without it */
    double uncoupled;       /* coupled friction whose iteration ended early, as the recording states: its law */
    int worst_body, worst_row, worst_bounded, worst_law;
} Residual;

/* false: no memory. */
bool scaleOf(const Island *island, const Real *multiplier, const Real *acceleration, Scale *scale);

bool residualOf(const Island *island, Scale *scale, Residual *residual);

/* *largest and *where become |x|/scale and `at` where that is larger; NaN stays. The scale is at least DBL_MIN, because
 * smaller numbers may have a relative rounding error of 1. */
void residualWorse(double *largest, int *where, Real x, Real scale, int at);

/* J x of a row */
Real residualRow(const IslandBlock *block, int row, const Real *x);

#endif
