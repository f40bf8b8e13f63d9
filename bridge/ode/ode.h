/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/ode.h: ODE's own functions: of every one that plugin/interpose.c wraps, and every one that the library
 * calls.
 *
 * A wrapped function is one line of the lists below. The bridge calls wrapped functions through ukOde only, so that its
 * changes of a world are not taken for the user's. The other functions that it calls are those of bridge/ode/called.h,
 * whose names are macros: they are members of ukOde as well. */
#ifndef UKODE_BRIDGE_ODE_ODE_H
#define UKODE_BRIDGE_ODE_ODE_H

#include <ode/ode.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "bridge/ode/called.h"
#include "bridge/ode/earlier.h"
#include "bridge/ode/fork.h"

/* Setters of joints, by the shape of their arguments: X(function, note kind, ...), see plugin/interpose.c. */
#define UKODE_SETTERS_VECTOR(X) /* (dJointID, x, y, z) */                                                              \
    X(dJointSetBallAnchor, ukNoteAnchor)                                                                               \
    X(dJointSetBallAnchor2, ukNoteAnchor2)                                                                             \
    X(dJointSetHingeAnchor, ukNoteAnchor)                                                                              \
    X(dJointSetHingeAxis, ukNoteAxis)                                                                                  \
    X(dJointSetSliderAxis, ukNoteAxis)                                                                                 \
    X(dJointSetHinge2Anchor, ukNoteAnchor)                                                                             \
    X(dJointSetHinge2Axis1, ukNoteAxis)                                                                                \
    X(dJointSetHinge2Axis2, ukNoteAxis2)                                                                               \
    X(dJointSetUniversalAnchor, ukNoteAnchor)                                                                          \
    X(dJointSetUniversalAxis1, ukNoteAxis)                                                                             \
    X(dJointSetUniversalAxis2, ukNoteAxis2)                                                                            \
    X(dJointSetPRAnchor, ukNoteAnchor)                                                                                 \
    X(dJointSetPRAxis1, ukNoteAxis)                                                                                    \
    X(dJointSetPRAxis2, ukNoteAxis2)                                                                                   \
    X(dJointSetPUAnchor, ukNoteAnchor)                                                                                 \
    X(dJointSetPUAxis1, ukNoteAxis)                                                                                    \
    X(dJointSetPUAxis2, ukNoteAxis2)                                                                                   \
    X(dJointSetPUAxis3, ukNoteAxis3)                                                                                   \
    X(dJointSetPUAxisP, ukNoteAxis3)                                                                                   \
    X(dJointSetPistonAnchor, ukNoteAnchor)                                                                             \
    X(dJointSetPistonAxis, ukNoteAxis)                                                                                 \
    X(dJointSetDBallAnchor1, ukNoteAnchor)                                                                             \
    X(dJointSetDBallAnchor2, ukNoteAnchor2)                                                                            \
    X(dJointSetDHingeAnchor1, ukNoteAnchor)                                                                            \
    X(dJointSetDHingeAnchor2, ukNoteAnchor2)                                                                           \
    X(dJointSetDHingeAxis, ukNoteAxis)                                                                                 \
    X(dJointSetTransmissionAnchor1, ukNoteAnchor)                                                                      \
    X(dJointSetTransmissionAnchor2, ukNoteAnchor2)                                                                     \
    X(dJointSetTransmissionAxis, ukNoteAxes)                                                                           \
    X(dJointSetTransmissionAxis1, ukNoteAxis)                                                                          \
    X(dJointSetTransmissionAxis2, ukNoteAxis2)

