/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/imbalance.h: names joints whose two forces are not collinear, and change the motion thereby. ODE's
 * rows of PU and Hinge2 act on each body at its own anchor: where the joint has slid, or its suspension has yielded, by
 * `gap` between the anchors, a force f has a net torque gap x f. The same is true of soft joints (CFM) whose anchors
 * separate. With the exact rows (ukJointRuleExact), which act on both bodies at b's anchor, this torque on a is absent.
 *
 * The torque matters by its effect: by its work (gap x f) . w_a relative to the energy of the joint's bodies; and, in
 * islands without contacts and without joints to the world, whose angular momentum only it changes, by its angular
 * impulse relative to the angular momentum of the joint's bodies about one another. On the ground, contacts bear the
 * torque: the wheels of a car that drives then have somewhat different loads, and its motion is the same. */
#ifndef UKODE_BRIDGE_RESULTS_IMBALANCE_H
#define UKODE_BRIDGE_RESULTS_IMBALANCE_H

#include "bridge/island/island.h"
#include "bridge/island/notices.h"

/* Called when the reactions of a step of h under ODE's rows are known: accumulates work and impulse of the net torque
 * of every such joint, and the largest energy and momentum of its bodies. *worst becomes the joint with the largest
 * ratio, if it is larger than that of the joint of *worst, which is updated first if it took part in the step. */
void ukImbalanceWatch(const ukIsland *islands, int count, double h, ukImbalance *worst);

/* Whether the motion has changed by a share that is reported: a twentieth. */
bool ukImbalanceMatters(const ukImbalance *imbalance);

#endif
