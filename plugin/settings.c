/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/settings.c: setters and getters of a world's settings. */
#include <math.h>

#include "bridge/base/log.h"
#include "bridge/base/pool.h"
#include "bridge/world/journal.h"
#include "bridge/world/registry.h"
#include "plugin/unknown.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/bounded/friction_law.h"

/* NAME(world, value) stores the value if `valid` is true, and refuses it as `wrong` otherwise. */
#define SETTER(NAME, type, setting, valid, wrong)                                                                      \
    int NAME(dWorldID world, type value)                                                                               \
    {                                                                                                                  \
        ukWorld *w = ukKnownWorld(world);                                                                              \
        if (!w) return ukErrorHandle;                                                                                  \
        if (!(valid)) return ukRefuseArgument(#NAME ": " wrong);                                                       \
        w->settings.setting = value;                                                                                   \
        return ukOk;                                                                                                   \
    }

/* NAME(world) returns the value; of a world that the library does not know, `none`. */
#define GETTER(NAME, type, setting, none)                                                                              \
    type NAME(dWorldID world)                                                                                          \
    {                                                                                                                  \
        const ukWorld *w = ukKnownWorld(world);                                                                        \
        return w ? w->settings.setting : (none);                                                                       \
    }

#define WITHIN(least, most) ((int)value >= (least) && (int)value <= (most))

GETTER(ukWorldGetSolver, ukSolver, solver, ukSolverAuto)
GETTER(ukWorldGetIntegrator, ukIntegrator, integrator, ukIntegratorEuler)
GETTER(ukWorldGetBudget, int, budget, 0)
GETTER(ukWorldGetPassLimit, int, passes, 0)
GETTER(ukWorldGetFriction, ukFriction, friction, ukFrictionOde)
GETTER(ukWorldGetFrictionRounds, int, friction_rounds, 0)
GETTER(ukWorldGetCfmRule, ukCfmRule, cfm_rule, ukCfmAuto)
GETTER(ukWorldGetJointRule, ukJointRule, joint_rule, ukJointRuleODE)
GETTER(ukWorldGetRankTolerance, dReal, rank_tolerance, 0)
GETTER(ukWorldGetThreads, int, threads, 0)
GETTER(ukWorldGetTime, dReal, time, 0)

SETTER(ukWorldSetIntegrator, ukIntegrator, integrator, WITHIN(ukIntegratorEuler, ukIntegratorRadau), "integrator")
SETTER(ukWorldSetBudget, int, budget, WITHIN(0, ukMostBudget), "0 ... 1e9 evaluations")
SETTER(ukWorldSetPassLimit, int, passes, WITHIN(0, ukMostBudget), "0 ... 1e9 factorizations")
SETTER(ukWorldSetFriction, ukFriction, friction, value == ukFrictionOde || value == ukFrictionCone, "law")
SETTER(ukWorldSetFrictionRounds, int, friction_rounds, WITHIN(ukFewestRounds, ukMostRounds), "2 ... 100 iterations")
SETTER(ukWorldSetCfmRule, ukCfmRule, cfm_rule, value == ukCfmAuto || value == ukCfmOde, "rule")
SETTER(ukWorldSetJointRule, ukJointRule, joint_rule, value == ukJointRuleODE || value == ukJointRuleExact, "rule")
SETTER(ukWorldSetRankTolerance, dReal, rank_tolerance, value >= 0 && value < 1, "0 <= relative < 1")
SETTER(ukWorldSetThreads, int, threads, WITHIN(1, ukPoolMost), "1 ... 64 threads")
SETTER(ukWorldSetTime, dReal, time, isfinite(value), "time")

int ukWorldSetSolver(dWorldID world, ukSolver solver)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if ((int)solver < ukSolverAuto || solver > ukSolverLagrange)
        return ukRefuseArgument("ukWorldSetSolver: there is no such solver");
    if (solver != ukSolverAuto && solver != ukSolverSparse && !ukLapackReady())
        return ukErrorSet(
            ukErrorLapack,
            "LAPACKE with a CBLAS was not found, which the dense solvers need: install it (Debian: liblapacke)");
    w->settings.solver = solver;
    return ukOk;
}

