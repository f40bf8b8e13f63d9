/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/watch/life.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/slab.h"
#include "bridge/island/placed.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/table.h"
#include "bridge/ode/class.h"
#include "bridge/user/constraint.h"
#include "bridge/user/joint_law.h"
#include "bridge/world/fluid.h"
#include "bridge/world/history.h"
#include "bridge/world/journal.h"
#include "bridge/world/lost.h"
#include "bridge/world/name.h"
#include "bridge/world/registry.h"
#include "bridge/world/sleep.h"

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

static void detachJoint(ukJoint *joint)
{
    if (!joint->body[0]) return; /* body[0] is NULL exactly if the joint is not attached */
    removeNode(joint, 0);
    removeNode(joint, 1);
    joint->reaction->rows = 0;
    countAttachment(joint);
    if (joint->world) joint->world->destructions++;
}

/* Returns the body's record, and creates it if it has none, because the body is older than the library or was created
 * by calls that were not interposed. NULL: no memory. */
ukBody *ukLifeBodyAdopt(ukWorld *world, dBodyID handle)
{
    ukBody *body = ukMapFind(&ukRegistry.bodies, handle);
    return body && body->world == world ? body : ukLifeBodyBegin(world, handle);
}

/* ODE's bodies of the joint become the record's; ODE puts the joint into a's list first, then into b's. false: no
 * memory, and the record is detached. */
bool ukLifeJointAttach(ukJoint *joint)
{
    detachJoint(joint);
    dBodyID a = dJointGetBody(joint->handle, 0), b = dJointGetBody(joint->handle, 1);
    joint->reverse = !a && b;
    if (joint->reverse) {
        a = b;
        b = NULL;
    }
    if (!a || !joint->world) return true;
    ukBody *const body_a = ukLifeBodyAdopt(joint->world, a), *const body_b =
                                                                 b ? ukLifeBodyAdopt(joint->world, b) : NULL;
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

void ukLifeGroupEnter(ukJoint *joint, ukGroup *group)
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

void ukLifeJointEnd(ukJoint *joint)
{
    ukWorld *world = joint->world;
    ukJournalJointGone(joint, ukIsContact(joint));
    leaveGroup(joint);
    if (world) {
        detachJoint(joint);
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

ukGroup *ukLifeGroup(dJointGroupID handle)
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
ukJoint *ukLifeJointBegin(ukWorld *world, dJointID handle, dJointType type)
{
    ukJoint *joint = ukMapFind(&ukRegistry.joints, handle);
    if (joint) ukLifeJointEnd(joint);
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
    ukLifeJointEnd(joint);
    return NULL;
}

void ukLifeGroupEnd(ukGroup *group)
{
    ukMapRemove(&ukRegistry.groups, group->handle);
    group->handle = NULL;
    ukSlabGive(&group_pool, group);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

void ukLifeBodyEnd(ukBody *body)
{
    ukWorld *world = body->world;
    ukJournalBodyEvent(body, ukEventBodyGone);
    while (body->first_joint) detachJoint(body->first_joint->joint);
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

ukBody *ukLifeBodyBegin(ukWorld *world, dBodyID handle)
{
    ukBody *body = ukMapFind(&ukRegistry.bodies, handle);
    if (body) ukLifeBodyEnd(body);
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

/* ---- worlds ------------------------------------------------------------------------------------------------------ */

static void recycleWorld(ukWorld *world)
{
    ukStepperDestroy(world->stepper);
    free(world->book);
    ukFluidFree(world);
    ukPlacedFree(world);
    ukSlabGive(&world_pool, world);
}

void ukLifeWorldEnd(ukWorld *world)
{
    ukJournalEnd(world);
    ukElementWorldDestroyed(world);
    while (world->newest_body) ukLifeBodyEnd(world->newest_body);
    while (world->newest_joint) {
        ukJoint *joint = world->newest_joint;
        if (joint->group) { /* outlives its world, detached, until the group is emptied */
            leaveWorld(joint);
            joint->world = NULL;
        } else {
            ukLifeJointEnd(joint);
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

ukWorld *ukLifeWorldBegin(dWorldID handle)
{
    ukWorld *world = ukMapFind(&ukRegistry.worlds, handle);
    if (world) ukLifeWorldEnd(world);
    world = ukSlabTake(&world_pool);
    if (!world) return NULL;
    *world = (ukWorld){.handle = handle,
                       .older = ukRegistry.newest_world,
                       .changes = 1,
                       .enabled = ukRegistryEnableByDefault,
                       .rules = ukClassRules(&ukOde),
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

void ukLifeStepEnd(ukWorld *world)
{
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
    if (!world->handle) recycleWorld(world);
}
