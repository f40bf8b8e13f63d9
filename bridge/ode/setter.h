/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/setter.h: ODE's setters of joints (bridge/ode/ode.h) by number and by name. Numbers may change from one
 * version to the next; files have names. */
#ifndef UKODE_BRIDGE_ODE_SETTER_H
#define UKODE_BRIDGE_ODE_SETTER_H

#include "bridge/ode/ode.h"

#define UKODE_SETTERS(X)                                                                                               \
    UKODE_SETTERS_VECTOR(X)                                                                                            \
    UKODE_SETTERS_VECTOR_DELTA(X)                                                                                      \
    UKODE_SETTERS_PARAM(X)                                                                                             \
    UKODE_SETTERS_REAL(X)                                                                                              \
    UKODE_SETTERS_INT(X)                                                                                               \
    UKODE_SETTERS_MOTOR_AXIS(X)                                                                                        \
    X(dJointSetFixed, ukNoteFix)                                                                                       \
    X(dJointSetAMotorAngle, ukNoteAngle)                                                                               \
    X(dJointSetHingeAxisOffset, ukNoteAxisOffset)                                                                      \
    X(dJointSetUniversalAxis1Offset, ukNoteAxisOffset)                                                                 \
    X(dJointSetUniversalAxis2Offset, ukNoteAxis2Offset)                                                                \
    X(dJointSetHinge2Axes, ukNoteAxes)                                                                                 \
    UKODE_SETTERS_FORK(X)

typedef enum ukSetter {
    ukSetterNone,
#define UKODE_SETTER_NUMBER(function, ...) ukSetter_##function,
    UKODE_SETTERS(UKODE_SETTER_NUMBER)
#undef UKODE_SETTER_NUMBER
        ukSetters
} ukSetter;

/* "dJointSetHingeAnchor"; the setter of that name, ukSetterNone: there is none. */
const char *ukSetterName(ukSetter setter);
ukSetter ukSetterOf(const char *name, size_t length);

#endif
