/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/diagnose/coordinate.h: free axes of joints and directions of bodies as functionals on velocities, and the
 * description of a motion. */
#ifndef UKODE_BRIDGE_DIAGNOSE_COORDINATE_H
#define UKODE_BRIDGE_DIAGNOSE_COORDINATE_H

#include "bridge/island/island.h"

/* The rate of a coordinate is J . v of its bodies. */
typedef struct ukCoordinate {
    const ukJoint *joint; /* NULL: of a body */
    const ukBody *body;   /* NULL: of a joint */
    int axis;             /* of the joint, from 0; of the body: x, y, z, about x, y, z */
    int of[2];            /* the island's moving bodies; -1: none */
    double J[12];         /* of the two */
    double unit;          /* (J M^-1 J')^1/2: the largest rate of a motion with v' M v = 1 */
} ukCoordinate;

/* The island's coordinates: free axes of its joints in the order of creation (3 per joint at most), then 6 of each
 * moving body. coordinate: (3 x joints + 6 x bodies). Returns how many. */
int ukCoordinatesOf(const ukIsland *island, ukCoordinate *coordinate);

/* J v, v (6 per moving body of the island) */
double ukCoordinateRate(const ukCoordinate *c, const double *v);

enum { ukMotionWords = 512 };
/* Describes a motion v (v' M v = 1): the joints whose rate exceeds `least` times their unit, and the direction of
 * `lead`, if it belongs to a body. */
void ukMotionDescribe(const ukCoordinate *coordinate, int count, const ukCoordinate *lead, const double *v,
                      double least, char words[ukMotionWords]);

#endif
