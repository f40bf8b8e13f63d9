/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/summary/process.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "bridge/base/forked.h"
#include "bridge/base/log.h"
#include "bridge/ode/unreached.h"
#include "bridge/world/record.h"
#include "plugin/summary/summary.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool wanted;
static _Atomic pid_t process;         /* 0: nothing was stepped yet; a forked child starts again */
static atomic_bool unserved;          /* ukProcessUnserved was called */
static int worlds;                    /* that it has stepped */
static atomic_bool seen, initialized; /* dWorldCreate was called; dInitODE or dInitODE2 was */

/* the child has stepped nothing itself; its parent's lock may have been held */
static void resetInChild(void)
{
    pthread_mutex_init(&lock, NULL);
    process = 0;
}

void ukProcessOpen(const char *report, const char *pipe)
{
    ukSummaryOpen(report, pipe);
    wanted = ukSummaryWanted();
    if (wanted) ukForkedWatch(resetInChild, true);
}

bool ukProcessWanted(void)
{
    return wanted;
}

void ukProcessUnserved(const char *reason)
{
    if (!ukSummaryHeard()) ukLogWarning("%s: ODE's own steps are used", reason);
    if (!wanted) return;
    pthread_mutex_lock(&lock);
    unserved = true;
    ukSummaryUnserved(reason);
    pthread_mutex_unlock(&lock);
}

/* no step reached this library: the command is sent the reason, if there is ODE in this process */
static void reportUnreached(void)
{
    char reason[ukUnreachedLength];
    if (wanted && !unserved && ukUnreached(reason)) ukSummaryUnreached(reason);
}

static void closeSummary(void)
{
    if (process)
        ukSummaryEnd();
    else
        reportUnreached();
    process = 0;
    wanted = false;
}

void ukProcessClose(void)
{
    pthread_mutex_lock(&lock);
    closeSummary();
    pthread_mutex_unlock(&lock);
}

/* A child of vfork has its parent's memory, and the lock may be the calling thread's own. */
static bool lockOwn(void)
{
    return wanted && process == getpid() && pthread_mutex_trylock(&lock) == 0;
}

void ukProcessLeave(void)
{
    if (!lockOwn()) return;
    closeSummary();
    pthread_mutex_unlock(&lock);
}

void ukProcessFlush(void)
{
    if (!lockOwn()) return;
    ukSummaryFlush();
    pthread_mutex_unlock(&lock);
}

/* the process's first step, the world's first step: they are given their numbers */
static void numberWorld(ukWorld *world)
{
    if (process == 0) {
        process = getpid();
        worlds = 0;
        /* worlds that were handed over may be those of a program whose calls do not reach this library */
        ukSummaryBegin(initialized || !seen);
    }
    if (world->course.process == process) return;
    world->course.process = process;
    world->course.number = ++worlds;
    world->course.step = 0;
}

void ukProcessInitialized(void)
{
    initialized = true;
}

void ukProcessCreated(void)
{
    seen = true;
}

void ukProcessBegin(ukWorld *world)
{
    if (!wanted || (process && world->course.process == process)) return;
    pthread_mutex_lock(&lock);
    numberWorld(world);
    pthread_mutex_unlock(&lock);
}

void ukProcessFailed(ukWorld *world)
{
    if (!wanted || !world || !world->handle) return;
    pthread_mutex_lock(&lock);
    numberWorld(world);
    ukSummaryFailed(worlds);
    pthread_mutex_unlock(&lock);
}

void ukProcessStep(ukWorld *world, double h, double seconds, bool ours)
{
    ukLogFirstStep();
    if (!wanted || !world || !world->handle) return;
    pthread_mutex_lock(&lock);
    numberWorld(world);
    world->course.step++;
    world->course.time += h;
    ukSummaryStep(world, h, seconds, ours, worlds);
    pthread_mutex_unlock(&lock);
}
