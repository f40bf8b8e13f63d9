/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/watch/watch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/slab.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/contact.h"
#include "bridge/joints/table.h"
#include "bridge/ode/ode.h"
#include "bridge/ode/setter.h"
#include "bridge/user/constraint.h"
#include "bridge/user/law.h"
#include "bridge/watch/validate.h"
#include "bridge/world/history.h"
#include "bridge/world/journal.h"
#include "bridge/world/lost.h"
#include "bridge/world/name.h"
#include "bridge/world/registry.h"
#include "bridge/world/sleep.h"
#include "solvers/base/status.h"

static ukSlab world_pool = {.size = sizeof(ukWorld), .link = offsetof(ukWorld, stepper)};
static ukSlab body_pool = {.size = sizeof(ukBody), .link = offsetof(ukBody, older)};
static ukSlab joint_pool[ukRecordKinds] = {
    [ukRecordContact] = {.size = ukContactBytes, .link = offsetof(ukJoint, older)},
    [ukRecordMotors] = {.size = ukMotorsBytes, .link = offsetof(ukJoint, older)},
    [ukRecordRunning] = {.size = ukRunningBytes, .link = offsetof(ukJoint, older)},
};
/* reactions, of as many rows as the longest of the kind has */
static ukSlab reaction_pool[ukRecordKinds] = {
    [ukRecordContact] = {.size = sizeof(ukReaction) + ukGuesses * 6 * sizeof(double)},
    [ukRecordMotors] = {.size = sizeof(ukReaction) + ukGuesses * ukMaxJointRows * sizeof(double)},
    [ukRecordRunning] = {.size = sizeof(ukReaction) + ukGuesses * ukMaxJointRows * sizeof(double)},
};
static ukSlab group_pool = {.size = sizeof(ukGroup), .link = offsetof(ukGroup, first)};

static ukBody *newBody(ukWorld *world, dBodyID handle);

/* ---- attachment -------------------------------------------------------------------------------------------------- */

static void pushNode(ukBody *body, ukJoint *joint, int k)
{
    ukJointNode *node = &joint->node[k];
    *node = (ukJointNode){.joint = joint, .next = body->first_joint};
    if (node->next) node->next->prev = node;
    body->first_joint = node;
    body->joint_count++;
    joint->body[k] = body;
}

static void removeNode(ukJoint *joint, int k)
{
    ukJointNode *node = &joint->node[k];
    ukBody *body = joint->body[k];
    if (!body) return;
    *(node->prev ? &node->prev->next : &body->first_joint) = node->next;
    if (node->next) node->next->prev = node->prev;
    body->joint_count--;
    joint->body[k] = NULL;
}

static void countAttachment(const ukJoint *joint)
{
    if (joint->world && !ukIsContact(joint)) joint->world->changes++;
}

static void detach(ukJoint *joint)
{
    if (!joint->body[0]) return; /* the first body is the one that is there */
    removeNode(joint, 0);
    removeNode(joint, 1);
    joint->reaction->rows = 0;
    countAttachment(joint);
    if (joint->world) joint->world->destructions++;
}

/* the body's record, made if it has none (it is older than the library, or was made beyond its reach); NULL: no memory
 */
static ukBody *adoptBody(ukWorld *world, dBodyID handle)
{
    ukBody *body = ukMapFind(&ukRegistry.bodies, handle);
    return body && body->world == world ? body : newBody(world, handle);
}

/* ODE's bodies of the joint become the record's; ODE puts the joint into a's list first, then into b's. false: no
 * memory, and the record is detached. */
static bool attach(ukJoint *joint)
{
    detach(joint);
    dBodyID a = dJointGetBody(joint->handle, 0), b = dJointGetBody(joint->handle, 1);
    joint->reverse = !a && b;
    if (joint->reverse) {
        a = b;
        b = NULL;
    }
    if (!a || !joint->world) return true;
    ukBody *const body_a = adoptBody(joint->world, a), *const body_b = b ? adoptBody(joint->world, b) : NULL;
    if (!body_a || (b && !body_b)) return false;
    pushNode(body_a, joint, 0);
    if (body_b) pushNode(body_b, joint, 1);
    countAttachment(joint);
    joint->world->graph++;
    return true;
}

/* ---- joints ------------------------------------------------------------------------------------------------------ */

