/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/verify/residual.h: every residual of an island, recomputed from its equations alone, in long double. */
#ifndef UKODE_PLUGIN_TOOLS_VERIFY_RESIDUAL_H
#define UKODE_PLUGIN_TOOLS_VERIFY_RESIDUAL_H

#include "plugin/tools/verify/island.h"

typedef long double Real; /* 64 bits of mantissa (x86) or 113 (arm64): 2000 times a double's, or more */

/* Numbers of an island that more than one check needs; one memory, kept from island to island. */
typedef struct Scale {
    Real *inverse;       /* (bodies x 9) of the inertia */
    Real *linear, *turn; /* (bodies) what a body's accelerations can round to: all forces on it, its acceleration */
    Real *row;           /* (rows) magnitudes of the terms that meet in a row */
    Real *compliance;    /* (rows) J M^-1 J' of the row itself */
    Real *out;           /* (bodies x 6) M acceleration - force - prescribed - J' multiplier */
    Real *size;          /* (bodies x 6) magnitudes of the terms that meet there */
    void *memory;
    size_t room;
} Scale;

/* Each is divided by the magnitudes that met in it; 0 of 0 is 0, NaN stays. Row and body numbers count from 0 in the
 * island; -1: no residual. */
typedef struct Residual {
    double motion;          /* equations of motion */
    double rows;            /* equality rows */
    double complementarity; /* rows with bounds: natural residual in the bounds in force */
    double law;             /* bounds in force against those stated, and against the normal forces they follow */
    double first_phase;     /* two-phase friction: natural residual of the phase without it */
    double uncoupled;       /* coupled friction whose iteration ended early, as the recording states: its law */
    int worst_body, worst_row, worst_bounded, worst_law;
} Residual;

/* false: no memory. */
bool scaleOf(const Island *island, const Real *multiplier, const Real *acceleration, Scale *scale);

bool residualOf(const Island *island, Scale *scale, Residual *residual);

/* *largest and *where become |x|/scale and `at` where that is larger; NaN stays. Below the least normal double numbers
 * round by as much as they are: less than that is no scale. */
void residualWorse(double *largest, int *where, Real x, Real scale, int at);

/* J x of a row */
Real residualRow(const IslandBlock *block, int row, const Real *x);

#endif