#define UKODE_SETTERS_VECTOR_DELTA(X) /* (dJointID, x, y, z, dx, dy, dz) */                                            \
    X(dJointSetHingeAnchorDelta, ukNoteAnchorDelta)                                                                    \
    X(dJointSetSliderAxisDelta, ukNoteAxisDelta)                                                                       \
    X(dJointSetPUAnchorDelta, ukNoteAnchorDelta)                                                                       \
    X(dJointSetPUAnchorOffset, ukNoteAnchorOffset)                                                                     \
    X(dJointSetPistonAnchorOffset, ukNoteAnchorOffset)                                                                 \
    X(dJointSetPistonAxisDelta, ukNoteAxisDelta)

#define UKODE_SETTERS_PARAM(X) /* (dJointID, parameter, value); the note's rel */                                      \
    X(dJointSetBallParam, 0)                                                                                           \
    X(dJointSetHingeParam, 0)                                                                                          \
    X(dJointSetSliderParam, 0)                                                                                         \
    X(dJointSetHinge2Param, 0)                                                                                         \
    X(dJointSetUniversalParam, 0)                                                                                      \
    X(dJointSetPRParam, 0)                                                                                             \
    X(dJointSetPUParam, 0)                                                                                             \
    X(dJointSetPistonParam, 0)                                                                                         \
    X(dJointSetFixedParam, 0)                                                                                          \
    X(dJointSetAMotorParam, 0)                                                                                         \
    X(dJointSetLMotorParam, 0)                                                                                         \
    X(dJointSetPlane2DXParam, 0)                                                                                       \
    X(dJointSetPlane2DYParam, 1)                                                                                       \
    X(dJointSetPlane2DAngleParam, 2)                                                                                   \
    X(dJointSetDBallParam, 0)                                                                                          \
    X(dJointSetDHingeParam, 0)                                                                                         \
    X(dJointSetTransmissionParam, 0)

#define UKODE_SETTERS_REAL(X) /* (dJointID, value); the note's i */                                                    \
    X(dJointSetDBallDistance, ukNoteDistance, 0)                                                                       \
    X(dJointSetTransmissionRatio, ukNoteRatio, 0)                                                                      \
    X(dJointSetTransmissionRadius1, ukNoteRadius, 0)                                                                   \
    X(dJointSetTransmissionRadius2, ukNoteRadius, 1)                                                                   \
    X(dJointSetTransmissionBacklash, ukNoteBacklash, 0)

#define UKODE_SETTERS_INT(X) /* (dJointID, value) */                                                                   \
    X(dJointSetAMotorMode, ukNoteMode)                                                                                 \
    X(dJointSetAMotorNumAxes, ukNoteCount)                                                                             \
    X(dJointSetLMotorNumAxes, ukNoteCount)                                                                             \
    X(dJointSetTransmissionMode, ukNoteMode)

#define UKODE_SETTERS_MOTOR_AXIS(X) /* (dJointID, number, relative to, x, y, z) */                                     \
    X(dJointSetAMotorAxis, ukNoteAxis)                                                                                 \
    X(dJointSetLMotorAxis, ukNoteAxis)

/* dJointCreateX(world, group): X(function, type) */
#define UKODE_JOINT_CREATORS(X)                                                                                        \
    X(dJointCreateBall, dJointTypeBall)                                                                                \
    X(dJointCreateHinge, dJointTypeHinge)                                                                              \
    X(dJointCreateSlider, dJointTypeSlider)                                                                            \
    X(dJointCreateUniversal, dJointTypeUniversal)                                                                      \
    X(dJointCreateHinge2, dJointTypeHinge2)                                                                            \
    X(dJointCreateFixed, dJointTypeFixed)                                                                              \
    X(dJointCreateNull, dJointTypeNull)                                                                                \
    X(dJointCreateAMotor, dJointTypeAMotor)                                                                            \
    X(dJointCreateLMotor, dJointTypeLMotor)                                                                            \
    X(dJointCreatePlane2D, dJointTypePlane2D)                                                                          \
    X(dJointCreatePR, dJointTypePR)                                                                                    \
    X(dJointCreatePU, dJointTypePU)                                                                                    \
    X(dJointCreatePiston, dJointTypePiston)                                                                            \
    X(dJointCreateDBall, dJointTypeDBall)                                                                              \
    X(dJointCreateDHinge, dJointTypeDHinge)                                                                            \
    X(dJointCreateTransmission, dJointTypeTransmission)

