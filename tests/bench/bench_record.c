/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording costs: the same scene three times in one process, plain, recorded at the default rate, and with
 * every step, each taking its k-th step before any takes its next.
 *
 *     bench_record [--paced] [--only plain|rate|every] [--steps N] [scene ...]       chain, ragdolls, pile
 *
 * Columns: scene, bodies, then for each of the three: microseconds of the stepping thread's processor a step, of wall
 * time a step, their ratios to plain, that of the thread's instructions where the processor's counters can be read
 * ("-": they cannot; take callgrind), and megabytes of the file. The first 20 steps are not counted. Wall time includes
 * waiting for the thread that writes, where steps come faster than it can; --paced waits after every step until its
 * simulated time is over, as a program does that shows what it steps. The files are made in the present directory and
 * removed. */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"

enum { Plain, Rate, Every, Ways };
static const char *const names[Ways] = {"plain", "rate", "every"};
static const double h = 0.01;
static const int uncounted = 20;
static int only = -1, steps = 600;
static bool paced;

static double clockOf(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* of this thread's instructions outside of the kernel; -1: there is none */
static int counter = -1;

static void openCounter(void)
{
    struct perf_event_attr what = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof what,
                                   .config = PERF_COUNT_HW_INSTRUCTIONS,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    counter = (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, 0UL);
}

static double instructions(void)
{
    uint64_t count = 0;
    return counter >= 0 && read(counter, &count, sizeof count) == sizeof count ? (double)count : 0;
}

typedef struct Spent {
    double processor, wall, instructions; /* [s], [s] */
} Spent;

typedef struct Way {
    Scene *scene;
    Spent spent;
    char path[32];
} Way;

static Spent *spent; /* of the step under way */

static int timed(dWorldID world, dReal step)
{
    const double p = clockOf(CLOCK_THREAD_CPUTIME_ID), w = clockOf(CLOCK_MONOTONIC), n = instructions();
    const int done = ukWorldStep(world, step);
    spent->instructions += instructions() - n;
    spent->processor += clockOf(CLOCK_THREAD_CPUTIME_ID) - p;
    spent->wall += clockOf(CLOCK_MONOTONIC) - w;
    return done;
}

static void waitUntil(double end)
{
    const double left = end - clockOf(CLOCK_MONOTONIC);
    if (left <= 0) return;
    const struct timespec t = {.tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * (left - (double)(time_t)left))};
    nanosleep(&t, NULL);
}

static void run(const char *name, Scene *(*make)(int), int n)
{
    Way way[Ways] = {0};
    const ukRecordOptions options[Ways] = {[Every] = {.every_step = 1}};
    for (int k = 0; k < Ways; k++) {
        if (only >= 0 && k != only) continue;
        way[k].scene = make(n);
        ukWorldEnable(way[k].scene->world);
        snprintf(way[k].path, sizeof way[k].path, "bench_record_%d.ukode", k);
        if (k != Plain && ukWorldRecord(way[k].scene->world, way[k].path, &options[k]) != ukOk)
            printf("%s\n", ukGetLastErrorMessage());
    }
    const double begun = clockOf(CLOCK_MONOTONIC);
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < Ways; k++) {
            Spent step = {0};
            if (!way[k].scene) continue;
            spent = &step;
            sceneStep(way[k].scene, h, timed);
            if (i < uncounted) continue; /* plans and workspaces are made */
            way[k].spent.processor += step.processor;
            way[k].spent.wall += step.wall;
            way[k].spent.instructions += step.instructions;
        }
        if (paced) waitUntil(begun + (i + 1) * h);
    }
    printf("%-9s %5d", name, ukWorldGetBodyCount(way[only >= 0 ? only : 0].scene->world));
    for (int k = 0; k < Ways; k++) {
        struct stat file = {0};
        if (!way[k].scene) continue;
        if (k != Plain) ukWorldRecord(way[k].scene->world, NULL, NULL);
        if (k != Plain) stat(way[k].path, &file);
        const Spent *const x = &way[k].spent, *const y = &way[Plain].spent;
        const double each = 1e6 / (steps - uncounted);
        printf(" | %s %8.1f %8.1f us  %.3f %.3f", names[k], each * x->processor, each * x->wall,
               x->processor / y->processor, x->wall / y->wall);
        if (counter < 0) printf(" -");
        if (counter >= 0) printf(" %.3f", x->instructions / y->instructions);
        printf("  %5.1f MB", 1e-6 * (double)file.st_size);
        unlink(way[k].path);
        sceneDestroy(way[k].scene);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        Scene *(*make)(int);
        int n;
    } scenes[] = {{"chain", sceneHingeChain, 300}, {"ragdolls", sceneRagdolls, 20}, {"pile", scenePile, 50}};
    bool chosen[3] = {false}, any = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--paced") == 0) paced = true;
        if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc) steps = atoi(argv[i + 1]);
        for (int k = 0; k < Ways; k++)
            if (strcmp(argv[i], names[k]) == 0) only = k;
        for (int k = 0; k < 3; k++)
            if (strcmp(argv[i], scenes[k].name) == 0) chosen[k] = any = true;
    }
    openCounter();
    printf(
        "scene, bodies | way, us a step: of the stepping thread's processor, of wall time; to plain: processor, wall, "
        "instructions (-: no counter); file\n");
    dInitODE2(0);
    for (int k = 0; k < 3; k++)
        if (chosen[k] || !any) run(scenes[k].name, scenes[k].make, scenes[k].n);
    dCloseODE();
    return 0;
}
