/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/imbalance.h: names joints whose two forces are not collinear. ODE's rows of PU and Hinge2 act on each
 * body at its own anchor: where the joint has slid, or its suspension has yielded, by `gap` between the anchors, a
 * force f has a net torque gap x f. The same holds for soft joints (CFM) whose anchors separate. The net torque changes
 * angular momentum and energy; the exact rows have none (ukJointRuleExact). */
#ifndef UKODE_BRIDGE_RESULTS_IMBALANCE_H
#define UKODE_BRIDGE_RESULTS_IMBALANCE_H

#include "bridge/island/island.h"
#include "bridge/island/notices.h"

/* Called when the reactions of a step of h under ODE's rows are known: accumulates the angular impulse of the net
 * torque of every such joint; stepper->imbalance names the joint with the largest impulse relative to the largest
 * angular momentum that the joint's bodies have had about one another, if the ratio exceeds a twentieth. */
void ukImbalanceWatch(const ukIsland *islands, int count, double h, ukImbalance *worst);

#endif
