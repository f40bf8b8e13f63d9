/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/replay/build.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/ode/class.h"
#include "bridge/base/grow.h"
#include "bridge/step/evaluate.h"
#include "plugin/formats/snapshot/keep.h"
#include "plugin/tools/replay/divide.h"
#include "plugin/tools/replay/events.h"
#include "plugin/tools/replay/set.h"

/* the world that steps: moved callbacks get no data */
static _Thread_local ukBuild *current;

static bool readStepEvents(ukBuild *b, ukByteReader *r);
static void repeatMovedCallback(dBodyID body);

/* Whether the number of samples for automatic disabling is reasonable, since ODE allocates as many as requested. */
static bool samplesMayBe(ukBuild *b, const ukBody *body, uint64_t mask, const double field[ukBodyFields])
{
    enum { Samples = ukBodyAutoDisable + 5 };
    if (!(mask >> Samples & 1)) return true;
    const uint64_t had = (uint64_t)dBodyGetAutoDisableAverageSamplesCount(body->handle), others = b->samples - had;
    if (!(field[Samples] >= 0 && field[Samples] <= (double)(ukMostSamples - others))) {
        ukBuildRefuse(b, "%g samples of a body's velocity, by which it is disabled", field[Samples]);
        return false;
    }
    b->samples = others + (uint64_t)field[Samples];
    return true;
}

static void doBodyFields(ukBuild *b, ukByteReader *r)
{
    double field[ukBodyFields];
    ukBody *body = ukBuildReadBody(b, r);
    const uint64_t mask = ukBuildReadFields(r, field, ukBodyFields);
    ukBuildPlacesBack(b);
    if (!body || r->bad || !samplesMayBe(b, body, mask, field)) return;
    ukBodyFieldsSet(body, mask, field, repeatMovedCallback);
}

static void doWorldFields(ukBuild *b, ukByteReader *r)
{
    double field[ukWorldFields];
    uint64_t mask = ukBuildReadFields(r, field, ukWorldFields);
    ukBuildPlacesBack(b);
    if (r->bad) return;
    mask &= ~b->imposed;
    if (mask >> ukWorldQuick & 1 && !(field[ukWorldQuick] <= ukMostIterations))
        ukBuildRefuse(b, "%g iterations of dWorldQuickStep", field[ukWorldQuick]);
    if (b->failed) return;
    ukWorldFieldsSet(b->world, mask, field);
}

/* whether steps are ODE's own, whatever the recording says */
static bool isNative(const ukBuild *b)
{
    return (b->imposed >> ukWorldEnabled & 1) && !b->world->enabled;
}

/* an evaluation without a step, with the answers of the user's functions */
static void doEvaluation(ukBuild *b, ukByteReader *r)
{
    const int kind = ukReadInt(r, 2);
    const size_t size = (size_t)ukReadNumber(r);
    if (r->bad || size > (size_t)(r->end - r->at)) {
        r->bad = true;
        return;
    }
    ukByteReader answers = {.at = r->at, .end = r->at + size};
    r->at += size;
    ukBuildPlacesBack(b);
    if (!readStepEvents(b, &answers)) b->failed = true;
    if (b->failed || isNative(b)) return;
    if (kind < 2)
        ukEvaluateWorld(b->world, kind == 1);
    else
        ukEvaluateRows(b->world, NULL, NULL);
}

/* Restores the state that ukode had after the recorded run's steps; settings that are imposed stay. */
static void doRestore(ukBuild *b, ukByteReader *r)
{
    const size_t size = (size_t)ukReadNumber(r);
    if (r->bad || size > (size_t)(r->end - r->at)) {
        r->bad = true;
        return;
    }
    ukBuildPlacesBack(b);
    if (ukKeepRestoreNumbered(b->world, r->at, size) != ukOk) b->failed = true;
    if (b->imposed != 0) ukWorldFieldsSet(b->world, b->imposed, b->field);
    b->seed = dRandGetSeed();
    r->at += size;
}

static void doSeed(ukBuild *b, ukByteReader *r)
{
    b->seed = (unsigned long)ukReadNumber(r);
}

static void doSwitchTimes(ukBuild *b, ukByteReader *r)
{
    double time[ukMostSwitches] = {0};
    const int count = ukReadInt(r, ukMostSwitches);
    ukReadDoubles(r, time, count);
    ukSwitches *const to = &b->world->switches;
    to->count = 0;
    for (int k = 0; k < count && !r->bad; k++)
        if (!isfinite(time[k]) || !ukSwitchesAdd(to, time[k])) ukBuildRefuse(b, "a switching time is %g s", time[k]);
}

static void doRules(ukBuild *b, ukByteReader *r)
{
    b->world->rules = (unsigned)ukReadInt(r, ukRules - 1);
}

