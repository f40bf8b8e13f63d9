/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/world.c: ukWorld*: checks arguments, keeps settings, calls the bridge. */
#include <math.h>

#include "bridge/results/ledger.h"
#include "bridge/results/report.h"
#include "bridge/base/log.h"
#include "bridge/base/pool.h"
#include "plugin/drive.h"
#include "plugin/formats/recording/recorder.h"
#include "plugin/formats/inputs/inputs.h"
#include "bridge/step/look.h"
#include "bridge/diagnose/diagnose.h"
#include "bridge/watch/discover.h"
#include "bridge/watch/start.h"
#include "bridge/world/journal.h"
#include "bridge/world/registry.h"
#include "plugin/unknown.h"
#include "solvers/base/lapack.h"
#include "solvers/base/status.h"
#include "solvers/bounded/law.h"

/* The record of a world the library knows; NULL with the error set. */
static ukWorld *known(dWorldID world)
{
    ukWorld *w = world ? ukRegistryWorld(world) : NULL;
    if (!w) ukUnknown("world", world);
    return w;
}

static int refuse(const char *what)
{
    ukErrorSet(ukErrorArgument, "%s", what);
    return ukErrorArgument;
}

int ukWorldStep(dWorldID world, dReal asked)
{
    ukWorld *w = known(world);
    const dReal stepsize = ukSettingsStepOf(asked);
    if (!w) return 0;
    ukStartApply(w);
    const bool outer = w->journal && !w->stepping;
    if (outer) ukInputsStep(w, stepsize, ukCallOwn);
    ukDriveBegin(w);
    const bool taken = ukDriveStep(w, stepsize, false) == ukOk;
    if (ukRegistryWorld(world) != w) return taken;
    if (!taken) ukDriveTellFailed(w);
    if (outer && !taken) ukInputsFailed(w);
    return taken;
}

int ukWorldEnable(dWorldID world)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    w->enabled = true;
    return ukOk;
}

int ukWorldDisable(dWorldID world)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    w->enabled = false;
    return ukOk;
}

int ukWorldIsEnabled(dWorldID world)
{
    const ukWorld *w = world ? ukRegistryWorld(world) : NULL;
    return w && w->enabled;
}

int ukWorldAttach(dWorldID world, const dBodyID *bodies, int count)
{
    if (count < 0 || (count > 0 && !bodies)) return refuse("ukWorldAttach: bodies");
    for (int i = 0; i < count; i++)
        if (!bodies[i]) return refuse("ukWorldAttach: null body");
    if (!world) {
        ukErrorSet(ukErrorHandle, "null world");
        return ukErrorHandle;
    }
    for (int i = 0; i < count; i++)
        if (dBodyGetWorld(bodies[i]) != world) return refuse("ukWorldAttach: a body of another world");
    const int status = ukDiscoverWorld(world, bodies, count);
    if (status != ukOk) ukErrorSet(status, "no memory");
    return status;
}

int ukWorldSetSolver(dWorldID world, ukSolver solver)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if ((int)solver < ukSolverAuto || solver > ukSolverLagrange) return refuse("ukWorldSetSolver: solver");
    if (solver != ukSolverAuto && solver != ukSolverSparse && !ukLapackReady()) {
        ukErrorSet(ukErrorLapack, "no LAPACKE with a CBLAS here, which the dense solvers need (Debian: liblapacke)");
        return ukErrorLapack;
    }
    w->settings.solver = solver;
    return ukOk;
}

ukSolver ukWorldGetSolver(dWorldID world)
{
    const ukWorld *w = world ? ukRegistryWorld(world) : NULL;
    return w ? w->settings.solver : ukSettingsDefault.solver;
}

int ukWorldSetIntegrator(dWorldID world, ukIntegrator integrator)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if ((int)integrator < ukIntegratorEuler || integrator > ukIntegratorRattle)
        return refuse("ukWorldSetIntegrator: integrator");
    w->settings.integrator = integrator;
    return ukOk;
}

