/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/drive.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "bridge/base/forked.h"
#include "bridge/base/log.h"
#include "bridge/diagnose/survey.h"
#include "bridge/island/gather.h"
#include "bridge/island/placed.h"
#include "bridge/island/stepper.h"
#include "bridge/ode/copy.h"
#include "bridge/ode/single.h"
#include "bridge/step/traversal.h"
#include "bridge/step/step.h"
#include "bridge/user/constraint.h"
#include "bridge/watch/start.h"
#include "bridge/watch/validate.h"
#include "bridge/watch/watch.h"
#include "bridge/world/fluid.h"
#include "bridge/world/registry.h"
#include "bridge/world/settings.h"
#include "bridge/world/storage.h"
#include "plugin/analysis/request.h"
#include "plugin/formats/inputs/inputs.h"
#include "plugin/formats/recording/recorder.h"
#include "plugin/formats/snapshot/file.h"
#include "plugin/formats/snapshot/keep.h"
#include "plugin/summary/process.h"
#include "plugin/unserved.h"
#include "plugin/view/view.h"
#include "plugin/wrap.h"
#include "solvers/base/status.h"

UKODE_WRAP(dWorldStep)
UKODE_WRAP(dWorldQuickStep)

/* A step under way; one that is not taken leaves what getters answer from as it was. */
typedef struct Stepped {
    ukWorld *world;
    bool quick, answers, taken;
} Stepped;

static void endStepped(const Stepped *step)
{
    if (!step->taken) {
        step->world->quick = step->quick;
        step->world->answers = step->answers;
    }
    ukWatchStepEnd(step->world);
}

void ukDriveInitialized(void)
{
    ukProcessInitialized();
}

void ukDriveCreated(void)
{
    ukProcessCreated();
}

void ukDriveDestroyed(const ukWorld *world, dWorldID handle)
{
    ukViewDestroyed(world);
    ukRecorderWorldDestroyed(handle);
}

bool ukDriveBegin(ukWorld *world, double h, ukStepCall call, bool *recorded)
{
    const bool fluid = call == ukCallOwn || (call == ukCallStep && world->enabled);
    ukStartApply(world);
    if (!ukWorldWithinStep(world)) ukViewBefore(world);
    *recorded = world->journal && !ukWorldWithinStep(world);
    ukPlacedLook(world);
    if (fluid && ukFluidApply(world) != ukOk) return false;
    if (*recorded) ukInputsStep(world, h, call);
    ukProcessBegin(world);
    return true;
}

void ukDriveEnd(ukWorld *world, bool taken, bool recorded)
{
    if (recorded && !taken) ukInputsFailed(world);
    ukFluidEnd(world, taken);
    ukPlacedLeft(world);
}

/* Counts and records a step, whoever took it (`ours`: ukode), of h [s] and wall time [s]: all rows of a recording at
 * once, since other threads' steps may follow. */
static void noteStepped(ukWorld *world, double h, double seconds, bool ours)
{
    ukWorldRead(world);
    ukProcessStep(world, h, seconds, ours);
    if (!ukRecorderWants(world) && !world->journal) return;
    const bool within = !ours && ukWorldWithinStep(world); /* a step that a moved callback took */
    ukRecorderLock();
    ukRecorderStep(world, h, seconds, ours);
    if (!within) ukInputsStepped(world);
    ukRecorderStepped(world);
    ukRecorderUnlock();
    if (!within) ukViewAfter(world, ours);
}

/* Before a step of ODE's own stepper: records the state at its start, as far as a recording needs it. */
static void beforeNative(ukWorld *world)
{
    if (!ukWorldWithinStep(world)) ukRecorderBefore(world);
}

void ukDriveFailed(ukWorld *world)
{
    ukProcessFailed(world);
    ukRecorderFailed(world);
}

static int takeStep(ukWorld *world, double h, bool quick)
{
    const unsigned errors = ukErrorCount();
    if (!world || !world->handle) return ukErrorEnsure(ukErrorHandle, errors);
    if (!(h > 0) || h * 0 != 0) return ukErrorSet(ukErrorStepsize, "step size %g", h);
    if (ukWorldWithinStep(world))
        return ukErrorSet(ukErrorChanged,
                          "the world is being stepped already (called from a callback of dBodySetMovedCallback)");
    if (ukTraversalWhole(world) != ukOk) return ukErrorMemory;
    ukSurveyStep(world);
    if (!world->handle) return ukErrorSet(ukErrorChanged, "the world was destroyed in a user's function");
    const double t0 = ukSeconds();
    __attribute__((cleanup(endStepped))) Stepped step = {world, world->quick, world->answers, false};
    world->quick = quick;
    world->watched = ukProcessWanted() || ukRecorderWants(world);
    if (ukRequestStep(world, h)) ukDriveExit(0);
    ukRecorderBefore(world);
    ukWatchStepBegin(world);
    world->answers = true;
    const int status = ukStepOnce(world, h);
    step.taken = status == ukOk;
    if (status == ukErrorMemory) ukTraversalNoMemory(world);
    if (status != ukOk) ukRequestFailed(world, status);
    if (status == ukOk && world->handle) noteStepped(world, h, ukSeconds() - t0, true);
    return ukErrorEnsure(status, errors);
}

