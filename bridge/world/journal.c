/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/journal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/ode/setter.h"

bool ukJournalByDefault;

static void writeEvent(ukJournal *journal, ukEvent what)
{
    ukBytesNumber(&journal->bytes, what);
}

ukJournal *ukJournalBegin(ukWorld *world)
{
    if (world->journal) return world->journal;
    ukJournal *journal = world->journal = calloc(1, sizeof *journal);
    if (journal) journal->rule[0] = journal->rule[1] = (double)NAN; /* unknown: it must be recorded */
    if (journal && world->rules) {
        writeEvent(journal, ukEventRules);
        ukBytesNumber(&journal->bytes, world->rules);
    }
    return journal;
}

void ukJournalEnd(ukWorld *world)
{
    ukJournal *journal = world->journal;
    if (!journal) return;
    world->journal = NULL;
    if (journal->ended) journal->ended(journal);
    ukBytesFree(&journal->bytes);
    free(journal->geoms.entries);
    free(journal->surface);
    free(journal->table);
    free(journal);
}

/* number of a new object: how many were left out since the last one */
static void writeSerialGap(ukJournal *journal, uint64_t *last, uint64_t serial)
{
    ukBytesNumber(&journal->bytes, serial - *last - 1);
    *last = serial;
}

static void writeJointNumber(ukJournal *journal, const ukJoint *joint, bool contact)
{
    const uint64_t number = contact ? journal->contacts - joint->serial : joint->serial;
    ukBytesNumber(&journal->bytes, 2 * number + contact);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void recordBodyState(ukJournal *journal, uint64_t serial, int steps_left, double time_left)
{
    writeEvent(journal, ukEventBody);
    writeSerialGap(journal, &journal->bodies, serial);
    ukBytesNumber(&journal->bytes, (uint64_t)(int64_t)steps_left); /* below 0 while there is time left */
    ukBytesDoubles(&journal->bytes, &time_left, 1);
}

static void recordBodyEvent(ukJournal *journal, ukEvent what, uint64_t serial)
{
    writeEvent(journal, what);
    ukBytesNumber(&journal->bytes, serial);
    if (what == ukEventBodyGone)
        memset(journal->written, 0, sizeof journal->written); /* the reader puts all bodies back */
}

void ukJournalBody(const ukBody *body)
{
    ukJournal *journal = ukJournalOf(body->world);
    if (journal) recordBodyState(journal, body->serial, body->sleep.steps_left, body->sleep.time_left);
}

void ukJournalBodyEvent(ukBody *body, ukEvent what)
{
    ukJournal *journal = ukJournalOf(body->world);
    if (!journal) return;
    recordBodyEvent(journal, what, body->serial);
    body->woken |= what == ukEventBodyEnabled;
}

void ukJournalFormerBody(const ukWorld *world, uint64_t serial, bool gone)
{
    ukJournal *journal = ukJournalOf(world);
    if (!journal) return;
    if (gone)
        recordBodyEvent(journal, ukEventBodyGone, serial);
    else
        recordBodyState(journal, serial, 0, 0);
}

/* whether R is what ODE makes of q */
static bool isRotationOf(const double pose[ukPoseWords])
{
    dMatrix3 R;
    double made[9];
    dQtoR(pose + 3, R);
    for (int i = 0; i < 3; i++) memcpy(made + 3 * i, R + 4 * i, 3 * sizeof *made);
    return memcmp(made, pose + 7, sizeof made) == 0;
}

/* 0: as the reader has it, or no body (serial 0); else how many numbers, and they */
static void putPose(ukJournal *journal, uint64_t serial, const double pose[ukPoseWords])
{
    const size_t slot = serial % ukPosesWritten, size = ukPoseWords * sizeof *pose;
    if (serial == 0 ||
        (journal->written[slot].body == serial && memcmp(journal->written[slot].pose, pose, size) == 0)) {
        ukBytesNumber(&journal->bytes, 0);
        return;
    }
    const int words = isRotationOf(pose) ? 7 : ukPoseWords;
    ukBytesNumber(&journal->bytes, (uint64_t)words);
    ukBytesDoubles(&journal->bytes, pose, words);
    journal->written[slot].body = serial;
    memcpy(journal->written[slot].pose, pose, size);
}

static void recordBodyPose(ukJournal *journal, const ukBody *body)
{
    double pose[ukPoseWords];
    if (body) ukPoseOf(body, pose);
    putPose(journal, body ? body->serial : 0, pose);
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static ukSurface surfaceOf(const dSurfaceParameters *s)
{
    const int mode = s->mode;
    const bool two = mode & dContactAxisDep, rolling = mode & dContactRolling, bounce = mode & dContactBounce;
    double rho[3];
    ukSurfaceRolling(s, rho);
    return (ukSurface){.mode = mode,
                       .mu = s->mu,
                       .mu2 = two ? s->mu2 : 0,
                       .rho = rolling ? rho[0] : 0,
                       .rho2 = rolling && two ? rho[1] : 0,
                       .rhoN = rolling && two ? rho[2] : 0,
                       .bounce = bounce ? s->bounce : 0,
                       .bounce_vel = bounce ? s->bounce_vel : 0,
                       .soft_erp = mode & dContactSoftERP ? s->soft_erp : 0,
                       .soft_cfm = mode & dContactSoftCFM ? s->soft_cfm : 0,
                       .motion1 = mode & dContactMotion1 ? s->motion1 : 0,
                       .motion2 = mode & dContactMotion2 ? s->motion2 : 0,
                       .motionN = mode & dContactMotionN ? s->motionN : 0,
                       .slip1 = mode & dContactSlip1 ? s->slip1 : 0,
                       .slip2 = mode & dContactSlip2 ? s->slip2 : 0};
}

static uint64_t hashSurface(const ukSurface *surface)
{
    uint64_t word[ukSurfaceWords], sum = 0;
    memcpy(word, surface, sizeof word);
    for (int i = 0; i < ukSurfaceWords; i++) {
        sum = (sum ^ word[i]) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
    }
    return sum;
}

static int *slotOf(ukJournal *journal, const ukSurface *surface)
{
    const size_t mask = 4 * (size_t)journal->surface_capacity - 1;
    size_t i = hashSurface(surface) & mask;
    while (journal->table[i] && memcmp(&journal->surface[journal->table[i] - 1], surface, sizeof *surface) != 0)
        i = (i + 1) & mask;
    return &journal->table[i];
}

static bool growSurfaces(ukJournal *journal)
{
    const int capacity = journal->surface_capacity ? 2 * journal->surface_capacity : 64;
    ukSurface *grown = realloc(journal->surface, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    journal->surface = grown;
    int *table = calloc(4 * (size_t)capacity, sizeof *table);
    if (!table) return false;
    free(journal->table);
    journal->table = table;
    journal->surface_capacity = capacity;
    for (int i = 0; i < journal->surfaces; i++) *slotOf(journal, &journal->surface[i]) = i + 1;
    return true;
}

static int surfaceNumber(ukJournal *journal, const dSurfaceParameters *parameters)
{
    const ukSurface surface = surfaceOf(parameters);
    if (journal->surfaces == journal->surface_capacity && !growSurfaces(journal)) {
        journal->bytes.failed = true;
        return 0;
    }
    int *slot = slotOf(journal, &surface);
    if (!*slot) {
        journal->surface[journal->surfaces++] = surface;
        *slot = journal->surfaces;
    }
    return *slot - 1;
}

uint64_t ukJournalGeom(ukJournal *journal, const void *geom)
{
    if (!geom) return 0;
    const uintptr_t known = (uintptr_t)ukMapFind(&journal->geoms, geom);
    if (known) return known;
    if (!ukMapPut(&journal->geoms, geom, (void *)(journal->geom_count + 1))) {
        journal->bytes.failed = true;
        return 0;
    }
    return ++journal->geom_count;
}

static void recordContactData(ukJournal *journal, const ukContact *contact)
{
    double x[10];
    memcpy(x, contact->pos, 3 * sizeof *x);
    memcpy(x + 3, contact->normal, 3 * sizeof *x);
    x[6] = contact->depth;
    if (contact->surface.mode & dContactFDir1)
        memcpy(x + 7, contact->fdir1, 3 * sizeof *x);
    else
        memset(x + 7, 0, 3 * sizeof *x);
    ukBytesNumber(&journal->bytes, ukJournalGeom(journal, contact->g1));
    ukBytesNumber(&journal->bytes, ukJournalGeom(journal, contact->g2));
    ukBytesNumber(&journal->bytes, (uint64_t)surfaceNumber(journal, &contact->surface));
    ukBytesDoubles(&journal->bytes, x, 10);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

void ukJournalJoint(const ukJoint *joint, bool contact)
{
    ukJournal *journal = ukJournalOf(joint->world);
    if (!journal) return;
    if (contact) {
        writeEvent(journal, ukEventContact);
        writeSerialGap(journal, &journal->contacts, joint->serial);
        recordContactData(journal, &joint->contact);
        return;
    }
    const double rule[2] = {dWorldGetERP(joint->world->handle), dWorldGetCFM(joint->world->handle)};
    if (memcmp(rule, journal->rule, sizeof rule) != 0) {
        writeEvent(journal, ukEventWorldRule);
        ukBytesDoubles(&journal->bytes, rule, 2);
        memcpy(journal->rule, rule, sizeof rule);
    }
    writeEvent(journal, ukEventJoint);
    ukBytesNumber(&journal->bytes, (uint64_t)dJointGetType(joint->handle));
    writeSerialGap(journal, &journal->joints, joint->serial);
}

void ukJournalJointGone(const ukJoint *joint, bool contact)
{
    ukJournal *journal = ukJournalOf(joint->world);
    if (!journal) return;
    writeEvent(journal, ukEventJointGone);
    writeJointNumber(journal, joint, contact);
}

void ukJournalAttach(const ukJoint *joint, bool contact)
{
    ukJournal *journal = ukJournalOf(joint->world);
    if (!journal) return;
    writeEvent(journal, ukEventAttach);
    writeJointNumber(journal, joint, contact);
    for (int i = 0; i < 2; i++) {
        const ukBody *body = joint->body[joint->reverse ? 1 - i : i];
        ukBytesNumber(&journal->bytes, body ? body->serial : 0);
    }
    for (int i = 0; i < 2 && !contact; i++) recordBodyPose(journal, joint->body[i]);
}

void ukJournalSwitch(const ukJoint *joint, bool contact, bool enabled)
{
    ukJournal *journal = ukJournalOf(joint->world);
    if (!journal) return;
    writeEvent(journal, ukEventSwitch);
    writeJointNumber(journal, joint, contact);
    ukBytesNumber(&journal->bytes, enabled);
}

static void recordSetterName(ukJournal *journal, int setter)
{
    uint64_t *recorded = &journal->setters[setter / 64];
    const uint64_t bit = (uint64_t)1 << setter % 64;
    if (*recorded & bit) return;
    *recorded |= bit;
    const char *text = ukSetterName((ukSetter)setter);
    writeEvent(journal, ukEventSetter);
    ukBytesNumber(&journal->bytes, (uint64_t)setter);
    ukBytesNumber(&journal->bytes, strlen(text));
    ukBytesRaw(&journal->bytes, text, strlen(text));
}

void ukJournalSet(const ukJoint *joint, const ukSetting *setting)
{
    ukJournal *journal = ukJournalOf(joint->world);
    if (!journal || setting->setter == ukSetterNone) return;
    recordSetterName(journal, setting->setter);
    writeEvent(journal, ukEventSet);
    ukBytesNumber(&journal->bytes, (uint64_t)setting->setter);
    writeJointNumber(journal, joint, false);
    ukBytesNumber(&journal->bytes, (uint64_t)(uint32_t)setting->i);
    ukBytesNumber(&journal->bytes, (uint64_t)(uint32_t)setting->rel);
    ukBytesDoubles(&journal->bytes, setting->x, 6);
    ukBytesNumber(&journal->bytes, setting->placed);
    for (int i = 0; i < 2 && setting->placed; i++) recordBodyPose(journal, joint->body[i]);
}

void ukJournalAct(const ukJoint *joint, const ukAct *act, const ukMoment *moment)
{
    ukJournal *journal = ukJournalOf(joint->world);
    if (!journal) return;
    const bool attach = act->setter == ukSetterNone;
    if (!attach) recordSetterName(journal, act->setter);
    writeEvent(journal, attach ? ukEventAttach : ukEventSet);
    if (!attach) ukBytesNumber(&journal->bytes, (uint64_t)act->setter);
    writeJointNumber(journal, joint, false);
    if (attach) {
        for (int k = 0; k < 2; k++) ukBytesNumber(&journal->bytes, act->body[k]);
    } else {
        ukBytesNumber(&journal->bytes, (uint64_t)(uint32_t)act->i);
        ukBytesNumber(&journal->bytes, (uint64_t)(uint32_t)act->rel);
        ukBytesDoubles(&journal->bytes, act->x, 6);
        ukBytesNumber(&journal->bytes, 1);
    }
    for (int k = 0; k < 2; k++) putPose(journal, moment->serial[k], moment->pose[k]);
}

/* ---- what users add ---------------------------------------------------------------------------------------------- */

void ukJournalElement(const ukElement *element, int rows)
{
    ukJournal *journal = ukJournalOf(element->world);
    if (!journal) return;
    writeEvent(journal, ukEventElement);
    writeSerialGap(journal, &journal->elements, element->serial);
    ukBytesNumber(&journal->bytes, element->is_force ? ukElementIsSwitch(element) ? 2 : 1 : 0);
    ukBytesNumber(&journal->bytes, (uint64_t)rows);
    ukBytesNumber(&journal->bytes, (uint64_t)element->count);
    for (int i = 0; i < element->count; i++)
        ukBytesNumber(&journal->bytes, element->body[i] ? element->body[i]->serial : 0);
}

void ukJournalRowLimit(const ukElement *element, int row, const ukRowBounds *limit)
{
    ukJournal *journal = ukJournalOf(element->world);
    const double bounds[2] = {limit->lo, limit->hi};
    if (!journal) return;
    writeEvent(journal, ukEventRowLimit);
    ukBytesNumber(&journal->bytes, element->serial);
    ukBytesNumber(&journal->bytes, (uint64_t)row);
    ukBytesNumber(&journal->bytes, limit->one_sided);
    ukBytesDoubles(&journal->bytes, bounds, 2);
}

void ukJournalRestitution(const ukElement *element, int row, double restitution)
{
    ukJournal *journal = ukJournalOf(element->world);
    if (!journal) return;
    writeEvent(journal, ukEventRestitution);
    ukBytesNumber(&journal->bytes, element->serial);
    ukBytesNumber(&journal->bytes, (uint64_t)row);
    ukBytesDoubles(&journal->bytes, &restitution, 1);
}

void ukJournalWeight(const ukElement *element, const double *weight, size_t numbers)
{
    ukJournal *journal = ukJournalOf(element->world);
    if (!journal) return;
    writeEvent(journal, ukEventWeight);
    ukBytesNumber(&journal->bytes, element->serial);
    ukBytesNumber(&journal->bytes, numbers);
    for (size_t at = 0; at < numbers; at += 64)
        ukBytesDoubles(&journal->bytes, weight + at, numbers - at < 64 ? (int)(numbers - at) : 64);
}

void ukJournalSwitchTimes(const ukWorld *world)
{
    ukJournal *journal = ukJournalOf(world);
    if (!journal) return;
    writeEvent(journal, ukEventSwitchTimes);
    ukBytesNumber(&journal->bytes, (uint64_t)world->switches.count);
    ukBytesDoubles(&journal->bytes, world->switches.at, world->switches.count);
}

static bool livesIn(const ukWorld *world, const ukServoActuator *a)
{
    for (const ukJoint *j = world->oldest_joint; j && a->joint; j = j->newer)
        if (j == a->joint && j->serial == a->serial && j->handle == a->handle) return true;
    return false;
}

void ukJournalActuators(const ukElement *element, const ukServo *servo)
{
    ukJournal *journal = ukJournalOf(element->world);
    if (!journal) return;
    writeEvent(journal, ukEventActuators);
    ukBytesNumber(&journal->bytes, element->serial);
    ukBytesNumber(&journal->bytes, servo ? (uint64_t)servo->count : 0);
    for (int k = 0; servo && k < servo->count; k++) {
        const ukServoActuator *a = &servo->actuator[k];
        ukBytesNumber(&journal->bytes, a->joint ? 0 : (uint64_t)a->slot + 1);
        if (livesIn(element->world, a))
            writeJointNumber(journal, a->joint, false);
        else if (a->joint)
            ukBytesNumber(&journal->bytes, 0);
        ukBytesNumber(&journal->bytes, (uint64_t)a->axis);
        ukBytesDoubles(&journal->bytes, &a->cost, 1);
    }
}

void ukJournalElementGone(const ukElement *element)
{
    ukJournal *journal = ukJournalOf(element->world);
    if (!journal) return;
    writeEvent(journal, ukEventElementGone);
    ukBytesNumber(&journal->bytes, element->serial);
}

void ukJournalAnswer(const ukWorld *world, const ukAnswer *answer)
{
    ukJournal *journal = ukJournalOf(world);
    if (!journal || !journal->stepping) return;
    writeEvent(journal, ukEventAnswer);
    ukBytesNumber(&journal->bytes, answer->kind);
    ukBytesNumber(&journal->bytes, answer->serial);
    ukBytesNumber(&journal->bytes, answer->failed);
    ukBytesNumber(&journal->bytes, (uint64_t)answer->arrays);
    for (int k = 0; k < answer->arrays; k++) {
        ukBytesNumber(&journal->bytes, answer->array[k].count);
        for (size_t i = 0; i < answer->array[k].count; i += 64) {
            const size_t left = answer->array[k].count - i;
            ukBytesDoubles(&journal->bytes, answer->array[k].x + i, left < 64 ? (int)left : 64);
        }
    }
}

void ukJournalCalled(ukWorld *world, ukBody *body, bool returned)
{
    ukJournal *journal = ukJournalOf(world);
    if (journal && journal->called) journal->called(journal, body, returned);
}

void ukJournalEvaluation(ukWorld *world, int kind, bool done)
{
    ukJournal *journal = ukJournalOf(world);
    if (journal && journal->evaluated) journal->evaluated(journal, kind, done);
}
