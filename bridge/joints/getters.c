/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/getters.h"

#include <math.h>

#include "bridge/joints/answers.h"
#include "bridge/joints/class.h"
#include "bridge/ode/ode.h"

static void amotorAxis1(dJointID joint, dVector3 axis)
{
    dJointGetAMotorAxis(joint, 0, axis);
}
static void amotorAxis2(dJointID joint, dVector3 axis)
{
    dJointGetAMotorAxis(joint, 1, axis);
}
static void lmotorAxis1(dJointID joint, dVector3 axis)
{
    dJointGetLMotorAxis(joint, 0, axis);
}
static void lmotorAxis2(dJointID joint, dVector3 axis)
{
    dJointGetLMotorAxis(joint, 1, axis);
}
static dReal amotorAngle(dJointID joint, int axis)
{
    dReal angle;
    if (ukAnswerAMotorAngle(joint, axis, &angle)) return angle;
    return ukOde.dJointGetAMotorAngle(joint, axis);
}
static dReal amotorAngle1(dJointID joint)
{
    return amotorAngle(joint, 0);
}
static dReal amotorAngle2(dJointID joint)
{
    return amotorAngle(joint, 1);
}
static dReal amotorAngle3(dJointID joint)
{
    return amotorAngle(joint, 2);
}

/* One function per name is needed: the table is constant, but ODE's functions are members of a table that is filled
 * when the program is loaded (bridge/ode/names.h). */
#define READ_VECTOR(name)                                                                                              \
    static void read##name(dJointID joint, dVector3 result)                                                            \
    {                                                                                                                  \
        dJointGet##name(joint, result);                                                                                \
    }
#define READ_NUMBER(name)                                                                                              \
    static dReal read##name(dJointID joint)                                                                            \
    {                                                                                                                  \
        return dJointGet##name(joint);                                                                                 \
    }
static dReal readHinge2Angle2(dJointID joint) /* since 0.13.1 */
{
    return dJointGetHinge2Angle2 ? dJointGetHinge2Angle2(joint) : (dReal)NAN;
}
#define READ_PARAMETER(name)                                                                                           \
    static dReal read##name(dJointID joint, int parameter)                                                             \
    {                                                                                                                  \
        return dJointGet##name(joint, parameter);                                                                      \
    }
READ_VECTOR(BallAnchor)
READ_VECTOR(BallAnchor2)
READ_VECTOR(HingeAnchor)
READ_VECTOR(HingeAnchor2)
READ_VECTOR(HingeAxis)
READ_VECTOR(SliderAxis)
READ_VECTOR(UniversalAnchor)
READ_VECTOR(UniversalAnchor2)
READ_VECTOR(UniversalAxis1)
READ_VECTOR(UniversalAxis2)
READ_VECTOR(Hinge2Anchor)
READ_VECTOR(Hinge2Axis1)
READ_VECTOR(Hinge2Axis2)
READ_VECTOR(PRAnchor)
READ_VECTOR(PRAxis1)
READ_VECTOR(PRAxis2)
READ_VECTOR(PUAnchor)
READ_VECTOR(PUAxis1)
READ_VECTOR(PUAxis2)
READ_VECTOR(PistonAnchor)
READ_VECTOR(PistonAxis)
READ_VECTOR(DBallAnchor1)
READ_VECTOR(DHingeAnchor1)
READ_VECTOR(DHingeAxis)
READ_NUMBER(HingeAngle)
READ_NUMBER(HingeAngleRate)
READ_NUMBER(SliderPosition)
READ_NUMBER(SliderPositionRate)
READ_NUMBER(UniversalAngle1)
READ_NUMBER(UniversalAngle2)
READ_NUMBER(UniversalAngle1Rate)
READ_NUMBER(UniversalAngle2Rate)
READ_NUMBER(Hinge2Angle1)
READ_NUMBER(Hinge2Angle1Rate)
READ_NUMBER(Hinge2Angle2Rate)
READ_NUMBER(PRPosition)
READ_NUMBER(PRAngle)
READ_NUMBER(PRPositionRate)
READ_NUMBER(PRAngleRate)
READ_NUMBER(PUAngle1)
READ_NUMBER(PUAngle2)
READ_NUMBER(PUPosition)
READ_NUMBER(PUAngle1Rate)
READ_NUMBER(PUAngle2Rate)
READ_NUMBER(PUPositionRate)
READ_NUMBER(PistonPosition)
READ_NUMBER(PistonAngle)
READ_NUMBER(PistonPositionRate)
READ_NUMBER(PistonAngleRate)
READ_PARAMETER(BallParam)
READ_PARAMETER(HingeParam)
READ_PARAMETER(SliderParam)
READ_PARAMETER(UniversalParam)
READ_PARAMETER(Hinge2Param)
READ_PARAMETER(PRParam)
READ_PARAMETER(PUParam)
READ_PARAMETER(PistonParam)
READ_PARAMETER(FixedParam)
READ_PARAMETER(AMotorParam)
READ_PARAMETER(LMotorParam)
READ_PARAMETER(DBallParam)
READ_PARAMETER(DHingeParam)
static int readAMotorMode(dJointID joint)
{
    return dJointGetAMotorMode(joint);
}

