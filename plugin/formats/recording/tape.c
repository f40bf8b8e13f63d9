/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/tape.h"

#include <stdio.h>
#include <stdlib.h>

#include "bridge/base/log.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/class.h"
#include "bridge/results/ledger.h"
#include "plugin/formats/recording/bounded_rows.h"
#include "plugin/formats/recording/objects.h"
#include "plugin/formats/recording/sample.h"
#include "plugin/formats/recording/work.h"
#include "solvers/base/status.h"

/* ---- objects that come and go ------------------------------------------------------------------------------------ */

/* Writes the keys of the old list (ascending) that are not in the present one any more. */
static void writeGone(ukRecordedWorld *t, ukStatement statement, const int64_t *old, int count, const int64_t *now,
                      int left)
{
    for (int i = 0, k = 0; i < count; i++) {
        while (k < left && now[k] < old[i]) k++;
        if (k < left && now[k] == old[i]) continue;
        ukQueuePut(t->recording->queue, statement, (long long)t->step, (long long)old[i]);
    }
}

/* a fresh list takes the place of the old one */
static void replaceKeyList(int64_t **list, int *count, int64_t *now, int left)
{
    free(*list);
    *list = now;
    *count = left;
}

static void fillMass(ukRawMass *mass, const ukBody *b)
{
    dMass m;
    dBodyGetMass(b->handle, &m);
    *mass = (ukRawMass){.key = b->recorded.key, .mass = m.mass, .kinematic = dBodyIsKinematic(b->handle)};
    if (b->massless && !mass->kinematic) mass->mass = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) mass->inertia[3 * i + k] = mass->mass > 0 ? m.I[4 * i + k] : 0;
}

/* false, and nothing is written: no memory */
static bool writeNewBodies(ukRecordedWorld *t, ukWorld *world)
{
    ukRows rows;
    int left = 0;
    const size_t bytes = sizeof t->rows + (size_t)world->body_count * sizeof(ukRawMass);
    int64_t *const now = malloc(((size_t)world->body_count + 1) * sizeof *now);
    if (!now || !ukRowsCallBegin(&rows, t->recording->queue, ukRowsMasses, bytes)) {
        free(now);
        return false;
    }
    memcpy(rows.at, &t->rows, sizeof t->rows);
    ukRawMass *mass = (ukRawMass *)(void *)(rows.at + sizeof t->rows);
    for (ukBody *b = world->oldest_body; b; b = b->newer, mass++) {
        if (b->recorded.key == 0) b->recorded.key = ++t->recording->last.body;
        b->recorded.place = left;
        now[left++] = b->recorded.key;
        fillMass(mass, b);
    }
    rows.at += bytes;
    ukRowsEnd(&rows);
    const int64_t newest = t->bodies > 0 ? t->body[t->bodies - 1] : 0;
    for (const ukBody *b = world->oldest_body; b; b = b->newer)
        if (b->recorded.key > newest) {
            ukObjectsBody(t->recording->queue, b, t->world, t->step);
            ukStartsPutBody(&t->starts, t->recording->queue, b, t->step);
        }
    writeGone(t, ukUpdateBodyDestroyed, t->body, t->bodies, now, left);
    replaceKeyList(&t->body, &t->bodies, now, left);
    return true;
}

