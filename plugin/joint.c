/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/joint.c: ukJoint*: checks arguments, stores laws, calls the bridge. */
#include <math.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/results/effort.h"
#include "bridge/user/joint_law.h"
#include "bridge/world/registry.h"
#include "plugin/unknown.h"
#include "solvers/base/status.h"

/* The record of a joint that the library knows; NULL with the error set. */
static ukJoint *knownJoint(dJointID joint)
{
    ukJoint *j = joint ? ukRegistryJoint(joint) : NULL;
    if (!j) ukUnknown("joint", joint);
    return j;
}

static bool isCoefficient(dReal x)
{
    return x >= 0 && isfinite(x);
}

/* The joint's law, to be changed; NULL with *status and the error set: during a step the memory of its rows is already
 * divided. */
static ukLaw *lawOf(ukJoint *joint, int *status)
{
    const bool stepping = joint->world && joint->world->stepping;
    ukLaw *law = stepping ? NULL : ukLawOfJoint(joint);
    if (law) return law;
    *status = stepping ? ukErrorChanged : ukErrorMemory;
    ukErrorSet(*status, stepping ? "a joint law cannot be set during a step of its world" : "no memory");
    return NULL;
}

/* a law that says nothing any more goes */
static int freeEmptyJointLaw(ukJoint *joint)
{
    if (!ukLawEmpty(joint->law)) return ukOk;
    ukLawFree(joint->law);
    joint->law = NULL;
    return ukOk;
}

/* The joint's law, to be read; NULL: it has none, or is unknown. */
static const ukLaw *lawIn(dJointID joint, int *status)
{
    const ukJoint *j = knownJoint(joint);
    *status = j ? ukOk : ukErrorHandle;
    return j ? j->law : NULL;
}

int ukJointSetCoulomb(dJointID joint, dReal mu, dReal arm)
{
    ukJoint *j = knownJoint(joint);
    if (!j) return ukErrorHandle;
    if (!isCoefficient(mu) || !isCoefficient(arm))
        return ukRefuseArgument("ukJointSetCoulomb: mu and arm must be >= 0 and finite");
    if (!ukLawBears(j->class))
        return ukErrorSet(ukErrorArgument, "ukJointSetCoulomb: a %s joint has no free axis that bears a load",
                          j->class->name);
    int status = ukOk;
    ukLaw *law = lawOf(j, &status);
    if (!law) return status;
    law->mu = mu;
    law->arm = arm;
    if (mu == 0 || mu > law->mu_static) law->mu_static = law->speed = 0;
    return freeEmptyJointLaw(j);
}

int ukJointGetCoulomb(dJointID joint, dReal *mu, dReal *arm)
{
    int status;
    const ukLaw *law = lawIn(joint, &status);
    if (mu) *mu = law ? law->mu : 0;
    if (arm) *arm = law ? law->arm : 0;
    return status;
}

int ukJointSetStribeck(dJointID joint, dReal mu_static, dReal speed)
{
    ukJoint *j = knownJoint(joint);
    if (!j) return ukErrorHandle;
    const bool off = mu_static == 0 && speed == 0;
    const double mu = j->law ? j->law->mu : 0;
    if (!off && (!isCoefficient(mu_static) || !(speed > 0) || !isfinite(speed)))
        return ukRefuseArgument("ukJointSetStribeck: mu_static must be >= 0, speed > 0, both finite; or both 0");
    if (!off && (mu == 0 || mu_static < mu))
        return ukRefuseArgument("ukJointSetStribeck: mu_static must not be below the mu > 0 of ukJointSetCoulomb");
    int status = ukOk;
    ukLaw *law = lawOf(j, &status);
    if (!law) return status;
    law->mu_static = mu_static;
    law->speed = speed;
    return freeEmptyJointLaw(j);
}

int ukJointGetStribeck(dJointID joint, dReal *mu_static, dReal *speed)
{
    int status;
    const ukLaw *law = lawIn(joint, &status);
    if (mu_static) *mu_static = law ? law->mu_static : 0;
    if (speed) *speed = law ? law->speed : 0;
    return status;
}

/* a coefficient of drag, linear or quadratic */
static int setDrag(dJointID joint, dReal c, bool quadratic)
{
    const char *name = quadratic ? "ukJointSetDrag" : "ukJointSetViscous";
    ukJoint *j = knownJoint(joint);
    if (!j) return ukErrorHandle;
    if (!isCoefficient(c)) return ukErrorSet(ukErrorArgument, "%s: the coefficient must be >= 0 and finite", name);
    if (!j->class->axes) return ukErrorSet(ukErrorArgument, "%s: a %s joint has no free axis", name, j->class->name);
    int status = ukOk;
    ukLaw *law = lawOf(j, &status);
    if (!law) return status;
    *(quadratic ? &law->drag : &law->viscous) = c;
    return freeEmptyJointLaw(j);
}

int ukJointSetViscous(dJointID joint, dReal c)
{
    return setDrag(joint, c, false);
}

dReal ukJointGetViscous(dJointID joint)
{
    int status;
    const ukLaw *law = lawIn(joint, &status);
    return law ? law->viscous : 0;
}

int ukJointSetDrag(dJointID joint, dReal c)
{
    return setDrag(joint, c, true);
}

dReal ukJointGetDrag(dJointID joint)
{
    int status;
    const ukLaw *law = lawIn(joint, &status);
    return law ? law->drag : 0;
}

int ukJointSetNonIdeal(dJointID joint, ukNonIdealFn *fn, void *data)
{
    ukJoint *j = knownJoint(joint);
    if (!j) return ukErrorHandle;
    int status = ukOk;
    ukLaw *law = lawOf(j, &status);
    if (!law) return status;
    law->joint_fn = fn;
    law->data = data;
    return freeEmptyJointLaw(j);
}

int ukJointGetNonIdeal(dJointID joint, ukNonIdealFn **fn, void **data)
{
    int status;
    const ukLaw *law = lawIn(joint, &status);
    if (fn) *fn = law ? law->joint_fn : NULL;
    if (data) *data = law ? law->data : NULL;
    return status;
}

int ukJointGetForces(dJointID joint, dReal ideal[2][6], dReal nonideal[2][6])
{
    if (ideal) memset(ideal, 0, 2 * sizeof *ideal);
    if (nonideal) memset(nonideal, 0, 2 * sizeof *nonideal);
    const ukJoint *j = knownJoint(joint);
    if (!j) return ukErrorHandle;
    const ukReaction *r = j->reaction;
    for (int k = 0; k < 2; k++) {
        const int user = j->reverse ? 1 - k : k;
        if (ideal) memcpy(ideal[user], r->ideal[k], sizeof r->ideal[k]);
        if (nonideal) memcpy(nonideal[user], r->nonideal[k], sizeof r->nonideal[k]);
    }
    return ukOk;
}

int ukJointGetGaussian(dJointID joint, dReal *Gi, dReal *Gni)
{
    ukEffort effort = {0};
    const ukJoint *j = knownJoint(joint);
    const int status = j ? ukEffortOfJoint(j->world, j, &effort) : ukErrorHandle;
    if (Gi) *Gi = effort.Gi;
    if (Gni) *Gni = effort.Gni;
    return status;
}
