/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/history.h"

#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/ode/setter.h"

enum { Attachments = 4 /* of a joint that are kept */ };

void ukPoseOf(const ukBody *body, double pose[ukPoseWords])
{
    memcpy(pose, body->position, 3 * sizeof *pose);
    memcpy(pose + 3, body->quaternion, 4 * sizeof *pose);
    for (int i = 0; i < 3; i++) memcpy(pose + 7 + 3 * i, body->rotation + 4 * i, 3 * sizeof *pose);
}

void ukHistoryFree(ukJoint *joint)
{
    ukHistory *const h = joint->history;
    joint->history = NULL;
    if (!h) return;
    free(h->act);
    free(h->moment);
    free(h);
}

static bool isMomentUsed(const ukHistory *h, int moment)
{
    for (int k = 0; k < h->acts; k++)
        if (h->act[k].moment == moment) return true;
    return false;
}

/* Index of the moment with the present poses of the joint's bodies: an equal one, or a new one, in the place of one
 * that is not used any more; -1: no memory. */
static int momentOf(ukHistory *h, const ukJoint *joint)
{
    ukMoment now;
    memset(&now, 0, sizeof now);
    for (int k = 0; k < 2; k++) {
        if (!joint->body[k]) continue;
        now.serial[k] = joint->body[k]->serial;
        ukPoseOf(joint->body[k], now.pose[k]);
    }
    int free_one = h->moments;
    for (int k = h->moments - 1; k >= 0; k--) {
        if (memcmp(&h->moment[k], &now, sizeof now) == 0) return k;
        if (!isMomentUsed(h, k)) free_one = k;
    }
    if (!ukArrayReserve(&h->moment, sizeof *h->moment, (size_t)free_one + 1, &h->moment_capacity)) return -1;
    h->moment[free_one] = now;
    if (free_one == h->moments) h->moments++;
    return free_one;
}

static void removeAct(ukHistory *h, int k)
{
    h->acts--;
    memmove(h->act + k, h->act + k + 1, (size_t)(h->acts - k) * sizeof *h->act);
}

/* Appends an act, and removes those that it replaces; NULL: no memory. */
static ukAct *historyNext(ukJoint *joint, int setter, int i)
{
    if (!joint->history) joint->history = calloc(1, sizeof *joint->history);
    ukHistory *const h = joint->history;
    int attachments = 0;
    for (int k = h ? h->acts - 1 : -1; k >= 0; k--) {
        const ukAct *act = &h->act[k];
        attachments += act->setter == ukSetterNone;
        if (act->setter != setter || act->i != i) continue;
        /* without a body few setters do anything */
        const bool replaced = joint->body[0] || h->moment[act->moment].serial[0] == 0;
        if (setter != ukSetterNone ? replaced : attachments == Attachments) removeAct(h, k);
    }
    const bool room = h && ukArrayReserve(&h->act, sizeof *h->act, (size_t)h->acts + 1, &h->act_capacity);
    const int moment = room ? momentOf(h, joint) : -1;
    if (moment < 0) {
        ukHistoryFree(joint);
        return NULL;
    }
    ukAct *const act = &h->act[h->acts++];
    *act = (ukAct){.setter = (short)setter, .moment = (short)moment, .i = i};
    return act;
}

void ukHistoryAttach(ukJoint *joint)
{
    ukAct *const act = historyNext(joint, ukSetterNone, 0);
    for (int k = 0; act && k < 2; k++) {
        const ukBody *const body = joint->body[joint->reverse ? 1 - k : k];
        act->body[k] = body ? body->serial : 0;
    }
}

void ukHistorySet(ukJoint *joint, const ukSetting *setting)
{
    ukAct *const act = historyNext(joint, setting->setter, setting->i);
    if (!act) return;
    act->rel = setting->rel;
    memcpy(act->x, setting->x, sizeof act->x);
}
