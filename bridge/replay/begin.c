/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/replay/begin.h"

#include <stdlib.h>

#include "bridge/joints/class.h"
#include "bridge/ode/setter.h"

static bool isHere(const ukWorld *world, uint64_t serial)
{
    const ukBody *b = world->oldest_body;
    while (b && b->serial < serial) b = b->newer;
    return serial == 0 || (b && b->serial == serial);
}

static bool isMode(int setter)
{
    return setter == ukSetter_dJointSetAMotorMode || setter == ukSetter_dJointSetAMotorNumAxes ||
           setter == ukSetter_dJointSetLMotorNumAxes || setter == ukSetter_dJointSetTransmissionMode;
}

/* what set it up; an attachment to a body that is gone has ended, and what was placed meanwhile left nothing */
static void tellHistory(const ukJoint *joint)
{
    static const ukAct detach = {.setter = ukSetterNone};
    static const ukMoment nowhere;
    const ukHistory *const h = joint->history;
    bool gone = false;
    for (int k = 0; h && k < h->acts; k++) {
        const ukAct *const act = &h->act[k];
        const bool attach = act->setter == ukSetterNone;
        if (attach) gone = !isHere(joint->world, act->body[0]) || !isHere(joint->world, act->body[1]);
        if (attach && gone)
            ukJournalAct(joint, &detach, &nowhere);
        else if (!gone || isMode(act->setter))
            ukJournalAct(joint, act, gone ? &nowhere : &h->moment[act->moment]);
    }
}

/* whether all joints that its bodies had before it were told */
static bool isNext(const ukJoint *joint, const ukMap *told)
{
    for (int k = 0; k < 2; k++) {
        const ukJointNode *const older = joint->body[k] ? joint->node[k].next : NULL;
        if (older && !ukMapFind(told, older->joint)) return false;
    }
    return true;
}

static void tellAttachments(const ukWorld *world)
{
    ukMap told = {0};
    int left = world->joint_count;
    for (int before = left + 1; left > 0 && left < before;) {
        before = left;
        for (ukJoint *j = world->oldest_joint; j; j = j->newer) {
            if (ukMapFind(&told, j) || !isNext(j, &told)) continue;
            if (!ukMapPut(&told, j, j)) world->journal->bytes.failed = true;
            left--;
            if (!ukIsContact(j))
                tellHistory(j);
            else if (j->body[0])
                ukJournalAttach(j, true);
        }
    }
    free(told.entries);
}

void ukBeginTell(const ukWorld *world)
{
    for (ukBody *b = world->oldest_body; b; b = b->newer) ukJournalBody(b);
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) ukJournalJoint(j, ukIsContact(j));
    tellAttachments(world);
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (!dJointIsEnabled(j->handle)) ukJournalSwitch(j, ukIsContact(j), false);
    for (const ukElement *e = world->oldest_element; e; e = e->newer)
        ukJournalElement(e, e->is_force ? 0 : ((const struct ukConstraint *)e)->rows);
}
