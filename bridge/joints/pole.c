/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/joints/pole.h"

#include <string.h>

#include "bridge/joints/class.h"
#include "bridge/joints/gimbal.h"
#include "bridge/joints/label.h"

static bool actsAboutAxes(const ukJoint *joint, bool stops)
{
    stops |= !ukGimbalProper(joint);
    for (int i = 0; i < joint->of.axes.count; i++)
        if (joint->motor[i].fmax > 0 || (stops && ukStopsTested(&joint->motor[i]))) return true;
    return false;
}

/* the sine of the angle between axes 1 and 3; 1: the joint has no Euler angles */
static double sineOf(const ukJoint *joint)
{
    ukTurn turn[3];
    int motor[3];
    if (joint->of.axes.mode != dAMotorEuler || !joint->body[0]) return 1;
    const ukState a = ukStateOf(joint->body[0]), b = joint->body[1] ? ukStateOf(joint->body[1]) : a;
    return joint->class->turns(joint, &a, joint->body[1] ? &b : NULL, ukTurnNeedSine, motor, turn) > 0 ? turn[0].sine
                                                                                                       : 1;
}

double ukPoleNearest(const ukWorld *world, double below, bool stops, char joint[ukPoleLength])
{
    const ukJoint *nearest = NULL;
    double least = below;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) {
        if (!j->handle || !j->class->motor || !j->class->turns) continue;
        ukJoint now; /* read by getters: in a world that ODE steps, the record is not refreshed */
        memcpy(&now, j, j->class->record == ukRecordRunning ? ukRunningBytes : ukMotorsBytes);
        if (j->class->refresh && (j->stale || !j->observed)) j->class->refresh(&now);
        const double sine = actsAboutAxes(&now, stops) ? sineOf(&now) : 1;
        if (sine < least) least = sine, nearest = j;
    }
    if (!nearest) return 1;
    ukJointLabel(nearest, joint, ukPoleLength);
    return least;
}
