/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/inputs/capture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "plugin/formats/inputs/begin.h"
#include "plugin/formats/inputs/fields.h"
#include "plugin/formats/snapshot/keep.h"

/* A body as it was left; bodies in the order of their serials. */
typedef struct Left {
    uint64_t serial;
    double field[ukBodyFields];
} Left;

/* A law as it was recorded last; likewise. */
typedef struct RecordedLaw {
    uint64_t serial;
    double field[ukLawFields];
} RecordedLaw;

typedef struct Laws {
    RecordedLaw *recorded;
    int count;
    size_t capacity;
} Laws;

struct ukCapture {
    ukWorld *world;
    ukJournal *journal;
    Left *left;
    int count;
    size_t capacity;
    Laws joints, contacts, elements;
    double field[ukWorldFields];
    bool known; /* the world's fields were recorded */
    unsigned long seed;
    int calls;        /* moved callbacks that are being called, within each other where they step the world */
    uint64_t calling; /* the body of the outermost; the beginning and the buffer of its recorded calls */
    size_t call;
    ukBytes did;
    ukBytes input; /* of the last step */
    size_t before; /* of it, what came before the step */
};

static ukBytes *bytesOf(ukCapture *c)
{
    return &c->journal->bytes;
}

static uint64_t differenceMask(const double *x, const double *y, int count)
{
    uint64_t mask = 0, a, b;
    for (int i = 0; i < count; i++) {
        memcpy(&a, &x[i], sizeof a);
        memcpy(&b, &y[i], sizeof b);
        if (a != b) mask |= (uint64_t)1 << i;
    }
    return mask;
}

