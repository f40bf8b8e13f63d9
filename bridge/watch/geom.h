/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/watch/geom.h: data of geoms that no getter of ODE returns, stored when the geom is made: which spaces exist,
 * the data of convex geoms and heightfields. The data remain owned by the program, as ODE requires; heights that ODE
 * copies are copied here as well, if recordings are wanted (ukGeomKeep). */
#ifndef UKODE_BRIDGE_WATCH_GEOM_H
#define UKODE_BRIDGE_WATCH_GEOM_H

#include "bridge/ode/ode.h"
#include <stdbool.h>

typedef enum ukHeights { ukHeightsByte, ukHeightsShort, ukHeightsSingle, ukHeightsDouble, ukHeightsFunction } ukHeights;

typedef struct ukHeightfield {
    ukHeights kind;
    const void *data; /* (samples[0] x samples[1]), the first index the faster; NULL: not to be had */
    void *copy;       /* of it, owned; NULL: it is the program's */
    double width, depth, scale, offset;
    int samples[2]; /* along the width, along the depth */
} ukHeightfield;

typedef struct ukConvexGeom {
    const dReal *points;          /* (count x 3): ukSingleElement reads them */
    const unsigned int *polygons; /* (polygon_count) how many points, then which */
    unsigned int count, polygon_count;
} ukConvexGeom;

/* Copies of heights are kept from now on. */
void ukGeomKeep(void);

void ukGeomSpaceCreated(dSpaceID space);
void ukGeomDestroyed(const void *geom_or_space); /* no effect if it is unknown */
void ukGeomConvex(dGeomID geom, const ukConvexGeom *convex);
void ukGeomHeightfield(dHeightfieldDataID data, const ukHeightfield *heightfield, bool copied);

/* NULL: none are known. Valid until it is destroyed. */
const ukConvexGeom *ukGeomConvexOf(dGeomID geom);
const ukHeightfield *ukGeomHeightfieldOf(dHeightfieldDataID data);
/* Each space that lives, under the registry's lock. */
void ukGeomSpaces(void (*visit)(void *context, dSpaceID space), void *context);

#endif
