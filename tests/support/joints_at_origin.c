/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/support/joints_at_origin.h"

#include <stdbool.h>

dBodyID makeSphere(dWorldID world, double m, double I)
{
    const dBodyID b = dBodyCreate(world);
    dMass mass;
    dMassSetZero(&mass);
    mass.mass = m;
    mass.I[0] = mass.I[5] = mass.I[10] = I;
    dBodySetMass(b, &mass);
    return b;
}

#define ATTACH(Type)                                                                                                   \
    const dJointID j = dJointCreate##Type(world, 0);                                                                   \
    dJointAttach(j, first, second);

dJointID makeBallJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Ball)
    dJointSetBallAnchor(j, 0, 0, 0);
    return j;
}

dJointID makeHingeJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Hinge)
    dJointSetHingeAnchor(j, 0, 0, 0);
    dJointSetHingeAxis(j, 0, 0, 1);
    return j;
}

dJointID makeSliderJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Slider)
    dJointSetSliderAxis(j, 0, 0, 1);
    return j;
}

dJointID makeUniversalJoint(dWorldID world, dBodyID first, dBodyID second)
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

dJointID makeSteeringJoint(dWorldID world, dBodyID first, dBodyID second)
{
    return hinge2(world, first, second, false);
}

dJointID makeWheelJoint(dWorldID world, dBodyID first, dBodyID second)
{
    return hinge2(world, first, second, true);
}

dJointID makePRJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(PR)
    dJointSetPRAnchor(j, 0, 0, 0);
    dJointSetPRAxis1(j, 0, 0, 1);
    dJointSetPRAxis2(j, 1, 0, 0);
    return j;
}

dJointID makePUJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(PU)
    dJointSetPUAnchor(j, 0, 0, 0);
    dJointSetPUAxis1(j, 1, 0, 0);
    dJointSetPUAxis2(j, 0, 1, 0);
    dJointSetPUAxis3(j, 0, 0, 1);
    return j;
}

dJointID makePistonJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Piston)
    dJointSetPistonAnchor(j, 0, 0, 0);
    dJointSetPistonAxis(j, 0, 0, 1);
    return j;
}

dJointID makeFixedJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Fixed)
    dJointSetFixed(j);
    return j;
}

dJointID makePlaneJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(Plane2D)
    return j;
}

dJointID makeLMotorJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(LMotor)
    dJointSetLMotorNumAxes(j, 1);
    dJointSetLMotorAxis(j, 0, 0, 0, 0, 1);
    return j;
}

dJointID makeAMotorJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(AMotor)
    dJointSetAMotorNumAxes(j, 1);
    dJointSetAMotorAxis(j, 0, 0, 0, 0, 1);
    return j;
}

dJointID makePRTurningJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(PR)
    dJointSetPRAnchor(j, 0, 0, 0);
    dJointSetPRAxis1(j, 1, 0, 0);
    dJointSetPRAxis2(j, 0, 0, 1);
    return j;
}

dJointID makeDBallJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(DBall)
    dJointSetDBallAnchor1(j, 0, 0, 0);
    dJointSetDBallAnchor2(j, 0.7, 0, 0);
    return j;
}

dJointID makeDHingeJoint(dWorldID world, dBodyID first, dBodyID second)
{
    ATTACH(DHinge)
    dJointSetDHingeAnchor1(j, 0, 0, 0);
    dJointSetDHingeAnchor2(j, 0.7, 0, 0);
    dJointSetDHingeAxis(j, 0, 0, 1);
    return j;
}
