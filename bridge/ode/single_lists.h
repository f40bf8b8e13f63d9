/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/single_lists.h: lists of ODE's functions with real arguments or results, one per signature, as
 * X(function, type of handle). bridge/ode/single.c defines a function of double precision for each. */
#ifndef UKODE_BRIDGE_ODE_SINGLE_LISTS_H
#define UKODE_BRIDGE_ODE_SINGLE_LISTS_H

#define UKODE_REAL_OF(X) /* dReal (handle) */                                                                          \
    X(dBodyGetAngularDamping, dBodyID)                                                                                 \
    X(dBodyGetAngularDampingThreshold, dBodyID)                                                                        \
    X(dBodyGetAutoDisableAngularThreshold, dBodyID)                                                                    \
    X(dBodyGetAutoDisableLinearThreshold, dBodyID)                                                                     \
    X(dBodyGetAutoDisableTime, dBodyID)                                                                                \
    X(dBodyGetLinearDamping, dBodyID)                                                                                  \
    X(dBodyGetLinearDampingThreshold, dBodyID)                                                                         \
    X(dBodyGetMaxAngularSpeed, dBodyID)                                                                                \
    X(dGeomSphereGetRadius, dGeomID)                                                                                   \
    X(dJointGetDBallDistance, dJointID)                                                                                \
    X(dJointGetDHingeDistance, dJointID)                                                                               \
    X(dJointGetHinge2Angle1, dJointID)                                                                                 \
    X(dJointGetHinge2Angle1Rate, dJointID)                                                                             \
    X(dJointGetHinge2Angle2, dJointID)                                                                                 \
    X(dJointGetHinge2Angle2Rate, dJointID)                                                                             \
    X(dJointGetHingeAngle, dJointID)                                                                                   \
    X(dJointGetHingeAngleRate, dJointID)                                                                               \
    X(dJointGetPRAngle, dJointID)                                                                                      \
    X(dJointGetPRAngleRate, dJointID)                                                                                  \
    X(dJointGetPRPosition, dJointID)                                                                                   \
    X(dJointGetPRPositionRate, dJointID)                                                                               \
    X(dJointGetPUAngle1, dJointID)                                                                                     \
    X(dJointGetPUAngle1Rate, dJointID)                                                                                 \
    X(dJointGetPUAngle2, dJointID)                                                                                     \
    X(dJointGetPUAngle2Rate, dJointID)                                                                                 \
    X(dJointGetPUPosition, dJointID)                                                                                   \
    X(dJointGetPUPositionRate, dJointID)                                                                               \
    X(dJointGetPistonAngle, dJointID)                                                                                  \
    X(dJointGetPistonAngleRate, dJointID)                                                                              \
    X(dJointGetPistonPosition, dJointID)                                                                               \
    X(dJointGetPistonPositionRate, dJointID)                                                                           \
    X(dJointGetSliderPosition, dJointID)                                                                               \
    X(dJointGetSliderPositionRate, dJointID)                                                                           \
    X(dJointGetTransmissionBacklash, dJointID)                                                                         \
    X(dJointGetUniversalAngle1, dJointID)                                                                              \
    X(dJointGetUniversalAngle1Rate, dJointID)                                                                          \
    X(dJointGetUniversalAngle2, dJointID)                                                                              \
    X(dJointGetUniversalAngle2Rate, dJointID)                                                                          \
    X(dWorldGetAngularDamping, dWorldID)                                                                               \
    X(dWorldGetAngularDampingThreshold, dWorldID)                                                                      \
    X(dWorldGetAutoDisableAngularThreshold, dWorldID)                                                                  \
    X(dWorldGetAutoDisableLinearThreshold, dWorldID)                                                                   \
    X(dWorldGetAutoDisableTime, dWorldID)                                                                              \
    X(dWorldGetCFM, dWorldID)                                                                                          \
    X(dWorldGetContactMaxCorrectingVel, dWorldID)                                                                      \
    X(dWorldGetContactSurfaceLayer, dWorldID)                                                                          \
    X(dWorldGetERP, dWorldID)                                                                                          \
    X(dWorldGetLinearDamping, dWorldID)                                                                                \
    X(dWorldGetLinearDampingThreshold, dWorldID)                                                                       \
    X(dWorldGetMaxAngularSpeed, dWorldID)                                                                              \
    X(dWorldGetQuickStepW, dWorldID)                                                                                   \
    X(dJointGetTransmissionAngle1, dJointID)                                                                           \
    X(dJointGetTransmissionAngle2, dJointID)                                                                           \
    X(dJointGetTransmissionRadius1, dJointID)                                                                          \
    X(dJointGetTransmissionRadius2, dJointID)                                                                          \
    X(dJointGetTransmissionRatio, dJointID)

