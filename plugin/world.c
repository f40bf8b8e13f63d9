/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/world.c: the public functions of a world, except its settings (plugin/settings.c). */
#include <math.h>

#include "bridge/ode/copy.h"
#include "bridge/base/log.h"
#include "bridge/diagnose/diagnose.h"
#include "bridge/diagnose/mobility.h"
#include "bridge/results/ledger.h"
#include "bridge/results/report.h"
#include "bridge/step/evaluate.h"
#include "bridge/watch/discover.h"
#include "bridge/world/registry.h"
#include "plugin/drive.h"
#include "plugin/sized.h"
#include "plugin/unknown.h"
#include "solvers/base/status.h"

int ukWorldStep(dWorldID world, dReal asked)
{
    ukWorld *w = ukKnownWorld(world);
    const dReal stepsize = ukSettingsStepOf(asked);
    bool recorded;
    if (!w || !ukDriveBegin(w, stepsize, ukCallOwn, &recorded)) return 0;
    const bool taken = ukDriveStep(w, stepsize, false) == ukOk;
    if (ukRegistryWorld(world) != w) return taken;
    if (!taken) ukDriveFailed(w);
    ukDriveEnd(w, taken, recorded);
    return taken;
}

int ukWorldEnable(dWorldID world)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    w->enabled = true;
    return ukOk;
}

int ukWorldDisable(dWorldID world)
{
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    w->enabled = false;
    return ukOk;
}

int ukWorldIsEnabled(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w && w->enabled;
}

static int refuseOde(const ukOdeFunctions *ode)
{
    char reason[ukOdeReasonLength];
    ukOdeReason(ode, reason);
    return ukErrorSet(ukErrorUnsupported, "%s", reason[0] ? reason : "no ODE is loaded");
}

int ukWorldAttach(dWorldID world, const dBodyID *bodies, int count)
{
    if (count < 0 || (count > 0 && !bodies))
        return ukRefuseArgument("ukWorldAttach: the number of bodies is negative, or their list is null");
    for (int i = 0; i < count; i++)
        if (!bodies[i]) return ukRefuseArgument("ukWorldAttach: null body");
    if (!world) return ukErrorSet(ukErrorHandle, "null world");
    const ukOdeFunctions *const ode = UKODE_CREATING_ODE();
    if (ode != &ukOde) return refuseOde(ode);
    for (int i = 0; i < count; i++)
        if (dBodyGetWorld(bodies[i]) != world) return ukRefuseArgument("ukWorldAttach: a body of another world");
    const int status = ukDiscoverWorld(world, bodies, count);
    if (status != ukOk) ukErrorSet(status, "no memory");
    return status;
}

int ukWorldEvaluate(dWorldID world)
{
    ukWorld *w = ukKnownWorld(world);
    return w ? ukEvaluateWorld(w, false) : ukErrorHandle;
}

int ukWorldProject(dWorldID world)
{
    ukWorld *w = ukKnownWorld(world);
    return w ? ukEvaluateWorld(w, true) : ukErrorHandle;
}

int ukWorldGetReportSized(dWorldID world, ukReport *report, size_t size)
{
    ukSizedClear(report, size);
    ukWorld *w = ukKnownWorld(world);
    ukReport last;
    if (!w) return ukErrorHandle;
    if (!report || size == 0) return ukRefuseArgument("ukWorldGetReport: report");
    ukReportLast(w, &last);
    ukSizedWrite(report, size, &last, sizeof last);
    return ukOk;
}

/* the world with a ledger; NULL with the error set */
static ukWorld *worldWithLedger(dWorldID world, int *status)
{
    ukWorld *w = ukKnownWorld(world);
    *status = w ? ukErrorChanged : ukErrorHandle;
    if (!w) return NULL;
    if (w->stepping)
        ukErrorSet(*status, "the ledger is being written (called during a step)");
    else if ((*status = ukLedgerSwitch(w, true)) != ukOk)
        ukErrorSet(*status, "no memory");
    return *status == ukOk ? w : NULL;
}

