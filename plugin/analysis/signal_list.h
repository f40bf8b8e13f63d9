/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/signal_list.h: inputs and outputs as text: words separated by commas,
 *
 *   motors          inputs: the velocity of each motor whose largest force is not 0
 *   joints          inputs: the force along each axis of each joint; outputs: position and rate of each
 *   force:JOINT[.AXIS], motor:JOINT[.AXIS], push:BODY.AXIS                                            inputs
 *   position:JOINT[.AXIS], rate:JOINT[.AXIS], reaction:JOINT.AXIS, place:BODY.AXIS, speed:BODY.AXIS   outputs
 *
 * JOINT and BODY are a name or a number, in the order of creation from 1; AXIS is that of ukSignal, 0 unless given. */
#ifndef UKODE_PLUGIN_ANALYSIS_SIGNAL_LIST_H
#define UKODE_PLUGIN_ANALYSIS_SIGNAL_LIST_H

#include <ukode/analysis.h>

#include "bridge/world/record.h"

enum { ukMostSignals = 256 };

typedef struct ukSignalList {
    int count;
    ukSignal signal[ukMostSignals];
    char name[ukMostSignals][96];
} ukSignalList;

/* ukOk; ukErrorArgument: a word that names nothing; the message has it. */
int ukSignalListRead(ukWorld *world, const char *text, bool input, ukSignalList *list);

/* The body with a name or a number; NULL: there is none. */
const ukBody *ukBodyNamed(const ukWorld *world, const char *text);

/* "elbow", or "hinge joint 3"; "link", or "body 2" */
void ukSignalJointLabel(const ukJoint *joint, char *label, size_t size);
void ukBodyLabel(const ukBody *body, char *label, size_t size);

#endif