#define UKODE_REAL_AT(X) /* dReal (handle, number) */                                                                  \
    X(dJointGetAMotorParam, dJointID)                                                                                  \
    X(dJointGetBallParam, dJointID)                                                                                    \
    X(dJointGetDBallParam, dJointID)                                                                                   \
    X(dJointGetDHingeParam, dJointID)                                                                                  \
    X(dJointGetFixedParam, dJointID)                                                                                   \
    X(dJointGetHinge2Param, dJointID)                                                                                  \
    X(dJointGetHingeParam, dJointID)                                                                                   \
    X(dJointGetLMotorParam, dJointID)                                                                                  \
    X(dJointGetPRParam, dJointID)                                                                                      \
    X(dJointGetPUParam, dJointID)                                                                                      \
    X(dJointGetPistonParam, dJointID)                                                                                  \
    X(dJointGetSliderParam, dJointID)                                                                                  \
    X(dJointGetTransmissionParam, dJointID)                                                                            \
    X(dJointGetUniversalParam, dJointID)                                                                               \
    X(dJointGetAMotorAngle, dJointID)

#define UKODE_GET_3(X) /* void (handle, dVector3) */                                                                   \
    X(dBodyGetFiniteRotationAxis, dBodyID)                                                                             \
    X(dGeomBoxGetLengths, dGeomID)                                                                                     \
    X(dJointGetBallAnchor, dJointID)                                                                                   \
    X(dJointGetBallAnchor2, dJointID)                                                                                  \
    X(dJointGetDBallAnchor1, dJointID)                                                                                 \
    X(dJointGetDBallAnchor2, dJointID)                                                                                 \
    X(dJointGetDHingeAnchor1, dJointID)                                                                                \
    X(dJointGetDHingeAnchor2, dJointID)                                                                                \
    X(dJointGetDHingeAxis, dJointID)                                                                                   \
    X(dJointGetHinge2Anchor, dJointID)                                                                                 \
    X(dJointGetHinge2Anchor2, dJointID)                                                                                \
    X(dJointGetHinge2Axis1, dJointID)                                                                                  \
    X(dJointGetHinge2Axis2, dJointID)                                                                                  \
    X(dJointGetHingeAnchor, dJointID)                                                                                  \
    X(dJointGetHingeAnchor2, dJointID)                                                                                 \
    X(dJointGetHingeAxis, dJointID)                                                                                    \
    X(dJointGetPRAnchor, dJointID)                                                                                     \
    X(dJointGetPRAxis1, dJointID)                                                                                      \
    X(dJointGetPRAxis2, dJointID)                                                                                      \
    X(dJointGetPUAnchor, dJointID)                                                                                     \
    X(dJointGetPUAxis1, dJointID)                                                                                      \
    X(dJointGetPUAxis2, dJointID)                                                                                      \
    X(dJointGetPUAxis3, dJointID)                                                                                      \
    X(dJointGetPistonAnchor, dJointID)                                                                                 \
    X(dJointGetPistonAnchor2, dJointID)                                                                                \
    X(dJointGetPistonAxis, dJointID)                                                                                   \
    X(dJointGetSliderAxis, dJointID)                                                                                   \
    X(dJointGetTransmissionAnchor1, dJointID)                                                                          \
    X(dJointGetTransmissionAnchor2, dJointID)                                                                          \
    X(dJointGetTransmissionAxis2, dJointID)                                                                            \
    X(dJointGetUniversalAnchor, dJointID)                                                                              \
    X(dJointGetUniversalAnchor2, dJointID)                                                                             \
    X(dJointGetUniversalAxis1, dJointID)                                                                               \
    X(dJointGetUniversalAxis2, dJointID)                                                                               \
    X(dWorldGetGravity, dWorldID)                                                                                      \
    X(dJointGetTransmissionContactPoint1, dJointID)                                                                    \
    X(dJointGetTransmissionContactPoint2, dJointID)                                                                    \
    X(dJointGetTransmissionAxis, dJointID)                                                                             \
    X(dJointGetTransmissionAxis1, dJointID)

