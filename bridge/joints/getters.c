/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/getters.h"

#include <math.h>

#include "bridge/joints/answers.h"
#include "bridge/joints/class.h"

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

static dReal hinge2Angle2(dJointID joint) /* since 0.13.1 */
{
    return dJointGetHinge2Angle2 ? dJointGetHinge2Angle2(joint) : (dReal)NAN;
}

/* where a function of this file is stored */
#define VECTOR(function) (&(void (*const)(dJointID, dVector3)){function})
#define NUMBER(function) (&(dReal(*const)(dJointID)){function})

static const ukJointGetters table[] = {
    {.type = dJointTypeBall,
     .anchor = &dJointGetBallAnchor,
     .anchor_2 = &dJointGetBallAnchor2,
     .parameter = &dJointGetBallParam,
     .groups = 1},
    {.type = dJointTypeHinge,
     .anchor = &dJointGetHingeAnchor,
     .anchor_2 = &dJointGetHingeAnchor2,
     .axis_1 = &dJointGetHingeAxis,
     .parameter = &dJointGetHingeParam,
     .groups = 1,
     .stops = true,
     .moves = 1,
     .angle = {&dJointGetHingeAngle},
     .rate = {&dJointGetHingeAngleRate}},
    {.type = dJointTypeSlider,
     .axis_1 = &dJointGetSliderAxis,
     .parameter = &dJointGetSliderParam,
     .groups = 1,
     .stops = true,
     .moves = 1,
     .angle = {&dJointGetSliderPosition},
     .rate = {&dJointGetSliderPositionRate}},
    {.type = dJointTypeUniversal,
     .anchor = &dJointGetUniversalAnchor,
     .anchor_2 = &dJointGetUniversalAnchor2,
     .axis_1 = &dJointGetUniversalAxis1,
     .axis_2 = &dJointGetUniversalAxis2,
     .parameter = &dJointGetUniversalParam,
     .groups = 2,
     .stops = true,
     .moves = 2,
     .angle = {&dJointGetUniversalAngle1, &dJointGetUniversalAngle2},
     .rate = {&dJointGetUniversalAngle1Rate, &dJointGetUniversalAngle2Rate}},
    {.type = dJointTypeHinge2,
     .anchor = &dJointGetHinge2Anchor,
     .axis_1 = &dJointGetHinge2Axis1,
     .axis_2 = &dJointGetHinge2Axis2,
     .parameter = &dJointGetHinge2Param,
     .groups = 2,
     .suspension = true,
     .stops = true,
     .moves = 2,
     .angle = {&dJointGetHinge2Angle1, NUMBER(hinge2Angle2)},
     .rate = {&dJointGetHinge2Angle1Rate, &dJointGetHinge2Angle2Rate}},
    {.type = dJointTypePR,
     .anchor = &dJointGetPRAnchor,
     .axis_1 = &dJointGetPRAxis1,
     .axis_2 = &dJointGetPRAxis2,
     .parameter = &dJointGetPRParam,
     .groups = 2,
     .stops = true,
     .moves = 2,
     .angle = {&dJointGetPRPosition, &dJointGetPRAngle},
     .rate = {&dJointGetPRPositionRate, &dJointGetPRAngleRate}},
    {.type = dJointTypePU,
     .anchor = &dJointGetPUAnchor,
     .axis_1 = &dJointGetPUAxis1,
     .axis_2 = &dJointGetPUAxis2,
     .parameter = &dJointGetPUParam,
     .groups = 3,
     .stops = true,
     .moves = 3,
     .angle = {&dJointGetPUAngle1, &dJointGetPUAngle2, &dJointGetPUPosition},
     .rate = {&dJointGetPUAngle1Rate, &dJointGetPUAngle2Rate, &dJointGetPUPositionRate}},
    {.type = dJointTypePiston,
     .anchor = &dJointGetPistonAnchor,
     .axis_1 = &dJointGetPistonAxis,
     .parameter = &dJointGetPistonParam,
     .groups = 2,
     .stops = true,
     .moves = 2,
     .angle = {&dJointGetPistonPosition, &dJointGetPistonAngle},
     .rate = {&dJointGetPistonPositionRate, &dJointGetPistonAngleRate}},
    {.type = dJointTypeFixed, .parameter = &dJointGetFixedParam, .groups = 1},
    {.type = dJointTypeAMotor,
     .axis_1 = VECTOR(amotorAxis1),
     .axis_2 = VECTOR(amotorAxis2),
     .parameter = &dJointGetAMotorParam,
     .mode = &dJointGetAMotorMode,
     .groups = 3,
     .stops = true,
     .moves = 3,
     .angle = {NUMBER(amotorAngle1), NUMBER(amotorAngle2), NUMBER(amotorAngle3)}},
    {.type = dJointTypeLMotor,
     .axis_1 = VECTOR(lmotorAxis1),
     .axis_2 = VECTOR(lmotorAxis2),
     .parameter = &dJointGetLMotorParam,
     .groups = 3,
     .stops = true},
    {.type = dJointTypeDBall, .anchor = &dJointGetDBallAnchor1, .parameter = &dJointGetDBallParam, .groups = 1},
    {.type = dJointTypeDHinge,
     .anchor = &dJointGetDHingeAnchor1,
     .axis_1 = &dJointGetDHingeAxis,
     .parameter = &dJointGetDHingeParam,
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
        angle[i] = i < moves && g->angle[i] ? (*g->angle[i])(joint->handle) : (double)NAN;
        rate[i] = i < moves && g->rate[i] ? (*g->rate[i])(joint->handle) : (double)NAN;
    }
}
