/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/anchored.h: the distance by which a joint that keeps two anchors together is open. */
#ifndef UKODE_BRIDGE_JOINTS_ANCHORED_H
#define UKODE_BRIDGE_JOINTS_ANCHORED_H

#include "bridge/world/frame.h"

/* Whether the joint keeps an anchor of each body together (ball, hinge, universal, hinge2 but for the travel of a soft
 * suspension) or at a distance (double ball), and is no spring by its own CFM. */
bool ukIsAnchored(const ukJoint *joint);
/* [m] Of such a joint: the distance of the anchors beyond the one that it keeps. b NULL: the world. *length: the sum of
 * the distances of the bodies' centres from their anchors, and of the anchors. */
double ukAnchoredGap(const ukJoint *joint, const ukState *a, const ukState *b, double *length);
/* The ERP with which a ball, hinge or universal joint corrects the gap of its anchors, if the CFM of these rows is the
 * world's; NaN: another joint, or one with a CFM of its own. erp, cfm: the world's. */
double ukAnchoredErp(const ukJoint *joint, double erp, double cfm);

#endif