int ukWorldSetTolerance(dWorldID world, dReal relative, dReal absolute)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!(relative >= 0) || !(absolute >= 0) || !isfinite(relative) || !isfinite(absolute))
        return ukRefuseArgument("ukWorldSetTolerance: relative and absolute must be >= 0");
    w->settings.tolerance = relative;
    w->settings.absolute = absolute;
    return ukOk;
}

int ukWorldGetTolerance(dWorldID world, dReal *relative, dReal *absolute)
{
    const ukWorld *w = ukKnownWorld(world);
    if (relative) *relative = w ? w->settings.tolerance : 0;
    if (absolute) *absolute = w ? w->settings.absolute : 0;
    return w ? ukOk : ukErrorHandle;
}

int ukWorldSetStabilization(dWorldID world, ukStabilization kind, dReal alpha, dReal beta)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if ((int)kind < ukStabilizeErp || kind > ukStabilizeSplit)
        return ukRefuseArgument("ukWorldSetStabilization: there is no such kind");
    if (!(alpha >= 0) || !(beta >= 0) || !isfinite(alpha) || !isfinite(beta))
        return ukRefuseArgument("ukWorldSetStabilization: alpha and beta must be >= 0");
    w->settings.stabilization = kind;
    w->settings.alpha = alpha;
    w->settings.beta = beta;
    return ukOk;
}

int ukWorldGetStabilization(dWorldID world, ukStabilization *kind, dReal *alpha, dReal *beta)
{
    const ukWorld *w = ukKnownWorld(world);
    if (kind) *kind = w ? w->settings.stabilization : ukStabilizeErp;
    if (alpha) *alpha = w ? w->settings.alpha : 0;
    if (beta) *beta = w ? w->settings.beta : 0;
    return w ? ukOk : ukErrorHandle;
}

int ukWorldSetGaussCheck(dWorldID world, dReal tolerance, ukCheckAction action)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!(tolerance > 0) || !isfinite(tolerance))
        return ukRefuseArgument("ukWorldSetGaussCheck: tolerance must be > 0");
    if ((int)action < ukCheckOff || action > ukCheckStop)
        return ukRefuseArgument("ukWorldSetGaussCheck: there is no such action");
    w->settings.check_tolerance = tolerance;
    w->settings.check = action;
    return ukOk;
}

int ukWorldGetGaussCheck(dWorldID world, dReal *tolerance, ukCheckAction *action)
{
    const ukWorld *w = ukKnownWorld(world);
    if (tolerance) *tolerance = w ? w->settings.check_tolerance : 0;
    if (action) *action = w ? w->settings.check : ukCheckOff;
    return w ? ukOk : ukErrorHandle;
}

int ukWorldSetSwitch(dWorldID world, dReal time)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!isfinite(time)) return ukRefuseArgument("ukWorldSetSwitch: time must be finite");
    if (w->stepping) return ukErrorSet(ukErrorChanged, "a switching time cannot be set during a step of its world");
    if (time < w->settings.time) return ukOk; /* has passed */
    ukSwitchesPrune(&w->switches, w->settings.time);
    if (!ukSwitchesAdd(&w->switches, time))
        return ukErrorSet(ukErrorArgument, "ukWorldSetSwitch: %d switching times are set already", ukMostSwitches);
    ukJournalSwitchTimes(w);
    return ukOk;
}

int ukWorldClearSwitches(dWorldID world)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (w->stepping)
        return ukErrorSet(ukErrorChanged, "switching times cannot be removed during a step of their world");
    w->switches.count = 0;
    ukJournalSwitchTimes(w);
    return ukOk;
}

dReal ukWorldGetSwitch(dWorldID world, int index)
{
    const ukWorld *w = ukKnownWorld(world);
    return w && index >= 0 && index < w->switches.count ? w->switches.at[index] : INFINITY;
}
