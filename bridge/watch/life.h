/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/watch/life.h: creates records, attaches them to one another, and destroys them. Under the registry's lock,
 * which the callers hold (watch.c, discover.c). New ones are at the end of their lists. A record under the same handle
 * belongs to an object whose destruction was not observed: it is destroyed. Records that are destroyed while their
 * world steps stay in memory (handle NULL). */
#ifndef UKODE_BRIDGE_WATCH_LIFE_H
#define UKODE_BRIDGE_WATCH_LIFE_H

#include "bridge/joints/class.h"

/* NULL: no memory; or, of a world, ODE cannot be used. */
ukWorld *ukLifeWorldBegin(dWorldID handle);
ukBody *ukLifeBodyBegin(ukWorld *world, dBodyID handle);
ukJoint *ukLifeJointBegin(ukWorld *world, dJointID handle, dJointType type);
/* The body's record, made if it has none (it is older than the library, or was made beyond its reach); NULL: no
 * memory. */
ukBody *ukLifeBodyAdopt(ukWorld *world, dBodyID handle);
/* The group's record, made if it has none; NULL: no memory. */
ukGroup *ukLifeGroup(dJointGroupID handle);
void ukLifeGroupEnter(ukJoint *joint, ukGroup *group);

/* ODE's bodies of the joint become the record's; ODE puts the joint into a's list first, then into b's. false: no
 * memory, and the record is detached. */
bool ukLifeJointAttach(ukJoint *joint);

/* With all that is in them; joints of groups outlive their world, detached. */
void ukLifeWorldEnd(ukWorld *world);
void ukLifeBodyEnd(ukBody *body);
void ukLifeJointEnd(ukJoint *joint);
void ukLifeGroupEnd(ukGroup *group); /* an empty one */
/* The world does not step any more: what ended meanwhile is given back, the world itself if it was destroyed. */
void ukLifeStepEnd(ukWorld *world);

#endif
