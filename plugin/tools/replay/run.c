/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/replay/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/clock.h"
#include "bridge/base/log.h"
#include "bridge/base/plural.h"
#include "bridge/world/registry.h"
#include "plugin/tools/replay/difference.h"
#include "plugin/tools/terminal/progress.h"

/* One of the two worlds that are stepped. */
typedef struct Side {
    ukBuild *build;
    double seconds; /* in steps */
    long failed;    /* steps that were not taken */
    char why[300];  /* why the first of them failed */
} Side;

typedef struct Replay {
    const ukReplayOptions *options;
    ukReader *reader;
    long long world;
    Side recorded; /* under the recorded settings; build NULL: a benchmark of other settings needs none */
    Side other;    /* under the settings of the options; build NULL: there are none */
    ukDifference difference;
    double simulated;
    long steps, same, unknown; /* taken; with the states that were recorded; of which nothing was recorded */
    long rejected;             /* steps of `other`, or of `recorded` if it has no build, that the check rejected */
    long long first;           /* number of the first step after which the state differs from the recording; 0: none */
    char what[300];            /* the difference after that step, in words */
} Replay;

static bool takeReplayStep(Side *side, const ukReplaySteps *steps)
{
    if (!ukReplayFeed(steps, side->build)) return false;
    const double start = ukSeconds();
    const int taken = ukBuildStep(side->build);
    side->seconds += ukSeconds() - start;
    if (taken != 1 && side->failed++ == 0) snprintf(side->why, sizeof side->why, "%s", ukErrorMessage());
    return true;
}

static const char *fieldName(int field)
{
    return field < ukBodyQuaternion     ? "position"
           : field < ukBodyRotation     ? "orientation"
           : field < ukBodyVelocity + 3 ? "velocity"
                                        : "spin";
}

/* Compares the state under the recorded settings with the recorded one: counts the step as the same or as unknown, and
 * describes the first difference. */
static void compareWithRecording(Replay *r, const ukReplaySteps *steps)
{
    unsigned char hash[16];
    int field = 0;
    double x = 0, y = 0;
    const dWorldID world = ukBuildWorld(r->recorded.build);
    const bool hashed = steps->has_hash && ukWorldHash(world, hash) == 0;
    bool same = hashed && memcmp(hash, steps->hash, sizeof hash) == 0;
    int differs = -1;
    if (!hashed || (!same && r->first == 0)) {
        differs = ukReplayDiffers(steps, world, &field, &x, &y);
        if (!hashed) same = differs == 0;
    }
    if (!hashed && differs < 0) {
        r->unknown++;
        return;
    }
    r->same += same;
    if (same || r->first > 0) return;
    r->first = steps->number;
    if (differs > 0)
        snprintf(r->what, sizeof r->what, "%s of body %d: %.17g, recorded %.17g", fieldName(field), differs, y, x);
    else if (differs == 0)
        snprintf(r->what, sizeof r->what,
                 "the hash; the recorded states are equal, and the hash also covers the time, forces, torques, sleep, "
                 "sleeping bodies, angles of AMotors and phases of transmissions");
    else
        snprintf(r->what, sizeof r->what, "energy %.17g J, recorded %.17g J; the recording has no states of this step",
                 ukEnergyOf(world), steps->energy);
}

/* whether there are settings that differ from the recording's */
static bool hasOtherSettings(const ukReplayOptions *o)
{
    return o->imposed != 0 || o->substeps > 1;
}

static void applyOptions(Replay *r)
{
    ukBuildImpose(r->other.build, r->options->imposed, r->options->field);
    ukBuildDivide(r->other.build, r->options->substeps);
}

static bool beginRun(Replay *r)
{
    const ukReplayOptions *o = r->options;
    const bool two = hasOtherSettings(o);
    if (o->bench == 0 || !two) r->recorded.build = ukBuildBegin(0, NULL);
    if (two) r->other.build = ukBuildBegin(0, NULL);
    if (r->other.build && !(o->from > 0)) applyOptions(r);
    const bool memory = (r->recorded.build || (o->bench > 0 && two)) && (r->other.build || !two);
    if (!memory) snprintf(r->reader->error, sizeof r->reader->error, "no memory");
    return memory && (!r->recorded.build || ukReplaySurfaces(r->reader, r->world, r->recorded.build)) &&
           (!r->other.build || ukReplaySurfaces(r->reader, r->world, r->other.build));
}

