#include "bridge/topology.h"

#include "bridge/sleep.h"

/* tags are unique over all searches of the process's life, so that none has to be cleared */
static uint64_t newTag(void)
{
    static _Atomic uint64_t last;
    return ++last;
}

static bool canMove(const ukBody *body)
{
    return body && !dBodyIsKinematic(body->handle);
}

bool ukTopologyUsable(const ukJoint *joint)
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

int ukTopologyIslands(ukWorld *world, ukFrame *frames, ukJoint **joints, ukIsland *islands, ukBody **stack)
{
    const uint64_t tag = newTag();
    int frame_count = 0, joint_count = 0, island_count = 0;
    for (ukBody *first = world->newest_body; first; first = first->older) {
        if (first->tag == tag || !dBodyIsEnabled(first->handle)) continue;
        ukIsland *island = &islands[island_count++];
        *island = (ukIsland){.frame = frame_count, .joint = joint_count};
        first->tag = tag;
        int depth = 0;
        stack[depth++] = first;
        while (depth > 0) {
            ukBody *body = stack[--depth];
            addBody(body, frames, &frame_count);
            for (ukJointNode *node = body->first_joint; node; node = node->next) {
                ukJoint *joint = node->joint;
                if (joint->tag == tag || !ukTopologyUsable(joint)) continue;
                joint->tag = tag;
                joints[joint_count++] = joint;
                ukBody *other = joint->body[joint->body[0] == body];
                if (!other || other->tag == tag) continue;
                other->tag = tag;
                stack[depth++] = other;
            }
        }
        island->frames = frame_count - island->frame;
        island->joints = joint_count - island->joint;
        for (int i = island->frame; i < frame_count; i++) {
            ukBody *body = frames[i].body;
            if (dBodyIsEnabled(body->handle)) continue;
            ukSleepWake(body);
            frames[i].woken = true;
        }
    }
    return island_count;
}