int ukDriveStep(ukWorld *world, double h, bool quick)
{
    ukForkedCheck();
    const dWorldID handle = world ? world->handle : NULL;
    if (handle && ukKeepFileTake(world)) {
        if (world->journal) ukInputsRestored(world);
        return ukOk;
    }
    const int status = takeStep(world, h, quick);
    if (status == ukOk && ukKeepFileSaves() && ukRegistryWorld(handle) == world) ukKeepFileStep(world, h);
    return status;
}

/* ---- dWorldStep -------------------------------------------------------------------------------------------------- */

/* Whether ODE's own stepper can step the world, which aborts if a number is not finite. ukOk, ukErrorNotFinite or
 * ukErrorMass, with the body named; ukErrorUnsupported, without a message, for a body without mass, or a constraint
 * with actuators or a weight, which ODE would step without. */
static int mayHandOver(const ukWorld *world)
{
    for (ukBody *b = world->oldest_body; b; b = b->newer) {
        ukFrame frame = {.body = b};
        bool kinematic = false;
        if (!dBodyIsEnabled(b->handle) && !b->first_joint) continue; /* joints let ODE wake a body */
        const int status = ukGatherFrame(&frame, &kinematic);
        if (status != ukOk) return status;
        if (b->massless && !kinematic) return ukErrorUnsupported;
    }
    for (const ukElement *e = world->newest_element; e; e = e->older) {
        const struct ukConstraint *const c = e->is_force ? NULL : (const struct ukConstraint *)e;
        if (c && (c->servo || c->weight)) return ukErrorUnsupported;
        if (e->is_force && world->settings.integrator == ukIntegratorRadau)
            return ukErrorUnsupported; /* refused here */
    }
    return ukOk;
}

/* Counts and logs a step that failed with `status` and that ODE's own stepper takes. */
static void countFallback(ukWorld *world, int status)
{
    ukStepper *s = world ? ukStepperOf(world) : NULL;
    if (!s) return;
    s->report.fallbacks++;
    ukLog("step taken by ODE's own stepper (status %d): %s", status, ukErrorMessage());
}

/* Whether ODE's own stepper takes a step that ukode did not: joints that only ODE can read, objects for whose records
 * there was no memory, and where the user requested it. Any other failure stays one, with the world as it was: ODE
 * would do without the constraints and laws that failed, or abort on what it was given. */
static bool isLeftToOde(const ukWorld *world, int status)
{
    const bool unread = status == ukErrorUnsupported || (status == ukErrorMemory && world->lost > 0);
    if (!unread && (status != ukErrorCheck || world->settings.check != ukCheckFallback)) return false;
    return !world->stepping && mayHandOver(world) == ukOk;
}

static int refuseCall(int status, const char *what)
{
    ukErrorSet(status, "%s", what);
    return 0;
}

/* the world, and its member `handed` before the step of ODE */
typedef struct Handed {
    dWorldID world;
    bool before;
} Handed;

static void takeBack(Handed *handed)
{
    ukWorld *const w = ukRegistryWorld(handed->world);
    if (w) w->handed = handed->before;
}

static int handOver(ukWorld *world, dReal h, int (*real)(dWorldID, dReal))
{
    __attribute__((cleanup(takeBack))) Handed handed = {world->handle, world->handed};
    world->handed = true;
    return real(handed.world, h);
}

static int stepOf(dWorldID world, dReal h, bool quick, int (*real)(dWorldID, dReal))
{
    ukLogFirstStep();
    if (!world && ukRegistryEnableByDefault) return refuseCall(ukErrorHandle, "null world"); /* ODE would abort */
    ukWorld *const w = ukRegistryWorld(world);
    if (w && w->enabled) {
        const int status = ukDriveStep(w, h, quick);
        if (status == ukOk) return 1;
        ukLog("a step failed (status %d): %s", status, ukErrorMessage());
        if (ukRegistryWorld(world) != w) return 0; /* destroyed in a callback */
        if (!isLeftToOde(w, status)) {
            ukDriveFailed(w);
            return 0;
        }
        countFallback(w, status);
    }
    if (!real) return refuseCall(ukErrorUnsupported, "this libode has no such function");
    if (!w) ukUnservedWorld();
    if (!w) return real(world, h);
    ukFluidRemove(w);
    beforeNative(w);
    w->answers = false;
    w->quick = quick;
    w->graph++;
    const double start = ukSeconds();
    const int result = handOver(w, h, real);
    if (ukRegistryWorld(world) == w) ukValidateWorld(w);
    if (ukRegistryWorld(world) == w) noteStepped(w, h, ukSeconds() - start, false);
    return result;
}

