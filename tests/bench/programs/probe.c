/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/bench/programs/probe.c: a library for LD_PRELOAD that measures the processor time of each call of dWorldStep
 * and dWorldQuickStep of an unmodified program. It comes first in LD_PRELOAD, so that it measures ukode's functions
 * where ukode follows and ODE's where it does not. Times are appended to the file $PROBE_FILE, which is mapped, so that
 * a program that is killed leaves all of them: 64-bit words, the number of calls, then for each call twice its
 * nanoseconds in the calling thread, plus 1 for dWorldQuickStep. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <ode/ode.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ProbeCalls = 1 << 22 }; /* 32 MiB, of which the file system stores what is written */

typedef struct ProbeFile {
    _Atomic uint64_t calls;
    uint64_t time[ProbeCalls];
} ProbeFile;

typedef int (*StepFunction)(dWorldID, dReal);

static ProbeFile *probe_file;
static StepFunction step_function[2];

__attribute__((constructor)) static void openProbe(void)
{
    const char *const path = getenv("PROBE_FILE");
    const int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    if (ftruncate(file, sizeof(ProbeFile)) == 0) {
        void *const map = mmap(NULL, sizeof(ProbeFile), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) probe_file = map;
    }
    close(file);
}

static uint64_t threadNanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The function is looked for at the first call, when ODE is loaded in any case. */
static int measureStep(const char *name, int quick, dWorldID world, dReal h)
{
    if (!step_function[quick]) *(void **)&step_function[quick] = dlsym(RTLD_NEXT, name);
    if (!step_function[quick]) abort();
    const uint64_t begin = threadNanoseconds();
    const int taken = step_function[quick](world, h);
    const uint64_t time = threadNanoseconds() - begin;
    if (!probe_file) return taken;
    const uint64_t call = atomic_fetch_add(&probe_file->calls, 1);
    if (call < ProbeCalls) probe_file->time[call] = 2 * time + (uint64_t)quick;
    return taken;
}

int dWorldStep(dWorldID world, dReal h)
{
    return measureStep("dWorldStep", 0, world, h);
}

int dWorldQuickStep(dWorldID world, dReal h)
{
    return measureStep("dWorldQuickStep", 1, world, h);
}
