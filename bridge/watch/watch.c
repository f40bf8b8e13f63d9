/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/watch/watch.h"

#include "bridge/base/log.h"
#include "bridge/joints/contact.h"
#include "bridge/joints/turn.h"
#include "bridge/ode/copy.h"
#include "bridge/ode/setter.h"
#include "bridge/watch/life.h"
#include "bridge/watch/validate.h"
#include "bridge/world/history.h"
#include "bridge/world/journal.h"
#include "bridge/world/lost.h"
#include "bridge/world/storage.h"
#include "bridge/world/registry.h"
#include "solvers/base/status.h"

/* ---- joints and groups ------------------------------------------------------------------------------------------- */

void ukWatchJointCreated(dWorldID world, dJointID joint, dJointGroupID group, dJointType type, const dContact *contact)
{
    ukRegistryLock();
    ukLostForget(joint);
    ukWorld *w = ukMapFind(&ukRegistry.worlds, world);
    ukGroup *g = w && group ? ukLifeGroup(group) : NULL;
    ukJoint *j = w && (g || !group) ? ukLifeJointBegin(w, joint, type) : NULL;
    if (j) {
        j->observed = true;
        if (g) ukLifeGroupEnter(j, g);
        if (contact) ukContactRecord(j, contact);
        ukJournalJoint(j, ukIsContact(j));
        ukValidateJoint(j);
    } else if (w) {
        ukLostNote(w, "a joint", joint, group);
    }
    ukRegistryUnlock();
}

void ukWatchJointDestroyed(dJointID joint)
{
    ukRegistryLock();
    ukJoint *j = ukMapFind(&ukRegistry.joints, joint);
    if (j && !j->group) ukLifeJointEnd(j);
    if (!j) ukLostDestroyed(joint);
    ukRegistryUnlock();
}

void ukWatchJointAttached(dJointID joint)
{
    ukRegistryLock();
    ukJoint *j = ukMapFind(&ukRegistry.joints, joint);
    if (j) {
        ukLostForget(joint);
        if (!ukLifeJointAttach(j)) ukLostNote(j->world, "a joint's body", joint, j->group ? j->group->handle : NULL);
        for (int k = 0; k < 2; k++)
            if (j->body[k]) ukBodyRead(j->body[k]);
        if (!ukIsContact(j)) ukHistoryAttach(j);
        ukJournalAttach(j, ukIsContact(j));
    }
    ukRegistryUnlock();
}

void ukWatchJointChanged(dJointID joint)
{
    ukRegistryLock();
    const ukJoint *j = ukMapFind(&ukRegistry.joints, joint);
    if (j && j->world) j->world->changes++;
    if (j) ukJournalSwitch(j, ukIsContact(j), dJointIsEnabled(joint));
    ukRegistryUnlock();
}

void ukWatchGroupCreated(dJointGroupID group)
{
    ukRegistryLock();
    ukWatchGroupDestroyed(group); /* of the same address, whose end was not seen */
    ukLifeGroup(group);
    ukRegistryUnlock();
}

void ukWatchGroupEmptied(dJointGroupID group)
{
    ukRegistryLock();
    const ukGroup *g = ukMapFind(&ukRegistry.groups, group);
    while (g && g->first) ukLifeJointEnd(g->first);
    ukLostEmptied(group);
    ukRegistryUnlock();
}