int ukWorldSetTolerance(dWorldID world, dReal relative, dReal absolute)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (!(relative >= 0) || !(absolute >= 0) || !isfinite(relative) || !isfinite(absolute))
        return refuse("ukWorldSetTolerance: relative and absolute must be >= 0");
    w->settings.tolerance = relative;
    w->settings.absolute = absolute;
    return ukOk;
}

int ukWorldSetStabilization(dWorldID world, ukStabilization kind, dReal alpha, dReal beta)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if ((int)kind < ukStabilizeErp || kind > ukStabilizeSplit) return refuse("ukWorldSetStabilization: kind");
    if (!(alpha >= 0) || !(beta >= 0) || !isfinite(alpha) || !isfinite(beta))
        return refuse("ukWorldSetStabilization: alpha and beta must be >= 0");
    w->settings.stabilization = kind;
    w->settings.alpha = alpha;
    w->settings.beta = beta;
    return ukOk;
}

int ukWorldSetRankTolerance(dWorldID world, dReal relative)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (!(relative >= 0) || !(relative < 1)) return refuse("ukWorldSetRankTolerance: 0 <= relative < 1");
    w->settings.rank_tolerance = relative;
    return ukOk;
}

int ukWorldSetThreads(dWorldID world, int threads)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (threads < 1 || threads > ukPoolMost) return refuse("ukWorldSetThreads: 1 ... 64 threads");
    w->settings.threads = threads;
    return ukOk;
}

int ukWorldGetThreads(dWorldID world)
{
    const ukWorld *w = world ? ukRegistryWorld(world) : NULL;
    return w ? w->settings.threads : ukSettingsDefault.threads;
}

int ukWorldEvaluate(dWorldID world)
{
    ukWorld *w = known(world);
    return w ? ukLookEvaluate(w, false) : ukErrorHandle;
}

int ukWorldProject(dWorldID world)
{
    ukWorld *w = known(world);
    return w ? ukLookEvaluate(w, true) : ukErrorHandle;
}

int ukWorldSetFriction(dWorldID world, ukFriction law)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (law != ukFrictionOde && law != ukFrictionCone) return refuse("ukWorldSetFriction: law");
    w->settings.friction = law;
    return ukOk;
}

int ukWorldSetFrictionRounds(dWorldID world, int rounds)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (rounds < ukFewestRounds || rounds > ukMostRounds) return refuse("ukWorldSetFrictionRounds: 2 ... 100 rounds");
    w->settings.friction_rounds = rounds;
    return ukOk;
}

int ukWorldSetBudget(dWorldID world, int evaluations)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (evaluations < 0 || evaluations > ukMostBudget) return refuse("ukWorldSetBudget: 0 ... 1e9 evaluations");
    w->settings.budget = evaluations;
    return ukOk;
}

int ukWorldGetBudget(dWorldID world)
{
    const ukWorld *w = world ? ukRegistryWorld(world) : NULL;
    return w ? w->settings.budget : ukSettingsDefault.budget;
}

int ukWorldSetCfmRule(dWorldID world, ukCfmRule rule)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (rule != ukCfmAuto && rule != ukCfmOde) return refuse("ukWorldSetCfmRule: rule");
    w->settings.cfm_rule = rule;
    return ukOk;
}

int ukWorldSetJointRule(dWorldID world, ukJointRule rule)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (rule != ukJointRuleODE && rule != ukJointRuleExact) return refuse("ukWorldSetJointRule: rule");
    w->settings.joint_rule = rule;
    return ukOk;
}

int ukWorldGetJointRule(dWorldID world)
{
    const ukWorld *w = known(world);
    return w ? (int)w->settings.joint_rule : ukErrorHandle;
}