int ukWorldSetLedger(dWorldID world, int on)
{
    int status;
    ukWorld *w = worldWithLedger(world, &status);
    if (w && !on) ukLedgerSwitch(w, false);
    return status;
}

int ukWorldIsLedgerOn(dWorldID world)
{
    const ukWorld *w = ukKnownWorld(world);
    return w && w->book;
}

/* `read`: one of the ledger's sums, of a world with a ledger */
static int readLedger(dWorldID world, void (*read)(const ukWorld *world, ukLedger *out), ukLedger *out, size_t size)
{
    int status;
    const ukWorld *w = worldWithLedger(world, &status);
    ukLedger now;
    if (!w) return status;
    read(w, &now);
    ukSizedWrite(out, size, &now, sizeof now);
    return ukOk;
}

int ukWorldGetLedgerSized(dWorldID world, ukLedger *ledger, size_t size)
{
    ukSizedClear(ledger, size);
    if (!ledger || size == 0) return ukRefuseArgument("ukWorldGetLedger: ledger");
    return readLedger(world, ukLedgerRead, ledger, size);
}

int ukWorldGetPowerSized(dWorldID world, ukLedger *power, size_t size)
{
    ukSizedClear(power, size);
    if (!power || size == 0) return ukRefuseArgument("ukWorldGetPower: power");
    return readLedger(world, ukLedgerPower, power, size);
}

int ukWorldResetLedger(dWorldID world)
{
    int status;
    ukWorld *w = worldWithLedger(world, &status);
    if (w) ukLedgerReset(w);
    return status;
}

int ukWorldGetEquationsSized(dWorldID world, ukEquations *equations, size_t size)
{
    ukSizedClear(equations, size);
    ukWorld *w = ukKnownWorld(world);
    ukEquations last;
    if (!w) return ukErrorHandle;
    if (!equations || size == 0) return ukRefuseArgument("ukWorldGetEquations: equations");
    const int status = ukReportEquations(w, &last);
    if (status == ukOk) ukSizedWrite(equations, size, &last, sizeof last);
    return status;
}

int ukWorldDiagnoseSized(dWorldID world, ukDiagnosis *diagnosis, size_t size)
{
    ukSizedClear(diagnosis, size);
    ukWorld *w = ukKnownWorld(world);
    ukDiagnosis found;
    if (!w) return ukErrorHandle;
    if (!diagnosis || size == 0) return ukRefuseArgument("ukWorldDiagnose: diagnosis");
    const int status = ukDiagnose(w, &found);
    if (status == ukOk) ukSizedWrite(diagnosis, size, &found, sizeof found);
    return status;
}

int ukWorldGetMobilitySized(dWorldID world, ukMobility *mobility, size_t size)
{
    ukSizedClear(mobility, size);
    ukWorld *w = ukKnownWorld(world);
    ukMobility found;
    if (!w) return ukErrorHandle;
    if (!mobility || size == 0) return ukRefuseArgument("ukWorldGetMobility: mobility");
    const int status = ukMobilityOf(w, &found);
    if (status == ukOk) ukSizedWrite(mobility, size, &found, sizeof found);
    return status;
}

int ukWorldRecord(dWorldID world, const char *path, const ukRecordOptions *options)
{
    static const ukRecordOptions usual;
    ukWorld *w = ukKnownWorld(world);
    if (!w) return ukErrorHandle;
    const ukRecordOptions *const o = options ? options : &usual;
    if (!(o->rate >= 0) || !isfinite(o->rate))
        return ukRefuseArgument("ukWorldRecord: the rate must be >= 0 and finite");
    if (path && !*path) return ukRefuseArgument("ukWorldRecord: an empty name");
    if (ukWorldWithinStep(w))
        return ukErrorSet(ukErrorChanged, "a recording cannot begin or end during a step of its world");
    return ukDriveRecord(w, path, o);
}
