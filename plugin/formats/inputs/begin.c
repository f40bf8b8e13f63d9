/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/inputs/begin.h"

#include <stdlib.h>

#include "bridge/joints/class.h"
#include "bridge/ode/setter.h"

/* ---- bodies that are gone ---------------------------------------------------------------------------------------- */

/* Bodies to which a joint was attached when a setter was called that is still in effect; serials, ascending. */
typedef struct Former {
    uint64_t *serial;
    size_t count;
} Former;

static int compareSerials(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* Finds the serials in joints' histories that no body has any more; false: no memory. */
static bool findFormer(const ukWorld *world, Former *former)
{
    size_t most = 0, count = 0;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (!ukIsContact(j) && j->history) most += 2 * (size_t)j->history->acts;
    uint64_t *const serial = malloc((most + 1) * sizeof *serial);
    *former = (Former){.serial = serial};
    if (!serial) return false;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer)
        for (int k = 0; !ukIsContact(j) && j->history && k < j->history->acts; k++)
            for (int i = 0; i < 2 && j->history->act[k].setter == ukSetterNone; i++)
                serial[count++] = j->history->act[k].body[i];
    qsort(serial, count, sizeof *serial, compareSerials);
    const ukBody *b = world->oldest_body;
    uint64_t last = 0;
    for (size_t k = 0; k < count; k++) {
        while (b && b->serial < serial[k]) b = b->newer;
        if (serial[k] == last || (b && b->serial == serial[k])) continue;
        last = former->serial[former->count++] = serial[k];
    }
    return true;
}

static void writeBodiesWithGaps(const ukWorld *world, const Former *former)
{
    size_t k = 0;
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        for (; k < former->count && former->serial[k] < b->serial; k++)
            ukJournalFormerBody(world, former->serial[k], false);
        ukJournalBody(b);
    }
    for (; k < former->count; k++) ukJournalFormerBody(world, former->serial[k], false);
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

/* Writes the calls that have set up the joint; a body that was destroyed in between counts as not attached. */
static void writeHistory(const ukJoint *joint)
{
    static const ukAct detach = {.setter = ukSetterNone};
    static const ukMoment nowhere;
    const ukHistory *const h = joint->history;
    bool attached = false;
    for (int k = 0; h && k < h->acts; k++) {
        const ukAct *const act = &h->act[k];
        const ukMoment *const moment = &h->moment[act->moment];
        const bool attach = act->setter == ukSetterNone;
        if (!attach && attached && moment->serial[0] == 0) {
            ukJournalAct(joint, &detach, &nowhere);
            attached = false;
        }
        ukJournalAct(joint, act, moment);
        if (attach) attached = moment->serial[0] != 0;
    }
}

/* whether all joints that its bodies had before it are written */
static bool isNext(const ukJoint *joint, const ukMap *written)
{
    for (int k = 0; k < 2; k++) {
        const ukJointNode *const older = joint->body[k] ? joint->node[k].next : NULL;
        if (older && !ukMapFind(written, older->joint)) return false;
    }
    return true;
}

static void writeAttachments(const ukWorld *world)
{
    ukMap written = {0};
    int left = world->joint_count;
    for (int before = left + 1; left > 0 && left < before;) {
        before = left;
        for (ukJoint *j = world->oldest_joint; j; j = j->newer) {
            if (ukMapFind(&written, j) || !isNext(j, &written)) continue;
            if (!ukMapPut(&written, j, j)) world->journal->bytes.failed = true;
            left--;
            if (!ukIsContact(j))
                writeHistory(j);
            else if (j->body[0])
                ukJournalAttach(j, true);
        }
    }
    free(written.entries);
}

void ukBeginWrite(const ukWorld *world)
{
    Former former;
    if (!findFormer(world, &former)) world->journal->bytes.failed = true;
    writeBodiesWithGaps(world, &former);
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) ukJournalJoint(j, ukIsContact(j));
    writeAttachments(world);
    for (size_t k = 0; k < former.count; k++) ukJournalFormerBody(world, former.serial[k], true);
    free(former.serial);
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (!dJointIsEnabled(j->handle)) ukJournalSwitch(j, ukIsContact(j), false);
    for (const ukElement *e = world->oldest_element; e; e = e->newer) {
        const struct ukConstraint *const c = e->is_force ? NULL : (const struct ukConstraint *)e;
        const size_t numbers = c ? (size_t)c->rows * (size_t)c->rows : 0;
        ukJournalElement(e, c ? c->rows : 0);
        for (int i = 0; c && c->limit && i < c->rows; i++) {
            ukJournalRowLimit(e, i, &c->limit[i]);
            if (c->limit[i].restitution > 0) ukJournalRestitution(e, i, c->limit[i].restitution);
        }
        if (c && c->weight) ukJournalWeight(e, c->weight + numbers, numbers);
        if (c && c->servo) ukJournalActuators(e, c->servo);
    }
    if (world->switches.count > 0) ukJournalSwitchTimes(world);
}