static void writeFields(ukCapture *c, uint64_t mask, const double *field)
{
    uint64_t word;
    ukBytesNumber(bytesOf(c), mask);
    for (int i = 0; i < 64; i++) {
        if (!(mask >> i & 1)) continue;
        memcpy(&word, &field[i], sizeof word);
        ukBytesWord(bytesOf(c), word);
    }
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Updates the list of the bodies' last fields to the world's bodies: entries of destroyed bodies are removed, those of
 * new bodies have ODE's initial values. Both lists are in order of creation. */
static bool updateBodyList(ukCapture *c)
{
    const ukWorld *world = c->world;
    if (!ukArrayReserve(&c->left, sizeof *c->left, (size_t)world->body_count, &c->capacity)) return false;
    int at = 0, kept = 0;
    const ukBody *body = world->oldest_body;
    for (; body && at < c->count; body = body->newer) {
        while (at < c->count && c->left[at].serial < body->serial) at++;
        if (at == c->count || c->left[at].serial != body->serial) break;
        if (kept != at) c->left[kept] = c->left[at];
        kept++, at++;
    }
    for (; body; body = body->newer) {
        c->left[kept].serial = body->serial;
        memcpy(c->left[kept++].field, ukBodyNew, sizeof ukBodyNew);
    }
    c->count = kept;
    return true;
}

static void writeBodyChanges(ukCapture *c, ukBody *body, Left *left)
{
    double now[ukBodyFields];
    if (body->woken) left->field[ukBodyAwake] = 1; /* the reader has it awake */
    body->woken = false;
    ukBodyFieldsMoving(body, now);
    ukBodyFieldsRest(body, now);
    if (memcmp(now, left->field, sizeof now) == 0) return;
    const uint64_t mask = differenceMask(now, left->field, ukBodyFields);
    ukBytesNumber(bytesOf(c), ukEventBodyFields);
    ukBytesNumber(bytesOf(c), body->serial);
    writeFields(c, mask, now);
    memcpy(left->field, now, sizeof now);
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

/* One object's law, NULL: none, whose place in the order is after all that were recorded in this call; *at: of those
 * recorded before, where the search stands. */
static bool writeLawChanges(ukCapture *c, Laws *laws, Laws *next, int *at, const RecordedLaw *now)
{
    static const double none[ukLawFields];
    while (*at < laws->count && laws->recorded[*at].serial < now->serial) ++*at;
    const bool known = *at < laws->count && laws->recorded[*at].serial == now->serial;
    const double *before = known ? laws->recorded[*at].field : none;
    const uint64_t mask = differenceMask(now->field, before, ukLawFields);
    if (mask != 0) {
        ukBytesNumber(bytesOf(c), ukEventLawFields);
        ukBytesNumber(bytesOf(c), laws == &c->elements);
        ukBytesNumber(bytesOf(c), now->serial);
        writeFields(c, mask, now->field);
    }
    if (memcmp(now->field, none, sizeof none) == 0) return true;
    if (!ukArrayReserve(&next->recorded, sizeof *next->recorded, (size_t)next->count + 1, &next->capacity))
        return false;
    next->recorded[next->count++] = *now;
    return true;
}

static bool writeLaws(ukCapture *c)
{
    Laws joints = {0}, contacts = {0}, elements = {0};
    int at = 0, at_contact = 0;
    bool memory = true;
    for (const ukJoint *j = c->world->oldest_joint; j && memory; j = j->newer) {
        const bool contact = ukIsContact(j);
        Laws *const before = contact ? &c->contacts : &c->joints;
        RecordedLaw now = {.serial = ukSerialOf(j->serial, contact)};
        if (!j->law && before->count == 0) continue;
        if (j->law) ukLawFieldsOf(j->law, now.field);
        memory = writeLawChanges(c, before, contact ? &contacts : &joints, contact ? &at_contact : &at, &now);
    }
    at = 0;
    for (const ukElement *e = c->world->oldest_element; e && memory; e = e->newer) {
        const struct ukConstraint *constraint = (const struct ukConstraint *)e;
        RecordedLaw now = {.serial = e->serial};
        if (e->is_force) continue;
        if (constraint->law) ukLawFieldsOf(constraint->law, now.field);
        now.field[ukLawError] = constraint->error != NULL;
        memory = writeLawChanges(c, &c->elements, &elements, &at, &now);
    }
    free(c->joints.recorded);
    free(c->contacts.recorded);
    free(c->elements.recorded);
    c->joints = joints;
    c->contacts = contacts;
    c->elements = elements;
    return memory;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void writeWorldChanges(ukCapture *c)
{
    double now[ukWorldFields];
    ukWorldFieldsOf(c->world, now);
    if (c->known) memcpy(c->field + ukWorldErp, c->journal->rule, sizeof c->journal->rule);
    const uint64_t all = ((uint64_t)1 << ukWorldFields) - 1;
    const uint64_t mask = c->known ? differenceMask(now, c->field, ukWorldFields) : all;
    memcpy(c->journal->rule, now + ukWorldErp, sizeof c->journal->rule);
    memcpy(c->field, now, sizeof now);
    c->known = true;
    if (mask == 0) return;
    ukBytesNumber(bytesOf(c), ukEventWorldFields);
    writeFields(c, mask, now);
}

static bool writeChanges(ukCapture *c)
{
    if (!updateBodyList(c)) return false;
    writeWorldChanges(c);
    int i = 0;
    for (ukBody *body = c->world->oldest_body; body; body = body->newer) writeBodyChanges(c, body, &c->left[i++]);
    memset(c->journal->written, 0, sizeof c->journal->written);
    return writeLaws(c);
}

/* what is there now was left so */
static bool storeFieldsAfterStep(ukCapture *c)
{
    if (!updateBodyList(c)) return false;
    ukWorldFieldsOf(c->world, c->field);
    memcpy(c->journal->rule, c->field + ukWorldErp, sizeof c->journal->rule);
    int i = 0;
    for (ukBody *body = c->world->oldest_body; body; body = body->newer, i++) {
        ukBodyFieldsMoving(body, c->left[i].field);
        c->left[i].field[ukBodyAwake] = dBodyIsEnabled(body->handle) != 0;
        body->woken = false;
    }
    return true;
}

/* Encloses the bytes recorded since c->call in an event, which has `number` and the number of these bytes. */
static void encloseCalls(ukCapture *c, ukEvent event, uint64_t number)
{
    ukBytes *out = bytesOf(c);
    c->did.size = 0;
    ukBytesRaw(&c->did, out->at + c->call, out->size - c->call);
    out->size = c->call;
    out->failed |= c->did.failed;
    ukBytesNumber(out, event);
    ukBytesNumber(out, number);
    ukBytesNumber(out, c->did.size);
    ukBytesRaw(out, c->did.at, c->did.size);
}

/* Called before and after a moved callback: captures the calls that it makes. */
static void captureMovedCallback(ukJournal *journal, ukBody *body, bool returned)
{
    ukCapture *c = journal->owner;
    if (returned ? --c->calls > 0 : c->calls++ > 0) return;
    if (!(returned ? writeChanges(c) : storeFieldsAfterStep(c))) journal->bytes.failed = true;
    if (!returned) {
        c->call = journal->bytes.size;
        c->calling = body->serial;
    } else if (journal->bytes.size > c->call) {
        encloseCalls(c, ukEventCalled, c->calling);
    }
}

/* Called before and after an evaluation without a step, which uses the present state and changes the solvers' plans. */
static void captureEvaluation(ukJournal *journal, int kind, bool done)
{
    ukCapture *c = journal->owner;
    if (journal->stepping != done) return; /* within a step */
    journal->stepping = !done;
    if (!(done ? storeFieldsAfterStep(c) : writeChanges(c))) journal->bytes.failed = true;
    if (!done)
        c->call = journal->bytes.size;
    else
        encloseCalls(c, ukEventEvaluation, (uint64_t)kind);
}

static void forgetJournal(ukJournal *journal)
{
    ukCapture *c = journal->owner;
    c->journal = NULL;
}

ukCapture *ukCaptureBegin(ukWorld *world)
{
    if (!world->journal) return NULL;
    ukCapture *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->world = world;
    c->journal = world->journal;
    c->journal->owner = c;
    c->journal->called = captureMovedCallback;
    c->journal->evaluated = captureEvaluation;
    c->journal->ended = forgetJournal;
    return c;
}

/* Stores all present fields as those after the last step. */
static bool leaveAll(ukCapture *c)
{
    const size_t size = bytesOf(c)->size;
    const bool good = writeChanges(c);
    bytesOf(c)->size = size;
    c->seed = dRandGetSeed();
    return good;
}

bool ukCaptureChanges(ukCapture *c)
{
    return c->journal && (c->journal->stepping || writeChanges(c)) && !bytesOf(c)->failed;
}

bool ukCaptureRestored(ukCapture *c)
{
    if (!c->journal) return false;
    if (c->journal->stepping) bytesOf(c)->size = c->before;
    c->journal->stepping = false;
    const size_t size = ukKeepSaveNumbered(c->world, c->journal, NULL, 0);
    unsigned char *const state = size > 0 ? malloc(size) : NULL;
    const bool saved = state && ukKeepSaveNumbered(c->world, c->journal, state, size) == size;
    if (saved) {
        ukBytesNumber(bytesOf(c), ukEventRestore);
        ukBytesNumber(bytesOf(c), size);
        ukBytesRaw(bytesOf(c), state, size);
    }
    free(state);
    return saved && leaveAll(c) && !bytesOf(c)->failed;
}

bool ukCaptureStepping(const ukCapture *c)
{
    return c->journal && c->journal->stepping;
}

bool ukCaptureKeeps(const ukBody *body)
{
    double pose[ukPoseWords];
    bool finite = true;
    ukPoseOf(body, pose);
    for (int i = 0; i < ukPoseWords; i++) finite &= isfinite(pose[i]) != 0;
    return finite;
}

ukCapture *ukCaptureBeginHere(ukWorld *world)
{
    ukJournalEnd(world);
    ukCapture *const c = ukJournalBegin(world) ? ukCaptureBegin(world) : NULL;
    if (c) {
        ukBeginWrite(world);
        if (writeChanges(c) && (world->body_count == 0 || ukCaptureRestored(c)) && !bytesOf(c)->failed) return c;
    }
    if (c)
        ukCaptureEnd(c);
    else
        ukJournalEnd(world);
    return NULL;
}

void ukCaptureEnd(ukCapture *c)
{
    if (!c) return;
    if (c->journal && c->world->journal == c->journal) ukJournalEnd(c->world);
    ukBytesFree(&c->input);
    ukBytesFree(&c->did);
    free(c->left);
    free(c->joints.recorded);
    free(c->contacts.recorded);
    free(c->elements.recorded);
    free(c);
}

bool ukCaptureStep(ukCapture *c, double h, ukStepCall call)
{
    if (!c->journal || !writeChanges(c)) return false;
    const unsigned long seed = dRandGetSeed();
    if (seed != c->seed) {
        ukBytesNumber(bytesOf(c), ukEventSeed);
        ukBytesNumber(bytesOf(c), seed);
    }
    c->calls = 0; /* one may have been left by an exception */
    c->before = bytesOf(c)->size;
    ukBytesNumber(bytesOf(c), ukEventStep);
    ukBytesNumber(bytesOf(c), call);
    ukBytesDoubles(bytesOf(c), &h, 1);
    c->journal->stepping = true;
    return !bytesOf(c)->failed;
}

bool ukCaptureStepped(ukCapture *c)
{
    if (!c->journal) return false;
    const ukBytes spare = c->input;
    c->journal->stepping = false;
    c->input = c->journal->bytes;
    c->journal->bytes = spare;
    c->journal->bytes.size = 0;
    c->seed = dRandGetSeed();
    return storeFieldsAfterStep(c) && !c->input.failed;
}

ukInput ukCaptureInput(const ukCapture *c)
{
    return (ukInput){.at = c->input.at, .size = c->input.size, .before = c->before};
}