static void doStep(ukBuild *b, ukByteReader *r)
{
    b->step = (ukStepCall)ukReadInt(r, ukStepCalls - 1);
    ukReadDoubles(r, &b->h, 1);
    b->pending = true;
}

static void (*const doEvent[ukEvents])(ukBuild *, ukByteReader *) = {[ukEventStep] = doStep,
                                                                     [ukEventBody] = ukBuildBody,
                                                                     [ukEventBodyGone] = ukBuildBodyGone,
                                                                     [ukEventBodyEnabled] = ukBuildBodyEnabled,
                                                                     [ukEventBodySamples] = ukBuildBodySamples,
                                                                     [ukEventWorldRule] = ukBuildWorldRule,
                                                                     [ukEventJoint] = ukBuildJoint,
                                                                     [ukEventContact] = ukBuildContact,
                                                                     [ukEventJointGone] = ukBuildJointGone,
                                                                     [ukEventAttach] = ukBuildAttach,
                                                                     [ukEventSetter] = ukBuildSetter,
                                                                     [ukEventSet] = ukBuildSet,
                                                                     [ukEventSwitch] = ukBuildSwitch,
                                                                     [ukEventElement] = ukBuildElement,
                                                                     [ukEventWeight] = ukBuildWeight,
                                                                     [ukEventActuators] = ukBuildActuators,
                                                                     [ukEventElementGone] = ukBuildElementGone,
                                                                     [ukEventAnswer] = ukBuildAnswer,
                                                                     [ukEventRowLimit] = ukBuildRowLimit,
                                                                     [ukEventSwitchTimes] = doSwitchTimes,
                                                                     [ukEventRestitution] = ukBuildRestitution,
                                                                     [ukEventRules] = doRules,
                                                                     [ukEventEvaluation] = doEvaluation,
                                                                     [ukEventBodyFields] = doBodyFields,
                                                                     [ukEventWorldFields] = doWorldFields,
                                                                     [ukEventLawFields] = ukBuildLawFields,
                                                                     [ukEventSeed] = doSeed,
                                                                     [ukEventRestore] = doRestore};

/* Whether the event is allowed now: within a step of ODE's own, a moved callback must not change objects that the step
 * still uses. */
static bool mayNow(ukBuild *b, int event)
{
    const bool takes_away = event == ukEventBodyGone || event == ukEventBodySamples || event == ukEventJointGone ||
                            event == ukEventAttach || event == ukEventElementGone || event == ukEventEvaluation ||
                            event == ukEventRestore;
    if (takes_away && b->world->handed)
        ukBuildRefuse(b, "a callback of dBodySetMovedCallback destroys or attaches objects that ODE's own step uses");
    return !b->failed;
}

/* Repeats the calls of the input up to its end or the next step; *step: there is one. false: a call cannot be
 * repeated. */
static bool repeatCalls(ukBuild *b, ukByteReader *r, bool *step)
{
    *step = false;
    while (r->at < r->end && !r->bad && !b->failed && !*step) {
        const int event = ukReadInt(r, ukEvents - 1);
        if (!doEvent[event] || !mayNow(b, event)) return false;
        *step = event == ukEventStep;
        doEvent[event](b, r);
    }
    ukBuildPlacesBack(b);
    return !r->bad && !b->failed;
}

/* the first call of a body that was not made yet; -1: none */
static int firstCall(const ukBuild *b, uint64_t body)
{
    return (int)(intptr_t)ukMapFind(&b->call_of, ukBuildKey(body)) - 1;
}

static bool setFirstCall(ukBuild *b, uint64_t body, int at)
{
    return ukMapPut(&b->call_of, ukBuildKey(body), (void *)(intptr_t)(at + 1));
}

/* Appends a call to the list of its body. */
static bool appendCallOfBody(ukBuild *b, int at)
{
    const int first = firstCall(b, b->call[at].body);
    if (first < 0) return setFirstCall(b, b->call[at].body, at);
    b->call[b->call[first].last].next = at;
    b->call[first].last = at;
    return true;
}

/* Reads the call of a moved callback, and stores its calls until the callback is called. */
static bool hearCall(ukBuild *b, ukByteReader *r)
{
    if (!ukArrayReserve(&b->call, sizeof *b->call, (size_t)b->calls + 1, &b->call_capacity)) return false;
    const uint64_t body = ukReadNumber(r);
    const size_t size = (size_t)ukReadNumber(r);
    if (r->bad || size > (size_t)(r->end - r->at)) return false;
    if (body == 0 || body >= UKODE_MOST_SERIAL) { /* there is no such body */
        r->at += size;
        return true;
    }
    const int at = b->calls++;
    b->call[at] = (Call){.body = body, .at = r->at, .end = r->at + size, .next = -1, .last = at};
    r->at += size;
    return appendCallOfBody(b, at);
}

static void forgetCalls(ukBuild *b)
{
    for (int i = 0; i < b->calls; i++) ukMapRemove(&b->call_of, ukBuildKey(b->call[i].body));
    b->calls = 0;
}