/* Getters that ODE answers from what its own step computed: X(function, field of ukGear) */
#define UKODE_GEAR_NUMBERS(X) /* dReal (dJointID) */                                                                   \
    X(dJointGetTransmissionAngle1, phase[0])                                                                           \
    X(dJointGetTransmissionAngle2, phase[1])                                                                           \
    X(dJointGetTransmissionRadius1, radius[0])                                                                         \
    X(dJointGetTransmissionRadius2, radius[1])                                                                         \
    X(dJointGetTransmissionRatio, ratio)

#define UKODE_GEAR_POINTS(X) /* void (dJointID, dVector3) */                                                           \
    X(dJointGetTransmissionContactPoint1, contact[0])                                                                  \
    X(dJointGetTransmissionContactPoint2, contact[1])

#define UKODE_GEAR_AXES(X) /* void (dJointID, dVector3); whose axis: both are of the first gear */                     \
    X(dJointGetTransmissionAxis, 0)                                                                                    \
    X(dJointGetTransmissionAxis1, 0)

/* Everything else, each written out in plugin/interpose.c: X(function, what it is wrapped for) */
#define UKODE_SINGLE_FUNCTIONS(X)                                                                                      \
    X(dInitODE, life)                                                                                                  \
    X(dInitODE2, life)                                                                                                 \
    X(dWorldCreate, life)                                                                                              \
    X(dWorldDestroy, life)                                                                                             \
    X(dWorldStep, step)                                                                                                \
    X(dWorldQuickStep, step)                                                                                           \
    X(dBodyCreate, life)                                                                                               \
    X(dBodyDestroy, life)                                                                                              \
    X(dBodySetMovedCallback, change)                                                                                   \
    X(dBodySetMass, change)                                                                                            \
    X(dBodySetKinematic, change)                                                                                       \
    X(dBodySetDynamic, change)                                                                                         \
    X(dBodyEnable, sleep)                                                                                              \
    X(dBodyDisable, change)                                                                                            \
    X(dBodySetAutoDisableAverageSamplesCount, sleep)                                                                   \
    X(dBodySetAutoDisableFlag, sleep)                                                                                  \
    X(dBodySetAutoDisableDefaults, sleep)                                                                              \
    X(dJointCreateContact, life)                                                                                       \
    X(dJointDestroy, life)                                                                                             \
    X(dJointGroupCreate, life)                                                                                         \
    X(dJointGroupEmpty, life)                                                                                          \
    X(dJointGroupDestroy, life)                                                                                        \
    X(dJointAttach, life)                                                                                              \
    X(dJointEnable, change)                                                                                            \
    X(dJointDisable, change)                                                                                           \
    X(dJointSetFixed, setter)                                                                                          \
    X(dJointSetHingeAxisOffset, setter)                                                                                \
    X(dJointSetHinge2Axes, setter)                                                                                     \
    X(dJointSetUniversalAxis1Offset, setter)                                                                           \
    X(dJointSetUniversalAxis2Offset, setter)                                                                           \
    X(dJointSetAMotorAngle, setter)                                                                                    \
    X(dJointGetAMotorAngle, answer)

