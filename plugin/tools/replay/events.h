/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/replay/events.h: executes each event of a recording's inputs (bridge/world/journal.h). */
#ifndef UKODE_PLUGIN_TOOLS_REPLAY_EVENTS_H
#define UKODE_PLUGIN_TOOLS_REPLAY_EVENTS_H

#include "plugin/tools/replay/state.h"

/* ---- body.c ---- */
void ukBuildBody(ukBuild *b, ukByteReader *r);
void ukBuildBodyGone(ukBuild *b, ukByteReader *r);
void ukBuildBodyEnabled(ukBuild *b, ukByteReader *r);
void ukBuildBodySamples(ukBuild *b, ukByteReader *r);

/* ---- joint.c ---- */
void ukBuildWorldRule(ukBuild *b, ukByteReader *r);
void ukBuildJoint(ukBuild *b, ukByteReader *r);
void ukBuildContact(ukBuild *b, ukByteReader *r);
void ukBuildJointGone(ukBuild *b, ukByteReader *r);
void ukBuildAttach(ukBuild *b, ukByteReader *r);
void ukBuildSwitch(ukBuild *b, ukByteReader *r);
void ukBuildSetter(ukBuild *b, ukByteReader *r);
void ukBuildSet(ukBuild *b, ukByteReader *r);

/* ---- element.c: constraints, forces, laws ---- */
void ukBuildElement(ukBuild *b, ukByteReader *r);
void ukBuildElementGone(ukBuild *b, ukByteReader *r);
void ukBuildRowLimit(ukBuild *b, ukByteReader *r);
void ukBuildRestitution(ukBuild *b, ukByteReader *r);
void ukBuildWeight(ukBuild *b, ukByteReader *r);
void ukBuildActuators(ukBuild *b, ukByteReader *r);
void ukBuildAnswer(ukBuild *b, ukByteReader *r);
void ukBuildLawFields(ukBuild *b, ukByteReader *r);
void ukBuildContactLawGone(ukBuild *b, uint64_t number); /* with its contact, after it */

/* Reads the mask of the fields, which is returned, and the fields. */
uint64_t ukBuildReadFields(ukByteReader *r, double *field, int fields);

#endif