/* Reads the events during the step: stores results of user functions and the calls of callbacks. Other calls of user
 * functions are repeated at once. */
static bool readStepEvents(ukBuild *b, ukByteReader *r)
{
    forgetCalls(b);
    b->moment++;
    while (r->at < r->end && !r->bad && !b->failed) {
        const int event = ukReadInt(r, ukEvents - 1);
        const bool out = event == ukEventStep || event == ukEventEvaluation || event == ukEventRestore;
        if (event != ukEventCalled && (!doEvent[event] || out)) return false;
        if (event != ukEventCalled)
            doEvent[event](b, r);
        else if (!hearCall(b, r))
            return false;
    }
    ukBuildPlacesBack(b);
    return !r->bad && !b->failed;
}

static void repeatMovedCallback(dBodyID handle)
{
    ukBuild *b = current;
    const ukBody *body = ukRegistryBody(handle);
    const int at = b && body ? firstCall(b, body->serial) : -1;
    if (at < 0) return;
    const Call call = b->call[at];
    if (call.next < 0)
        ukMapRemove(&b->call_of, ukBuildKey(call.body));
    else
        b->call[call.next].last = call.last, setFirstCall(b, call.body, call.next);
    ukByteReader reader = {.at = call.at, .end = call.end};
    bool step;
    if (!repeatCalls(b, &reader, &step)) b->failed = true;
}

bool ukBuildInput(ukBuild *b, const void *bytes, size_t size)
{
    ukByteReader reader = {.at = bytes, .end = (const unsigned char *)bytes + size};
    bool step;
    b->pending = false;
    if (b->failed || !repeatCalls(b, &reader, &step)) return false;
    return !step || readStepEvents(b, &reader);
}

int ukBuildStep(ukBuild *b)
{
    const dWorldID world = b->world->handle;
    if (!b->pending || !(b->h > 0)) return 0;
    b->pending = false;
    dRandSetSeed(b->seed);
    ukBuild *const before = current;
    current = b;
    ukStepFunction *const call = b->step == ukCallQuickStep             ? dWorldQuickStep
                                 : b->step == ukCallOwn && !isNative(b) ? ukWorldStep
                                                                        : dWorldStep;
    const int taken = b->parts > 1 ? ukDivideStep(b->world, b->parts, b->h, call) : call(world, b->h);
    current = before;
    b->seed = dRandGetSeed();
    return taken;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

ukBuild *ukBuildBegin(uint64_t imposed, const double field[ukWorldFields])
{
    ukBuild *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    const dWorldID world = dWorldCreate();
    b->world = ukRegistryWorld(world);
    if (b->world) b->world->replayed = true;
    if (!b->world) {
        dWorldDestroy(world);
        free(b);
        return NULL;
    }
    ukBuildImpose(b, imposed, field);
    return b;
}

void ukBuildImpose(ukBuild *b, uint64_t imposed, const double field[ukWorldFields])
{
    b->imposed = imposed;
    if (field) memcpy(b->field, field, sizeof b->field);
    if (imposed != 0) ukWorldFieldsSet(b->world, imposed, field);
}

void ukBuildDivide(ukBuild *b, int parts)
{
    b->parts = parts;
}

void ukBuildEnd(ukBuild *b)
{
    if (!b) return;
    dWorldDestroy(b->world->handle);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < b->plays[k].capacity; i++)
            if (b->plays[k].entries[i].key) ukPlayFree(b->plays[k].entries[i].value);
    free(b->plays[0].entries);
    free(b->plays[1].entries);
    free(b->bodies.entries);
    free(b->joints.entries);
    free(b->contacts.entries);
    free(b->elements.entries);
    free(b->surface);
    free(b->placed);
    free(b->placed_at.entries);
    free(b->call);
    free(b->call_of.entries);
    free(b);
}

bool ukBuildSurface(ukBuild *b, int number, const ukSurface *surface)
{
    if (number < 0 || !(surface->mode >= 0 && surface->mode <= INT_MAX)) return false;
    if (number >= b->surfaces) {
        ukSurface *grown = realloc(b->surface, (size_t)(number + 1) * sizeof *grown);
        if (!grown) return false;
        memset(grown + b->surfaces, 0, (size_t)(number + 1 - b->surfaces) * sizeof *grown);
        b->surface = grown;
        b->surfaces = number + 1;
    }
    b->surface[number] = *surface;
    return true;
}

dWorldID ukBuildWorld(const ukBuild *b)
{
    return b->world->handle;
}

const char *ukBuildWhy(const ukBuild *b)
{
    return b->why;
}

bool ukBuildHasStep(const ukBuild *b)
{
    return b->pending;
}

uint64_t ukBuildGuessed(const ukBuild *b)
{
    return b->guessed;
}
