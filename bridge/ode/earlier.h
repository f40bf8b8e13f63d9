/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/earlier.h: names that ODE's headers before 0.13 lack: three joint types with their functions, rolling
 * friction of contacts, one angle of a hinge2. With such headers the copy's functions of these names are NULL
 * (bridge/ode/ode.h), no joint has these types, and no contact rolls. Numbers of parameters, which changed in 0.13, and
 * the layout of dContact are the header's in any case: a library serves the copies of its headers' class alone
 * (bridge/ode/class.h). */
#ifndef UKODE_BRIDGE_ODE_EARLIER_H
#define UKODE_BRIDGE_ODE_EARLIER_H

#include <ode/ode.h>

#ifdef dWORLDSTEP_THREADCOUNT_UNLIMITED /* since 0.13 */
#define UKODE_ODE_EARLIER 0
#else
#define UKODE_ODE_EARLIER 1
#endif

/* The headers are those of single precision, which is served since 0.13 (bridge/ode/single.h). */
#if defined(dSINGLE) && !UKODE_ODE_EARLIER
#define UKODE_ODE_SINGLE 1
#else
#define UKODE_ODE_SINGLE 0
#endif

#if UKODE_ODE_EARLIER
/* the numbers that they have since */
#define dJointTypeDBall ((dJointType)(dJointTypePiston + 1))
#define dJointTypeDHinge ((dJointType)(dJointTypePiston + 2))
#define dJointTypeTransmission ((dJointType)(dJointTypePiston + 3))
enum { dTransmissionParallelAxes = 0, dTransmissionIntersectingAxes = 1, dTransmissionChainDrive = 2 };
enum { dContactAxisDep = dContactMu2, dContactRolling = 0, dContactApprox1_N = 0 };

/* X(result, function, arguments): of the wrapped functions of bridge/ode/ode.h */
#define UKODE_LATER_WRAPPED(X)                                                                                         \
    X(dJointID, dJointCreateDBall, (dWorldID, dJointGroupID))                                                          \
    X(dJointID, dJointCreateDHinge, (dWorldID, dJointGroupID))                                                         \
    X(dJointID, dJointCreateTransmission, (dWorldID, dJointGroupID))                                                   \
    X(void, dJointSetDBallAnchor1, (dJointID, dReal, dReal, dReal))                                                    \
    X(void, dJointSetDBallAnchor2, (dJointID, dReal, dReal, dReal))                                                    \
    X(void, dJointSetDBallDistance, (dJointID, dReal))                                                                 \
    X(void, dJointSetDBallParam, (dJointID, int, dReal))                                                               \
    X(void, dJointSetDHingeAnchor1, (dJointID, dReal, dReal, dReal))                                                   \
    X(void, dJointSetDHingeAnchor2, (dJointID, dReal, dReal, dReal))                                                   \
    X(void, dJointSetDHingeAxis, (dJointID, dReal, dReal, dReal))                                                      \
    X(void, dJointSetDHingeParam, (dJointID, int, dReal))                                                              \
    X(void, dJointSetHinge2Axes, (dJointID, const dReal *, const dReal *))                                             \
    X(void, dJointSetTransmissionAnchor1, (dJointID, dReal, dReal, dReal))                                             \
    X(void, dJointSetTransmissionAnchor2, (dJointID, dReal, dReal, dReal))                                             \
    X(void, dJointSetTransmissionAxis, (dJointID, dReal, dReal, dReal))                                                \
    X(void, dJointSetTransmissionAxis1, (dJointID, dReal, dReal, dReal))                                               \
    X(void, dJointSetTransmissionAxis2, (dJointID, dReal, dReal, dReal))                                               \
    X(void, dJointSetTransmissionBacklash, (dJointID, dReal))                                                          \
    X(void, dJointSetTransmissionMode, (dJointID, int))                                                                \
    X(void, dJointSetTransmissionParam, (dJointID, int, dReal))                                                        \
    X(void, dJointSetTransmissionRadius1, (dJointID, dReal))                                                           \
    X(void, dJointSetTransmissionRadius2, (dJointID, dReal))                                                           \
    X(void, dJointSetTransmissionRatio, (dJointID, dReal))                                                             \
    X(dReal, dJointGetTransmissionAngle1, (dJointID))                                                                  \
    X(dReal, dJointGetTransmissionAngle2, (dJointID))                                                                  \
    X(dReal, dJointGetTransmissionRadius1, (dJointID))                                                                 \
    X(dReal, dJointGetTransmissionRadius2, (dJointID))                                                                 \
    X(dReal, dJointGetTransmissionRatio, (dJointID))                                                                   \
    X(void, dJointGetTransmissionAxis, (dJointID, dVector3))                                                           \
    X(void, dJointGetTransmissionAxis1, (dJointID, dVector3))                                                          \
    X(void, dJointGetTransmissionContactPoint1, (dJointID, dVector3))                                                  \
    X(void, dJointGetTransmissionContactPoint2, (dJointID, dVector3))

