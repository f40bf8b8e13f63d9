/* SPDX-License-Identifier: BSD-3-Clause */
#define UKODE_ODE_NAMES_ONLY
#include "bridge/ode/class.h"

#include <stdio.h>
#include <string.h>

#include "bridge/ode/single.h"

/* Later than 0.13.1, of a fork, or of the collision part: a program that links ODE statically has only the parts that
 * it uses. */
bool ukClassNeeds(const char *function)
{
    static const char *const later[] = {
        "dJointSetHinge2Axes", "dJointSetDBallDistance", "dJointGetHinge2Angle2",     "dCreateConvex",
        "dHashSpaceCreate",    "dSimpleSpaceCreate",     "dSweepAndPruneSpaceCreate", "dFluidDynamicsStep"};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (strcmp(function, later[i]) == 0) return false;
    return strncmp(function, "dGeom", 5) != 0 && strncmp(function, "dSpace", 6) != 0 &&
           !strstr(function, "SuspensionAxis");
}

bool ukClassDouble(const ukOdeFunctions *functions)
{
    return functions->dCheckConfiguration("ODE_double_precision") != 0;
}

/* The symbols of a program that ODE is linked into statically are those that its shared libraries name: some of
 * ODE's. */
#define IF_STATIC " (if ODE is linked into it statically, link it with ukode::embedded)"

/* Why ODE's copy cannot be served; NULL: it can. */
static const char *faultOf(const ukClassMarks *marks, const ukOdeFunctions *functions)
{
    if (!functions->dCheckConfiguration)
        return "an unknown build of ODE: it lacks dCheckConfiguration, so that its precision is not known" IF_STATIC;
    if (!ukClassDouble(functions) && !ukSingleServes()) return "an ODE of single precision, and ukode needs double";
    if (!ukClassDouble(functions) && functions->dJointGetHingeSuspensionAxis)
        return "Webots' fork of ODE in single precision, of which ukode supports double precision only";
    if (marks->screw)
        return "Gazebo's fork of ODE (it defines dJointCreateScrew), whose joint types have other values: use ODE "
               "itself";
    const bool earlier = !functions->dJointCreateTransmission || !functions->dJointCreateDBall;
    if (earlier && !UKODE_ODE_EARLIER)
        return "ODE 0.12 or older (it lacks dJointCreateTransmission or dJointCreateDBall), whose parameters have "
               "other "
               "values: build ukode with its headers";
    if (!earlier && UKODE_ODE_EARLIER)
        return "ODE 0.13 or later, whose parameters have other values than in the headers that ukode was compiled "
               "with: "
               "build ukode with its headers";
    return NULL;
}

ukClassMarks ukClassMarksOf(const ukObject *object)
{
    return (ukClassMarks){.screw = ukObjectSymbol(object, "dJointCreateScrew") != NULL};
}

/* ODE 0.15 corrected AMotors a month after it had added dJointSetHinge2Axes. */
unsigned ukClassRules(const ukOdeFunctions *functions)
{
    const bool suspension = functions->dJointGetHingeSuspensionAxis && functions->dJointGetHinge2SuspensionAxis;
    return (suspension ? ukRuleWebots : 0u) | (functions->dJointSetHinge2Axes ? 0u : ukRuleFormerAMotor) |
           (functions->dJointCreateTransmission ? 0u : ukRuleBefore13);
}

void ukClassRefuse(const ukClassMarks *marks, const char *path, const ukOdeFunctions *functions, const char *missing,
                   char reason[ukOdeReasonLength])
{
    const char *const fault = faultOf(marks, functions);
    reason[0] = 0;
    if (fault)
        snprintf(reason, ukOdeReasonLength, "%.500s is %s", path, fault);
    else if (missing[0])
        snprintf(reason, ukOdeReasonLength, "%.500s is an unknown build of ODE: it lacks %s" IF_STATIC, path, missing);
}