/* Counts the present step among the rejected ones if the check rejected it. */
static void countRejection(Replay *r)
{
    ukReport report;
    const dWorldID handle = ukBuildWorld(r->other.build ? r->other.build : r->recorded.build);
    const ukWorld *const world = ukRegistryWorld(handle);
    const bool checked = world && world->enabled && world->settings.check != ukCheckOff;
    if (checked && ukWorldGetReport(handle, &report) == ukOk && !report.ok) r->rejected++;
}

/* Replays the steps of the world up to --to; those from --from on are counted and compared. */
static bool replaySteps(Replay *r)
{
    const ukReplayOptions *o = r->options;
    ukReplaySteps steps;
    bool good = beginRun(r), begun = !(o->from > 0);
    if (!good || !ukReplayBegin(&steps, r->reader, r->world)) return false;
    while (good && ukReplayNext(&steps) && !(steps.time - steps.h >= o->to)) {
        const bool counts = !(steps.time - steps.h < o->from);
        if (counts && !begun && r->other.build) applyOptions(r);
        if (counts && !begun) r->recorded.seconds = r->other.seconds = 0;
        begun |= counts;
        if (r->recorded.build) good = takeReplayStep(&r->recorded, &steps);
        if (good && r->other.build) good = takeReplayStep(&r->other, &steps);
        if (!good || !counts) continue;
        r->steps++;
        r->simulated += steps.h;
        countRejection(r);
        progressShow(r->simulated, (double)r->rejected);
        if (o->bench > 0) continue;
        compareWithRecording(r, &steps);
        if (r->other.build)
            good = ukDifferenceTake(&r->difference, ukBuildWorld(r->recorded.build), ukBuildWorld(r->other.build),
                                    steps.time);
    }
    ukReplayEnd(&steps);
    return good && !r->reader->error[0];
}

static void endReplay(Replay *r)
{
    ukBuildEnd(r->recorded.build);
    ukBuildEnd(r->other.build);
    ukDifferenceFree(&r->difference);
}

/* ---- what is printed --------------------------------------------------------------------------------------------- */

static bool wasSinglePrecision(ukReader *reader)
{
    sqlite3_stmt *const query = ukReaderAsk(reader, "SELECT 1 FROM run WHERE instr(ode_version, 'ODE_single') > 0");
    const bool found = query && ukReaderNext(reader, query);
    ukReaderDone(query);
    return found;
}

static void printRecorded(const Replay *r)
{
    const long known = r->steps - r->unknown;
    printf("world %lld: %ld step%s, %.6g s\n  as recorded: %ld of %ld steps have the states of the recording\n",
           r->world, r->steps, ukPlural((double)r->steps), r->simulated, r->same, known);
    if (r->same < known && wasSinglePrecision(r->reader))
        printf("  it was recorded with an ODE of single precision, and is stepped with one of double: at first, "
               "motions agree to rounding\n");
    if (r->unknown > 0)
        printf("  %ld step%s cannot be compared: neither hash nor states were recorded\n", r->unknown,
               ukPlural((double)r->unknown));
    if (r->first > 0) printf("  the first that differs is step %lld: %s\n", r->first, r->what);
}

static void printTime(const char *what, const Side *side, const Replay *r)
{
    const double each = r->steps > 0 ? side->seconds / (double)r->steps : 0;
    printf("  %-12s %10.3g s, %.3g us per step, %.3g times real time", what, side->seconds, 1e6 * each,
           side->seconds > 0 ? r->simulated / side->seconds : 0);
    if (side->failed > 0)
        printf("; %ld step%s failed, first: %s", side->failed, ukPlural((double)side->failed), side->why);
    printf("\n");
}

/* The body not yet printed that was farthest from its recorded motion; -1: none is left. */
static int farthestBody(const ukDifference *d, const bool *printed)
{
    int most = -1;
    for (int i = 0; i < d->bodies; i++)
        if (!printed[i] && (most < 0 || d->body[i].most[ukApartPosition] > d->body[most].most[ukApartPosition]))
            most = i;
    return most;
}