/* Geoms and spaces, for recordings: each written out in plugin/interpose_geom.c */
#define UKODE_GEOM_FUNCTIONS(X)                                                                                        \
    X(dSimpleSpaceCreate, geom)                                                                                        \
    X(dHashSpaceCreate, geom)                                                                                          \
    X(dSweepAndPruneSpaceCreate, geom)                                                                                 \
    X(dSpaceDestroy, geom)                                                                                             \
    X(dGeomDestroy, geom)                                                                                              \
    X(dCreateConvex, geom)                                                                                             \
    X(dGeomSetConvex, geom)                                                                                            \
    X(dGeomHeightfieldDataDestroy, geom)                                                                               \
    X(dGeomHeightfieldDataBuildCallback, geom)                                                                         \
    X(dGeomHeightfieldDataBuildByte, geom)                                                                             \
    X(dGeomHeightfieldDataBuildShort, geom)                                                                            \
    X(dGeomHeightfieldDataBuildSingle, geom)                                                                           \
    X(dGeomHeightfieldDataBuildDouble, geom)

#define UKODE_WRAPPED(X)                                                                                               \
    UKODE_SETTERS_VECTOR(X)                                                                                            \
    UKODE_SETTERS_VECTOR_DELTA(X)                                                                                      \
    UKODE_SETTERS_PARAM(X)                                                                                             \
    UKODE_SETTERS_REAL(X)                                                                                              \
    UKODE_SETTERS_INT(X)                                                                                               \
    UKODE_SETTERS_MOTOR_AXIS(X)                                                                                        \
    UKODE_SETTERS_FORK(X)                                                                                              \
    UKODE_JOINT_CREATORS(X)                                                                                            \
    UKODE_GEAR_NUMBERS(X)                                                                                              \
    UKODE_GEAR_POINTS(X)                                                                                               \
    UKODE_GEAR_AXES(X)                                                                                                 \
    UKODE_SINGLE_FUNCTIONS(X)                                                                                          \
    UKODE_GEOM_FUNCTIONS(X)

/* four setters of the lists are deprecated names, wrapped for the programs that still call them */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
typedef struct ukOdeFunctions {
#define UKODE_FIELD(function) __typeof__(function) *function;
#define UKODE_WRAPPED_FIELD(function, ...) __typeof__(function) *function;
    UKODE_WRAPPED(UKODE_WRAPPED_FIELD)
    UKODE_CALLED(UKODE_FIELD)
    UKODE_CALLED_FORK(UKODE_FIELD)
#undef UKODE_WRAPPED_FIELD
#undef UKODE_FIELD
} ukOdeFunctions;
#pragma GCC diagnostic pop

/* The functions of the copy of ODE that is served, all of them of this one copy; zero until it is known, which is
 * before the first object of it exists. What it lacks is NULL. */
extern ukOdeFunctions ukOde __attribute__((visibility("hidden")));

/* The served copy of ODE has single precision (bridge/ode/single.h). */
extern bool ukOdeSingle __attribute__((visibility("hidden")));

/* The functions that a call of `caller` (an address in the calling object) must be forwarded to: &ukOde, or those of a
 * copy that is not served (bridge/ode/copy.h). Never NULL; all members are NULL where there is no ODE. `known`: an
 * argument of the call is an object of the served copy. `creates`: the call has no object as an argument, so that it
 * may be the first one of another copy. */
const ukOdeFunctions *ukOdeSearch(const void *caller, bool known, bool creates);

/* Functions of the only copy that the process uses; NULL: not known yet, or several copies. */
extern _Atomic(const ukOdeFunctions *) ukOdeOnly __attribute__((visibility("hidden")));

/* In an interposed function: where its call is to be forwarded to. `known` is evaluated only where there are
 * several. */
#define UKODE_CALLED_ODE(known)                                                                                        \
    (atomic_load_explicit(&ukOdeOnly, memory_order_acquire)                                                            \
         ? atomic_load_explicit(&ukOdeOnly, memory_order_acquire)                                                      \
         : ukOdeSearch(__builtin_return_address(0), (known) != NULL, false))
#define UKODE_CREATING_ODE() ukOdeSearch(__builtin_return_address(0), false, true)

#ifndef UKODE_ODE_NAMES_ONLY /* bridge/ode/copy.c and tests need the names themselves */
#include "bridge/ode/names.h"
#endif

#endif
