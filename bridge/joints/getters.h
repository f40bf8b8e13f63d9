/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/getters.h: the results of ODE's getters for a joint, by its type. */
#ifndef UKODE_BRIDGE_JOINTS_GETTERS_H
#define UKODE_BRIDGE_JOINTS_GETTERS_H

#include "bridge/world/record.h"

typedef struct ukJointGetters {
    dJointType type;
    void (*anchor)(dJointID, dVector3);   /* NULL: the joint has no anchor; likewise for the others */
    void (*anchor_2)(dJointID, dVector3); /* of the second body, if the joint keeps it at the first one's anchor */
    void (*axis_1)(dJointID, dVector3);
    void (*axis_2)(dJointID, dVector3);
    dReal (*parameter)(dJointID, int);
    int (*mode)(dJointID); /* of a motor with its own axes: dAMotorUser, dAMotorEuler */
    int groups;            /* number of parameter groups */
    bool stops;            /* the parameters include those of stops and motors, not only ERP and CFM */
    bool suspension;
    int moves; /* number of angles and rates, in this order: */
    dReal (*angle[3])(dJointID);
    dReal (*rate[3])(dJointID);
} ukJointGetters;

/* NULL: the type has no getters. */
const ukJointGetters *ukJointGettersOf(dJointType type);
/* Angles [rad] or positions [m] and their rates; NaN where there is no getter. */
void ukJointMoves(const ukJoint *joint, double angle[3], double rate[3]);

#endif
