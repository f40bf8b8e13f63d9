/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/object.c: names and lists of objects, which ODE does not offer (ukBodySetName, ukGetWorld, ukWorldGetBody and
 * the like). */
#include "bridge/base/log.h"
#include "bridge/joints/class.h"
#include "bridge/world/name.h"
#include "bridge/world/registry.h"
#include "plugin/drive.h"
#include "plugin/unknown.h"
#include "solvers/base/status.h"

/* ---- names ------------------------------------------------------------------------------------------------------- */

static int setName(char **place, const char *name)
{
    if (ukNameSet(place, name)) return ukOk;
    return ukErrorSet(ukErrorMemory, "no memory for a name");
}

int ukBodySetName(dBodyID body, const char *name)
{
    ukBody *const b = body ? ukRegistryBody(body) : NULL;
    if (!b) return ukUnknown("body", body);
    const int status = setName(&b->name, name);
    if (status == ukOk) ukDriveNamed(b->world, false, b->recorded.key, b->name);
    return status;
}

const char *ukBodyGetName(dBodyID body)
{
    const ukBody *const b = body ? ukRegistryBody(body) : NULL;
    if (!b) ukUnknown("body", body);
    return b ? b->name : NULL;
}

int ukJointSetName(dJointID joint, const char *name)
{
    ukJoint *const j = joint ? ukRegistryJoint(joint) : NULL;
    if (!j) return ukUnknown("joint", joint);
    if (ukIsContact(j)) return ukErrorSet(ukErrorArgument, "ukJointSetName: a contact has no name");
    const int status = setName(&j->name, name);
    if (status == ukOk) ukDriveNamed(j->world, true, j->key, j->name);
    return status;
}

const char *ukJointGetName(dJointID joint)
{
    const ukJoint *const j = joint ? ukRegistryJoint(joint) : NULL;
    if (!j) ukUnknown("joint", joint);
    return j && !ukIsContact(j) ? j->name : NULL;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

int ukGetWorldCount(void)
{
    int count = 0;
    ukRegistryLock();
    for (const ukWorld *w = ukRegistry.oldest_world; w; w = w->newer) count++;
    ukRegistryUnlock();
    return count;
}

dWorldID ukGetWorld(int index)
{
    ukRegistryLock();
    const ukWorld *w = index >= 0 ? ukRegistry.oldest_world : NULL;
    while (w && index-- > 0) w = w->newer;
    ukRegistryUnlock();
    return w ? w->handle : NULL;
}

int ukWorldGetBodyCount(dWorldID world)
{
    const ukWorld *const w = ukKnownWorld(world);
    return w ? w->body_count : 0;
}

/* The end of the last search, valid while no object is created or destroyed: with it, loops over the indices of a world
 * do not take quadratic time. */
static ukWorldPlace *placeIn(ukWorld *w)
{
    if (w->place.changes != w->changes) w->place = (ukWorldPlace){.changes = w->changes, .joints = -1};
    return &w->place;
}

dBodyID ukWorldGetBody(dWorldID world, int index)
{
    ukWorld *const w = ukKnownWorld(world);
    if (!w || index < 0 || index >= w->body_count) return NULL;
    ukWorldPlace *const p = placeIn(w);
    if (!p->body || index < p->body_index) {
        p->body = w->oldest_body;
        p->body_index = 0;
    }
    for (; p->body_index < index; p->body_index++) p->body = p->body->newer;
    return p->body->handle;
}

static ukJoint *skipContacts(ukJoint *joint)
{
    while (joint && ukIsContact(joint)) joint = joint->newer;
    return joint;
}

int ukWorldGetJointCount(dWorldID world)
{
    ukWorld *const w = ukKnownWorld(world);
    if (!w) return 0;
    ukWorldPlace *const p = placeIn(w);
    if (p->joints >= 0) return p->joints;
    p->joints = 0;
    for (const ukJoint *j = w->oldest_joint; j; j = j->newer) p->joints += !ukIsContact(j);
    return p->joints;
}

dJointID ukWorldGetJoint(dWorldID world, int index)
{
    ukWorld *const w = ukKnownWorld(world);
    if (!w || index < 0) return NULL;
    ukWorldPlace *const p = placeIn(w);
    if (!p->joint || index < p->joint_index) {
        p->joint = skipContacts(w->oldest_joint);
        p->joint_index = 0;
    }
    ukJoint *joint = p->joint;
    for (int i = p->joint_index; joint && i < index; i++) joint = skipContacts(joint->newer);
    if (!joint) return NULL;
    p->joint = joint;
    p->joint_index = index;
    return joint->handle;
}