#define UKODE_GET_4(X) /* void (handle, dVector4) */                                                                   \
    X(dGeomGetOffsetQuaternion, dGeomID)                                                                               \
    X(dGeomGetQuaternion, dGeomID)                                                                                     \
    X(dGeomPlaneGetParams, dGeomID)

#define UKODE_GET_AT(X) /* void (handle, number, dVector3) */                                                          \
    X(dJointGetAMotorAxis, dJointID)                                                                                   \
    X(dJointGetLMotorAxis, dJointID)

#define UKODE_GET_TWO(X) /* void (handle, dReal *, dReal *) */                                                         \
    X(dGeomCapsuleGetParams, dGeomID)                                                                                  \
    X(dGeomCylinderGetParams, dGeomID)                                                                                 \
    X(dJointGetPUAngles, dJointID)

#define UKODE_SET_1(X) /* void (handle, dReal) */                                                                      \
    X(dBodySetAngularDamping, dBodyID)                                                                                 \
    X(dBodySetAngularDampingThreshold, dBodyID)                                                                        \
    X(dBodySetAutoDisableAngularThreshold, dBodyID)                                                                    \
    X(dBodySetAutoDisableLinearThreshold, dBodyID)                                                                     \
    X(dBodySetAutoDisableTime, dBodyID)                                                                                \
    X(dBodySetLinearDamping, dBodyID)                                                                                  \
    X(dBodySetLinearDampingThreshold, dBodyID)                                                                         \
    X(dBodySetMaxAngularSpeed, dBodyID)                                                                                \
    X(dWorldSetAngularDamping, dWorldID)                                                                               \
    X(dWorldSetAngularDampingThreshold, dWorldID)                                                                      \
    X(dWorldSetAutoDisableAngularThreshold, dWorldID)                                                                  \
    X(dWorldSetAutoDisableLinearThreshold, dWorldID)                                                                   \
    X(dWorldSetAutoDisableTime, dWorldID)                                                                              \
    X(dWorldSetCFM, dWorldID)                                                                                          \
    X(dWorldSetContactMaxCorrectingVel, dWorldID)                                                                      \
    X(dWorldSetContactSurfaceLayer, dWorldID)                                                                          \
    X(dWorldSetERP, dWorldID)                                                                                          \
    X(dWorldSetLinearDamping, dWorldID)                                                                                \
    X(dWorldSetLinearDampingThreshold, dWorldID)                                                                       \
    X(dWorldSetMaxAngularSpeed, dWorldID)                                                                              \
    X(dWorldSetQuickStepW, dWorldID)                                                                                   \
    X(dJointSetDBallDistance, dJointID)                                                                                \
    X(dJointSetTransmissionRatio, dJointID)                                                                            \
    X(dJointSetTransmissionRadius1, dJointID)                                                                          \
    X(dJointSetTransmissionRadius2, dJointID)                                                                          \
    X(dJointSetTransmissionBacklash, dJointID)

