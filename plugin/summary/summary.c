/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/summary/summary.h"

#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bridge/base/clock.h"
#include "bridge/base/log.h"
#include "bridge/base/output.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/class.h"
#include "bridge/joints/idle.h"
#include "bridge/joints/linear_motor.h"
#include "bridge/joints/pole.h"
#include "bridge/results/imbalance.h"
#include "bridge/results/opening.h"
#include "bridge/results/yielding.h"
#include "bridge/user/joint_law.h"
#include "bridge/watch/start.h"
#include "bridge/world/energy.h"
#include "bridge/world/name.h"
#include "plugin/summary/ending.h"

enum { ReasonCount = 32, ReasonLength = 256 };

static struct {
    int worlds;
    uint64_t ours, native, fallbacks, failed, reasons[ReasonCount]; /* reasons of the last two: by -status */
    char first_reason[ReasonLength];                                /* of these, in words */
    uint64_t checked, rejected;          /* steps with residuals; of these above the tolerance */
    uint64_t integrated, discrete;       /* islands that another integrator than Euler was chosen for: taken, and not */
    bool apart;                          /* of these, one without contacts was not taken */
    int integrator;                      /* the last one chosen that is not Euler */
    uint64_t aside, compromised, surges; /* islands whose CFM was ignored; steps that solved another problem; surges */
    ukSurge surge;                       /* the largest, and when, in its world's time */
    double surge_time;
    struct { /* the first exponential growth of a kinetic energy, and the largest since [J] */
        double time, steps, before, grown, most;
    } explosion;           /* steps 0: none */
    ukImbalance imbalance; /* the largest, and the number of its world */
    int imbalance_world;
    ukLinearMotor linear_motor; /* the one with the largest difference of its ways, relatively */
    struct { /* the AMotor in Euler mode that came nearest to its singular pose, below pole_sine, and when */
        double sine, time;
        char joint[ukPoleLength]; /* "": none */
    } pole;
    ukEnergyError energy; /* the sum of the steps' errors, and the largest kinetic energy */
    ukOpening opening;    /* the largest in one step, and when */
    double opening_time;
    ukYielding yielding; /* the joint that the world's CFM opens most */
    struct { /* steps of such an integrator: their evaluations of the equations, those of plain steps, the sub-steps
              * that they tried, and their events */
        double steps, taken, plain, attempts, events, tolerance;
        double most;                 /* evaluations of the step with events that took most, */
        char source[ukEventsLength]; /* and the first of these events */
    } cost;
    int idle; /* stops and motors that cannot act, of the world with most of them, and the first of these */
    char idle_text[ukIdleLength];
    double compromise;
    double seconds_ours, seconds_native, time;
    double feasibility, stationarity, complementarity, position_error, velocity_error; /* the largest of all steps */
} sums;

static const double pole_sine = 0.17; /* of ten degrees, as the rule amotor_singular of the findings */

/* of the largest kinetic energy: errors of steps that add up to more are reported */
static const double energy_share = 0.05;

static ukOutput report;
static char pipe_address[ukPipeAddressLength];
static bool live; /* a command displays the progress: */
static double live_begun, live_written;

void ukSummaryOpen(const char *path, const char *pipe)
{
    ukOutputOpen(&report, path);
    snprintf(pipe_address, sizeof pipe_address, "%s", pipe ? pipe : "");
}

void ukSummaryLive(void)
{
    live = true;
    live_begun = live_written = ukSeconds();
}

bool ukSummaryWanted(void)
{
    return ukOutputWanted(&report) || pipe_address[0];
}

bool ukSummaryHeard(void)
{
    return pipe_address[0];
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

typedef struct Line {
    char text[ukPipeLine];
    size_t used;
} Line;

__attribute__((format(printf, 2, 3))) static void putSummary(Line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line->text + line->used, sizeof line->text - line->used, format, args);
    va_end(args);
    if (n > 0) line->used += (size_t)n;
    if (line->used > sizeof line->text - 1) line->used = sizeof line->text - 1;
}