int ukWorldSetGaussCheck(dWorldID world, dReal tolerance, ukCheckAction action)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (!(tolerance > 0) || !isfinite(tolerance)) return refuse("ukWorldSetGaussCheck: tolerance must be > 0");
    if ((int)action < ukCheckOff || action > ukCheckStop) return refuse("ukWorldSetGaussCheck: action");
    w->settings.check_tolerance = tolerance;
    w->settings.check = action;
    return ukOk;
}

int ukWorldGetReport(dWorldID world, ukReport *report)
{
    if (report) *report = (ukReport){0};
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (!report) return refuse("ukWorldGetReport: report");
    ukReportLast(w, report);
    return ukOk;
}

/* the world with a ledger; NULL with the error set */
static ukWorld *keeping(dWorldID world, int *status)
{
    ukWorld *w = known(world);
    *status = w ? ukErrorChanged : ukErrorHandle;
    if (!w) return NULL;
    if (w->stepping)
        ukErrorSet(*status, "the ledger is being written (called from within a step)");
    else if ((*status = ukLedgerSwitch(w, true)) != ukOk)
        ukErrorSet(*status, "no memory");
    return *status == ukOk ? w : NULL;
}

int ukWorldSetLedger(dWorldID world, int on)
{
    int status;
    ukWorld *w = keeping(world, &status);
    if (w && !on) ukLedgerSwitch(w, false);
    return status;
}

int ukWorldGetLedger(dWorldID world, ukLedger *ledger)
{
    int status;
    if (!ledger) return refuse("ukWorldGetLedger: ledger");
    *ledger = (ukLedger){0};
    const ukWorld *w = keeping(world, &status);
    if (w) ukLedgerRead(w, ledger);
    return status;
}

int ukWorldGetPower(dWorldID world, ukLedger *power)
{
    int status;
    if (!power) return refuse("ukWorldGetPower: power");
    *power = (ukLedger){0};
    const ukWorld *w = keeping(world, &status);
    if (w) ukLedgerPower(w, power);
    return status;
}

int ukWorldResetLedger(dWorldID world)
{
    int status;
    ukWorld *w = keeping(world, &status);
    if (w) ukLedgerReset(w);
    return status;
}

int ukWorldGetEquations(dWorldID world, ukEquations *equations)
{
    if (equations) *equations = (ukEquations){0};
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (!equations) return refuse("ukWorldGetEquations: equations");
    return ukReportEquations(w, equations);
}

dReal ukWorldGetTime(dWorldID world)
{
    const ukWorld *w = world ? ukRegistryWorld(world) : NULL;
    return w ? w->settings.time : 0;
}

int ukWorldSetTime(dWorldID world, dReal time)
{
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (!isfinite(time)) return refuse("ukWorldSetTime: time");
    w->settings.time = time;
    return ukOk;
}

int ukWorldDiagnose(dWorldID world, ukDiagnosis *diagnosis)
{
    if (diagnosis) *diagnosis = (ukDiagnosis){0};
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    if (!diagnosis) return refuse("ukWorldDiagnose: diagnosis");
    return ukDiagnose(w, diagnosis);
}

int ukWorldRecord(dWorldID world, const char *path, const ukRecordOptions *options)
{
    static const ukRecordOptions usual;
    ukWorld *w = known(world);
    if (!w) return ukErrorHandle;
    const ukRecordOptions *const o = options ? options : &usual;
    if (!(o->rate >= 0) || !isfinite(o->rate)) return refuse("ukWorldRecord: the rate must be >= 0 and finite");
    if (path && !*path) return refuse("ukWorldRecord: an empty name");
    if (ukWorldWithinStep(w)) {
        ukErrorSet(ukErrorChanged, "a recording cannot begin or end within a step of its world");
        return ukErrorChanged;
    }
    if (!path) {
        ukRecorderEnd(w);
        return ukOk;
    }
    int status = o->inputs ? ukInputsBegin(w) : ukOk;
    if (status == ukOk) status = ukRecorderBegin(w, path, o);
    if (status != ukOk && o->inputs) ukJournalEnd(w);
    return status;
}