#define UKODE_SET_3(X) /* void (handle, three dReal) */                                                                \
    X(dBodySetFiniteRotationAxis, dBodyID)                                                                             \
    X(dWorldSetGravity, dWorldID)                                                                                      \
    X(dJointSetBallAnchor, dJointID)                                                                                   \
    X(dJointSetBallAnchor2, dJointID)                                                                                  \
    X(dJointSetHingeAnchor, dJointID)                                                                                  \
    X(dJointSetHingeAxis, dJointID)                                                                                    \
    X(dJointSetSliderAxis, dJointID)                                                                                   \
    X(dJointSetHinge2Anchor, dJointID)                                                                                 \
    X(dJointSetHinge2Axis1, dJointID)                                                                                  \
    X(dJointSetHinge2Axis2, dJointID)                                                                                  \
    X(dJointSetUniversalAnchor, dJointID)                                                                              \
    X(dJointSetUniversalAxis1, dJointID)                                                                               \
    X(dJointSetUniversalAxis2, dJointID)                                                                               \
    X(dJointSetPRAnchor, dJointID)                                                                                     \
    X(dJointSetPRAxis1, dJointID)                                                                                      \
    X(dJointSetPRAxis2, dJointID)                                                                                      \
    X(dJointSetPUAnchor, dJointID)                                                                                     \
    X(dJointSetPUAxis1, dJointID)                                                                                      \
    X(dJointSetPUAxis2, dJointID)                                                                                      \
    X(dJointSetPUAxis3, dJointID)                                                                                      \
    X(dJointSetPUAxisP, dJointID)                                                                                      \
    X(dJointSetPistonAnchor, dJointID)                                                                                 \
    X(dJointSetPistonAxis, dJointID)                                                                                   \
    X(dJointSetDBallAnchor1, dJointID)                                                                                 \
    X(dJointSetDBallAnchor2, dJointID)                                                                                 \
    X(dJointSetDHingeAnchor1, dJointID)                                                                                \
    X(dJointSetDHingeAnchor2, dJointID)                                                                                \
    X(dJointSetDHingeAxis, dJointID)                                                                                   \
    X(dJointSetTransmissionAnchor1, dJointID)                                                                          \
    X(dJointSetTransmissionAnchor2, dJointID)                                                                          \
    X(dJointSetTransmissionAxis, dJointID)                                                                             \
    X(dJointSetTransmissionAxis1, dJointID)                                                                            \
    X(dJointSetTransmissionAxis2, dJointID)

#define UKODE_SET_4(X) /* void (handle, four dReal) */ X(dJointSetHingeAxisOffset, dJointID)

#define UKODE_SET_5(X) /* void (handle, five dReal) */                                                                 \
    X(dJointSetUniversalAxis1Offset, dJointID)                                                                         \
    X(dJointSetUniversalAxis2Offset, dJointID)

#define UKODE_SET_6(X) /* void (handle, six dReal) */                                                                  \
    X(dJointSetHingeAnchorDelta, dJointID)                                                                             \
    X(dJointSetSliderAxisDelta, dJointID)                                                                              \
    X(dJointSetPUAnchorDelta, dJointID)                                                                                \
    X(dJointSetPUAnchorOffset, dJointID)                                                                               \
    X(dJointSetPistonAnchorOffset, dJointID)                                                                           \
    X(dJointSetPistonAxisDelta, dJointID)

#define UKODE_SET_AT(X) /* void (handle, number, dReal) */                                                             \
    X(dJointSetBallParam, dJointID)                                                                                    \
    X(dJointSetHingeParam, dJointID)                                                                                   \
    X(dJointSetSliderParam, dJointID)                                                                                  \
    X(dJointSetHinge2Param, dJointID)                                                                                  \
    X(dJointSetUniversalParam, dJointID)                                                                               \
    X(dJointSetPRParam, dJointID)                                                                                      \
    X(dJointSetPUParam, dJointID)                                                                                      \
    X(dJointSetPistonParam, dJointID)                                                                                  \
    X(dJointSetFixedParam, dJointID)                                                                                   \
    X(dJointSetAMotorParam, dJointID)                                                                                  \
    X(dJointSetLMotorParam, dJointID)                                                                                  \
    X(dJointSetPlane2DXParam, dJointID)                                                                                \
    X(dJointSetPlane2DYParam, dJointID)                                                                                \
    X(dJointSetPlane2DAngleParam, dJointID)                                                                            \
    X(dJointSetDBallParam, dJointID)                                                                                   \
    X(dJointSetDHingeParam, dJointID)                                                                                  \
    X(dJointSetTransmissionParam, dJointID)                                                                            \
    X(dJointSetAMotorAngle, dJointID)

#define UKODE_SET_AXIS(X) /* void (handle, number, relative to, three dReal) */                                        \
    X(dJointSetAMotorAxis, dJointID)                                                                                   \
    X(dJointSetLMotorAxis, dJointID)

#define UKODE_STEP(X) /* int (handle, dReal) */                                                                        \
    X(dWorldStep, dWorldID)                                                                                            \
    X(dWorldQuickStep, dWorldID)

#endif
