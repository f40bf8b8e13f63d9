/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/ode/embedded.c: stands for bridge/ode/copy.c in libukode-embedded.a, which is linked into one object (a
 * program or a plugin) with its copy of ODE: the linker's --wrap leads the calls of this object to ukode, and the
 * addresses of the copy's functions are known when it links. A function that the copy lacks is then an undefined
 * symbol. */
#define UKODE_ODE_NAMES_ONLY
#include <stdio.h>

#include "bridge/ode/class.h"
#include "bridge/ode/copy.h"
#include "bridge/ode/object.h"

_Static_assert(sizeof(dReal) == sizeof(double), "ukode needs ODE in double precision");

/* Later than ODE 0.13, or of a part that is left out of a build. The archive members that define them are linked for
 * other functions. */
#define UKODE_MAY_LACK(X)                                                                                              \
    X(real_dJointSetHinge2Axes)                                                                                        \
    X(real_dJointSetDBallDistance)                                                                                     \
    X(real_dJointSetHingeSuspensionAxis)                                                                               \
    X(real_dJointSetHinge2SuspensionAxis)                                                                              \
    X(dJointGetHinge2Angle2)                                                                                           \
    X(dGeomTriMeshGetTriangle)                                                                                         \
    X(dGeomTriMeshGetTriangleCount)

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* see bridge/ode/ode.h */
#define UKODE_REAL(function, ...) extern __typeof__(function) real_##function __asm__("__real_" #function);
#define UKODE_WEAK(function) extern __typeof__(function) function __attribute__((weak));
UKODE_WRAPPED(UKODE_REAL)
UKODE_MAY_LACK(UKODE_WEAK)
UKODE_CALLED_FORK(UKODE_WEAK)
#define UKODE_WEAK_CALLED(result, function, arguments) UKODE_WEAK(function)
#define UKODE_WEAK_REAL(result, function, arguments) UKODE_WEAK(real_##function)
UKODE_LATER_CALLED(UKODE_WEAK_CALLED)
UKODE_LATER_WRAPPED(UKODE_WEAK_REAL)

/* of Gazebo's fork */
extern __typeof__(dJointCreateNull) dJointCreateScrew __attribute__((weak));

static ukOdeFunctions refused;
static char refusal[ukOdeReasonLength], path[ukObjectPathLength];

static void fillFunctions(ukOdeFunctions *functions)
{
#define UKODE_FILL_WRAPPED(function, ...) functions->function = real_##function;
#define UKODE_FILL(function) functions->function = function;
    UKODE_WRAPPED(UKODE_FILL_WRAPPED)
    UKODE_CALLED(UKODE_FILL)
    UKODE_CALLED_FORK(UKODE_FILL)
}

static bool findSelf(const ukObject *object, void *data)
{
    (void)data;
    if (!ukObjectHolds(object, &refused)) return true;
    ukObjectPath(object, path);
    return false;
}

/* before the constructors that read the environment and may want to call ODE */
__attribute__((constructor(101))) static void resolveAtLoad(void)
{
    if (atomic_load(&ukOdeOnly)) return;
    const ukClassMarks marks = {.screw = dJointCreateScrew != NULL};
    ukObjectsVisit(findSelf, NULL);
    fillFunctions(&refused);
    ukClassRefuse(&marks, path, &refused, "", refusal);
    if (!refusal[0] && !ukClassDouble(&refused))
        snprintf(refusal, sizeof refusal, "%.500s is an ODE of single precision, and ukode::embedded needs double",
                 path);
    if (!refusal[0]) ukOde = refused;
    atomic_store(&ukOdeOnly, refusal[0] ? &refused : &ukOde);
}

/* Constructors of C++ objects with a priority of their own may come first. */
const ukOdeFunctions *ukOdeSearch(const void *caller, bool known, bool creates)
{
    (void)caller, (void)known, (void)creates;
    resolveAtLoad();
    return atomic_load_explicit(&ukOdeOnly, memory_order_acquire);
}

const ukOdeFunctions *ukOdeSearchGeom(const void *geom, const void *caller)
{
    (void)geom;
    return ukOdeSearch(caller, false, false);
}

bool ukOdeReady(void)
{
    return ukOdeSearch(NULL, false, false) == &ukOde;
}

void ukOdeReason(const ukOdeFunctions *functions, char reason[ukOdeReasonLength])
{
    snprintf(reason, ukOdeReasonLength, "%s", functions == &refused ? refusal : "");
}

const char *ukOdePath(void)
{
    return ukOdeReady() ? path : "";
}

bool ukOdeEmbedded(void)
{
    return true;
}

unsigned ukOdeGeneration(void)
{
    return ukOdeReady() ? 1 : 0;
}
