/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole steps: ukode against ODE's steppers on the scenes of demos/scenes.h, interleaved in one process, one thread.
 *
 *     bench_step [--seconds S] [--repeats R] [--csv FILE] [--layer L] [--damping D] [--simulated T] [--only STEPPER]
 *                [scene:n ...]
 *
 * Steppers are ukWorldStep (dWorldStep's law of friction), dWorldQuickStep in a world of ukode's (its law), and ODE's
 * own. Each has a scene of its own; all take their first step, then all their second, and so on, so that a change of
 * the machine's speed meets all of them. L and D are those of sceneCalm, 0 unless given: the table of
 * docs/performance.md is that of ODE's defaults, the one of docs/contact.md on rest is made with them. Chains, loops,
 * trees and nets run their first simulated second at 2 ms; contact scenes and robots run at 10 ms for 5 s, stacks and
 * pyramids for 10 s. T is another duration. Only the stepping call is timed, not the collision detection. A stepper
 * that has used its share of time S takes no further step; its median is over those it took. With R, every scene is run
 * so often and a step's time is the least of its own: what interrupts a step, or keeps its memory from the cache,
 * seldom does so each time. First steps keep what each new world costs, but not what a process's first step does.
 *
 * Columns: scene, n, bodies, joints, stepper, steps, median and mean microseconds a step, median a body, ratio of
 * the medians (contact scenes and robots: means) to dWorldQuickStep with 20 iterations, largest |A v - target| of the
 * joints after a step (m/s or rad/s; ERP's own correcting velocity is in it), largest gap of a joint (m), for contact
 * scenes the largest horizontal drift of a body since the start (m), ukode's share of steps with a natural residual
 * above 1e-8, and the largest one, how much time was simulated (s): errors are the largest up to then; the speed of the
 * fastest body at the end (m/s), and the largest drift of a body, whichever way, in the last half of a run that came to
 * its end, but no more than 5 s (m; nan: it did not); the 99th percentile of the steps' times and the worst
 * (us), and ukode's passes a step; the share of its steps that the Gauss check certified, the share in which the law of
 * friction is met to 1e-8 (ukReport.coupling), and the 90th percentile of how far it is not. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* what else runs on the machine does not count */
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double last_seconds; /* of the stepping call just made */

#define TIMED(name, call)                                                                                              \
    static int name(dWorldID world, dReal h)                                                                           \
    {                                                                                                                  \
        const double t0 = seconds();                                                                                   \
        const int done = (call);                                                                                       \
        last_seconds = seconds() - t0;                                                                                 \
        return done;                                                                                                   \
    }
TIMED(stepUkode, ukWorldStep(world, h))
TIMED(stepOde, dWorldStep(world, h))
TIMED(stepQuick, dWorldQuickStep(world, h))

enum { Ukode, UkodeQuick, Ode, Quick20, Quick100, Steppers };
static const char *const names[Steppers] = {"ukode", "ukodeQuick", "dWorldStep", "QuickStep20", "QuickStep100"};
static SceneStepFn *const steps[Steppers] = {stepUkode, stepQuick, stepOde, stepQuick, stepQuick};

static int isUkode(int which)
{
    return which == Ukode || which == UkodeQuick;
}

/* measured at 10 ms, in means: what moves by contacts or motors */
static int isLive(const Scene *s)
{
    return s->space || s->drive;
}

typedef struct Runner {
    Scene *scene;
    dReal *start;     /* (bodies x 2) horizontal positions at the start */
    dReal *late;      /* (bodies x 3) positions where the drift at rest begins to count */
    double *time;     /* of each step [s] */
    double *coupling; /* of each step */
    int count, loose, certified;
    long passes;
    double spent, velocity_error, gap, drift, residual;
} Runner;

typedef struct Choice {
    double share; /* of time for each stepper [s] */
    int repeats;
    dReal layer, damping; /* of sceneCalm */
    double simulated;     /* [s]; 0: the scene's own */
    const char *only;     /* the one stepper to run, for a profiler; NULL: all */
} Choice;

static Scene *build(const char *scene, int n, int which, const Choice *choice)
{
    Scene *s = sceneByName(scene, n);
    if (!s) return NULL;
    sceneCalm(s, choice->layer, choice->damping);
    if (isUkode(which)) ukWorldEnable(s->world);
    if (which == Quick20) dWorldSetQuickStepNumIterations(s->world, 20);
    if (which == Quick100) dWorldSetQuickStepNumIterations(s->world, 100);
    return s;
}

static void start(Runner *r)
{
    r->start = realloc(r->start, 2 * (size_t)r->scene->count * sizeof(dReal));
    for (int i = 0; i < r->scene->count; i++)
        memcpy(r->start + 2 * i, dBodyGetPosition(r->scene->bodies[i]), 2 * sizeof(dReal));
}

static double driftOf(const Runner *r)
{
    double largest = 0;
    for (int i = 0; i < r->scene->count; i++) {
        const dReal *p = dBodyGetPosition(r->scene->bodies[i]);
        largest = fmax(largest, hypot(p[0] - r->start[2 * i], p[1] - r->start[2 * i + 1]));
    }
    return largest;
}

static void judge(Runner *r, int which)
{
    ukReport report;
    if (isUkode(which) && ukWorldGetReport(r->scene->world, &report) == 0) {
        r->residual = fmax(r->residual, report.complementarity);
        r->passes += report.factorizations;
        r->certified += report.ok;
        r->coupling[r->count - 1] = report.coupling;
        r->loose += !(report.complementarity <= 1e-8);
    }
    if (r->count % (r->count < 25 ? 5 : 25) != 0) return;
    if (!isLive(r->scene) && ukWorldEvaluate(r->scene->world) == 0 && ukWorldGetReport(r->scene->world, &report) == 0)
        r->velocity_error = fmax(r->velocity_error, report.velocity_error);
    r->gap = fmax(r->gap, sceneGap(r->scene));
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* the share of steps in which the law of friction is met; their couplings ascend */
static double met(const Runner *r)
{
    int n = 0;
    while (n < r->count && r->coupling[n] <= 1e-8) n++;
    return (double)n / r->count;
}

/* [s] a step */
static double meanOf(const Runner *r)
{
    return r->spent / r->count;
}

static double quoted(const Runner *r)
{
    return isLive(r->scene) ? meanOf(r) : r->time[r->count / 2];
}

/* one line of the table; times and couplings ascend */
static void tell(const Runner *r, const char *scene, int n, int stepper, double quick, int total, FILE *csv)
{
    const double steps = r->count, *time = r->time;
    fprintf(csv, "%s,%d,%d,%d,%s,%d,", scene, n, r->scene->count, r->scene->joint_count, names[stepper], r->count);
    fprintf(csv, "%.3f,%.3f,%.4f,%.3f,", 1e6 * time[r->count / 2], 1e6 * meanOf(r), 1e6 * quoted(r) / r->scene->count,
            quoted(r) / quick);
    fprintf(csv, "%.2e,%.2e,%.2e,", r->velocity_error, r->gap, isLive(r->scene) ? driftOf(r) : 0);
    fprintf(csv, "%.4f,%.1e,%.3g,%.1e,%.1e,", r->loose / steps, r->residual, steps * r->scene->h,
            sceneFastest(r->scene), r->count == total ? sceneDrift(r->scene, r->late) : (double)NAN);
    fprintf(csv, "%.3f,%.3f,%.2f,", 1e6 * time[r->count * 99 / 100], 1e6 * time[r->count - 1],
            (double)r->passes / steps);
    fprintf(csv, "%.4f,%.4f,%.1e\n", r->certified / steps, met(r), r->coupling[r->count * 9 / 10]);
    fflush(csv);
}

/* how many steps a stepper takes at most, and the last of them that show the drift at rest */
static void lengthOf(const char *scene, const Scene *s, const Choice *choice, int *total, int *tail)
{
    const bool rests = strcmp(scene, "stack") == 0 || strcmp(scene, "pyramid") == 0;
    *total = isLive(s) && rests ? 1000 : 500;
    if (choice->simulated > 0) *total = (int)ceil(choice->simulated / s->h - 1e-9);
    *tail = *total / 2 * s->h > 5 ? (int)(5 / s->h + 0.5) : *total / 2;
}

/* A new scene at its start. Times of an earlier run of it stay. */
static bool begin(Runner *r, const char *scene, int n, int which, const Choice *choice)
{
    int total, tail;
    Scene *s = build(scene, n, which, choice);
    if (!s) return false;
    if (r->scene) sceneDestroy(r->scene);
    *r = (Runner){.scene = s, .start = r->start, .late = r->late, .time = r->time, .coupling = r->coupling};
    s->h = isLive(s) ? 0.01 : 0.002;
    lengthOf(scene, s, choice, &total, &tail);
    if (!r->time) {
        r->time = malloc((size_t)total * sizeof(double));
        r->coupling = calloc((size_t)total, sizeof(double));
        r->late = malloc(3 * (size_t)s->count * sizeof(dReal));
        for (int i = 0; i < total; i++) r->time[i] = INFINITY;
    }
    start(r);
    return true;
}

/* All steppers, step by step; `taken` (Steppers): how many they take, as in an earlier run, or NULL. */
static void run(Runner *runner, int total, int tail, const Choice *choice, const int *taken)
{
    dRandSetSeed(0); /* QuickStep's order of the rows */
    for (int i = 0; i < total; i++) {
        for (int k = 0; k < Steppers; k++) {
            Runner *r = &runner[k];
            const double guess = r->count > 0 ? r->time[r->count - 1] : 0;
            const bool spent = r->spent + guess > choice->share && r->count >= (k == Ode ? 1 : 3);
            if (taken ? r->count >= taken[k] : spent) continue;
            if (k == Ode && r->scene->joint_count > 1200) continue; /* minutes a step */
            if (choice->only && strcmp(choice->only, names[k]) != 0) continue;
            if (r->count == total - tail) sceneNote(r->scene, r->late);
            sceneStep(r->scene, r->scene->h, steps[k]);
            r->time[r->count] = fmin(r->time[r->count], last_seconds);
            r->spent += r->time[r->count++];
            judge(r, k);
        }
    }
}

static void tellAll(Runner *runner, const char *scene, int n, int total, FILE *csv)
{
    double quick = 0;
    for (int k = 0; k < Steppers; k++) {
        if (runner[k].count == 0) continue;
        qsort(runner[k].time, (size_t)runner[k].count, sizeof(double), ascending);
        qsort(runner[k].coupling, (size_t)runner[k].count, sizeof(double), ascending);
        if (k == Quick20) quick = quoted(&runner[k]);
    }
    for (int k = 0; k < Steppers; k++)
        if (runner[k].count > 0) tell(&runner[k], scene, n, k, quick, total, csv);
}

static int bench(const char *scene, int n, const Choice *choice, FILE *csv)
{
    Runner runner[Steppers] = {0};
    int total = 0, tail = 0, taken[Steppers], failed = 0;
    for (int repeat = 0; repeat < choice->repeats && !failed; repeat++) {
        for (int k = 0; k < Steppers && !failed; k++) {
            taken[k] = runner[k].count;
            failed = !begin(&runner[k], scene, n, k, choice);
        }
        if (failed) break;
        lengthOf(scene, runner[0].scene, choice, &total, &tail);
        run(runner, total, tail, choice, repeat > 0 ? taken : NULL);
    }
    if (failed)
        fprintf(stderr, "bench_step: no scene named %s\n", scene);
    else
        tellAll(runner, scene, n, total, csv);
    for (int k = 0; k < Steppers; k++) {
        if (runner[k].scene) sceneDestroy(runner[k].scene);
        free(runner[k].start);
        free(runner[k].late);
        free(runner[k].time);
        free(runner[k].coupling);
    }
    return failed;
}

/* dWorldStep tells on stderr where its LCP solver gives up: counted instead */
static int complaints;
static void complain(int number, const char *message, va_list arguments)
{
    (void)number, (void)message, (void)arguments;
    complaints++;
}

int main(int argc, char **argv)
{
    static const char *const all[] = {
        "snake:9",    "snake:18",      "hanging_snake:9", "hanging_snake:18", "walker:1",    "car:1",    "bike:1",
        "gripper:1",  "soft_snake:13", "soft_snake:30",   "truck:28",         "tracked:1",   "chain:10", "chain:30",
        "chain:100",  "chain:300",     "chain:1000",      "chain:3000",       "chain:10000", "loop:100", "loop:300",
        "tree:127",   "tree:1023",     "hub:10",          "hub:100",          "hub:1000",    "hub:3000", "net:10",
        "net:20",     "flat_net:10",   "trap_door:3",     "four_bar:0",       "bricard:0",   "stack:10", "stack:50",
        "pyramid:10", "pile:200",      "ragdolls:20"};
    Choice choice = {.share = 5, .repeats = 1};
    FILE *csv = stdout;
    const char *chosen[64];
    int count = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            choice.share = atof(argv[++i]);
        else if (strcmp(argv[i], "--layer") == 0 && i + 1 < argc)
            choice.layer = atof(argv[++i]);
        else if (strcmp(argv[i], "--damping") == 0 && i + 1 < argc)
            choice.damping = atof(argv[++i]);
        else if (strcmp(argv[i], "--simulated") == 0 && i + 1 < argc)
            choice.simulated = atof(argv[++i]);
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            choice.only = argv[++i];
        else if (strcmp(argv[i], "--repeats") == 0 && i + 1 < argc)
            choice.repeats = atoi(argv[++i]) > 1 ? atoi(argv[i]) : 1;
        else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc)
            csv = fopen(argv[++i], "w");
        else if (count < 64)
            chosen[count++] = argv[i];
    }
    if (!csv) {
        perror("bench_step");
        return 1;
    }
    if (count == 0)
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) chosen[count++] = all[i];
    dInitODE2(0);
    dSetMessageHandler(complain);
    dAllocateODEDataForThread(dAllocateFlagCollisionData);
    fprintf(csv,
            "scene,n,bodies,joints,stepper,steps,median_us,mean_us,us_per_body,ratio_to_quick20,velocity_error,gap,"
            "drift,loose_share,largest_residual,simulated,fastest,rest_drift,p99_us,worst_us,passes,certified,coupled,"
            "coupling_p90\n");
    int failed = 0;
    for (int i = 0; i < count; i++) {
        char scene[32];
        int n = 0;
        if (sscanf(chosen[i], "%31[^:]:%d", scene, &n) < 1 || bench(scene, n, &choice, csv)) failed = 1;
    }
    if (complaints > 0) fprintf(stderr, "dWorldStep reported %d LCP internal errors\n", complaints);
    dCloseODE();
    return failed;
}
