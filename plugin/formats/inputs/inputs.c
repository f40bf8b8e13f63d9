/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/inputs/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/base/log.h"
#include "plugin/formats/recording/recorder.h"
#include "solvers/base/status.h"

typedef struct Inputs {
    ukCapture *capture;
    int surfaces;   /* that are in the file */
    bool begun;     /* the snapshot is */
    pid_t process;  /* whose recording they are for */
    ukBytes waits;  /* captures of steps that failed, and the present one */
    ukBytes before; /* the snapshot, until a step is taken */
} Inputs;

static long long surface_key; /* of the process; under the recorder's lock */

static void freeInputs(ukJournal *journal)
{
    Inputs *in = journal->inputs;
    ukCaptureEnd(in->capture);
    ukBytesFree(&in->waits);
    ukBytesFree(&in->before);
    free(in);
}

static Inputs *beginInputs(ukWorld *world, ukCapture *(*capture)(ukWorld *))
{
    Inputs *in = calloc(1, sizeof *in);
    if (!in) return NULL;
    in->capture = capture(world);
    if (!in->capture) {
        free(in);
        return NULL;
    }
    in->process = getpid();
    world->journal->inputs = in;
    world->journal->ended = freeInputs;
    return in;
}

static void endInputs(ukWorld *world)
{
    ukLogWarning("no memory for the inputs of a recorded world: from here on it cannot be replayed");
    ukJournalEnd(world);
}

int ukInputsBegin(ukWorld *world)
{
    bool seen = !world->attached;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) seen &= j->observed;
    if (!seen)
        return ukErrorSet(ukErrorUnsupported,
                          "the world was passed to ukWorldAttach, and its creation was not recorded");
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        if (ukCaptureKeeps(b)) continue;
        return ukErrorSet(ukErrorNotFinite, "the position of body %llu is not finite", (unsigned long long)b->serial);
    }
    if (world->lost == 0 && beginInputs(world, ukCaptureBeginHere)) return ukOk;
    return ukErrorSet(ukErrorMemory, "no memory for the inputs of a recording");
}

/* A forked child records into a file of its own, from the state that the fork found. */
static void beginInChild(ukWorld *world)
{
    ukJournalEnd(world);
    if (ukInputsBegin(world) != ukOk)
        ukLogWarning("a world of a forked process cannot be replayed: %.200s", ukErrorMessage());
}

/* The inputs of a recorded world; before its first step they are created. */
static Inputs *inputsOf(ukWorld *world)
{
    if (world->journal && world->journal->inputs && ((Inputs *)world->journal->inputs)->process != getpid())
        beginInChild(world);
    if (!world->journal || (world->journal->owner && !world->journal->inputs)) return NULL;
    Inputs *in = world->journal->inputs ? world->journal->inputs : beginInputs(world, ukCaptureBegin);
    if (!in) endInputs(world);
    return in;
}

void ukInputsRestore(ukWorld *world)
{
    const Inputs *in = inputsOf(world);
    if (in && !ukCaptureChanges(in->capture)) endInputs(world);
}

void ukInputsRestored(ukWorld *world)
{
    const Inputs *in = inputsOf(world);
    if (in && !ukCaptureRestored(in->capture)) endInputs(world);
}

void ukInputsStep(ukWorld *world, double h, ukStepCall call)
{
    if (!world || world->stepping || !(h > 0)) return;
    const Inputs *in = inputsOf(world);
    if (in && !ukCaptureStep(in->capture, h, call)) endInputs(world);
}

static void putSurfaces(Inputs *in, const ukJournal *journal, const ukRecorded *recorded)
{
    for (; in->surfaces < journal->surfaces; in->surfaces++) {
        ukBytes data = {0};
        ukBytesNumber(&data, (uint64_t)recorded->world);
        ukBytesNumber(&data, (uint64_t)in->surfaces);
        ukBytesDoubles(&data, &journal->surface[in->surfaces].mode, ukSurfaceWords);
        ukQueuePut(recorded->queue, ukInsertSurface, ++surface_key, data.at, data.size);
        ukBytesFree(&data);
    }
}

static void queueInputs(Inputs *in, const ukJournal *journal, const ukRecorded *recorded)
{
    const long long step = recorded->step;
    putSurfaces(in, journal, recorded);
    if (!in->begun)
        ukQueuePut(recorded->queue, ukInsertSnapshot, step, (long long)ukInputsFormat, in->before.at, in->before.size);
    in->begun = true;
    ukBytesFree(&in->before);
    ukQueuePut(recorded->queue, ukInsertInput, step, in->waits.at, in->waits.size);
    in->waits.size = 0;
}

/* whether the world's recording wants inputs, and takes them */
static bool wantsInputs(const ukWorld *world, ukRecorded *recorded)
{
    return ukRecorderOf(world, recorded) && recorded->options->inputs && recorded->step > 0;
}

/* whose step is over, as the next of those that wait for a row; NULL: nothing is captured, or no memory */
static Inputs *captureStep(ukWorld *world)
{
    Inputs *in = world->journal ? world->journal->inputs : NULL;
    if (!in || !ukCaptureStepping(in->capture)) return NULL;
    if (!ukCaptureStepped(in->capture)) {
        endInputs(world);
        return NULL;
    }
    const ukInput input = ukCaptureInput(in->capture);
    const size_t first = in->begun || in->before.size > 0 ? 0 : input.before;
    ukBytesRaw(&in->before, input.at, first);
    ukBytesNumber(&in->waits, input.size - first);
    ukBytesRaw(&in->waits, input.at + first, input.size - first);
    return in;
}

void ukInputsStepped(ukWorld *world)
{
    Inputs *in = captureStep(world);
    ukRecorded recorded;
    if (!in) return;
    if (wantsInputs(world, &recorded))
        queueInputs(in, world->journal, &recorded);
    else
        ukJournalEnd(world);
}

void ukInputsFailed(ukWorld *world)
{
    (void)captureStep(world);
}
