/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/angle.h: the relative rotation of a joint's bodies, and the angles that stops bound. */
#ifndef UKODE_BRIDGE_JOINTS_ANGLE_H
#define UKODE_BRIDGE_JOINTS_ANGLE_H

#include "bridge/joints/class.h"

/* e = (q_a^-1 q_b) qrel^-1: the relative rotation less qrel, in a's frame (4) */
void ukRotationError(const ukJoint *joint, const ukState *a, const ukState *b, double e[4]);

/* Angles that stops limit, in [-pi, pi). Both increase as a rotates positively about the axis relative to b. Hinge: the
 * angle of the relative rotation from qrel, about axis1 (in a's frame). */
double ukHingeAngle(const ukJoint *joint, const ukState *a, const ukState *b);
/* The angle of a cross (Universal, PU): the rotation about `axis` (in the frame of s, any length > 0) from that axis's
 * plane space to the component of `other` (world) perpendicular to it; s NULL: the world. ODE's angles are minus (axis
 * 1) or plus (axis 2) this angle, less its value at the reference pose. */
double ukCrossAngle(const ukState *s, const double axis[3], const double other[3]);
double ukWrapAngle(double angle); /* from (-3 pi, 3 pi) to [-pi, pi) */

/* Computes data that setters store, at the present poses. */
void ukRelativeRotation(const ukJoint *joint, double qrel[4]); /* q_a^-1 q_b; joint attached */
/* Sets qrel of a joint whose setup was not recorded: the axes are aligned at present, `angle` is ODE's hinge angle,
 * with the internal sign. */
void ukAssumeRotation(ukJoint *joint, double angle);

#endif
