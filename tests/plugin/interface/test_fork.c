/* SPDX-License-Identifier: BSD-3-Clause */
/* A child that is forked while another thread makes, changes or destroys objects finds no lock held. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/world/registry.h"
#include "tests/check.h"

static atomic_bool stop;

static void rest(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

/* as a thread in the middle of a change: it has the lock nearly all the time */
static void *holdTheLock(void *unused)
{
    (void)unused;
    while (!stop) {
        ukRegistryLock();
        rest(2000);
        ukRegistryUnlock();
        rest(200);
    }
    return NULL;
}

/* makes and steps a world; an alarm, for any machine too late, ends it where it waits for ever */
static int inChild(void)
{
    alarm(300);
    const dWorldID w = dWorldCreate();
    const dBodyID b = dBodyCreate(w);
    dJointAttach(dJointCreateHinge(w, 0), b, 0);
    const int done = ukWorldStep(w, 0.01);
    dWorldDestroy(w);
    return done == 1 ? 0 : 1;
}

static void forkOnce(void)
{
    const pid_t child = fork();
    if (child == 0) _exit(inChild());
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    pthread_t thread;
    dInitODE2(0);
    CHECK(pthread_create(&thread, NULL, holdTheLock, NULL) == 0);
    for (int i = 0; i < 10; i++) {
        rest(500 * i);
        forkOnce();
    }
    ukRegistryLock(); /* nor is it held where the forking thread itself had it */
    forkOnce();
    ukRegistryUnlock();
    stop = true;
    pthread_join(thread, NULL);
    forkOnce();
    dCloseODE();
    return ukTestEnd();
}
