/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/class.h: which builds of ODE can be served: their numbers of parameters and joint types, their structs and
 * their real numbers are those of the headers that the library was built with.
 *
 * dParamFMax is 3 before ODE 0.13 and 2 since, dContact has other members, and so on: a copy of another class would be
 * misread without any error. A copy is judged by what it defines, because ODE has no function that returns its
 * version. */
#ifndef UKODE_BRIDGE_ODE_CLASS_H
#define UKODE_BRIDGE_ODE_CLASS_H

#include <stdbool.h>

#include "bridge/ode/object.h"
#include "bridge/ode/ode.h"

enum { ukOdeReasonLength = 800 };

/* Functions that only a fork of ODE defines. */
typedef struct ukClassMarks {
    bool screw; /* dJointCreateScrew: Gazebo */
} ukClassMarks;

ukClassMarks ukClassMarksOf(const ukObject *object);

/* reason: "" if the copy at `path` can be served, else why not: a sentence without a full stop. `missing`: the name of
 * a function that it lacks and that ukode needs; "": none. */
void ukClassRefuse(const ukClassMarks *marks, const char *path, const ukOdeFunctions *functions, const char *missing,
                   char reason[ukOdeReasonLength]);

/* Whether the copy of ODE has double precision. It must have dCheckConfiguration. */
bool ukClassDouble(const ukOdeFunctions *functions);

/* Whether a copy without this function cannot be served. */
bool ukClassNeeds(const char *function);

/* Rules of some copies that differ from those of ODE 0.16. A replay takes those of the recorded world. */
enum {
    ukRuleWebots = 1,       /* suspensions of hinges and hinge2s (bridge/joints/suspension.h); the angles that
                             * dJointGetAMotorAngle returns are those of the present pose */
    ukRuleFormerAMotor = 2, /* before 0.15: Euler AMotors attached as (0, B) take B for the carrier of axis 1 */
    ukRuleBefore13 = 4,     /* the gyroscopic torque of a step is -w x I w at its beginning; the rows of a PU push both
                             * bodies at the anchor, those of its translation at the midpoint of the bodies */
    ukRules = 8
};

/* The rules of the copy of ODE with these functions. */
unsigned ukClassRules(const ukOdeFunctions *functions);

#endif
