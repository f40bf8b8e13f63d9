/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/joints_at_origin.h: one joint of each type of ODE at the origin, and spheres to attach. The axis that
 * is driven or stopped is z (Plane2D: x): of a Hinge2 that of its steering or of its wheel, the other is y; of PR and
 * PU the prismatic one. */
#ifndef UKODE_TESTS_JOINTS_AT_ORIGIN_H
#define UKODE_TESTS_JOINTS_AT_ORIGIN_H

#include <ode/ode.h>

/* of mass m [kg] and inertia I about every axis [kg m^2], at the origin */
dBodyID makeSphere(dWorldID world, double m, double I);

typedef dJointID JointMaker(dWorldID world, dBodyID first, dBodyID second);

JointMaker makeBallJoint, makeHingeJoint, makeSliderJoint, makeUniversalJoint, makeSteeringJoint, makeWheelJoint,
    makePRJoint, makePUJoint, makePistonJoint, makeFixedJoint, makePlaneJoint, makeLMotorJoint, makeAMotorJoint,
    makeDBallJoint, makeDHingeJoint;
/* a PR joint that turns about z and slides along x */
JointMaker makePRTurningJoint;

#endif
