/* SPDX-License-Identifier: BSD-3-Clause */
/* Several worlds, each in a thread of its own, with bodies, joints and contacts that come and go all the time. */
#include <pthread.h>

#include "tests/preload/scene.h"

enum { Threads = 4, Rounds = 60 };

typedef struct Worker {
    pthread_t thread;
    int number;
    dReal x[3];
} Worker;

static void *work(void *data)
{
    Worker *worker = data;
    dAllocateODEDataForThread(dAllocateMaskAll);
    const dWorldID world = sceneWorld();
    /* ODE's default implementation is one for all worlds, and not made for two of them at a time */
    const dThreadingImplementationID threading = dThreadingAllocateSelfThreadedImplementation();
    dWorldSetStepThreadingImplementation(world, dThreadingImplementationGetFunctions(threading), threading);
    const dJointGroupID group = dJointGroupCreate(0);
    const dBodyID fixed = sceneBody(world, 0.5, 0, 0);
    sceneHinge(world, 0, fixed, 0, 0);
    for (int round = 0; round < Rounds; round++) {
        const dBodyID guest = sceneBody(world, 1.5, 0, 0.1 * worker->number);
        const dJointID joint = dJointCreateBall(world, 0);
        dJointAttach(joint, guest, fixed);
        dJointSetBallAnchor(joint, 1, 0, 0);
        for (int i = 0; i < 5; i++) {
            dContact contact = {.surface.mu = 0, .geom.normal = {0, 0, 1}, .geom.pos = {1.5, 0, -0.3}};
            dJointAttach(dJointCreateContact(world, group, &contact), guest, 0);
            dWorldStep(world, 0.002);
            dJointGroupEmpty(group);
        }
        dBodyDestroy(guest);
        if (round % 2) dJointDestroy(joint);
    }
    for (int k = 0; k < 3; k++) worker->x[k] = dBodyGetPosition(fixed)[k];
    dJointGroupDestroy(group);
    dWorldDestroy(world);
    dThreadingFreeImplementation(threading);
    dCleanupODEAllDataForThread();
    return NULL;
}

int main(void)
{
    Worker worker[Threads];
    dInitODE2(0);
    for (int i = 0; i < Threads; i++) {
        worker[i].number = i;
        if (pthread_create(&worker[i].thread, NULL, work, &worker[i]) != 0) return 1;
    }
    for (int i = 0; i < Threads; i++) {
        pthread_join(worker[i].thread, NULL);
        printf("thread %d: %.4f %.4f %.4f\n", i, worker[i].x[0], worker[i].x[1], worker[i].x[2]);
    }
    dCloseODE();
    return 0;
}
