/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/trial.h: a world's motion from states near the present one: accelerations in the continuous form, or
 * one step. The world is preserved meanwhile (plugin/analysis/preserve.h). */
#ifndef UKODE_PLUGIN_ANALYSIS_TRIAL_H
#define UKODE_PLUGIN_ANALYSIS_TRIAL_H

#include "bridge/analyze/coordinates.h"
#include "plugin/analysis/preserve.h"
#include "plugin/analysis/signal.h"

typedef struct ukTrials {
    ukWorld *world;
    double h; /* of the step [s]; 0: continuous */
    ukPreserved kept;
    ukProbe probe;
    ukCoordinates c;
    int inputs, outputs;
    ukSignalPlace *in, *out; /* owned */
    ukState *next;           /* (c.bodies) owned: where the step from the present state ends */
    ukState *end;            /* (c.bodies) owned: where the step of a trial ends */
    ukBody **body;           /* (c.bodies) owned */
    ukFrame *frame;          /* (c.bodies) owned: as gathered at the present state */
    double *dq, *dv;         /* (c.n) owned, scratch */
    double rate;             /* [1/s] that velocities are changed by */
    double length;           /* [m] of the world */
    bool sided;              /* contacts, stops or bounded motors are about: smaller differences */
    char activity[8192];     /* ukLinearization.activity */
} ukTrials;

/* Where a trial starts: coordinates (NULL: 0), and an input (-1: none) that is off by `amount`. */
typedef struct ukTrialPoint {
    const double *xi, *eta;
    int input;
    double amount;
} ukTrialPoint;

/* Signals of a world. */
typedef struct ukTrialSignals {
    const ukSignal *in, *out;
    int inputs, outputs;
} ukTrialSignals;

/* Saves the world, finds signals and coordinates. Continuous: a joint force among the inputs stands for the motor of
 * its axis, which counts as its present force. ukTrialsEnd is to be called in any case. */
int ukTrialsBegin(ukTrials *t, ukWorld *world, double h, const ukTrialSignals *signals);
/* The same, continuous, without null spaces of the rows (ukCoordinatesBeginSparse). */
int ukTrialsBeginSparse(ukTrials *t, ukWorld *world, const ukTrialSignals *signals);
/* Returns `status`, or that of a failed restoration. */
int ukTrialsEnd(ukTrials *t, int status);

/* The present force of the motor that input i stands for, in units of the input; 0: it stands for none. */
double ukTrialPresent(const ukTrials *t, int i);

/* State outputs (t->outputs; others are left) where bodies are displaced by x dq and their velocities changed by x dv
 * (n each; NULL: none) from the base state, without projection. */
void ukTrialOutputs(ukTrials *t, const double *dq, const double *dv, double x, double *values);

/* The number of results of a trial: positions + velocities + outputs. */
int ukTrialsResults(const ukTrials *t);
/* Continuous: N_q' M (v - v0), v0 of the present state, N_v' M qdd, outputs. A step: N_q' M (q+ - next), N_v' M (v+ -
 * next), outputs. Differences before the products keep their rounding small. ukOk or a status. */
int ukTrialEvaluate(ukTrials *t, const ukTrialPoint *point, double *result);

#endif
