/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/replay.c: --replay: the inputs of every step are captured, and taken by a second world, which must be left
 * as the first one is, to the bit. Of each second world the inputs begin after some steps, and it may be restored to a
 * state of its own. */
#include "tests/fuzz/fuzz.h"

#ifdef FUZZ_PLAIN

bool fuzzReplayStep(Fuzz *f)
{
    (void)f;
    return false;
}

void fuzzReplayStepped(Fuzz *f)
{
    (void)f;
}

void fuzzReplayWorld(Fuzz *f)
{
    (void)f;
}

void fuzzReplayMade(Fuzz *f)
{
    (void)f;
}

#else

#include <stdlib.h>
#include <string.h>

#include "bridge/world/registry.h"
#include "plugin/formats/snapshot/keep.h"
#include "plugin/tools/replay/build.h"

static ukCapture *capture;
static ukBuild *build;
static int surfaces;
static int before;          /* steps without inputs */
static int saving, restore; /* the steps before which the state is saved, and taken over again; negative: none */
static unsigned char *saved;
static size_t saved_size;

void fuzzReplayWorld(Fuzz *f)
{
    if (!f->replay) return;
    ukJournalByDefault = false;
    build = ukBuildBegin(0, NULL);
    const unsigned draw = (unsigned)(f->random.state >> 20);
    before = draw % 2 ? (int)(draw / 2 % 4) : -1;
    saving = draw / 8 % 2 ? (int)(draw / 16 % 3) : -1;
    restore = saving + 1 + (int)(draw / 64 % 2);
    ukJournalByDefault = before < 0;
}

void fuzzReplayMade(Fuzz *f)
{
    if (f->replay && before < 0) capture = ukCaptureBegin(ukRegistryWorld(f->world));
}

/* the program's own saving and restoring, as the library tells it */
static bool keep(Fuzz *f, ukWorld *world)
{
    if (saving-- == 0 && (saved_size = ukWorldSave(f->world, NULL, 0)) > 0) {
        saved = malloc(saved_size);
        if (saved) ukWorldSave(f->world, saved, saved_size);
    }
    if (restore-- != 0 || !saved) return false;
    if (capture && !ukCaptureChanges(capture)) fuzzFault(f, "what was done is not captured");
    if (ukKeepRestore(world, saved, saved_size) != 0) return false; /* it was built on */
    fuzzSay(f, "  restored\n");
    if (capture && !ukCaptureRestored(capture)) fuzzFault(f, "what was restored is not captured");
    return true;
}

bool fuzzReplayStep(Fuzz *f)
{
    ukWorld *world = f->replay ? ukRegistryWorld(f->world) : NULL;
    if (!world) return false;
    const bool restored = keep(f, world);
    bool finite = true;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) finite &= ukCaptureKeeps(b);
    if (before > 0 || (before == 0 && finite)) before--;
    if (before < 0 && !capture) {
        capture = ukCaptureBeginHere(world);
        if (!capture) fuzzFault(f, "inputs do not begin: %s", ukGetLastErrorMessage());
    }
    if (before >= 0) return restored;
    const ukStepCall call = f->entry == FuzzStep ? ukCallOwn : f->entry == FuzzQuick ? ukCallQuickStep : ukCallStep;
    if (!capture || !ukCaptureStep(capture, f->h, call)) fuzzFault(f, "the inputs are not captured");
    return restored;
}

static const char *const part[] = {"position", "orientation", "rotation", "velocity", "force"};
static const int first[] = {ukBodyPosition, ukBodyQuaternion, ukBodyRotation,
                            ukBodyVelocity, ukBodyForce,      ukBodyMoving};

static void compare(Fuzz *f, const ukWorld *x, const ukWorld *y)
{
    const ukBody *a = x->oldest_body, *b = y->oldest_body;
    for (; a && b; a = a->newer, b = b->newer) {
        double p[ukBodyMoving], q[ukBodyMoving];
        ukBodyFieldsMoving(a, p);
        ukBodyFieldsMoving(b, q);
        if (a->serial != b->serial) fuzzFault(f, "replay: body %d", (int)a->serial);
        for (int k = 0; k < 5; k++)
            if (memcmp(p + first[k], q + first[k], (size_t)(first[k + 1] - first[k]) * sizeof *p) != 0)
                fuzzFault(f, "replay: %s of body %d of %d: %.17g, not %.17g", part[k], (int)a->serial, x->body_count,
                          q[first[k]], p[first[k]]);
        if (dBodyIsEnabled(a->handle) != dBodyIsEnabled(b->handle))
            fuzzFault(f, "replay: body %d sleeps in one alone", (int)a->serial);
    }
    if (a || b) fuzzFault(f, "replay: bodies are missing");
}

void fuzzReplayStepped(Fuzz *f)
{
    if (!f->replay || !capture || !f->world) return;
    ukJournal *journal = ukRegistryWorld(f->world)->journal;
    if (!ukCaptureStepped(capture)) fuzzFault(f, "what was left is not captured");
    for (; surfaces < journal->surfaces; surfaces++) ukBuildSurface(build, surfaces, &journal->surface[surfaces]);
    const ukInput input = ukCaptureInput(capture);
    f->inside++;
    if (!ukBuildInput(build, input.at, input.size)) fuzzFault(f, "the inputs cannot be read: %s", ukBuildWhy(build));
    ukBuildStep(build);
    f->inside--;
    compare(f, ukRegistryWorld(f->world), ukRegistryWorld(ukBuildWorld(build)));
}

#endif
