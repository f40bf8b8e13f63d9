/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint types of ODE, and what each has. */
#include "tests/matrix/matrix.h"

const Kind kinds[] = {
    {"Ball", makeBallJoint, .axis = 2, .laws = true},
    {"Hinge", makeHingeJoint, dJointSetHingeParam, .axis = 2, .stops = true, .laws = true},
    {"Slider", makeSliderJoint, dJointSetSliderParam, .axis = 2, .linear = true, .stops = true, .laws = true},
    {"Universal", makeUniversalJoint, dJointSetUniversalParam, .axis = 2, .stops = true, .laws = true, .forward = true},
    {"Hinge2, steering", makeSteeringJoint, dJointSetHinge2Param, .axis = 2, .stops = true, .laws = true, .both = true},
    {"Hinge2, wheel", makeWheelJoint, dJointSetHinge2Param, dParamGroup, .axis = 2, .laws = true, .both = true},
    {"PR", makePRJoint, dJointSetPRParam, .axis = 2, .linear = true, .stops = true, .laws = true},
    {"PU", makePUJoint, dJointSetPUParam, 2 * dParamGroup, .axis = 2, .linear = true, .stops = true, .laws = true,
     .swings = true},
    {"Piston", makePistonJoint, dJointSetPistonParam, .axis = 2, .linear = true, .stops = true, .laws = true},
    {"PR, turning", makePRTurningJoint, dJointSetPRParam, dParamGroup, .axis = 2, .stops = true},
    {"Piston, turning", makePistonJoint, dJointSetPistonParam, dParamGroup, .axis = 2, .stops = true},
    {"Fixed", makeFixedJoint, .axis = 2, .linear = true, .stuck = true},
    {"Plane2D", makePlaneJoint, dJointSetPlane2DXParam, .linear = true, .laws = true, .one = true, .fixed_line = true,
     .swings = true},
    {"LMotor", makeLMotorJoint, dJointSetLMotorParam, .axis = 2, .linear = true, .fixed_line = true},
    {"AMotor", makeAMotorJoint, dJointSetAMotorParam, .axis = 2},
    {"DBall", makeDBallJoint, .axis = 2},
    {"DHinge", makeDHingeJoint, .axis = 2},
    {"Contact", .axis = 2, .linear = true},
};
const int kind_count = sizeof kinds / sizeof *kinds;
