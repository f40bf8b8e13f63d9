/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recording costs: the same scene three times in one process, plain, recorded at the default rate, and with every
 * step, each taking its k-th step before any takes its next.
 *
 *     bench_record [--paced] [--only plain|rate|every] [--steps N] [scene ...]       chain, ragdolls, pile
 *
 * Columns: scene, bodies, then for each of the three: microseconds of the stepping thread's processor a step, of wall
 * time a step, their ratios to plain, and megabytes of the file. --paced waits after every step until its simulated time
 * is over, as a program does that shows what it steps. The files are made in the present directory and removed. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"

enum { Plain, Rate, Every, Ways };
static const char *const names[Ways] = {"plain", "rate", "every"};
static const double h = 0.01;
static int only = -1, steps = 600;
static bool paced;

static double clockOf(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct Way {
    Scene *scene;
    double processor, wall; /* [s] */
    char path[32];
} Way;

static double *spent; /* of the way that steps */

static int timed(dWorldID world, dReal step)
{
    const double p = clockOf(CLOCK_THREAD_CPUTIME_ID), w = clockOf(CLOCK_MONOTONIC);
    const int done = ukWorldStep(world, step);
    spent[0] += clockOf(CLOCK_THREAD_CPUTIME_ID) - p;
    spent[1] += clockOf(CLOCK_MONOTONIC) - w;
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
            double times[2] = {0, 0};
            if (!way[k].scene) continue;
            spent = times;
            sceneStep(way[k].scene, h, timed);
            if (i < 20) continue; /* plans and workspaces are made */
            way[k].processor += times[0];
            way[k].wall += times[1];
        }
        if (paced) waitUntil(begun + (i + 1) * h);
    }
    printf("%-9s %5d", name, ukWorldGetBodyCount(way[only >= 0 ? only : 0].scene->world));
    for (int k = 0; k < Ways; k++) {
        struct stat file = {0};
        if (!way[k].scene) continue;
        if (k != Plain) ukWorldRecord(way[k].scene->world, NULL, NULL);
        if (k != Plain) stat(way[k].path, &file);
        printf(" | %s %8.1f %8.1f us  %.3f %.3f  %5.1f MB", names[k], 1e6 * way[k].processor / (steps - 20),
               1e6 * way[k].wall / (steps - 20), way[k].processor / way[Plain].processor, way[k].wall / way[Plain].wall,
               1e-6 * (double)file.st_size);
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
    dInitODE2(0);
    for (int k = 0; k < 3; k++)
        if (chosen[k] || !any) run(scenes[k].name, scenes[k].make, scenes[k].n);
    dCloseODE();
    return 0;
}
