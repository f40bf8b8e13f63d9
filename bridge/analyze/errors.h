/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/analyze/errors.h: the position errors of a world's rigid rows and their Jacobian, dense, for searches that
 * begin far from the constraints.
 *
 * r are the errors, lengths divided by `length` and angles as they are; B = dr/dy, y = L' dq (bridge/analyze/poses.h).
 * Stops have a row where they are exceeded. The two rows that align the axes of a Hinge, DHinge or Piston are phi =
 * sin(theta) along two directions, which is 0 for opposite axes, too: beyond a right angle they are replaced by theta
 * itself. */
#ifndef UKODE_BRIDGE_ANALYZE_ERRORS_H
#define UKODE_BRIDGE_ANALYZE_ERRORS_H

#include "bridge/analyze/poses.h"

typedef struct ukErrors {
    const ukPoses *poses;
    int parts;               /* joints of the world, then its user constraints and forces */
    int most;                /* rows that there can be */
    const unsigned char *in; /* (parts) those that count; NULL: all */
    bool contacts;           /* those that overlap, or have since ukErrorsRelease, count, too */
    double length;           /* [m] */

    int rows;
    double *B;              /* (rows x n) */
    double *r, *phi;        /* (rows) errors as in B, and in metres or radians */
    int *part;              /* (rows) which part each is of */
    double square, largest; /* |r|^2; max |r_i| */
    double gap;             /* the largest error in metres or radians */
} ukErrors;

/* Allocates the arrays for poses after ukPosesBegin. ukOk, ukErrorMemory. */
int ukErrorsBegin(ukErrors *errors, const ukPoses *poses);
void ukErrorsEnd(ukErrors *errors);

/* Computes all members from `rows` on, at the poses that were assembled last. */
void ukErrorsFill(ukErrors *errors);

/* From now on, contacts that neither overlap nor carry a force are not counted. */
void ukErrorsRelease(const ukErrors *errors);

/* The joint of a part, NULL: it is a user constraint, *constraint. */
ukJoint *ukErrorsPart(const ukErrors *errors, int part, struct ukConstraint **constraint);

#endif
