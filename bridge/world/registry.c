/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/world/registry.h"

#include <pthread.h>

bool ukRegistryEnableByDefault;

/* Everything below lives as long as the process: programs destroy worlds after dCloseODE, even from destructors that
 * run at exit, so nothing here has an end of its own. */
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
ukRegistryMaps ukRegistry;

void ukRegistryLock(void)
{
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
    mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

__attribute__((constructor)) static void watchForks(void)
{
    pthread_atfork(ukRegistryLock, ukRegistryUnlock, unlockInChild);
}

static void *findRegistry(const ukMap *map, const void *handle)
{
    ukRegistryLock();
    void *record = ukMapFind(map, handle);
    ukRegistryUnlock();
    return record;
}

ukWorld *ukRegistryWorld(dWorldID world)
{
    return findRegistry(&ukRegistry.worlds, world);
}

ukBody *ukRegistryBody(dBodyID body)
{
    return findRegistry(&ukRegistry.bodies, body);
}

ukJoint *ukRegistryJoint(dJointID joint)
{
    return findRegistry(&ukRegistry.joints, joint);
}
