/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/request.h: an analysis requested by the environment (UKODE_ANALYSIS), of a program that does not know
 * ukode: at a given time, before a step, one world is analysed; the answer is written to files (answer.h), and the
 * process ends.
 *
 * The variable has lines "key=value":
 *
 *   kind=modes | linearize | assemble | equilibrium | inverse
 *   folder=PATH      existing; of the answer
 *   at=T             time of the world (ukWorldGetTime) [s]; 0: before its first step
 *   world=N          in the order of creation, from 1; 0: the first one that steps then
 *   step=H           linearize: 0: continuous; 1: the program's step
 *   inputs=LIST, outputs=LIST     signal_list.h; of inverse: the actuators; of modes: motors to leave out;
 *                                 of assemble: targets (target_list.h)
 *   effort=X         linearize: with a regulator of this effort (ukWorldRegulate); 0: none
 *   weights=LIST     inverse: numbers separated by commas
 *   until=T          inverse: a row for each step up to this time [s]; the process ends there */
#ifndef UKODE_PLUGIN_ANALYSIS_REQUEST_H
#define UKODE_PLUGIN_ANALYSIS_REQUEST_H

#include "bridge/world/record.h"

/* Called once, at load; the text is copied. NULL or "": no request. false: it cannot be read. */
bool ukRequestOpen(const char *text);
/* A step of h [s] of the world is requested. true: the request has been answered, and the process is to end. Cheap
 * where nothing is requested. */
bool ukRequestStep(ukWorld *world, double h);

/* A step of the world has failed: the first time, before the requested time, the reason is written for the command. */
void ukRequestFailed(const ukWorld *world, int status);

#endif