static void programName(char *name, size_t size)
{
    const int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    const ssize_t n = file < 0 ? 0 : read(file, name, size - 1);
    if (file >= 0) close(file);
    name[n > 0 ? n : 0] = 0;
    if (n <= 0 && size >= 16) prctl(PR_GET_NAME, name); /* of this thread: without /proc */
    for (char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\') *c = *c == '\n' ? 0 : '?';
}

static void beginSummary(Line *line, const char *event)
{
    char name[32];
    programName(name, sizeof name);
    line->used = 0;
    putSummary(line, "{\"event\":\"%s\",\"pid\":%d,\"program\":\"%s\"", event, (int)getpid(), name);
}

static void countSummary(Line *line, const char *key, uint64_t n)
{
    putSummary(line, ",\"%s\":%llu", key, (unsigned long long)n);
}

static void putResidual(Line *line, const char *key, double x)
{
    putSummary(line, ",\"%s\":%.3e", key, x);
}

static void sendLine(Line *line, bool to_pipe_alone)
{
    const size_t used = line->used;
    putSummary(line, "}\n");
    if (!to_pipe_alone) ukOutputAppend(&report, line->text, line->used);
    line->used = used;
    if (ukOutputFailures() > 0) countSummary(line, "unwritten", (uint64_t)ukOutputFailures());
    putSummary(line, "}\n");
    if (pipe_address[0] && !ukPipeWrite(pipe_address, line->text, line->used)) pipe_address[0] = 0;
}

static void putReasons(Line *line)
{
    bool first = true;
    putSummary(line, ",\"reasons\":{");
    for (int i = 1; i < ReasonCount; i++) {
        if (!sums.reasons[i]) continue;
        putSummary(line, "%s\"%s\":%llu", first ? "" : ",", ukErrorName(-i), (unsigned long long)sums.reasons[i]);
        first = false;
    }
    putSummary(line, "}");
}

/* "text" without what JSON would escape, cut after `most` bytes */
static void quoteSummary(Line *line, const char *text, size_t most)
{
    putSummary(line, "\"");
    for (size_t i = 0; text[i] && i < most; i++)
        putSummary(line, "%c", (unsigned char)text[i] < ' ' || text[i] == '"' || text[i] == '\\' ? '?' : text[i]);
    putSummary(line, "\"");
}

/* "key":"text" */
static void putJsonText(Line *line, const char *key, const char *text)
{
    putSummary(line, ",\"%s\":", key);
    quoteSummary(line, text, SIZE_MAX);
}

static double perStep(double seconds, uint64_t steps)
{
    return steps > 0 ? seconds / (double)steps : 0;
}

/* Puts the bodies, by name or number, whose initial values are configured and that no world had at its first step, as
 * many as fit in the line. */
static void putUnsetBodies(Line *line)
{
    enum { MostBytes = 1600, MostName = 96 };
    const ukStartDefault *start = ukStartUnmetDefault(NULL);
    const size_t most = line->used + MostBytes;
    if (!start) return;
    putSummary(line, ",\"unset_bodies\":");
    for (const char *before = "["; start && line->used < most; start = ukStartUnmetDefault(start), before = ",") {
        char number[24];
        snprintf(number, sizeof number, "%llu", (unsigned long long)start->serial);
        putSummary(line, "%s", before);
        quoteSummary(line, start->serial > 0 ? number : start->name, MostName);
    }
    putSummary(line, "]");
}

/* Puts objects that the configuration names and that no world has created, or that cannot have the given value; known
 * at the end only. */
static void putUnmet(Line *line, const char *event)
{
    if (strcmp(event, "end") != 0) return;
    const uint64_t named = ukNameUnmetDefault(true), joint = named ? named : ukLawUnmetDefault();
    const uint64_t body = ukNameUnmetDefault(false);
    if (joint) countSummary(line, "unknown_joint", joint);
    if (body) countSummary(line, "unknown_body", body);
    putUnsetBodies(line);
    const uint64_t unable = ukLawUnableDefault();
    if (unable) countSummary(line, "unable_joint", unable);
}

static void putCosts(Line *line)
{
    const double steps = sums.cost.steps;
    if (!(steps > 0)) return;
    putSummary(line, ",\"cost_steps\":%.0f,\"evaluations\":%.4g,\"plain_evaluations\":%.4g", steps,
               sums.cost.taken / steps, sums.cost.plain / steps);
    putSummary(line, ",\"attempts\":%.4g,\"events\":%.4g", sums.cost.attempts / steps, sums.cost.events / steps);
    putSummary(line, ",\"tolerance\":%.4g", sums.cost.tolerance);
    if (sums.cost.source[0]) putJsonText(line, "event_source", sums.cost.source);
}

/* Writes the joints that steps too long for the motion, or the world's CFM, have opened. */
static void writeOpen(Line *line)
{
    if (sums.opening.ratio > 0) {
        putSummary(line, ",\"opening\":%.4g,\"opening_length\":%.4g,\"opening_time\":%.6g", sums.opening.gap,
                   sums.opening.length, sums.opening_time);
        putJsonText(line, "opening_joint", sums.opening.joint);
    }
    if (sums.yielding.ratio > 0) {
        putSummary(line, ",\"yielding\":%.4g,\"yielding_cfm\":%.4g", sums.yielding.gap, sums.yielding.cfm);
        putJsonText(line, "yielding_joint", sums.yielding.joint);
    }
    if (fabs(sums.energy.error) > energy_share * sums.energy.kinetic)
        putSummary(line, ",\"energy_error\":%.4g,\"energy_kinetic\":%.4g", sums.energy.error, sums.energy.kinetic);
}

static void writeImbalance(Line *line)
{
    const ukImbalance *const i = &sums.imbalance;
    if (!ukImbalanceMatters(i)) return;
    putSummary(line, ",\"imbalance_impulse\":%.4g,\"imbalance_momentum\":%.4g", i->impulse, i->momentum);
    putSummary(line, ",\"imbalance_work\":%.4g,\"imbalance_energy\":%.4g", i->work, i->energy);
    putJsonText(line, "imbalance_joint", i->joint);
}

static void writeLinearMotor(Line *line)
{
    const ukLinearMotor *const m = &sums.linear_motor;
    if (!(m->ratio > 0)) return;
    putSummary(line, ",\"linear_motor_way\":%.4g,\"linear_motor_row\":%.4g", m->way, m->row);
    putJsonText(line, "linear_motor_joint", m->joint);
}

static void writeSummary(const char *event)
{
    Line line;
    beginSummary(&line, event);
    putSummary(&line, ",\"worlds\":%d", sums.worlds);
    countSummary(&line, "steps", sums.ours);
    countSummary(&line, "native_steps", sums.native);
    countSummary(&line, "fallbacks", sums.fallbacks);
    putReasons(&line);
    if (sums.first_reason[0]) putJsonText(&line, "first_reason", sums.first_reason);
    countSummary(&line, "failed", sums.failed);
    putSummary(&line, ",\"simulated_seconds\":%.9g,\"seconds_per_step\":%.4g,\"seconds_per_native_step\":%.4g",
               sums.time, perStep(sums.seconds_ours, sums.ours), perStep(sums.seconds_native, sums.native));
    countSummary(&line, "checked", sums.checked);
    countSummary(&line, "rejected", sums.rejected);
    putResidual(&line, "feasibility", sums.feasibility);
    putResidual(&line, "stationarity", sums.stationarity);
    putResidual(&line, "complementarity", sums.complementarity);
    putResidual(&line, "position_error", sums.position_error);
    putResidual(&line, "velocity_error", sums.velocity_error);
    countSummary(&line, "cfm_islands", sums.aside);
    countSummary(&line, "compromised", sums.compromised);
    putResidual(&line, "compromise", sums.compromise);
    countSummary(&line, "surges", sums.surges);
    if (sums.surges > 0)
        putSummary(&line, ",\"surge_time\":%.6g,\"surge_before\":%.4g,\"surge_work\":%.4g", sums.surge_time,
                   sums.surge.before, sums.surge.work);
    if (sums.explosion.steps > 0)
        putSummary(
            &line,
            ",\"explosion_time\":%.6g,\"explosion_steps\":%.0f,\"explosion_before\":%.4g,\"explosion_grown\":%.4g"
            ",\"explosion_most\":%.4g",
            sums.explosion.time, sums.explosion.steps, sums.explosion.before, sums.explosion.grown,
            sums.explosion.most);
    writeImbalance(&line);
    writeLinearMotor(&line);
    writeOpen(&line);
    if (sums.pole.joint[0]) {
        putSummary(&line, ",\"pole_sine\":%.4g,\"pole_time\":%.6g", sums.pole.sine, sums.pole.time);
        putJsonText(&line, "pole_joint", sums.pole.joint);
    }
    if (sums.idle > 0) {
        countSummary(&line, "idle_limits", (uint64_t)sums.idle);
        putJsonText(&line, "idle_limit", sums.idle_text);
    }
    putCosts(&line);
    countSummary(&line, "integrated_islands", sums.integrated);
    countSummary(&line, "discrete_islands", sums.discrete);
    if (sums.integrated == 0 && sums.apart) countSummary(&line, "apart", 1);
    countSummary(&line, "integrator", (uint64_t)sums.integrator);
    putUnmet(&line, event);
    char hash[ukEndingLength];
    if (strcmp(event, "end") == 0 && ukEndingText(hash)) putSummary(&line, ",\"hash\":\"%s\"", hash);
    sendLine(&line, strcmp(event, "live") == 0);
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

void ukSummaryBegin(bool initialized)
{
    Line line;
    memset(&sums, 0, sizeof sums);
    ukEndingBegin();
    if (!ukSummaryWanted()) return;
    beginSummary(&line, "start");
    if (!initialized) putSummary(&line, ",\"uninitialized\":1");
    sendLine(&line, false);
}

/* The larger of two numbers; NaN counts as the largest. */
static double largerOrNan(double x, double y)
{
    return x >= y ? x : y;
}

static void addReason(void)
{
    const int reason = -ukErrorStatus();
    if (reason > 0 && reason < ReasonCount) sums.reasons[reason]++;
    if (!sums.first_reason[0]) snprintf(sums.first_reason, sizeof sums.first_reason, "%s", ukErrorMessage());
}

/* Kinetic energy of the enabled bodies; a loop over many sleeping ones would cost more than the step. */
static double kineticOf(const ukWorld *world)
{
    static const double weightless[3] = {0};
    dReal kinetic = 0, potential = 0;
    for (ukBody *b = world->oldest_body; b; b = b->newer)
        if (dBodyIsEnabled(b->handle)) ukBodyEnergy(b, weightless, &kinetic, &potential);
    return kinetic;
}

static double potentialOf(const ukWorld *world)
{
    dVector3 gravity;
    dReal kinetic = 0, potential = 0;
    dWorldGetGravity(world->handle, gravity);
    const double g[3] = {gravity[0], gravity[1], gravity[2]};
    for (ukBody *b = world->oldest_body; b; b = b->newer) ukBodyEnergy(b, g, &kinetic, &potential);
    return potential;
}

static void watchExplosion(ukWorld *world)
{
    ukExplosion *const e = &world->course.explosion;
    const double kinetic = kineticOf(world);
    const bool rises = ukExplosionTakes(e, kinetic);
    if (rises && ukExplosionTake(e, world->course.step, 0, kinetic, potentialOf(world)) && sums.explosion.steps == 0) {
        sums.explosion.time = world->course.time;
        sums.explosion.steps = (double)(e->to.number - e->from.number);
        sums.explosion.before = e->from.kinetic;
        sums.explosion.grown = e->to.kinetic / e->from.kinetic;
    }
    if (sums.explosion.steps > 0 && isfinite(kinetic)) sums.explosion.most = largerOrNan(kinetic, sums.explosion.most);
}

static void addNative(const ukWorld *world, double seconds)
{
    sums.native++;
    sums.seconds_native += seconds;
    if (!world->enabled) return;
    sums.fallbacks++;
    addReason();
}

static void firstIdle(void *place, const char *text)
{
    char *const first = place;
    if (!first[0]) snprintf(first, ukIdleLength, "%s", text);
}

/* Looks for stops and motors without effect after 1, 2, 4, 8 ... steps, since programs may set them at any time. */
static void lookForIdle(const ukWorld *world)
{
    if ((world->course.step & (world->course.step - 1)) != 0) return;
    char text[ukIdleLength] = "";
    const int count = ukIdleEach(world, firstIdle, text);
    if (count <= sums.idle) return;
    sums.idle = count;
    memcpy(sums.idle_text, text, sizeof text);
}

/* its poses are those after the step, taken or failed */
static void lookForPole(const ukWorld *world, bool ours)
{
    char joint[ukPoleLength];
    const double below = sums.pole.joint[0] ? sums.pole.sine : pole_sine;
    const double sine = ukPoleNearest(world, below, !ours, joint);
    if (!(sine < below)) return;
    sums.pole.sine = sine;
    sums.pole.time = world->course.time;
    memcpy(sums.pole.joint, joint, sizeof joint);
}

/* evaluations of a step without events and in one sub-step, as measured */
static double plainCost(ukIntegrator integrator)
{
    return integrator == ukIntegratorRK4 ? 6 : integrator == ukIntegratorRattle ? 4 : 8;
}

/* Of a step none of whose islands was taken: whether one has no contacts, so that another integrator might take it. */
static bool anyIslandApart(const ukStepper *s)
{
    for (int i = 0; i < s->island_count; i++) {
        int j = 0;
        while (j < s->islands[i].joints && !ukIsContact(s->islands[i].joint[j])) j++;
        if (j == s->islands[i].joints) return true;
    }
    return false;
}

static void addCost(const ukWorld *world)
{
    const ukReport *r = &world->stepper->report;
    const ukStepEvents *events = &world->stepper->events;
    sums.cost.steps++;
    sums.cost.taken += r->evaluations;
    sums.cost.plain += plainCost(world->settings.integrator);
    sums.cost.attempts += r->substeps + r->rejected;
    sums.cost.events += events->count;
    sums.cost.tolerance = world->settings.tolerance;
    if (events->count == 0 || !(r->evaluations > sums.cost.most)) return;
    sums.cost.most = r->evaluations;
    memcpy(sums.cost.source, events->source, sizeof events->source);
}

/* A joint's share changes from step to step: each world's is replaced by its next one. */
static void addImbalance(const ukWorld *world)
{
    const ukImbalance *const now = &world->stepper->imbalance;
    if (world->course.number != sums.imbalance_world && !(now->ratio > sums.imbalance.ratio)) return;
    sums.imbalance = *now;
    sums.imbalance_world = world->course.number;
}

static void addOurs(const ukWorld *world, double seconds)
{
    const ukReport *r = &world->stepper->report;
    sums.ours++;
    sums.seconds_ours += seconds;
    if (world->settings.check != ukCheckOff) {
        sums.checked++;
        if (!r->ok) sums.rejected++;
    }
    sums.aside += (uint64_t)r->cfm_islands;
    if (r->compromise > world->settings.check_tolerance) sums.compromised++;
    sums.compromise = largerOrNan(sums.compromise, r->compromise);
    const ukSurge *surge = &world->stepper->surge;
    if (surge->work > 0) sums.surges++;
    if (surge->work > sums.surge.work) {
        sums.surge = *surge;
        sums.surge_time = world->course.time;
    }
    addImbalance(world);
    sums.energy.error += world->stepper->energy_error.error;
    sums.energy.kinetic = largerOrNan(sums.energy.kinetic, world->stepper->energy_error.kinetic);
    if (ukOpeningWorst(world, &sums.opening)) sums.opening_time = world->course.time;
    ukYieldingWorst(world, &sums.yielding);
    if (world->settings.integrator != ukIntegratorEuler) {
        sums.integrator = (int)world->settings.integrator;
        sums.discrete += (uint64_t)r->discrete_islands;
        sums.integrated += (uint64_t)(world->stepper->island_count - r->discrete_islands);
        if (sums.integrated == 0 && !sums.apart) sums.apart = anyIslandApart(world->stepper);
        addCost(world);
    }
    sums.feasibility = largerOrNan(sums.feasibility, r->feasibility);
    sums.stationarity = largerOrNan(sums.stationarity, r->stationarity);
    sums.complementarity = largerOrNan(sums.complementarity, r->complementarity);
    sums.position_error = largerOrNan(sums.position_error, r->position_error);
    sums.velocity_error = largerOrNan(sums.velocity_error, r->velocity_error);
}

/* for programs that end by a signal; and, if a command displays the progress, a few times a second */
static void writeProgress(void)
{
    const uint64_t steps = sums.ours + sums.native + sums.failed;
    const double now = live && pipe_address[0] ? ukSeconds() : 0;
    if (now - live_written > 0.25 + (now - live_begun) / 1000) { /* lines of long runs are less frequent */
        live_written = now;
        writeSummary("live");
    } else if ((steps & (steps - 1)) == 0) {
        writeSummary("progress");
    }
}

void ukSummaryStep(ukWorld *world, double h, double seconds, bool ours, int worlds)
{
    if (!ukSummaryWanted()) return;
    sums.time += h;
    sums.worlds = worlds;
    ukEndingStep(world);
    lookForIdle(world);
    lookForPole(world, ours);
    watchExplosion(world);
    if (!ours || (world->settings.integrator == ukIntegratorEuler && world->settings.joint_rule == ukJointRuleODE))
        ukLinearMotorWatch(world, h, &sums.linear_motor);
    if (ours)
        addOurs(world, seconds);
    else
        addNative(world, seconds);
    writeProgress();
}

void ukSummaryFailed(int world_count)
{
    if (!ukSummaryWanted()) return;
    sums.worlds = world_count;
    sums.failed++;
    addReason();
    writeProgress();
}

void ukSummaryUnserved(const char *reason)
{
    Line line;
    beginSummary(&line, "unserved");
    putJsonText(&line, "reason", reason);
    sendLine(&line, false);
}

void ukSummaryUnreached(const char *reason)
{
    Line line;
    beginSummary(&line, "unreached");
    putJsonText(&line, "reason", reason);
    sendLine(&line, true);
}

void ukSummaryFlush(void)
{
    if (ukSummaryWanted()) writeSummary("progress");
}

void ukSummaryEnd(void)
{
    if (ukSummaryWanted()) writeSummary("end");
    ukSummaryOpen(NULL, NULL);
}
