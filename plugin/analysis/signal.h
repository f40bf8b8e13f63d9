/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/signal.h: inputs and outputs of a linearization (ukSignal): checked, applied, read. */
#ifndef UKODE_PLUGIN_ANALYSIS_SIGNAL_H
#define UKODE_PLUGIN_ANALYSIS_SIGNAL_H

#include <ukode/analysis.h>

#include "bridge/world/state.h"

typedef struct ukSignalPlace {
    ukSignal signal;
    bool input;
    ukJoint *joint;      /* NULL: of a body */
    ukBody *body;        /* NULL: of a joint */
    double wrench[2][6]; /* inputs that are forces: force and torque of a unit, on body[2] */
    ukBody *on[2];       /* NULL: the static world, or none */
    double present;      /* motor: dParamVel as the program set it */
} ukSignalPlace;

/* Finds the objects of `count` signals of the world. ukOk, ukErrorHandle, ukErrorArgument; the message names the
 * signal. */
int ukSignalsFind(ukWorld *world, const ukSignal *signals, int count, bool input, ukSignalPlace *place);

/* The wrench of a force, at ODE's present poses: of a joint the gradient of its position, so that work is conserved.
 * Moves the joint's bodies in ODE and puts them back, up to rounding. */
void ukSignalWrench(ukSignalPlace *place);

/* Sets the motor of an input off its present velocity by `amount` (0: back). Its joint is read from ODE first, if need
 * be. */
void ukSignalDrive(ukSignalPlace *place, double amount);

/* Adds the force of `amount` of an input to ODE's accumulators. */
void ukSignalPush(const ukSignalPlace *place, double amount);

/* The value of an output at ODE's present state; base: the state that rotations of the body are measured from.
 * Reactions are those of the last evaluation or step. */
double ukSignalRead(const ukSignalPlace *place, const ukState *base);
/* Whether the output is read before a step, and not after it. */
bool ukSignalIsState(const ukSignalPlace *place);
/* to - from of an output; angles without whole turns */
double ukSignalDifference(const ukSignalPlace *place, double from, double to);

#endif
