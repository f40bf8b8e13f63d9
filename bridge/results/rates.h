/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/rates.h: contradictory rates that dependent rows prescribe, such as those of two motors of unlimited
 * force on one axis. Accelerations may satisfy these rows, as both rates are constant. */
#ifndef UKODE_BRIDGE_RESULTS_RATES_H
#define UKODE_BRIDGE_RESULTS_RATES_H

#include "bridge/island/island.h"

/* errors of rates below this fraction of the largest prescribed rate are drift */
static const double ukRateContradiction = 1e-3;

/* The largest error A v - w of an exact row's rate, where it exceeds 1e-3 of the largest rate w that a row prescribes
 * (ukRowRate); smaller ones are drift. Both are in the metric of the masses. */
typedef struct ukMissedRate {
    double missed;  /* the error relative to the largest w; 0: there is none */
    int block, row; /* of that row, or, if a user's rows have such an error, of the largest of these; */
    double rate;    /* ... its error [m/s or rad/s] */
    bool user;      /* it belongs to a user constraint */
} ukMissedRate;

/* For the assembled island with the velocities v of its frames, or v + x if x (6 per moving body) is not NULL. p: its
 * problem or its ideal one. */
ukMissedRate ukRatesMissed(const ukIsland *island, const ukProblem *p, const double *x);

/* Sets the error ukErrorContradiction, which names the row, and returns it. */
int ukRatesRefuse(const ukIsland *island, const ukProblem *p, const ukMissedRate *by);

#endif
