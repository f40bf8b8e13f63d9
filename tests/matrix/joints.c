/* SPDX-License-Identifier: BSD-3-Clause */
/* The joint types of ODE, each at the origin with its axis along z (Plane2D: x). */
#include "tests/matrix/matrix.h"

#define ATTACH(Type)                                                                                                   \
    const dJointID j = dJointCreate##Type(world, 0);                                                                   \
    dJointAttach(j, first, second);

static dJointID makeBall(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Ball)
    dJointSetBallAnchor(j, 0, 0, 0);
    return j;
}

static dJointID makeHinge(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Hinge)
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 0, 1);
    return j;
}

static dJointID makeSlider(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Slider)
    dJointSetSliderAxis(j, 0, 0, 1);
    return j;
}

static dJointID makeUniversal(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Universal)
    dJointSetUniversalAnchor(j, 0, 0, 0);
    dJointSetUniversalAxis1(j, 0, 0, 1);
    dJointSetUniversalAxis2(j, 0, 1, 0);
    return j;
}

static dJointID hinge2(dWorldID world, dBodyID first, dBodyID second, bool wheel)
{
    ATTACH(Hinge2)
    const dVector3 z = {0, 0, 1}, y = {0, 1, 0};
    dJointSetHinge2Anchor(j, 0, 0, 0);
    dJointSetHinge2Axes(j, wheel ? y : z, wheel ? z : y);
    return j;
}
static dJointID makeSteering(dWorldID world, dBodyID first, dBodyID second)
{
    return hinge2(world, first, second, false);
}
static dJointID makeWheel(dWorldID world, dBodyID first, dBodyID second)
{
    return hinge2(world, first, second, true);
}

static dJointID makePR(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(PR)
    dJointSetPRAnchor(j, 0, 0, 0);
    dJointSetPRAxis1(j, 0, 0, 1);
    dJointSetPRAxis2(j, 1, 0, 0);
    return j;
}

static dJointID makePU(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(PU)
    dJointSetPUAnchor(j, 0, 0, 0);
    dJointSetPUAxis1(j, 1, 0, 0);
    dJointSetPUAxis2(j, 0, 1, 0);
    dJointSetPUAxis3(j, 0, 0, 1);
    return j;
}

static dJointID makePiston(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Piston)
    dJointSetPistonAnchor(j, 0, 0, 0);
    dJointSetPistonAxis(j, 0, 0, 1);
    return j;
}

static dJointID makeFixed(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Fixed)
    dJointSetFixed(j);
    return j;
}

static dJointID makePlane(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Plane2D)
    return j;
}

static dJointID makeLMotor(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(LMotor)
    dJointSetLMotorNumAxes(j, 1);
    dJointSetLMotorAxis(j, 0, 0, 0, 0, 1);
    return j;
}

static dJointID makeAMotor(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(AMotor)
    dJointSetAMotorNumAxes(j, 1);
    dJointSetAMotorAxis(j, 0, 0, 0, 0, 1);
    return j;
}

static dJointID makeDBall(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(DBall)
    dJointSetDBallAnchor1(j, 0, 0, 0);
    dJointSetDBallAnchor2(j, 0.7, 0, 0);
    return j;
}

static dJointID makeDHinge(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(DHinge)
    dJointSetDHingeAnchor1(j, 0, 0, 0);
    dJointSetDHingeAnchor2(j, 0.7, 0, 0);
    dJointSetDHingeAxis(j, 0, 0, 1);
    return j;
}

const Kind kinds[] = {
    {"Ball", makeBall, .axis = 2, .laws = true},
    {"Hinge", makeHinge, dJointSetHingeParam, .axis = 2, .stops = true, .laws = true},
    {"Slider", makeSlider, dJointSetSliderParam, .axis = 2, .linear = true, .stops = true, .laws = true},
    {"Universal", makeUniversal, dJointSetUniversalParam, .axis = 2, .stops = true, .laws = true, .forward = true},
    {"Hinge2, steering", makeSteering, dJointSetHinge2Param, .axis = 2, .stops = true, .laws = true, .both = true},
    {"Hinge2, wheel", makeWheel, dJointSetHinge2Param, dParamGroup, .axis = 2, .laws = true, .both = true},
    {"PR", makePR, dJointSetPRParam, .axis = 2, .linear = true, .stops = true, .laws = true},
    {"PU", makePU, dJointSetPUParam, 2 * dParamGroup, .axis = 2, .linear = true, .stops = true, .laws = true,
     .swings = true},
    {"Piston", makePiston, dJointSetPistonParam, .axis = 2, .linear = true, .stops = true, .laws = true},
    {"Fixed", makeFixed, .axis = 2, .linear = true, .stuck = true},
    {"Plane2D", makePlane, dJointSetPlane2DXParam, .linear = true, .laws = true, .one = true, .fixed_line = true,
     .swings = true},
    {"LMotor", makeLMotor, dJointSetLMotorParam, .axis = 2, .linear = true, .fixed_line = true},
    {"AMotor", makeAMotor, dJointSetAMotorParam, .axis = 2},
    {"DBall", makeDBall, .axis = 2},
    {"DHinge", makeDHinge, .axis = 2},
    {"Contact", .axis = 2, .linear = true},
};
const int kind_count = sizeof kinds / sizeof *kinds;
