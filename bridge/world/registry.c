/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/registry.h"

#include <pthread.h>

bool ukRegistryEnableByDefault;

/* Everything below lives as long as the process: programs destroy worlds after dCloseODE, even from destructors that
 * run at exit, so nothing here has an end of its own. */
static pthread_mutex_t mutex;
static pthread_once_t once = PTHREAD_ONCE_INIT;
ukRegistryMaps ukRegistry;

static void makeLock(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void ukRegistryLock(void)
{
    pthread_once(&once, makeLock);
    pthread_mutex_lock(&mutex);
}

void ukRegistryUnlock(void)
{
    pthread_mutex_unlock(&mutex);
}

/* A forked child has the forking thread alone. That thread forks with the lock in its hands, so that no other one is
 * in the middle of a change; to the child, in which it counts as another owner, the lock is given again. */
static void unlockInChild(void)
{
    makeLock();
}

__attribute__((constructor)) static void watchForks(void)
{
    pthread_atfork(ukRegistryLock, ukRegistryUnlock, unlockInChild);
}

static void *findRecordLocked(const ukMap *map, const void *handle)
{
    ukRegistryLock();
    void *record = ukMapFind(map, handle);
    ukRegistryUnlock();
    return record;
}

ukWorld *ukRegistryWorld(dWorldID world)
{
    return findRecordLocked(&ukRegistry.worlds, world);
}

ukBody *ukRegistryBody(dBodyID body)
{
    return findRecordLocked(&ukRegistry.bodies, body);
}

ukJoint *ukRegistryJoint(dJointID joint)
{
    return findRecordLocked(&ukRegistry.joints, joint);
}

struct ukGroup *ukRegistryGroup(dJointGroupID group)
{
    return findRecordLocked(&ukRegistry.groups, group);
}
