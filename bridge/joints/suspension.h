/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/suspension.h: suspensions along an axis of their own, which Webots' fork of ODE gives to hinges and
 * hinge2s (bridge/ode/fork.h).
 *
 * The three rows of the anchors lie along that axis, fixed in a, and across it. The row along it has the joint's own
 * ERP and CFM (dParamSuspensionERP, dParamSuspensionCFM: joint->erp, joint->cfm), the others have the world's. The axis
 * is joint->axisP; zero: the joint has none, because the world's copy of ODE is another one. */
#ifndef UKODE_BRIDGE_JOINTS_SUSPENSION_H
#define UKODE_BRIDGE_JOINTS_SUSPENSION_H

#include "bridge/joints/row.h"

/* The fork's initial values: the x axis of body 1, the world's ERP and CFM. Nothing where the world's ODE has no
 * suspensions. */
void ukSuspensionCreate(ukJoint *joint);
/* Records the axis, ERP or CFM that a setter was given; whether the note was one of these. */
bool ukSuspensionNoted(ukJoint *joint, const ukNote *note);
/* Reads them from the served ODE, if that is the fork and the joint's setters were not observed. */
void ukSuspensionRefresh(ukJoint *joint);
/* Whether they are in the record alone: the world is a replay under another copy of ODE. */
bool ukSuspensionRecorded(const ukJoint *joint);

/* Rows 0 ... 2: the anchors along `axis` of a (world axes, unit length) and across it. ODE's lever arms end at each
 * body's own anchor: if the suspension is compressed, the forces on both bodies have different lines of action. Both
 * exact lever arms end at b's anchor. */
void ukRowsSuspended(ukRowSink *sink, const ukJoint *joint, const double axis[3], const ukState *a, const ukState *b,
                     const ukRowContext *context);

#endif
