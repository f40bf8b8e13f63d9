/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/remember.h: what joints keep for the next step, once all islands of a step have been written: counts
 * of turns, and which closed loops are solved without CFM. */
#ifndef UKODE_BRIDGE_RESULTS_REMEMBER_H
#define UKODE_BRIDGE_RESULTS_REMEMBER_H

#include "bridge/island/island.h"

/* Advances the angles that stops limit from the frames' starts to their states, a step of h later
 * (bridge/joints/turn.h). */
void ukRememberTurns(const ukIsland *islands, int count, double h);

/* An island whose CFM was ignored (bridge/solve/closure.h) stays so as long as it has rows that are dependent up to the
 * drift, however small their singular values are at the moment. */
void ukRememberClosures(const ukIsland *islands, int count);

#endif