static bool writeNewJoints(ukRecordedWorld *t, const ukWorld *world)
{
    int left = 0;
    int64_t *const now = malloc(((size_t)world->joint_count + 1) * sizeof *now);
    for (ukJoint *j = now ? world->oldest_joint : NULL; j; j = j->newer) {
        if (ukIsContact(j)) continue;
        const bool fresh = j->key == 0;
        if (fresh) j->key = ++t->recording->last.joint;
        now[left++] = j->key;
        if (!fresh) continue;
        ukObjectsJoint(t->recording->queue, j, t->world, t->step);
        ukStartsPutJoint(&t->starts, t->recording->queue, j, t->step);
    }
    if (!now) return false;
    writeGone(t, ukUpdateJointDestroyed, t->joint, t->joints, now, left);
    replaceKeyList(&t->joint, &t->joints, now, left);
    return true;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void putEvent(ukRecordedWorld *t, const char *kind, int64_t body, int64_t joint, double value, const char *text)
{
    ukQueuePut(t->recording->queue, ukInsertEvent, (long long)++t->recording->last.event, (long long)t->step,
               (long long)t->world, t->time, kind, body > 0 ? (long long)body : ukNullInt,
               joint > 0 ? (long long)joint : ukNullInt, value, text);
}

static void writeSleep(ukRecordedWorld *t, ukWorld *world)
{
    for (ukBody *b = world->oldest_body; b; b = b->newer) {
        const bool awake = dBodyIsEnabled(b->handle);
        if (awake == b->recorded.awake) continue;
        if (b->recorded.seen) putEvent(t, awake ? "wake" : "sleep", b->recorded.key, 0, (double)NAN, NULL);
        b->recorded.awake = awake;
        b->recorded.seen = true;
    }
}

static void writeMoved(ukRecordedWorld *t, const ukWorld *world)
{
    int from = 0;
    double distance;
    for (int64_t key; (key = ukStartsMoved(&t->starts, world, t->number, &from, &distance));)
        putEvent(t, "moved", key, 0, distance, "its pose was set between two steps");
}

static int64_t keyOf(const ukBody *body)
{
    return body ? body->recorded.key : 0;
}

static void writeTouches(ukRecordedWorld *t, const ukWorld *world)
{
    int64_t key[2];
    size_t from = 0;
    for (const ukJoint *j = world->newest_joint; j; j = j->older) {
        if (!ukIsContact(j) || !j->body[0]) continue;
        const int64_t a = keyOf(j->body[0]), b = keyOf(j->body[1]);
        if (!ukTouchesMeet(&t->touches, a, b, t->step)) continue;
        putEvent(t, "contact_begin", a > b ? a : b, 0, a > b ? (double)b : (double)a, NULL);
    }
    while (ukTouchesEnded(&t->touches, t->step, &from, key))
        putEvent(t, "contact_end", key[1], 0, (double)key[0], NULL);
}

static void writeReport(ukRecordedWorld *t, const ukStepper *s)
{
    const ukReport *const r = &s->report;
    char text[160];
    const int deficit = r->rank >= 0 ? r->active_rows - r->rank : t->deficit;
    if (deficit != t->deficit) {
        snprintf(text, sizeof text, "rank %d of %d active rows", r->rank, r->active_rows);
        putEvent(t, "rank", 0, 0, r->rank, text);
    }
    t->deficit = deficit;
    if (s->world->settings.check != ukCheckOff && !r->ok)
        putEvent(t, "warning", 0, 0, fmax(fmax(r->feasibility, r->stationarity), r->complementarity), "not certified");
    if (r->compromise > 0 && !t->compromised)
        putEvent(t, "warning", 0, 0, r->compromise, "the stated equations could not all be satisfied");
    t->compromised = r->compromise > 0;
    if (s->surge.work > 0)
        putEvent(t, "surge", 0, 0, s->surge.work,
                 "energy without a physical cause: the correction of position errors [J]");
}

static int bodyKey(void *context, const ukBody *body)
{
    (void)context;
    return (int)body->recorded.key;
}

static int jointKey(void *context, const ukJoint *joint)
{
    (void)context;
    return ukIsContact(joint) ? 0 : (int)joint->key;
}

static void writeEquations(ukRecordedWorld *t, const ukWorld *world)
{
    static const ukEquationKeys keys = {bodyKey, jointKey, NULL};
    ukEquationsPut(t->recording->queue, t->step, world->stepper->islands, world->stepper->island_count, &keys,
                   &t->equation);
}

/* Before the first step that is recorded: time and settings are those that it began with. */
static void putWorldOnce(ukRecordedWorld *t, const ukWorld *world, double taken)
{
    if (t->introduced) return;
    t->introduced = true;
    t->time = world->settings.time - taken;
    ukObjectsWorld(t->recording->queue, world, t->world, t->time);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool isRowDue(ukRecordedWorld *t)
{
    const ukRecordOptions *const o = &t->recording->options;
    if (o->every_step) return true;
    if (t->time < t->next * (1 - 1e-12)) return false;
    const double interval = 1 / o->rate, behind = floor((t->time - t->next) / interval + 1e-9);
    t->next += interval * (fmax(behind, 0) + 1);
    return true;
}

void ukTapeBefore(ukRecordedWorld *t, const ukWorld *world)
{
    const bool changed = ukStartsSearch(&t->starts, world);
    if (world->lent) world->lent->untouched = !changed;
}

void ukTapeStep(ukRecordedWorld *t, ukWorld *world, double h, double seconds, bool ours)
{
    ukRecording *const r = t->recording;
    const bool first = t->number == 0;
    putWorldOnce(t, world, ours ? h : 0);
    t->step = ++r->last.step;
    t->number++;
    t->time += h;
    if (first) t->next = t->time;
    if (t->changes != world->changes) {
        if (!writeNewBodies(t, world) || !writeNewJoints(t, world)) return;
        t->changes = world->changes;
    }
    if (first) t->shapes.next = t->time;
    ukShapesSearch(&t->shapes, &r->meshes, r->queue, world, t->world, &r->last.shape, t->time);
    const bool rows = isRowDue(t);
    const bool turned = ukSampleStep(t, world, h, seconds, ours, rows);
    if (rows && ours) ukBoundedRowsPut(t->recording->queue, world, t->step);
    ukWorkTake(t, world, rows, ours);
    if (ours && t->recording->options.certificates) writeEquations(t, world);
    if (turned) writeSleep(t, world);
    writeMoved(t, world);
    ukStartsKeep(&t->starts, world, ours);
    if (world->contacts > 0) writeTouches(t, world);
    if (ours) writeReport(t, world->stepper);
    if (!ours && world->enabled) putEvent(t, "fallback", 0, 0, (double)NAN, ukErrorMessage());
}

void ukTapeFailed(ukRecordedWorld *t, const ukWorld *world)
{
    const int status = ukErrorStatus();
    putWorldOnce(t, world, 0);
    ukStartsFailed(&t->starts);
    putEvent(t, status == ukErrorContradiction ? "conflict" : "refused", 0, 0, status, ukErrorMessage());
}

void ukTapeMark(ukRecordedWorld *t, const char *kind, int64_t body, int64_t joint, double value, const char *text)
{
    if (t->step > 0 && ukQueueTakes(t->recording->queue)) putEvent(t, kind, body, joint, value, text);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void forgetKeys(ukWorld *world)
{
    for (ukBody *b = world->oldest_body; b; b = b->newer) memset(&b->recorded, 0, sizeof b->recorded);
    for (ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (!ukIsContact(j)) j->key = 0;
}

ukRecordedWorld *ukTapeBegin(ukWorld *world, ukRecording *recording)
{
    ukRecordedWorld *const t = calloc(1, sizeof *t);
    if (!t || !(t->rows = calloc(1, sizeof *t->rows)) || !(t->book = calloc(1, sizeof *t->book))) {
        free(t ? t->rows : NULL);
        free(t);
        return NULL;
    }
    t->recording = recording;
    t->world = t->rows->world = ++recording->last.world;
    forgetKeys(world);
    if (world->enabled && recording->options.every_step) ukLedgerSwitch(world, true); /* no memory: no ledger_step */
    ukLedgerLend(world, t->book);
    recording->tapes++;
    return t;
}

void ukTapeEnd(ukRecordedWorld *t, ukWorld *world)
{
    ukQueueFlush(t->recording->queue);
    t->recording->tapes--;
    if (world) world->tape = NULL;
    free(t->book);
    free(t->rows->mass);
    free(t->rows);
    free(t->body);
    free(t->joint);
    free(t->equation.memory);
    ukStartsFree(&t->starts);
    ukTouchesFree(&t->touches);
    ukShapesFree(&t->shapes);
    ukUniqueFree(&t->unique);
    free(t);
}