static void leaveGroup(ukJoint *joint)
{
    if (!joint->group) return;
    *(joint->group_prev ? &joint->group_prev->group_next : &joint->group->first) = joint->group_next;
    if (joint->group_next) joint->group_next->group_prev = joint->group_prev;
    joint->group = NULL;
}

static void enterGroup(ukJoint *joint, ukGroup *group)
{
    joint->group = group;
    joint->group_next = group->first;
    if (group->first) group->first->group_prev = joint;
    group->first = joint;
}

static void leaveWorld(ukJoint *joint)
{
    ukWorld *world = joint->world;
    *(joint->older ? &joint->older->newer : &world->oldest_joint) = joint->newer;
    *(joint->newer ? &joint->newer->older : &world->newest_joint) = joint->older;
    world->joint_count--;
    world->destructions++;
    if (!ukIsContact(joint)) world->changes++;
}

static void recycleJoint(ukJoint *joint)
{
    ukLawFree(joint->law);
    joint->law = NULL;
    if (!ukIsContact(joint)) ukNameSet(&joint->name, NULL), ukHistoryFree(joint);
    ukSlabGive(&joint_pool[joint->class->record], joint);
}

static void dropJoint(ukJoint *joint)
{
    ukWorld *world = joint->world;
    ukJournalJointGone(joint, ukIsContact(joint));
    leaveGroup(joint);
    if (world) {
        detach(joint);
        leaveWorld(joint);
    }
    ukLostForget(joint->handle);
    ukMapRemove(&ukRegistry.joints, joint->handle);
    joint->handle = NULL;
    if (world && world->stepping) {
        joint->older = world->limbo_joints;
        world->limbo_joints = joint;
    } else {
        recycleJoint(joint);
    }
}

static ukGroup *groupOf(dJointGroupID handle)
{
    ukGroup *group = ukMapFind(&ukRegistry.groups, handle);
    if (group || !(group = ukSlabTake(&group_pool))) return group;
    *group = (ukGroup){.handle = handle};
    if (ukMapPut(&ukRegistry.groups, handle, group)) return group;
    ukSlabGive(&group_pool, group);
    return NULL;
}

/* A record as long as the class needs, all zero but for its class and an empty reaction, which stays with it when it is
 * given back. NULL: no memory. */
static ukJoint *blankJoint(const ukJointClass *class)
{
    ukSlab *const pool = &joint_pool[class->record], *const reactions = &reaction_pool[class->record];
    ukJoint *const joint = ukSlabTake(pool);
    if (!joint) return NULL;
    ukReaction *const reaction = joint->reaction ? joint->reaction : ukSlabTake(reactions);
    memset(joint, 0, pool->size);
    joint->class = class;
    joint->reaction = reaction;
    if (reaction) {
        memset(reaction, 0, sizeof *reaction);
        return joint;
    }
    ukSlabGive(pool, joint);
    return NULL;
}

/* A new record at the end of the world's list; NULL: no memory. A record under the same handle is of an object whose
 * end was not seen. */
static ukJoint *newJoint(ukWorld *world, dJointID handle, dJointType type)
{
    ukJoint *joint = ukMapFind(&ukRegistry.joints, handle);
    if (joint) dropJoint(joint);
    joint = blankJoint(ukJointClassOf(type));
    if (!joint) return NULL;
    if (!ukMapPut(&ukRegistry.joints, handle, joint)) {
        recycleJoint(joint);
        return NULL;
    }
    joint->handle = handle;
    joint->world = world;
    joint->serial = ukIsContact(joint) ? ++world->contacts : ++world->joints;
    joint->older = world->newest_joint;
    *(joint->older ? &joint->older->newer : &world->oldest_joint) = joint;
    world->newest_joint = joint;
    world->joint_count++;
    if (!ukIsContact(joint)) world->changes++;
    if (joint->class->create) joint->class->create(joint);
    if (!ukIsContact(joint)) ukNameApplyDefaults(&joint->name, true, joint->serial);
    if (ukLawApplyDefaults(joint)) return joint;
    dropJoint(joint);
    return NULL;
}