void ukWatchGroupDestroyed(dJointGroupID group)
{
    ukRegistryLock();
    ukWatchGroupEmptied(group);
    ukGroup *g = ukMapFind(&ukRegistry.groups, group);
    if (g) ukLifeGroupEnd(g);
    ukRegistryUnlock();
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

void ukWatchBodyCreated(dWorldID world, dBodyID body)
{
    ukRegistryLock();
    ukLostForget(body);
    ukWorld *w = ukMapFind(&ukRegistry.worlds, world);
    const ukBody *b = w ? ukLifeBodyBegin(w, body) : NULL;
    if (b) ukValidateBody(b);
    if (w && !b) ukLostNote(w, "a body", body, NULL);
    ukRegistryUnlock();
}

void ukWatchBodyDestroyed(dBodyID body)
{
    ukRegistryLock();
    ukBody *b = ukMapFind(&ukRegistry.bodies, body);
    if (b) ukLifeBodyEnd(b);
    if (!b) ukLostDestroyed(body);
    ukRegistryUnlock();
}

void ukWatchBodyChanged(dBodyID body)
{
    ukRegistryLock();
    const ukBody *b = ukMapFind(&ukRegistry.bodies, body);
    if (b) b->world->changes++;
    if (b) ukValidateBody(b);
    ukRegistryUnlock();
}

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

/* The worlds of a plugin that was unloaded with its copy of ODE: another copy is served now. */
static void forgetUnloaded(void)
{
    static unsigned known;
    const unsigned now = ukOdeGeneration();
    while (known != now && known > 0 && ukRegistry.newest_world) ukLifeWorldEnd(ukRegistry.newest_world);
    known = now;
}

void ukWatchWorldCreated(dWorldID world)
{
    ukRegistryLock();
    forgetUnloaded();
    if (!ukLifeWorldBegin(world)) {
        ukErrorSet(ukErrorMemory, "no memory for the record of a world: it is left to ODE");
        ukLog("%s", ukErrorMessage());
    }
    ukRegistryUnlock();
}

void ukWatchWorldDestroyed(dWorldID world)
{
    ukRegistryLock();
    ukWorld *w = ukMapFind(&ukRegistry.worlds, world);
    if (w) ukLifeWorldEnd(w);
    ukRegistryUnlock();
}

void ukWatchStepBegin(ukWorld *world)
{
    ukRegistryLock();
    world->stepping = true;
    ukRegistryUnlock();
}

void ukWatchStepEnd(ukWorld *world)
{
    ukRegistryLock();
    world->stepping = false;
    const bool lives = world->handle != NULL;
    ukLifeStepEnd(world);
    if (lives) ukValidateWorld(world);
    ukRegistryUnlock();
}

/* ---- setters ----------------------------------------------------------------------------------------------------- */

/* attachments have their own event; parameters do not depend on poses */
static void recordSetting(ukJoint *joint, const ukNote *note)
{
    if (note->kind == ukNoteAttach) return;
    const bool placed = note->kind < ukNoteAngle;
    const int i = note->kind == ukNoteParam ? ukParameterNumber(note->i) : note->i;
    const ukSetting setting = {.setter = note->setter, .i = i, .rel = note->rel, .x = note->x, .placed = placed};
    if (placed && note->setter != ukSetterNone && joint->world && !ukIsContact(joint)) ukHistorySet(joint, &setting);
    ukJournalSet(joint, &setting);
}

/* A motor's velocity, which robots set before every step: the rest of the joint's record stays valid. */
static bool velocityNoted(ukJoint *joint, const ukNote *note)
{
    const bool velocity = note->i == dParamVel || note->i == dParamVel2;
    if (note->kind != ukNoteParam || !velocity || joint->stale) return false;
    if (joint->class == &ukPlane2DClass || joint->class->record == ukRecordContact) return false;
    joint->motor[note->i == dParamVel2].vel = note->x[0];
    return true;
}

void ukJointNoted(dJointID handle, const ukNote *note)
{
    ukRegistryLock();
    ukJoint *joint = ukRegistryJoint(handle);
    for (int k = 0; joint && k < 2; k++)
        if (joint->body[k]) ukBodyRead(joint->body[k]);
    if (joint && joint->world) joint->touched = (int32_t)joint->world->steps;
    if (joint && note->kind != ukNoteParam && note->kind != ukNoteSuspension) ukTurnForget(joint);
    if (joint && !velocityNoted(joint, note)) {
        if (joint->class->note)
            joint->class->note(joint, note);
        else
            joint->stale = true;
    }
    if (joint) recordSetting(joint, note);
    if (joint) ukValidateJoint(joint);
    ukRegistryUnlock();
}