/* the bodies that are farthest apart, the worst first */
static void printBodies(const ukDifference *d)
{
    enum { Bodies = 10 };
    bool *printed = calloc((size_t)d->bodies + 1, sizeof *printed);
    printf("  largest differences  position [m]  orientation [rad]  velocity [m/s]  spin [rad/s]\n");
    for (int k = 0; printed && k < Bodies && k < d->bodies; k++) {
        const int i = farthestBody(d, printed);
        const ukBodyApart *b = &d->body[i];
        printed[i] = true;
        printf("    body %-8d %13.3g at %.5g s %9.3g %15.3g %13.3g\n", i + 1, b->most[ukApartPosition],
               b->time[ukApartPosition], b->most[ukApartTurn], b->most[ukApartVelocity], b->most[ukApartSpin]);
    }
    free(printed);
    if (d->bodies > Bodies)
        printf("    and %d bod%s with smaller differences\n", d->bodies - Bodies, ukPluralBody(d->bodies - Bodies));
}

static void printOther(const Replay *r)
{
    const ukDifference *d = &r->difference;
    printf("  with %s:\n", r->options->settings);
    printBodies(d);
    printf("  energy at the end: %.9g J, as recorded %.9g J; they differ by up to %.3g J\n", d->last[1], d->last[0],
           d->energy);
    const uint64_t guessed = ukBuildGuessed(r->other.build);
    if (guessed > 0)
        printf("  user functions were called %llu time%s more often than in the recording: the last result was used\n",
               (unsigned long long)guessed, ukPlural((double)guessed));
    printTime("as recorded", &r->recorded, r);
    printTime("with options", &r->other, r);
}

static int benchReplay(const Replay *given, long *steps)
{
    double best = INFINITY;
    for (int i = 0; i < given->options->bench; i++) {
        Replay r = *given;
        progressBegin();
        const bool good = replaySteps(&r);
        progressEnd();
        if (!good) {
            endReplay(&r);
            return 1;
        }
        const Side *side = r.other.build ? &r.other : &r.recorded;
        best = side->seconds < best ? side->seconds : best;
        if (i == 0)
            printf("world %lld: %ld step%s, %.6g s\n", r.world, r.steps, ukPlural((double)r.steps), r.simulated);
        printTime("steps", side, &r);
        *steps = r.steps;
        endReplay(&r);
    }
    printf("  best of %d: %.4g s\n", given->options->bench, best);
    return 0;
}

/* *steps: how many were taken from --from to --to. */
static int replayWorld(ukReader *reader, const ukReplayOptions *options, long long world, long *steps)
{
    Replay r = {.options = options, .reader = reader, .world = world};
    if (options->bench > 0) return benchReplay(&r, steps);
    progressBegin();
    const bool good = replaySteps(&r);
    progressEnd();
    if (good) printRecorded(&r);
    if (good && r.other.build)
        printOther(&r);
    else if (good)
        printTime("time", &r.recorded, &r);
    endReplay(&r);
    *steps = r.steps;
    return good && r.first == 0 ? 0 : 1;
}

/* All worlds, or the one that is asked for. */
static int replayWorlds(ukReader *reader, const ukReplayOptions *options, const long long *world, int count)
{
    int status = 0;
    long taken = 0;
    bool found = false;
    for (int i = 0; i < count; i++) {
        long steps = 0;
        if (options->world != 0 && options->world != world[i]) continue;
        found = true;
        status |= replayWorld(reader, options, world[i], &steps);
        taken += steps;
    }
    if (!found)
        snprintf(reader->error, sizeof reader->error, "%s: no world %lld with inputs", options->path, options->world);
    else if (taken == 0 && status == 0)
        snprintf(reader->error, sizeof reader->error, "%s: it has no step from %g s to %g s (--from, --to)",
                 options->path, options->from, options->to);
    return status;
}

int ukReplayRun(const ukReplayOptions *options)
{
    ukReader reader;
    int status = 1;
    if (ukReaderOpen(&reader, options->path)) {
        const int count = ukReaderHasSteps(&reader) ? ukReplayWorlds(&reader, NULL, 0) : 0;
        long long *const world = count > 0 ? malloc((size_t)count * sizeof *world) : NULL;
        if (count == 0 && !reader.error[0])
            snprintf(reader.error, sizeof reader.error, "%s: it has no inputs (ukode record --inputs)", options->path);
        if (count > 0 && !world) snprintf(reader.error, sizeof reader.error, "no memory");
        if (world && ukReplayWorlds(&reader, world, count) == count)
            status = replayWorlds(&reader, options, world, count);
        free(world);
        ukReaderClose(&reader);
    }
    if (!reader.error[0]) return status;
    fprintf(stderr, "ukode: %s\n", reader.error);
    return 1;
}