static int stepWorld(dWorldID world, dReal asked, bool quick, int (*real)(dWorldID, dReal))
{
    const dReal h = ukSettingsStepOf(asked);
    ukWorld *const w = ukRegistryWorld(world);
    if (w) ukWorldRead(w);
    bool recorded = false;
    if (w && !ukDriveBegin(w, h, quick ? ukCallQuickStep : ukCallStep, &recorded)) return 0;
    const int taken = stepOf(world, h, quick, real);
    if (w && ukRegistryWorld(world) == w) ukDriveEnd(w, taken == 1, recorded);
    return taken;
}

/* A step of a world of a copy of ODE that is not served. Its real numbers may be of single precision: they pass
 * unread. */
static int stepUnserved(const ukOdeFunctions *ode, dWorldID world, dReal h, int (*real)(dWorldID, dReal))
{
    ukUnservedStepped(ode);
    return real ? real(world, h) : refuseCall(ukErrorUnsupported, "there is no ODE with this function");
}

UKODE_API int dWorldStep(dWorldID world, dReal stepsize)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryWorld(world));
    if (ode != &ukOde) return stepUnserved(ode, world, stepsize, ode->dWorldStep);
    UKODE_GIVEN(ode, &stepsize);
    return stepWorld(world, stepsize, false, ode->dWorldStep);
}

UKODE_API int dWorldQuickStep(dWorldID world, dReal stepsize)
{
    const ukOdeFunctions *const ode = UKODE_CALLED_ODE(ukRegistryWorld(world));
    if (ode != &ukOde) return stepUnserved(ode, world, stepsize, ode->dWorldQuickStep);
    UKODE_GIVEN(ode, &stepsize);
    return stepWorld(world, stepsize, true, ode->dWorldQuickStep);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

void ukDriveOpenRecording(const char *path, const ukRecordOptions *options, bool at_once)
{
    ukRecorderOpen(path, options, at_once);
}

const char *ukDriveOpenStates(const char *restore, const char *save, double every)
{
    const char *const fault = ukKeepFileRestore(restore);
    ukKeepFileSave(save, every);
    return fault;
}

void ukDriveClose(void)
{
    ukForkedCheck();
    ukRecorderClose();
    ukKeepFileClose();
    ukProcessClose();
}

void ukDriveLeave(void)
{
    ukForkedCheck();
    ukRecorderLeave();
    ukKeepFileFlush();
    ukProcessLeave();
}

_Noreturn void ukDriveExit(int status)
{
    ukDriveLeave();
    for (;;) syscall(SYS_exit_group, status);
}

void ukDriveFlush(void)
{
    ukRecorderFlush();
    ukKeepFileFlush();
    ukProcessFlush();
}

int ukDriveRecord(ukWorld *world, const char *path, const ukRecordOptions *options)
{
    if (!path) {
        ukRecorderEnd(world);
        return ukOk;
    }
    int status = options->inputs ? ukInputsBegin(world) : ukOk;
    if (status == ukOk) status = ukRecorderBegin(world, path, options);
    if (status != ukOk && options->inputs) ukJournalEnd(world);
    return status;
}

void ukDriveNamed(const ukWorld *world, bool joint, int64_t key, const char *name)
{
    ukRecorderNamed(world, joint, key, name);
}

size_t ukDriveSave(ukWorld *world, void *buffer, size_t size)
{
    if (!ukWorldWithinStep(world)) ukViewLetGo(world);
    return ukKeepSave(world, buffer, size);
}

int ukDriveRestore(ukWorld *world, const void *buffer, size_t size)
{
    if (!ukWorldWithinStep(world)) {
        ukViewLetGo(world);
        if (world->journal) ukInputsRestore(world);
    }
    const int status = ukKeepRestore(world, buffer, size);
    if (world->journal && status == ukOk) ukInputsRestored(world);
    return status;
}

void ukDriveHash(const ukWorld *world, unsigned char hash[16])
{
    ukKeepHash(world, hash);
}
