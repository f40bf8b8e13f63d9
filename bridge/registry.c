#include "bridge/registry.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/constraint.h"
#include "bridge/joints/table.h"
#include "bridge/law.h"
#include "bridge/log.h"
#include "bridge/lost.h"
#include "bridge/map.h"
#include "bridge/ode.h"
#include "bridge/sleep.h"
#include "bridge/stepper.h"
#include "solvers/status.h"

bool ukRegistryEnableByDefault;

/* Everything below lives as long as the process: programs destroy worlds after dCloseODE, even from destructors that
 * run at exit, so nothing here has an end of its own. */
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static ukMap worlds, bodies, joints, groups;

static ukBody *newBody(ukWorld *world, dBodyID handle);
static ukWorld *newWorld(dWorldID handle);
static void dropWorld(ukWorld *world);

void ukRegistryLock(void)
{
    pthread_mutex_lock(&mutex);
}

void ukRegistryUnlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* A forked child has the forking thread alone. That thread forks with the lock in its hands, so that no other one is
 * in the middle of a change; to the child, in which it counts as another owner, the lock is given anew. */
static void unlockInChild(void)
{
    mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

__attribute__((constructor)) static void watchForks(void)
{
    pthread_atfork(ukRegistryLock, ukRegistryUnlock, unlockInChild);
}

/* ---- records: never returned to the system, so that a pointer to a dead one is at least to memory -----------------
 */

typedef struct Pool {
    size_t size, link; /* of a record; where it links to the next free one */
    char *free;
    void *slabs; /* linked through their first word: keeps all memory reachable */
} Pool;

static Pool world_pool = {.size = sizeof(ukWorld), .link = offsetof(ukWorld, stepper)};
static Pool body_pool = {.size = sizeof(ukBody), .link = offsetof(ukBody, older)};
static Pool joint_pool = {.size = sizeof(ukJoint), .link = offsetof(ukJoint, older)};
static Pool group_pool = {.size = sizeof(ukGroup), .link = offsetof(ukGroup, first)};

static void give(Pool *pool, void *record)
{
    memcpy((char *)record + pool->link, &pool->free, sizeof pool->free);
    pool->free = record;
}

/* a record as it was given back (zero if it is new); NULL: no memory */
static void *take(Pool *pool)
{
    if (!pool->free) {
        const size_t header = _Alignof(max_align_t), count = 1 + 16384 / pool->size;
        char *slab = calloc(1, header + count * pool->size);
        if (!slab) return NULL;
        memcpy(slab, &pool->slabs, sizeof pool->slabs);
        pool->slabs = slab;
        for (size_t i = count; i-- > 0;) give(pool, slab + header + i * pool->size);
    }
    char *record = pool->free;
    memcpy(&pool->free, record + pool->link, sizeof pool->free);
    return record;
}

/* ---- look-up ------------------------------------------------------------------------------------------------------
 */

static void *find(const ukMap *map, const void *handle)
{
    ukRegistryLock();
    void *record = ukMapFind(map, handle);
    ukRegistryUnlock();
    return record;
}

ukWorld *ukRegistryWorld(dWorldID world)
{
    return find(&worlds, world);
}

ukBody *ukRegistryBody(dBodyID body)
{
    return find(&bodies, body);
}

ukJoint *ukRegistryJoint(dJointID joint)
{
    return find(&joints, joint);
}

/* ---- attachment ---------------------------------------------------------------------------------------------------
 */

static void pushNode(ukBody *body, ukJoint *joint, int k)
{
    ukJointNode *node = &joint->node[k];
    *node = (ukJointNode){.joint = joint, .body = body, .next = body->first_joint};
    if (node->next) node->next->prev = node;
    body->first_joint = node;
    body->joint_count++;
    joint->body[k] = body;
}

static void removeNode(ukJoint *joint, int k)
{
    ukJointNode *node = &joint->node[k];
    if (!node->body) return;
    *(node->prev ? &node->prev->next : &node->body->first_joint) = node->next;
    if (node->next) node->next->prev = node->prev;
    node->body->joint_count--;
    node->body = NULL;
    joint->body[k] = NULL;
}

static void countAttachment(const ukJoint *joint)
{
    if (joint->world && joint->type != dJointTypeContact) joint->world->changes++;
}

static void detach(ukJoint *joint)
{
    if (!joint->body[0]) return; /* the first body is the one that is there */
    removeNode(joint, 0);
    removeNode(joint, 1);
    joint->lambda_rows = 0;
    countAttachment(joint);
    if (joint->world) joint->world->destructions++;
}

/* the body's record, made if it has none (it is older than the library, or was made beyond its reach); NULL: no memory
 */
static ukBody *adoptBody(ukWorld *world, dBodyID handle)
{
    ukBody *body = ukMapFind(&bodies, handle);
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

/* ---- joints -------------------------------------------------------------------------------------------------------
 */

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
    if (joint->type != dJointTypeContact) world->changes++;
}

static void recycleJoint(ukJoint *joint)
{
    ukLawFree(joint->law);
    joint->law = NULL;
    give(&joint_pool, joint);
}

static void dropJoint(ukJoint *joint)
{
    ukWorld *world = joint->world;
    leaveGroup(joint);
    if (world) {
        detach(joint);
        leaveWorld(joint);
    }
    ukLostForget(joint->handle);
    ukMapRemove(&joints, joint->handle);
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
    ukGroup *group = ukMapFind(&groups, handle);
    if (group || !(group = take(&group_pool))) return group;
    *group = (ukGroup){.handle = handle};
    if (ukMapPut(&groups, handle, group)) return group;
    give(&group_pool, group);
    return NULL;
}

/* A new record at the end of the world's list; NULL: no memory. A record under the same handle is of an object whose
 * end was not seen. */
static ukJoint *newJoint(ukWorld *world, dJointID handle, dJointType type)
{
    ukJoint *joint = ukMapFind(&joints, handle);
    if (joint) dropJoint(joint);
    joint = take(&joint_pool);
    if (!joint) return NULL;
    memset(joint, 0, sizeof *joint);
    if (!ukMapPut(&joints, handle, joint)) {
        give(&joint_pool, joint);
        return NULL;
    }
    joint->handle = handle;
    joint->world = world;
    joint->type = type;
    joint->class = ukJointClassOf(type);
    joint->serial = type == dJointTypeContact ? ++world->contacts : ++world->joints;
    joint->older = world->newest_joint;
    *(joint->older ? &joint->older->newer : &world->oldest_joint) = joint;
    world->newest_joint = joint;
    world->joint_count++;
    if (type != dJointTypeContact) world->changes++;
    if (joint->class->create) joint->class->create(joint);
    if (ukLawApplyDefaults(joint)) return joint;
    dropJoint(joint);
    return NULL;
}

void ukRegistryJointCreated(dWorldID world, dJointID joint, dJointGroupID group, dJointType type,
                            const dContact *contact)
{
    ukRegistryLock();
    ukLostForget(joint);
    ukWorld *w = ukMapFind(&worlds, world);
    ukGroup *g = w && group ? groupOf(group) : NULL;
    ukJoint *j = w && (g || !group) ? newJoint(w, joint, type) : NULL;
    if (j) {
        j->observed = true;
        if (g) enterGroup(j, g);
        if (contact) j->of.contact = *contact;
    } else if (w) {
        ukLostNote(w, "a joint", joint, group);
    }
    ukRegistryUnlock();
}

void ukRegistryJointDestroyed(dJointID joint)
{
    ukRegistryLock();
    ukJoint *j = ukMapFind(&joints, joint);
    if (j && !j->group) dropJoint(j);
    if (!j) ukLostDestroyed(joint);
    ukRegistryUnlock();
}

void ukRegistryJointAttached(dJointID joint)
{
    ukRegistryLock();
    ukJoint *j = ukMapFind(&joints, joint);
    if (j) {
        ukLostForget(joint);
        if (!attach(j)) ukLostNote(j->world, "a joint's body", joint, j->group ? j->group->handle : NULL);
    }
    ukRegistryUnlock();
}

void ukRegistryJointChanged(dJointID joint)
{
    ukRegistryLock();
    const ukJoint *j = ukMapFind(&joints, joint);
    if (j && j->world) j->world->changes++;
    ukRegistryUnlock();
}

void ukRegistryGroupCreated(dJointGroupID group)
{
    ukRegistryLock();
    ukRegistryGroupDestroyed(group); /* of the same address, whose end was not seen */
    groupOf(group);
    ukRegistryUnlock();
}

void ukRegistryGroupEmptied(dJointGroupID group)
{
    ukRegistryLock();
    const ukGroup *g = ukMapFind(&groups, group);
    while (g && g->first) dropJoint(g->first);
    ukLostEmptied(group);
    ukRegistryUnlock();
}

void ukRegistryGroupDestroyed(dJointGroupID group)
{
    ukRegistryLock();
    ukRegistryGroupEmptied(group);
    ukGroup *g = ukMapFind(&groups, group);
    if (g) {
        ukMapRemove(&groups, group);
        g->handle = NULL;
        give(&group_pool, g);
    }
    ukRegistryUnlock();
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static void dropBody(ukBody *body)
{
    ukWorld *world = body->world;
    while (body->first_joint) detach(body->first_joint->joint);
    ukElementBodyDestroyed(body);
    *(body->older ? &body->older->newer : &world->oldest_body) = body->newer;
    *(body->newer ? &body->newer->older : &world->newest_body) = body->older;
    world->body_count--;
    world->changes++;
    world->destructions++;
    ukLostForget(body->handle);
    ukMapRemove(&bodies, body->handle);
    body->handle = NULL;
    if (world->stepping) {
        body->older = world->limbo_bodies;
        world->limbo_bodies = body;
    } else {
        give(&body_pool, body);
    }
}

static ukBody *newBody(ukWorld *world, dBodyID handle)
{
    ukBody *body = ukMapFind(&bodies, handle);
    if (body) dropBody(body);
    body = take(&body_pool);
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
    if (!ukMapPut(&bodies, handle, body)) {
        give(&body_pool, body);
        return NULL;
    }
    *(body->older ? &body->older->newer : &world->oldest_body) = body;
    world->newest_body = body;
    world->body_count++;
    world->changes++;
    ukSleepCreated(body);
    return body;
}

void ukRegistryBodyCreated(dWorldID world, dBodyID body)
{
    ukRegistryLock();
    ukLostForget(body);
    ukWorld *w = ukMapFind(&worlds, world);
    if (w && !newBody(w, body)) ukLostNote(w, "a body", body, NULL);
    ukRegistryUnlock();
}

void ukRegistryBodyDestroyed(dBodyID body)
{
    ukRegistryLock();
    ukBody *b = ukMapFind(&bodies, body);
    if (b) dropBody(b);
    if (!b) ukLostDestroyed(body);
    ukRegistryUnlock();
}

void ukRegistryBodyChanged(dBodyID body)
{
    ukRegistryLock();
    const ukBody *b = ukMapFind(&bodies, body);
    if (b) b->world->changes++;
    ukRegistryUnlock();
}

/* ---- worlds -------------------------------------------------------------------------------------------------------
 */

static void recycleWorld(ukWorld *world)
{
    ukStepperDestroy(world->stepper);
    free(world->book);
    give(&world_pool, world);
}

static void dropWorld(ukWorld *world)
{
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
    ukMapRemove(&worlds, world->handle);
    world->handle = NULL;
    if (!world->stepping) {
        recycleWorld(world);
    }
}

static ukWorld *newWorld(dWorldID handle)
{
    if (ukOdeUnusable) return NULL;
    ukWorld *world = ukMapFind(&worlds, handle);
    if (world) dropWorld(world);
    world = take(&world_pool);
    if (!world) return NULL;
    *world =
        (ukWorld){.handle = handle, .changes = 1, .enabled = ukRegistryEnableByDefault, .settings = ukSettingsDefault};
    if (ukMapPut(&worlds, handle, world)) return world;
    give(&world_pool, world);
    return NULL;
}

void ukRegistryWorldCreated(dWorldID world)
{
    ukRegistryLock();
    if (!newWorld(world) && !ukOdeUnusable) {
        ukErrorSet(ukErrorMemory, "no memory for the record of a world: it is left to ODE");
        ukLog("%s", ukErrorMessage());
    }
    ukRegistryUnlock();
}

void ukRegistryWorldDestroyed(dWorldID world)
{
    ukRegistryLock();
    ukWorld *w = ukMapFind(&worlds, world);
    if (w) dropWorld(w);
    ukRegistryUnlock();
}

void ukRegistryStepBegin(ukWorld *world)
{
    ukRegistryLock();
    world->stepping = true;
    world->answers = true;
    ukRegistryUnlock();
}

void ukRegistryStepEnd(ukWorld *world)
{
    ukRegistryLock();
    world->stepping = false;
    for (ukBody *body = world->limbo_bodies, *next; body; body = next) {
        next = body->older;
        give(&body_pool, body);
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
    }
    ukRegistryUnlock();
}

/* ---- worlds that were not watched ----------------------------------------------------------------------------------
 */

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
    ukJoint *joint = ukMapFind(&joints, handle);
    if (!joint || joint->world != world || joint->type != dJointGetType(handle)) {
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
        ukJoint *joint = ukMapFind(&joints, dBodyGetJoint(body->handle, i));
        ukJointNode *node = joint ? &joint->node[joint->body[0] != body] : NULL;
        if (!node || node->body != body) continue;
        node->prev = last;
        *(last ? &last->next : &body->first_joint) = node;
        last = node;
    }
    if (last) last->next = NULL;
}

int ukRegistryDiscover(ukWorld *world)
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
    return ukMapFind(&bodies, handle) || ukMapFind(&joints, handle);
}

int ukRegistryAttach(dWorldID handle, const dBodyID *body, int count)
{
    int status = ukErrorMemory;
    ukRegistryLock();
    ukWorld *const known = ukMapFind(&worlds, handle), *const world = known ? known : newWorld(handle);
    if (!world) goto done;
    const ukBody *const newest_body = world->newest_body;
    const ukJoint *const newest_joint = world->newest_joint;
    status = ukOk;
    for (int i = 0; i < count && status == ukOk; i++)
        if (!adoptBody(world, body[i])) status = ukErrorMemory;
    if (status == ukOk) status = ukRegistryDiscover(world);
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
