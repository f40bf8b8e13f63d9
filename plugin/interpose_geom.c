/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/interpose_geom.c: the interposed functions of ODE's collision part, which recordings need
 * (bridge/watch/geom.h). They forward, and note; nothing of a collision changes. */
#include <ukode/ukode.h>

#include "bridge/ode/copy.h"
#include "bridge/ode/ode.h"
#include "bridge/ode/single.h"
#include "bridge/watch/geom.h"
#include "plugin/wrap.h"

UKODE_GEOM_FUNCTIONS(UKODE_WRAP_LISTED)

/* in an interposed function: see UKODE_CALLED_ODE and UKODE_CREATING_ODE */
#define GEOM_ODE(geom) ukOdeSearchGeom(geom, __builtin_return_address(0))
#define SPACE_ODE(space) ((space) ? GEOM_ODE(space) : UKODE_CREATING_ODE())

static dSpaceID noteSpace(const ukOdeFunctions *ode, dSpaceID space)
{
    if (space && ode == &ukOde) ukGeomSpaceCreated(space);
    return space;
}

UKODE_API dSpaceID dSimpleSpaceCreate(dSpaceID space)
{
    const ukOdeFunctions *const ode = SPACE_ODE(space);
    return noteSpace(ode, ode->dSimpleSpaceCreate ? ode->dSimpleSpaceCreate(space) : NULL);
}

UKODE_API dSpaceID dHashSpaceCreate(dSpaceID space)
{
    const ukOdeFunctions *const ode = SPACE_ODE(space);
    return noteSpace(ode, ode->dHashSpaceCreate ? ode->dHashSpaceCreate(space) : NULL);
}

UKODE_API dSpaceID dSweepAndPruneSpaceCreate(dSpaceID space, int axisorder)
{
    const ukOdeFunctions *const ode = SPACE_ODE(space);
    return noteSpace(ode, ode->dSweepAndPruneSpaceCreate ? ode->dSweepAndPruneSpaceCreate(space, axisorder) : NULL);
}

UKODE_API void dSpaceDestroy(dSpaceID space)
{
    const ukOdeFunctions *const ode = GEOM_ODE(space);
    ukGeomDestroyed(space);
    if (ode->dSpaceDestroy) ode->dSpaceDestroy(space);
}

/* spaces within spaces end here */
UKODE_API void dGeomDestroy(dGeomID geom)
{
    const ukOdeFunctions *const ode = GEOM_ODE(geom);
    ukGeomDestroyed(geom);
    if (ode->dGeomDestroy) ode->dGeomDestroy(geom);
}

/* ---- convex ------------------------------------------------------------------------------------------------------ */

/* ODE's headers before 0.14 declare these arguments without const, so these functions have other names in C. */
UKODE_API dGeomID createConvex(dSpaceID space, const dReal *planes, unsigned int planecount, const dReal *points,
                               unsigned int pointcount,
                               const unsigned int *polygons) __asm__(UKODE_SYMBOL("dCreateConvex"));
UKODE_API void setConvex(dGeomID geom, const dReal *planes, unsigned int planecount, const dReal *points,
                         unsigned int pointcount, const unsigned int *polygons) __asm__(UKODE_SYMBOL("dGeomSetConvex"));

dGeomID createConvex(dSpaceID space, const dReal *planes, unsigned int planecount, const dReal *points,
                     unsigned int pointcount, const unsigned int *polygons)
{
    const ukOdeFunctions *const ode = SPACE_ODE(space);
    const dGeomID geom = ode->dCreateConvex ? ode->dCreateConvex(space, (void *)planes, planecount, (void *)points,
                                                                 pointcount, (void *)polygons)
                                            : NULL;
    if (geom && ode == &ukOde) ukGeomConvex(geom, &(ukConvexGeom){points, polygons, pointcount, planecount});
    return geom;
}

void setConvex(dGeomID geom, const dReal *planes, unsigned int planecount, const dReal *points, unsigned int pointcount,
               const unsigned int *polygons)
{
    const ukOdeFunctions *const ode = GEOM_ODE(geom);
    if (ode->dGeomSetConvex)
        ode->dGeomSetConvex(geom, (void *)planes, planecount, (void *)points, pointcount, (void *)polygons);
    if (ode == &ukOde) ukGeomConvex(geom, &(ukConvexGeom){points, polygons, pointcount, planecount});
}

/* ---- heightfields ------------------------------------------------------------------------------------------------ */

UKODE_API void dGeomHeightfieldDataDestroy(dHeightfieldDataID data)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(NULL);
    ukGeomDestroyed(data);
    if (ode->dGeomHeightfieldDataDestroy) ode->dGeomHeightfieldDataDestroy(data);
}

UKODE_API void dGeomHeightfieldDataBuildCallback(dHeightfieldDataID data, void *user, dHeightfieldGetHeight *function,
                                                 dReal width, dReal depth, int wide, int deep, dReal scale,
                                                 dReal offset, dReal thickness, int wrap)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(NULL);
    if (ode->dGeomHeightfieldDataBuildCallback)
        ode->dGeomHeightfieldDataBuildCallback(data, user, function, width, depth, wide, deep, scale, offset, thickness,
                                               wrap);
    UKODE_GIVEN(ode, &width, &depth, &scale, &offset);
    const ukHeightfield h = {ukHeightsFunction, NULL, NULL, width, depth, scale, offset, {wide, deep}};
    if (ode == &ukOde) ukGeomHeightfield(data, &h, false);
}

#define HEIGHTS(function, type, kind)                                                                                  \
    UKODE_API void function(dHeightfieldDataID data, const type *heights, int copied, dReal width, dReal depth,        \
                            int wide, int deep, dReal scale, dReal offset, dReal thickness, int wrap)                  \
    {                                                                                                                  \
        const ukOdeFunctions *const ode = UKODE_CALLED_ODE(NULL);                                                      \
        if (ode->function)                                                                                             \
            ode->function(data, heights, copied, width, depth, wide, deep, scale, offset, thickness, wrap);            \
        UKODE_GIVEN(ode, &width, &depth, &scale, &offset);                                                             \
        const ukHeightfield h = {kind, heights, NULL, width, depth, scale, offset, {wide, deep}};                      \
        if (ode == &ukOde) ukGeomHeightfield(data, &h, copied != 0);                                                   \
    }
HEIGHTS(dGeomHeightfieldDataBuildByte, unsigned char, ukHeightsByte)
HEIGHTS(dGeomHeightfieldDataBuildShort, short, ukHeightsShort)
HEIGHTS(dGeomHeightfieldDataBuildSingle, float, ukHeightsSingle)
HEIGHTS(dGeomHeightfieldDataBuildDouble, double, ukHeightsDouble)
