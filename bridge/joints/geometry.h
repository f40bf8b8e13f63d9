/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/geometry.h: points and axes fixed in two bodies, and their relative velocities. World frame; a body
 * NULL is the world. */
#ifndef UKODE_BRIDGE_JOINTS_GEOMETRY_H
#define UKODE_BRIDGE_JOINTS_GEOMETRY_H

#include "bridge/base/vector.h"
#include "bridge/joints/class.h"

/* the reverse of ukAxis: a vector in the axes of s; the vector itself for the world */
void ukAxisBack(const ukState *s, const double vector[3], double out[3]);
/* The direction along an axis of a in which the position of a sliding joint increases (out may be the axis). */
void ukAxisForward(const ukJoint *joint, const double axis[3], double out[3]);

/* Relative rate of a to b about an axis, or along it with half lever arms. */
double ukRateAbout(const double axis[3], const ukState *a, const ukState *b);
double ukRateAlong(const double axis[3], const ukState *a, const ukState *b);
/* Relative rate along an axis through b's anchor (of b), for the points of a and b that are there (PR, PU, Piston). */
double ukRateAtAnchor(const double axis[3], const double anchor2[3], const ukState *a, const ukState *b);

/* ukJointClass.axes of types with one: axis1, about which a rotates against b. */
int ukAxesHinge(const ukJoint *joint, const ukState *a, const ukState *b, double axis[3][3], double rate[3],
                int is_translation[3]);

/* rate of a vector that rotates with s: w x u; zero for the world (s NULL) */
void ukTurnRate(const ukState *s, const double u[3], double u_dot[3]);
/* Scales x to unit length; x_dot becomes the rate of the result. x = 0: rate 0. Returns the old length. */
double ukNormalizeRate(double x[3], double x_dot[3]);

/* Data that setters store, at the present poses. */
void ukLocalPoint(const ukBody *body, const double point[3], double local[3]);
/* The same at a state; s NULL: of the world. */
void ukLocalPointAt(const ukState *s, const double point[3], double local[3]);
void ukLocalAxis(const ukBody *body, const double axis[3], double local[3]); /* not normalised */
/* Records axis2, an axis (world) as b carries it: normalized, or for the world of raw length, as ODE does. */
void ukRecordAxis2(ukJoint *joint, const double axis[3]);

/* Constructor values of a joint's own ERP and CFM, which are the world's; and their values by the type's getter. */
void ukRigidityCreate(ukJoint *joint);
void ukRigidityRefresh(ukJoint *joint, dReal (*get)(dJointID, int));
/* Reads both anchors through the type's getters, which use the user's order: swapped for REVERSE. */
void ukAnchorsRefresh(ukJoint *joint, void (*get1)(dJointID, dReal *), void (*get2)(dJointID, dReal *));

#endif
