/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/replay.c: --replay: the inputs of every step are captured, and taken by a second world, which must be left
 * as the first one is, to the bit. */
#include "tests/fuzz/fuzz.h"

#ifdef FUZZ_PLAIN

void fuzzReplayStep(Fuzz *f)
{
    (void)f;
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

#include <string.h>

#include "bridge/world/registry.h"
#include "plugin/replay/build.h"

static ukCapture *capture;
static ukBuild *build;
static int surfaces;

void fuzzReplayWorld(Fuzz *f)
{
    if (!f->replay) return;
    ukJournalByDefault = false;
    build = ukBuildBegin(0, NULL);
    ukJournalByDefault = true;
}

void fuzzReplayMade(Fuzz *f)
{
    if (f->replay) capture = ukCaptureBegin(ukRegistryWorld(f->world));
}

void fuzzReplayStep(Fuzz *f)
{
    ukWorld *world = f->replay ? ukRegistryWorld(f->world) : NULL;
    if (!world) return;
    const ukStepCall call = f->entry == FuzzStep ? ukCallOwn : f->entry == FuzzQuick ? ukCallQuickStep : ukCallStep;
    if (!capture || !ukCaptureStep(capture, f->h, call)) fuzzFault(f, "the inputs are not captured");
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
    if (!ukBuildInput(build, input.at, input.size)) fuzzFault(f, "the inputs cannot be read");
    ukBuildStep(build);
    f->inside--;
    compare(f, ukRegistryWorld(f->world), ukRegistryWorld(ukBuildWorld(build)));
}

#endif