void ukWatchJointCreated(dWorldID world, dJointID joint, dJointGroupID group, dJointType type, const dContact *contact)
{
    ukRegistryLock();
    ukLostForget(joint);
    ukWorld *w = ukMapFind(&ukRegistry.worlds, world);
    ukGroup *g = w && group ? groupOf(group) : NULL;
    ukJoint *j = w && (g || !group) ? newJoint(w, joint, type) : NULL;
    if (j) {
        j->observed = true;
        if (g) enterGroup(j, g);
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
    if (j && !j->group) dropJoint(j);
    if (!j) ukLostDestroyed(joint);
    ukRegistryUnlock();
}

void ukWatchJointAttached(dJointID joint)
{
    ukRegistryLock();
    ukJoint *j = ukMapFind(&ukRegistry.joints, joint);
    if (j) {
        ukLostForget(joint);
        if (!attach(j)) ukLostNote(j->world, "a joint's body", joint, j->group ? j->group->handle : NULL);
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
    groupOf(group);
    ukRegistryUnlock();
}

void ukWatchGroupEmptied(dJointGroupID group)
{
    ukRegistryLock();
    const ukGroup *g = ukMapFind(&ukRegistry.groups, group);
    while (g && g->first) dropJoint(g->first);
    ukLostEmptied(group);
    ukRegistryUnlock();
}

void ukWatchGroupDestroyed(dJointGroupID group)
{
    ukRegistryLock();
    ukWatchGroupEmptied(group);
    ukGroup *g = ukMapFind(&ukRegistry.groups, group);
    if (g) {
        ukMapRemove(&ukRegistry.groups, group);
        g->handle = NULL;
        ukSlabGive(&group_pool, g);
    }
    ukRegistryUnlock();
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void dropBody(ukBody *body)
{
    ukWorld *world = body->world;
    ukJournalBodyEvent(body, ukEventBodyGone);
    while (body->first_joint) detach(body->first_joint->joint);
    ukElementBodyDestroyed(body);
    ukNameSet(&body->name, NULL);
    *(body->older ? &body->older->newer : &world->oldest_body) = body->newer;
    *(body->newer ? &body->newer->older : &world->newest_body) = body->older;
    world->body_count--;
    world->changes++;
    world->destructions++;
    ukLostForget(body->handle);
    ukMapRemove(&ukRegistry.bodies, body->handle);
    body->handle = NULL;
    if (world->stepping) {
        body->older = world->limbo_bodies;
        world->limbo_bodies = body;
    } else {
        ukSlabGive(&body_pool, body);
    }
}

static ukBody *newBody(ukWorld *world, dBodyID handle)
{
    ukBody *body = ukMapFind(&ukRegistry.bodies, handle);
    if (body) dropBody(body);
    body = ukSlabTake(&body_pool);
    if (!body) return NULL;
    dReal(*const buffer)[6] = body->sleep.buffer; /* stays with the record */
    const unsigned int capacity = body->sleep.capacity;
    *body = (ukBody){.handle = handle,
                     .world = world,
                     .older = world->newest_body,
                     .serial = ++world->bodies,
                     .position = dBodyGetPosition(handle),
                     .quaternion = dBodyGetQuaternion(handle),
                     .rotation = dBodyGetRotation(handle),
                     .linear = dBodyGetLinearVel(handle),
                     .angular = dBodyGetAngularVel(handle),
                     .force = dBodyGetForce(handle),
                     .torque = dBodyGetTorque(handle),
                     .sleep = {.buffer = buffer, .capacity = capacity},
                     .index = -1};
    if (!ukMapPut(&ukRegistry.bodies, handle, body)) {
        ukSlabGive(&body_pool, body);
        return NULL;
    }
    *(body->older ? &body->older->newer : &world->oldest_body) = body;
    world->newest_body = body;
    world->body_count++;
    world->changes++;
    ukSleepCreated(body);
    ukNameApplyDefaults(&body->name, false, body->serial);
    ukJournalBody(body);
    return body;
}

void ukWatchBodyCreated(dWorldID world, dBodyID body)
{
    ukRegistryLock();
    ukLostForget(body);
    ukWorld *w = ukMapFind(&ukRegistry.worlds, world);
    const ukBody *b = w ? newBody(w, body) : NULL;
    if (b) ukValidateBody(b);
    if (w && !b) ukLostNote(w, "a body", body, NULL);
    ukRegistryUnlock();
}

void ukWatchBodyDestroyed(dBodyID body)
{
    ukRegistryLock();
    ukBody *b = ukMapFind(&ukRegistry.bodies, body);
    if (b) dropBody(b);
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

static void recycleWorld(ukWorld *world)
{
    ukStepperDestroy(world->stepper);
    free(world->book);
    ukSlabGive(&world_pool, world);
}

static void dropWorld(ukWorld *world)
{
    ukJournalEnd(world);
    ukElementWorldDestroyed(world);
    while (world->newest_body) dropBody(world->newest_body);
    while (world->newest_joint) {
        ukJoint *joint = world->newest_joint;
        if (joint->group) { /* outlives its world, detached, until the group is emptied */
            leaveWorld(joint);
            joint->world = NULL;
        } else {
            dropJoint(joint);
        }
    }
    ukLostWorldDestroyed(world);
    ukMapRemove(&ukRegistry.worlds, world->handle);
    *(world->older ? &world->older->newer : &ukRegistry.oldest_world) = world->newer;
    *(world->newer ? &world->newer->older : &ukRegistry.newest_world) = world->older;
    world->handle = NULL;
    if (!world->stepping) {
        recycleWorld(world);
    }
}

static ukWorld *newWorld(dWorldID handle)
{
    if (ukOdeUnusable) return NULL;
    ukWorld *world = ukMapFind(&ukRegistry.worlds, handle);
    if (world) dropWorld(world);
    world = ukSlabTake(&world_pool);
    if (!world) return NULL;
    *world = (ukWorld){.handle = handle,
                       .older = ukRegistry.newest_world,
                       .changes = 1,
                       .enabled = ukRegistryEnableByDefault,
                       .settings = ukSettingsDefault};
    if (!ukMapPut(&ukRegistry.worlds, handle, world)) {
        ukSlabGive(&world_pool, world);
        return NULL;
    }
    *(world->older ? &world->older->newer : &ukRegistry.oldest_world) = world;
    ukRegistry.newest_world = world;
    if (ukJournalByDefault) ukJournalBegin(world);
    return world;
}

void ukWatchWorldCreated(dWorldID world)
{
    ukRegistryLock();
    if (!newWorld(world) && !ukOdeUnusable) {
        ukErrorSet(ukErrorMemory, "no memory for the record of a world: it is left to ODE");
        ukLog("%s", ukErrorMessage());
    }
    ukRegistryUnlock();
}

void ukWatchWorldDestroyed(dWorldID world)
{
    ukRegistryLock();
    ukWorld *w = ukMapFind(&ukRegistry.worlds, world);
    if (w) dropWorld(w);
    ukRegistryUnlock();
}

void ukWatchStepBegin(ukWorld *world)
{
    ukRegistryLock();
    world->stepping = true;
    world->answers = true;
    ukRegistryUnlock();
}

void ukWatchStepEnd(ukWorld *world)
{
    ukRegistryLock();
    world->stepping = false;
    for (ukBody *body = world->limbo_bodies, *next; body; body = next) {
        next = body->older;
        ukSlabGive(&body_pool, body);
    }
    for (ukJoint *joint = world->limbo_joints, *next; joint; joint = next) {
        next = joint->older;
        recycleJoint(joint);
    }
    world->limbo_bodies = NULL;
    world->limbo_joints = NULL;
    ukElementsForget(world);
    if (!world->handle) {
        recycleWorld(world);
    } else {
        ukValidateWorld(world);
    }
    ukRegistryUnlock();
}

/* ---- what setters tell
--- */

/* attaching is told by itself; parameters do not depend on poses */
static void journal(ukJoint *joint, const ukNote *note)
{
    if (note->kind == ukNoteAttach) return;
    const bool placed = note->kind < ukNoteAngle;
    const ukSetting setting = {.setter = note->setter, .i = note->i, .rel = note->rel, .x = note->x, .placed = placed};
    if (placed && note->setter != ukSetterNone && joint->world && !ukIsContact(joint)) ukHistorySet(joint, &setting);
    ukJournalSet(joint, &setting);
}

/* A motor's velocity, which robots set before every step: what is otherwise known of the joint still holds. */
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
    if (joint && joint->world) joint->touched = (int32_t)joint->world->steps;
    if (joint && !velocityNoted(joint, note)) {
        if (joint->class->note)
            joint->class->note(joint, note);
        else
            joint->stale = true;
    }
    if (joint) journal(joint, note);
    if (joint) ukValidateJoint(joint);
    ukRegistryUnlock();
}

/* ---- worlds that were not watched -------------------------------------------------------------------------------- */

/* marks of one search; the island search's tags count up from 1 */
static const uint64_t tag_gone = 0, tag_found = UINT64_MAX;

/* whether the record's bodies are still ODE's */
static bool attachedAsSeen(const ukJoint *joint)
{
    const dBodyID first = dJointGetBody(joint->handle, joint->reverse);
    const dBodyID second = dJointGetBody(joint->handle, !joint->reverse);
    return joint->body[0] && first == joint->body[0]->handle &&
           second == (joint->body[1] ? joint->body[1]->handle : NULL);
}

static bool discoverJoint(ukWorld *world, dJointID handle)
{
    ukJoint *joint = ukMapFind(&ukRegistry.joints, handle);
    if (!joint || joint->world != world || joint->class != ukJointClassOf(dJointGetType(handle))) {
        joint = newJoint(world, handle, dJointGetType(handle));
        if (!joint) return false;
    }
    joint->tag = tag_found;
    if (attachedAsSeen(joint)) return true;
    if (!attach(joint)) return false;
    if (joint->observed) return true;
    if (joint->class->refresh) joint->class->refresh(joint);
    if (joint->class->assume) joint->class->assume(joint);
    joint->assumed = true;
    return true;
}

/* the body's list in ODE's order; only joints that the record has on this body count */
static void orderNodes(ukBody *body, int count)
{
    ukJointNode *last = NULL;
    for (int i = 0; i < count; i++) {
        ukJoint *joint = ukMapFind(&ukRegistry.joints, dBodyGetJoint(body->handle, i));
        const int k = joint && joint->body[0] != body;
        if (!joint || joint->body[k] != body) continue;
        ukJointNode *node = &joint->node[k];
        node->prev = last;
        *(last ? &last->next : &body->first_joint) = node;
        last = node;
    }
    if (last) last->next = NULL;
}

int ukWatchDiscover(ukWorld *world)
{
    int status = ukOk;
    ukRegistryLock();
    for (ukJoint *joint = world->oldest_joint; joint; joint = joint->newer) joint->tag = tag_gone;
    /* bodies that a joint brings in come at the end of the list, and so are searched, too */
    for (ukBody *body = world->oldest_body; body && status == ukOk; body = body->newer)
        for (int i = dBodyGetNumJoints(body->handle); i-- > 0 && status == ukOk;)
            if (!discoverJoint(world, dBodyGetJoint(body->handle, i))) status = ukErrorMemory;
    for (ukJoint *joint = world->oldest_joint, *newer; joint && status == ukOk; joint = newer) {
        newer = joint->newer;
        if (joint->observed) continue;
        if (joint->tag == tag_gone)
            dropJoint(joint);
        else
            joint->stale = true;
    }
    for (ukBody *body = world->oldest_body; body && status == ukOk; body = body->newer)
        orderNodes(body, dBodyGetNumJoints(body->handle));
    ukRegistryUnlock();
    return status;
}

static bool recorded(const void *handle)
{
    return ukMapFind(&ukRegistry.bodies, handle) || ukMapFind(&ukRegistry.joints, handle);
}

int ukWatchAttach(dWorldID handle, const dBodyID *body, int count)
{
    int status = ukErrorMemory;
    ukRegistryLock();
    ukWorld *const known = ukMapFind(&ukRegistry.worlds, handle), *const world = known ? known : newWorld(handle);
    if (!world) goto done;
    const ukBody *const newest_body = world->newest_body;
    const ukJoint *const newest_joint = world->newest_joint;
    status = ukOk;
    for (int i = 0; i < count && status == ukOk; i++)
        if (!adoptBody(world, body[i])) status = ukErrorMemory;
    if (status == ukOk) status = ukWatchDiscover(world);
    if (status == ukOk) {
        world->attached = true;
        ukLostFound(world, recorded);
    } else if (!known) {
        dropWorld(world);
    } else { /* records are made at the end of their lists */
        while (world->newest_joint != newest_joint) dropJoint(world->newest_joint);
        while (world->newest_body != newest_body) dropBody(world->newest_body);
    }
done:
    ukRegistryUnlock();
    return status;
}
