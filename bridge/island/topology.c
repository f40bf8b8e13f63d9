/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/island/topology.h"

#include "bridge/world/sleep.h"

/* Tags are unique over all searches of the process, so that none has to be cleared. */
static uint64_t newTag(void)
{
    static _Atomic uint64_t last;
    return ++last;
}

static bool canMove(const ukBody *body)
{
    return body && !dBodyIsKinematic(body->handle);
}

/* whether ODE uses the joint: it is enabled, and at least one attached body is not kinematic */
static bool isUsed(const ukJoint *joint)
{
    return dJointIsEnabled(joint->handle) && (canMove(joint->body[0]) || canMove(joint->body[1]));
}

static void addBody(ukBody *body, ukFrame *frames, int *count)
{
    body->index = *count;
    frames[*count].body = body;
    frames[*count].woken = false;
    ++*count;
}

/* the search under way */
typedef struct Search {
    uint64_t tag;
    ukBody **stack;
    int depth;
} Search;

static void pushUnvisitedBody(Search *search, ukBody *body)
{
    if (!body || body->tag == search->tag) return;
    body->tag = search->tag;
    search->stack[search->depth++] = body;
}

/* Whether a user function takes part: all its bodies exist, and one of them can move. */
static bool elementUsable(const ukElement *element)
{
    if (!element->active) return false;
    for (int i = 0; i < element->count; i++)
        if (canMove(element->body[i])) return true;
    return false;
}

static int visitJoints(Search *search, const ukBody *body, ukJoint **joints, int count)
{
    for (const ukJointNode *node = body->first_joint; node; node = node->next) {
        ukJoint *joint = node->joint;
        if (joint->tag == search->tag || !isUsed(joint)) continue;
        joint->tag = search->tag;
        joints[count++] = joint;
        pushUnvisitedBody(search, joint->body[joint->body[0] == body]);
    }
    return count;
}

static int visitElements(Search *search, const ukBody *body, ukElement **elements, int count)
{
    for (const ukUse *use = body->first_use; use; use = use->next) {
        ukElement *element = use->element;
        if (element->tag == search->tag || !elementUsable(element)) continue;
        element->tag = search->tag;
        elements[count++] = element;
        for (int i = 0; i < element->count; i++)
            if (!element->is_force || dBodyIsEnabled(element->body[i]->handle))
                pushUnvisitedBody(search, element->body[i]);
    }
    return count;
}

int ukTopologyIslands(ukWorld *world, ukFrame *frames, ukJoint **joints, ukElement **elements, ukIsland *islands,
                      ukBody **stack)
{
    Search search = {.tag = newTag(), .stack = stack};
    int frame_count = 0, joint_count = 0, element_count = 0, island_count = 0;
    for (ukBody *first = world->newest_body; first; first = first->older) {
        if (first->tag == search.tag || !dBodyIsEnabled(first->handle)) continue;
        ukIsland *island = &islands[island_count++];
        island->first_frame = frame_count;
        island->first_joint = joint_count;
        island->frame = frames + frame_count;
        island->joint = joints + joint_count;
        island->element = elements + element_count;
        pushUnvisitedBody(&search, first);
        while (search.depth > 0) {
            ukBody *body = stack[--search.depth];
            addBody(body, frames, &frame_count);
            joint_count = visitJoints(&search, body, joints, joint_count);
            element_count = visitElements(&search, body, elements, element_count);
        }
        island->frames = frame_count - island->first_frame;
        island->joints = joint_count - island->first_joint;
        island->elements = (int)(elements + element_count - island->element);
        for (int i = 0; i < island->frames; i++) {
            ukBody *body = island->frame[i].body;
            if (dBodyIsEnabled(body->handle)) continue;
            ukSleepWake(body);
            island->frame[i].woken = true;
        }
    }
    return island_count;
}

/* whether the joint is still attached to one of the island's bodies */
static bool isJointAttachedTo(const ukIsland *island, const ukJoint *joint)
{
    return joint->handle && joint->body[0] && ukIslandFrame(island, joint->body[0]) &&
           (!joint->body[1] || ukIslandFrame(island, joint->body[1]));
}

void ukTopologyPrune(ukIsland *island)
{
    int count = 0;
    for (int i = 0; i < island->frames; i++) {
        if (!island->frame[i].body->handle) continue;
        const int to = count++;
        const ukFrame living = island->frame[i];
        island->frame[i] = island->frame[to];
        island->frame[to] = living;
        living.body->index = island->first_frame + to;
    }
    island->frames = count;
    count = 0;
    for (int i = 0; i < island->joints; i++)
        if (isJointAttachedTo(island, island->joint[i])) island->joint[count++] = island->joint[i];
    island->joints = count;
    count = 0;
    for (int i = 0; i < island->elements; i++)
        if (island->element[i]->active) island->element[count++] = island->element[i];
    island->elements = count;
}
