/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/watch/discover.h"

#include "bridge/joints/table.h"
#include "bridge/watch/life.h"
#include "bridge/world/lost.h"
#include "bridge/world/registry.h"
#include "solvers/base/status.h"

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
        joint = ukLifeJointBegin(world, handle, dJointGetType(handle));
        if (!joint) return false;
    }
    joint->tag = tag_found;
    if (attachedAsSeen(joint)) return true;
    if (!ukLifeJointAttach(joint)) return false;
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

int ukDiscoverJoints(ukWorld *world)
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
            ukLifeJointEnd(joint);
        else
            joint->stale = true;
    }
    for (ukBody *body = world->oldest_body; body && status == ukOk; body = body->newer)
        orderNodes(body, dBodyGetNumJoints(body->handle));
    ukRegistryUnlock();
    return status;
}

static bool isRecorded(const void *handle)
{
    return ukMapFind(&ukRegistry.bodies, handle) || ukMapFind(&ukRegistry.joints, handle);
}

int ukDiscoverWorld(dWorldID handle, const dBodyID *body, int count)
{
    int status = ukErrorMemory;
    ukRegistryLock();
    ukWorld *const known = ukMapFind(&ukRegistry.worlds, handle), *const world =
                                                                      known ? known : ukLifeWorldBegin(handle);
    if (!world) goto done;
    const ukBody *const newest_body = world->newest_body;
    const ukJoint *const newest_joint = world->newest_joint;
    status = ukOk;
    for (int i = 0; i < count && status == ukOk; i++)
        if (!ukLifeBodyAdopt(world, body[i])) status = ukErrorMemory;
    if (status == ukOk) status = ukDiscoverJoints(world);
    if (status == ukOk) {
        world->attached = true;
        ukLostFound(world, isRecorded);
    } else if (!known) {
        ukLifeWorldEnd(world);
    } else { /* records are made at the end of their lists */
        while (world->newest_joint != newest_joint) ukLifeJointEnd(world->newest_joint);
        while (world->newest_body != newest_body) ukLifeBodyEnd(world->newest_body);
    }
done:
    ukRegistryUnlock();
    return status;
}
