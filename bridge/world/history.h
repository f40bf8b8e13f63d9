/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/world/history.h: how a joint was set up: dJointAttach and the setters of its anchors, axes and modes, each
 * with its bodies' poses at that moment. ODE has no getters for all values that follow from these calls: where a
 * recording of inputs begins in the middle of a run, they are recorded again (plugin/formats/inputs/begin.c).
 *
 * A setter that is called again replaces its earlier call. Some 400 bytes per joint; contacts have none. */
#ifndef UKODE_BRIDGE_WORLD_HISTORY_H
#define UKODE_BRIDGE_WORLD_HISTORY_H

#include "bridge/world/record.h"

enum { ukPoseWords = 16 /* position, quaternion, rotation */ };

/* The arguments of a setter. */
typedef struct ukSetting {
    int setter; /* ukSetter */
    int i, rel;
    const dReal *x; /* (6) */
    bool placed;    /* it depends on the poses of this moment */
} ukSetting;

/* Poses of the joint's internal a and b when something was set; serial 0: there was no such body. */
typedef struct ukMoment {
    uint64_t serial[2];
    double pose[2][ukPoseWords];
} ukMoment;

typedef struct ukAct {
    short setter; /* ukSetter; ukSetterNone: dJointAttach */
    short moment;
    int i, rel;
    union {
        double x[6];
        uint64_t body[2]; /* serials of the user's bodies 1 and 2 */
    };
} ukAct;

typedef struct ukHistory {
    ukAct *act;       /* (acts) in their order */
    ukMoment *moment; /* (moments) */
    int acts, moments;
    size_t act_capacity, moment_capacity;
} ukHistory;

/* After ODE's own has returned. Without memory the joint has no history any more. */
void ukHistoryAttach(ukJoint *joint);
void ukHistorySet(ukJoint *joint, const ukSetting *setting);
void ukHistoryFree(ukJoint *joint);

/* ODE's own of a pose: position (3), quaternion (4), rotation (9). */
void ukPoseOf(const ukBody *body, double pose[ukPoseWords]);

#endif
