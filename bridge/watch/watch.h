/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/watch/watch.h: called by the interposer for the life of worlds, bodies, joints and groups: creates and
 * destroys their records. Each function is called after ODE's own has succeeded, or before ODE destroys an object; all
 * are idempotent and safe for unknown handles. */
#ifndef UKODE_BRIDGE_WATCH_WATCH_H
#define UKODE_BRIDGE_WATCH_WATCH_H

#include "bridge/joints/class.h"

/* Notifications by the interposer, after ODE's own call succeeded, or before one that destroys an object. All are
 * idempotent and safe for unknown handles. */
void ukWatchWorldCreated(dWorldID world);
void ukWatchWorldDestroyed(dWorldID world);
void ukWatchBodyCreated(dWorldID world, dBodyID body);
void ukWatchBodyDestroyed(dBodyID body);
void ukWatchJointCreated(dWorldID world, dJointID joint, dJointGroupID group, dJointType type, const dContact *contact);
void ukWatchJointDestroyed(dJointID joint); /* ODE ignores the call for a grouped joint, and so does this */
void ukWatchGroupCreated(dJointGroupID group);
void ukWatchGroupEmptied(dJointGroupID group);
void ukWatchGroupDestroyed(dJointGroupID group);
void ukWatchJointAttached(dJointID joint); /* reads the new bodies through dJointGetBody */
void ukWatchBodyChanged(dBodyID body);     /* mass, kind, enabled or disabled: counted in `changes` */
void ukWatchJointChanged(dJointID joint);  /* enabled or disabled */

/* Enter and leave a step: while inside, records of destroyed objects are kept (handle NULL). */
void ukWatchStepBegin(ukWorld *world);
void ukWatchStepEnd(ukWorld *world); /* may free `world` itself if it was destroyed in a callback */

/* A joint's setter was called. */
void ukJointNoted(dJointID joint, const ukNote *note);

#endif
