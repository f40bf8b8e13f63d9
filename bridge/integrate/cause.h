/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/integrate/cause.h: why an integrator finds no new pose. Where rows contradict each other at the start of the
 * step, no step length and no integrator helps, and the message must not recommend one. */
#ifndef UKODE_BRIDGE_INTEGRATE_CAUSE_H
#define UKODE_BRIDGE_INTEGRATE_CAUSE_H

#include "bridge/island/assemble.h"

/* After an integrator has returned `status`, which is not ukOk or ukNotContinuous: the status to be reported, with its
 * message. ukErrorNotConverged becomes ukErrorContradiction if accelerations or rates contradict each other at the
 * frames' starts. The message of a spent budget names the remedy for ukCauseSlider's joint. */
int ukCauseOf(ukIsland *island, const ukIslandStart *start, const ukStepContext *context, int status);

/* The joint whose dry friction acts along several axes together (Plane2D) and slides; NULL: none. Where sliding starts
 * under a turning force, the direction of friction changes faster than RK4 and adaptive can follow in any sub-step;
 * Euler and RATTLE take the friction of the end of their step. */
const ukJoint *ukCauseSlider(const ukIsland *island);
extern const char ukCauseSlides[]; /* what helps there */

#endif
