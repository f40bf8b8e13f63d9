/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/joints/getters.h: the results of ODE's getters for a joint, by its type. */
#ifndef UKODE_BRIDGE_JOINTS_GETTERS_H
#define UKODE_BRIDGE_JOINTS_GETTERS_H

#include "bridge/world/record.h"

/* Getters of ODE. A table contains the places where they are stored, because ODE's functions are members of a table
 * that is filled when the program is loaded (bridge/ode/names.h). */
typedef void (*const *ukVectorGetter)(dJointID, dVector3);
typedef dReal (*const *ukNumberGetter)(dJointID);
typedef dReal (*const *ukParameterGetter)(dJointID, int);
typedef int (*const *ukModeGetter)(dJointID);

typedef struct ukJointGetters {
    dJointType type;
    ukVectorGetter anchor;   /* NULL: the joint has no anchor; likewise for the others */
    ukVectorGetter anchor_2; /* of the second body, if the joint keeps it at the first one's anchor */
    ukVectorGetter axis_1, axis_2;
    ukParameterGetter parameter;
    ukModeGetter mode; /* of a motor with its own axes: dAMotorUser, dAMotorEuler */
    int groups;        /* number of parameter groups */
    bool stops;        /* the parameters include those of stops and motors, not only ERP and CFM */
    bool suspension;
    int moves; /* number of angles and rates, in this order: */
    ukNumberGetter angle[3], rate[3];
} ukJointGetters;

/* NULL: the type has no getters. */
const ukJointGetters *ukJointGettersOf(dJointType type);
/* Angles [rad] or positions [m] and their rates; NaN where there is no getter. */
void ukJointMoves(const ukJoint *joint, double angle[3], double rate[3]);

#endif
