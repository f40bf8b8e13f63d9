/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/angle.h: the relative rotation of a joint's bodies, and the angles that stops bound. */
#ifndef UKODE_BRIDGE_JOINTS_ANGLE_H
#define UKODE_BRIDGE_JOINTS_ANGLE_H

#include "bridge/joints/class.h"

/* e = (q_a^-1 q_b) qrel^-1: what is left of the relative rotation once qrel is taken out, in a's frame (4) */
void ukRotationError(const ukJoint *joint, const ukState *a, const ukState *b, double e[4]);

/* Angles that stops bound, in [-pi, pi). Both grow as a turns positively about the axis relative to b.
 * Hinge: of the relative rotation from qrel, about axis1 (in a's frame). */
double ukHingeAngle(const ukJoint *joint, const ukState *a, const ukState *b);
/* The same where the axes are aligned, and smooth beside that: the turn about axis1 alone, for the continuous form.
 * ukHingeAngle takes every misalignment for a part of the angle, which has a kink at zero. */
double ukTwistAngle(const ukJoint *joint, const ukState *a, const ukState *b);
/* Of a cross (Universal, PU): the turn about `axis` (in the frame of s, any length > 0), from that axis's plane space
 * to the component of `other` (world) perpendicular to it; s NULL: the world. ODE's angles are minus (axis 1) or plus
 * (axis 2) this, less their value at the reference pose. */
double ukCrossAngle(const ukState *s, const double axis[3], const double other[3]);
double ukWrapAngle(double angle); /* from (-3 pi, 3 pi) to [-pi, pi) */

/* What setters store, at the poses of this moment. */
void ukRelativeRotation(const ukJoint *joint, double qrel[4]); /* q_a^-1 q_b; joint attached */
/* qrel of a joint not seen being set up: aligned at present, its hinge angle (internal) as ODE tells it. */
void ukAssumeRotation(ukJoint *joint, double angle);

#endif
