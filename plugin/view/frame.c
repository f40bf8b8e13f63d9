/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/view/frame.h"

#include <string.h>

#include "bridge/joints/class.h"

static void putThree(float to[3], const double *from)
{
    for (int i = 0; i < 3; i++) to[i] = (float)from[i];
}

static bool anyAwake(const ukJoint *joint)
{
    for (int k = 0; k < 2; k++)
        if (joint->body[k] && dBodyIsEnabled(joint->body[k]->handle)) return true;
    return false;
}

static void putBody(ukViewBody *to, const ukBody *body)
{
    *to = (ukViewBody){.key = (int32_t)body->recorded.key, .awake = dBodyIsEnabled(body->handle) != 0};
    putThree(to->p, body->position);
    for (int i = 0; i < 4; i++) to->q[i] = (float)body->quaternion[i];
}

static void putJoint(ukViewJoint *to, const ukJoint *joint)
{
    *to = (ukViewJoint){.key = (int32_t)joint->key};
    putThree(to->ideal, joint->reaction->ideal[0]);
    putThree(to->nonideal, joint->reaction->nonideal[0]);
}

static void putContact(ukViewContact *to, const ukJoint *joint)
{
    const ukReaction *const r = joint->reaction;
    putThree(to->p, joint->contact.pos);
    putThree(to->n, joint->contact.normal);
    for (int i = 0; i < 3; i++) {
        const double force = r->ideal[0][i] + r->nonideal[0][i];
        to->f[i] = (float)(joint->reverse ? -force : force);
    }
}

size_t ukViewFrame(const ukWorld *world, bool ours, const ukViewHead *head, void *buffer, size_t size)
{
    ukViewHead filled = *head;
    unsigned char *at = buffer, *const end = at + size;
    const size_t bodies = (size_t)world->body_count * sizeof(ukViewBody);
    if (size < sizeof filled || size - sizeof filled < bodies) return 0;
    at += sizeof filled;
    filled.bodies = world->body_count;
    for (const ukBody *b = world->oldest_body; b; b = b->newer, at += sizeof(ukViewBody))
        putBody((ukViewBody *)(void *)at, b);
    filled.joints = filled.contacts = 0;
    for (const ukJoint *j = ours ? world->oldest_joint : NULL; j; j = j->newer) {
        if (ukIsContact(j) || j->key == 0 || !anyAwake(j)) continue;
        if ((size_t)(end - at) < sizeof(ukViewJoint)) break;
        putJoint((ukViewJoint *)(void *)at, j);
        at += sizeof(ukViewJoint);
        filled.joints++;
    }
    for (const ukJoint *j = ours && world->contacts > 0 ? world->oldest_joint : NULL; j; j = j->newer) {
        if (!ukIsContact(j) || !anyAwake(j)) continue;
        if ((size_t)(end - at) < sizeof(ukViewContact) || filled.contacts == ukViewContacts) break;
        putContact((ukViewContact *)(void *)at, j);
        at += sizeof(ukViewContact);
        filled.contacts++;
    }
    memcpy(buffer, &filled, sizeof filled);
    return (size_t)(at - (unsigned char *)buffer);
}
