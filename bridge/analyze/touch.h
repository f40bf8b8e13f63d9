/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/touch.h: how a contact moves with its bodies: the geometry of an active contact at states near the one
 * at which ODE created it.
 *
 * Each side of a contact is a point fixed in its body, around which the surface has a radius: that of a sphere, a
 * capsule, or a cylinder that lies on its side, and 0 for corners and all other shapes. Between two round sides the
 * normal is along the centres. Otherwise one side carries the contact: the round one, or the corner; the normal is
 * fixed in the other one, whose surface is a plane. World frame; a NULL: never, b NULL: the static world. */
#ifndef UKODE_BRIDGE_ANALYZE_TOUCH_H
#define UKODE_BRIDGE_ANALYZE_TOUCH_H

#include <stdbool.h>

#include "bridge/world/state.h"

/* Rows of a contact joint, in their order (bridge/joints/contact.c). */
typedef enum ukTouchKind {
    ukTouchNormal,
    ukTouchSlide1,
    ukTouchSlide2,
    ukTouchRoll1,
    ukTouchRoll2,
    ukTouchSpin
} ukTouchKind;

typedef struct ukContactShape {
    double centre[2][3], radius[2]; /* of a and of b, in their frames (b NULL: of the world) */
    int carrier;                    /* 0: a carries the contact, 1: b; of two round sides: 0 */
    bool round;                     /* both sides */
    double normal[3], tangent[3];   /* unit vectors in the frame of the body that does not carry it */
    double size[3];                 /* of ODE's normal and tangents, which need not have unit length */
    double gap, apart[2];           /* what distances along the normal and the tangents are counted from */
} ukContactShape;

/* A touch at a state. */
typedef struct ukTouchPlace {
    double point[3], n[3], t[2][3];                /* the normal points into a; unit vectors */
    double point_rate[3], n_rate[3], t_rate[2][3]; /* with the bodies' velocities */
    double gap, apart[2]; /* change since the touch was made, along n, and, of a corner's place, along t */
} ukTouchPlace;

/* The shape of a contact joint as ODE made it, at the bodies' present states. */
ukContactShape ukTouchOf(const ukJoint *joint, const ukState *a, const ukState *b);

/* Measures distances from these states on. */
void ukTouchSettle(ukContactShape *touch, const ukState *a, const ukState *b);

void ukTouchAt(const ukContactShape *touch, const ukState *a, const ukState *b, ukTouchPlace *place);

/* Whether the row of this kind has a position error; else it constrains velocities only. */
bool ukTouchKeepsPlace(const ukContactShape *touch, ukTouchKind kind);

/* Row `kind` at a place: J (6 of a, 6 of b), position error *phi, *bias = Jdot v. */
void ukTouchRow(const ukContactShape *touch, const ukTouchPlace *place, ukTouchKind kind, const ukState *a,
                const ukState *b, double J[12], double *phi, double *bias);

#endif
