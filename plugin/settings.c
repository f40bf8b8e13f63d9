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

int ukWorldSetSolver(dWorldID world, ukSolver solver)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if ((int)solver < ukSolverAuto || solver > ukSolverLagrange) return ukRefuseArgument("ukWorldSetSolver: solver");
    if (solver != ukSolverAuto && solver != ukSolverSparse && !ukLapackReady()) {
        ukErrorSet(ukErrorLapack, "no LAPACKE with a CBLAS here, which the dense solvers need (Debian: liblapacke)");
        return ukErrorLapack;
    }
    w->settings.solver = solver;
    return ukOk;
}

ukSolver ukWorldGetSolver(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.solver : ukSolverAuto;
}

int ukWorldSetIntegrator(dWorldID world, ukIntegrator integrator)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if ((int)integrator < ukIntegratorEuler || integrator > ukIntegratorRadau)
        return ukRefuseArgument("ukWorldSetIntegrator: integrator");
    w->settings.integrator = integrator;
    return ukOk;
}

ukIntegrator ukWorldGetIntegrator(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.integrator : ukIntegratorEuler;
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

int ukWorldSetBudget(dWorldID world, int evaluations)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (evaluations < 0 || evaluations > ukMostBudget)
        return ukRefuseArgument("ukWorldSetBudget: 0 ... 1e9 evaluations");
    w->settings.budget = evaluations;
    return ukOk;
}

int ukWorldGetBudget(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.budget : 0;
}

int ukWorldSetPassLimit(dWorldID world, int passes)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (passes < 0 || passes > ukMostBudget) return ukRefuseArgument("ukWorldSetPassLimit: 0 ... 1e9 factorizations");
    w->settings.passes = passes;
    return ukOk;
}

int ukWorldGetPassLimit(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.passes : 0;
}

int ukWorldSetStabilization(dWorldID world, ukStabilization kind, dReal alpha, dReal beta)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if ((int)kind < ukStabilizeErp || kind > ukStabilizeSplit) return ukRefuseArgument("ukWorldSetStabilization: kind");
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

int ukWorldSetFriction(dWorldID world, ukFriction law)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (law != ukFrictionOde && law != ukFrictionCone) return ukRefuseArgument("ukWorldSetFriction: law");
    w->settings.friction = law;
    return ukOk;
}

ukFriction ukWorldGetFriction(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.friction : ukFrictionOde;
}

int ukWorldSetFrictionRounds(dWorldID world, int rounds)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (rounds < ukFewestRounds || rounds > ukMostRounds)
        return ukRefuseArgument("ukWorldSetFrictionRounds: 2 ... 100 iterations");
    w->settings.friction_rounds = rounds;
    return ukOk;
}

int ukWorldGetFrictionRounds(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.friction_rounds : 0;
}

int ukWorldSetCfmRule(dWorldID world, ukCfmRule rule)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (rule != ukCfmAuto && rule != ukCfmOde) return ukRefuseArgument("ukWorldSetCfmRule: rule");
    w->settings.cfm_rule = rule;
    return ukOk;
}

ukCfmRule ukWorldGetCfmRule(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.cfm_rule : ukCfmAuto;
}

int ukWorldSetJointRule(dWorldID world, ukJointRule rule)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (rule != ukJointRuleODE && rule != ukJointRuleExact) return ukRefuseArgument("ukWorldSetJointRule: rule");
    w->settings.joint_rule = rule;
    return ukOk;
}

ukJointRule ukWorldGetJointRule(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.joint_rule : ukJointRuleODE;
}

int ukWorldSetGaussCheck(dWorldID world, dReal tolerance, ukCheckAction action)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!(tolerance > 0) || !isfinite(tolerance))
        return ukRefuseArgument("ukWorldSetGaussCheck: tolerance must be > 0");
    if ((int)action < ukCheckOff || action > ukCheckStop) return ukRefuseArgument("ukWorldSetGaussCheck: action");
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

int ukWorldSetRankTolerance(dWorldID world, dReal relative)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!(relative >= 0) || !(relative < 1)) return ukRefuseArgument("ukWorldSetRankTolerance: 0 <= relative < 1");
    w->settings.rank_tolerance = relative;
    return ukOk;
}

dReal ukWorldGetRankTolerance(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.rank_tolerance : 0;
}

int ukWorldSetThreads(dWorldID world, int threads)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (threads < 1 || threads > ukPoolMost) return ukRefuseArgument("ukWorldSetThreads: 1 ... 64 threads");
    w->settings.threads = threads;
    return ukOk;
}

int ukWorldGetThreads(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.threads : 0;
}

int ukWorldSetTime(dWorldID world, dReal time)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!isfinite(time)) return ukRefuseArgument("ukWorldSetTime: time");
    w->settings.time = time;
    return ukOk;
}

dReal ukWorldGetTime(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w ? w->settings.time : 0;
}

int ukWorldSetSwitch(dWorldID world, dReal time)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (!isfinite(time)) return ukRefuseArgument("ukWorldSetSwitch: time");
    if (w->stepping) {
        ukErrorSet(ukErrorChanged, "a switching time cannot be set during a step of its world");
        return ukErrorChanged;
    }
    if (time < w->settings.time) return ukOk; /* has passed */
    ukSwitchesPrune(&w->switches, w->settings.time);
    if (!ukSwitchesAdd(&w->switches, time)) {
        ukErrorSet(ukErrorArgument, "ukWorldSetSwitch: %d switching times are set already", ukMostSwitches);
        return ukErrorArgument;
    }
    ukJournalSwitchTimes(w);
    return ukOk;
}

int ukWorldClearSwitches(dWorldID world)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    if (w->stepping) {
        ukErrorSet(ukErrorChanged, "switching times cannot be removed during a step of their world");
        return ukErrorChanged;
    }
    w->switches.count = 0;
    ukJournalSwitchTimes(w);
    return ukOk;
}

dReal ukWorldGetSwitch(dWorldID world, int index)
{
    const ukWorld *w = ukKnownWorld(world);
    return w && index >= 0 && index < w->switches.count ? w->switches.at[index] : INFINITY;
}