/* of the called functions of bridge/ode/called.h */
#define UKODE_LATER_CALLED(X)                                                                                          \
    X(void, dJointGetDBallAnchor1, (dJointID, dVector3))                                                               \
    X(void, dJointGetDBallAnchor2, (dJointID, dVector3))                                                               \
    X(dReal, dJointGetDBallDistance, (dJointID))                                                                       \
    X(dReal, dJointGetDBallParam, (dJointID, int))                                                                     \
    X(void, dJointGetDHingeAnchor1, (dJointID, dVector3))                                                              \
    X(void, dJointGetDHingeAnchor2, (dJointID, dVector3))                                                              \
    X(void, dJointGetDHingeAxis, (dJointID, dVector3))                                                                 \
    X(dReal, dJointGetDHingeDistance, (dJointID))                                                                      \
    X(dReal, dJointGetDHingeParam, (dJointID, int))                                                                    \
    X(dReal, dJointGetHinge2Angle2, (dJointID))                                                                        \
    X(void, dJointGetTransmissionAnchor1, (dJointID, dVector3))                                                        \
    X(void, dJointGetTransmissionAnchor2, (dJointID, dVector3))                                                        \
    X(void, dJointGetTransmissionAxis2, (dJointID, dVector3))                                                          \
    X(dReal, dJointGetTransmissionBacklash, (dJointID))                                                                \
    X(int, dJointGetTransmissionMode, (dJointID))                                                                      \
    X(dReal, dJointGetTransmissionParam, (dJointID, int))

#ifdef __cplusplus
#error "bridge/ode/earlier.h is a header of C"
#endif
#define UKODE_DECLARE_LATER(result, function, arguments) result function arguments;
UKODE_LATER_WRAPPED(UKODE_DECLARE_LATER)
UKODE_LATER_CALLED(UKODE_DECLARE_LATER)
#undef UKODE_DECLARE_LATER
#else
#define UKODE_LATER_WRAPPED(X)
#define UKODE_LATER_CALLED(X)
#endif

/* the number that a parameter of a joint has since 0.13, which recordings contain: two came before FMax of each
 * group */
static inline int ukParameterNumber(int parameter)
{
#if UKODE_ODE_EARLIER
    return parameter % dParamGroup >= dParamFMax ? parameter + 2 : parameter;
#else
    return parameter;
#endif
}

/* coefficients of rolling friction: about the first direction, about the second, about the normal */
static inline void ukSurfaceRolling(const dSurfaceParameters *surface, double rho[3])
{
#if UKODE_ODE_EARLIER
    (void)surface;
    rho[0] = rho[1] = rho[2] = 0;
#else
    rho[0] = surface->rho;
    rho[1] = surface->rho2;
    rho[2] = surface->rhoN;
#endif
}

static inline void ukSurfaceSetRolling(dSurfaceParameters *surface, const double rho[3])
{
#if UKODE_ODE_EARLIER
    (void)surface, (void)rho;
#else
    surface->rho = (dReal)rho[0];
    surface->rho2 = (dReal)rho[1];
    surface->rhoN = (dReal)rho[2];
#endif
}

#endif