static const ukJointGetters table[] = {
    {.type = dJointTypeBall,
     .anchor = readBallAnchor,
     .anchor_2 = readBallAnchor2,
     .parameter = readBallParam,
     .groups = 1},
    {.type = dJointTypeHinge,
     .anchor = readHingeAnchor,
     .anchor_2 = readHingeAnchor2,
     .axis_1 = readHingeAxis,
     .parameter = readHingeParam,
     .groups = 1,
     .stops = true,
     .moves = 1,
     .angle = {readHingeAngle},
     .rate = {readHingeAngleRate}},
    {.type = dJointTypeSlider,
     .axis_1 = readSliderAxis,
     .parameter = readSliderParam,
     .groups = 1,
     .stops = true,
     .moves = 1,
     .angle = {readSliderPosition},
     .rate = {readSliderPositionRate}},
    {.type = dJointTypeUniversal,
     .anchor = readUniversalAnchor,
     .anchor_2 = readUniversalAnchor2,
     .axis_1 = readUniversalAxis1,
     .axis_2 = readUniversalAxis2,
     .parameter = readUniversalParam,
     .groups = 2,
     .stops = true,
     .moves = 2,
     .angle = {readUniversalAngle1, readUniversalAngle2},
     .rate = {readUniversalAngle1Rate, readUniversalAngle2Rate}},
    {.type = dJointTypeHinge2,
     .anchor = readHinge2Anchor,
     .axis_1 = readHinge2Axis1,
     .axis_2 = readHinge2Axis2,
     .parameter = readHinge2Param,
     .groups = 2,
     .suspension = true,
     .stops = true,
     .moves = 2,
     .angle = {readHinge2Angle1, readHinge2Angle2},
     .rate = {readHinge2Angle1Rate, readHinge2Angle2Rate}},
    {.type = dJointTypePR,
     .anchor = readPRAnchor,
     .axis_1 = readPRAxis1,
     .axis_2 = readPRAxis2,
     .parameter = readPRParam,
     .groups = 2,
     .stops = true,
     .moves = 2,
     .angle = {readPRPosition, readPRAngle},
     .rate = {readPRPositionRate, readPRAngleRate}},
    {.type = dJointTypePU,
     .anchor = readPUAnchor,
     .axis_1 = readPUAxis1,
     .axis_2 = readPUAxis2,
     .parameter = readPUParam,
     .groups = 3,
     .stops = true,
     .moves = 3,
     .angle = {readPUAngle1, readPUAngle2, readPUPosition},
     .rate = {readPUAngle1Rate, readPUAngle2Rate, readPUPositionRate}},
    {.type = dJointTypePiston,
     .anchor = readPistonAnchor,
     .axis_1 = readPistonAxis,
     .parameter = readPistonParam,
     .groups = 2,
     .stops = true,
     .moves = 2,
     .angle = {readPistonPosition, readPistonAngle},
     .rate = {readPistonPositionRate, readPistonAngleRate}},
    {.type = dJointTypeFixed, .parameter = readFixedParam, .groups = 1},
    {.type = dJointTypeAMotor,
     .axis_1 = amotorAxis1,
     .axis_2 = amotorAxis2,
     .parameter = readAMotorParam,
     .mode = readAMotorMode,
     .groups = 3,
     .stops = true,
     .moves = 3,
     .angle = {amotorAngle1, amotorAngle2, amotorAngle3}},
    {.type = dJointTypeLMotor,
     .axis_1 = lmotorAxis1,
     .axis_2 = lmotorAxis2,
     .parameter = readLMotorParam,
     .groups = 3,
     .stops = true},
    {.type = dJointTypeDBall, .anchor = readDBallAnchor1, .parameter = readDBallParam, .groups = 1},
    {.type = dJointTypeDHinge,
     .anchor = readDHingeAnchor1,
     .axis_1 = readDHingeAxis,
     .parameter = readDHingeParam,
     .groups = 1},
};

const ukJointGetters *ukJointGettersOf(dJointType type)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].type == type) return &table[i];
    return NULL;
}

void ukJointMoves(const ukJoint *joint, double angle[3], double rate[3])
{
    const ukJointGetters *const g = ukJointGettersOf(joint->class->type);
    const int moves = g && joint->body[0] ? g->moves : 0;
    for (int i = 0; i < 3; i++) {
        angle[i] = i < moves && g->angle[i] ? g->angle[i](joint->handle) : (double)NAN;
        rate[i] = i < moves && g->rate[i] ? g->rate[i](joint->handle) : (double)NAN;
    }
}
