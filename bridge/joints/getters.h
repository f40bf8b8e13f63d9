/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/getters.h: the results of ODE's getters for a joint, by its type. */
#ifndef UKODE_BRIDGE_JOINTS_GETTERS_H
#define UKODE_BRIDGE_JOINTS_GETTERS_H

#include "bridge/world/record.h"

typedef struct ukJointGetters {
    dJointType type;
    void (*anchor)(dJointID, dVector3);   /* NULL: it has none, and so on */
    void (*anchor_2)(dJointID, dVector3); /* of the second body, where the joint is to keep it at the first one's */
    void (*axis_1)(dJointID, dVector3);
    void (*axis_2)(dJointID, dVector3);
    dReal (*parameter)(dJointID, int);
    int (*mode)(dJointID); /* of a motor about axes of its own: dAMotorUser, dAMotorEuler */
    int groups;            /* of parameters */
    bool stops;            /* parameters of stops and motors, not only its own ERP and CFM */
    bool suspension;
    int moves; /* how many angles and rates there are, in this order: */
    dReal (*angle[3])(dJointID);
    dReal (*rate[3])(dJointID);
} ukJointGetters;

/* NULL: nothing can be asked of that type. */
const ukJointGetters *ukJointGettersOf(dJointType type);
/* Angles [rad] or positions [m] and their rates; NaN where there is no getter. */
void ukJointMoves(const ukJoint *joint, double angle[3], double rate[3]);

#endif
