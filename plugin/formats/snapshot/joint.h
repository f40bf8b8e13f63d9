/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/snapshot/joint.h: saves and restores a joint. The properties that the program must have rebuilt are
 * compared: type, bodies, anchors and axes. The rest is restored: parameters, the record's geometry to the bit (it was
 * read from ODE's getters at some earlier pose, which rounds), running values, laws, the last step's reactions, and the
 * contents of its dJointFeedback. */
#ifndef UKODE_PLUGIN_FORMATS_SNAPSHOT_JOINT_H
#define UKODE_PLUGIN_FORMATS_SNAPSHOT_JOINT_H

#include "bridge/base/tape.h"
#include "bridge/world/record.h"
#include "plugin/formats/snapshot/digest.h"

void ukKeepJoint(ukTape *tape, ukJoint *joint, uint64_t number);
/* Transfers the reaction of the last step; NULL: a joint that does not exist (any more), whose words are skipped. */
void ukKeepReaction(ukTape *tape, ukJoint *joint);
void ukKeepJointDigest(ukDigest *digest, const ukJoint *joint);

#endif
