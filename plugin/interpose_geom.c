/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/interpose_geom.c: the interposed functions of ODE's collision part, which recordings need
 * (bridge/watch/geom.h). They forward, and note; nothing of a collision changes. */
#include <ukode/ukode.h>

#include "bridge/ode/ode.h"
#include "bridge/watch/geom.h"

#define NATIVE(function) (ukOdeReady()->function)

static dSpaceID noted(dSpaceID space)
{
    if (space) ukGeomSpaceCreated(space);
    return space;
}

UKODE_API dSpaceID dSimpleSpaceCreate(dSpaceID space)
{
    return noted(NATIVE(dSimpleSpaceCreate) ? ukOde.dSimpleSpaceCreate(space) : NULL);
}

UKODE_API dSpaceID dHashSpaceCreate(dSpaceID space)
{
    return noted(NATIVE(dHashSpaceCreate) ? ukOde.dHashSpaceCreate(space) : NULL);
}

UKODE_API dSpaceID dSweepAndPruneSpaceCreate(dSpaceID space, int axisorder)
{
    return noted(NATIVE(dSweepAndPruneSpaceCreate) ? ukOde.dSweepAndPruneSpaceCreate(space, axisorder) : NULL);
}

UKODE_API void dSpaceDestroy(dSpaceID space)
{
    ukGeomDestroyed(space);
    if (NATIVE(dSpaceDestroy)) ukOde.dSpaceDestroy(space);
}

/* spaces within spaces end here */
UKODE_API void dGeomDestroy(dGeomID geom)
{
    ukGeomDestroyed(geom);
    if (NATIVE(dGeomDestroy)) ukOde.dGeomDestroy(geom);
}

/* ---- convex ------------------------------------------------------------------------------------------------------ */

UKODE_API dGeomID dCreateConvex(dSpaceID space, const dReal *planes, unsigned int planecount, const dReal *points,
                                unsigned int pointcount, const unsigned int *polygons)
{
    const dGeomID geom =
        NATIVE(dCreateConvex) ? ukOde.dCreateConvex(space, planes, planecount, points, pointcount, polygons) : NULL;
    if (geom) ukGeomConvex(geom, &(ukConvexGeom){points, polygons, pointcount, planecount});
    return geom;
}

UKODE_API void dGeomSetConvex(dGeomID geom, const dReal *planes, unsigned int planecount, const dReal *points,
                              unsigned int pointcount, const unsigned int *polygons)
{
    if (NATIVE(dGeomSetConvex)) ukOde.dGeomSetConvex(geom, planes, planecount, points, pointcount, polygons);
    ukGeomConvex(geom, &(ukConvexGeom){points, polygons, pointcount, planecount});
}

/* ---- heightfields ------------------------------------------------------------------------------------------------ */

UKODE_API void dGeomHeightfieldDataDestroy(dHeightfieldDataID data)
{
    ukGeomDestroyed(data);
    if (NATIVE(dGeomHeightfieldDataDestroy)) ukOde.dGeomHeightfieldDataDestroy(data);
}

UKODE_API void dGeomHeightfieldDataBuildCallback(dHeightfieldDataID data, void *user, dHeightfieldGetHeight *function,
                                                 dReal width, dReal depth, int wide, int deep, dReal scale,
                                                 dReal offset, dReal thickness, int wrap)
{
    if (NATIVE(dGeomHeightfieldDataBuildCallback))
        ukOde.dGeomHeightfieldDataBuildCallback(data, user, function, width, depth, wide, deep, scale, offset,
                                                thickness, wrap);
    const ukHeightfield h = {ukHeightsFunction, NULL, NULL, width, depth, scale, offset, {wide, deep}};
    ukGeomHeightfield(data, &h, false);
}

#define HEIGHTS(function, type, kind)                                                                                  \
    UKODE_API void function(dHeightfieldDataID data, const type *heights, int copied, dReal width, dReal depth,        \
                            int wide, int deep, dReal scale, dReal offset, dReal thickness, int wrap)                  \
    {                                                                                                                  \
        if (NATIVE(function))                                                                                          \
            ukOde.function(data, heights, copied, width, depth, wide, deep, scale, offset, thickness, wrap);           \
        const ukHeightfield h = {kind, heights, NULL, width, depth, scale, offset, {wide, deep}};                      \
        ukGeomHeightfield(data, &h, copied != 0);                                                                      \
    }
HEIGHTS(dGeomHeightfieldDataBuildByte, unsigned char, ukHeightsByte)
HEIGHTS(dGeomHeightfieldDataBuildShort, short, ukHeightsShort)
HEIGHTS(dGeomHeightfieldDataBuildSingle, float, ukHeightsSingle)
HEIGHTS(dGeomHeightfieldDataBuildDouble, double, ukHeightsDouble)
