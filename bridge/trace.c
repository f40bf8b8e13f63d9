#include "bridge/trace.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/log.h"
#include "bridge/registry.h"
#include "bridge/stepper.h"
#include "solvers/status.h"

enum { ReasonCount = 16, PathLength = 1024 };

/* One process's sums. A forked child starts its own. */
static struct {
    pid_t process; /* 0: nothing was stepped yet */
    int worlds;
    uint64_t ours, native, fallbacks, reasons[ReasonCount]; /* reasons: by -status */
    uint64_t checked, rejected;                             /* steps with residuals; of these above the tolerance */
    double seconds_ours, seconds_native, time;
    double feasibility, stationarity, complementarity, position_error, velocity_error; /* the largest of all steps */
} sums;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char trace_path[PathLength], report_path[PathLength];
static atomic_bool wanted;
static int trace_file = -1;
static unsigned char *record;
static size_t record_size;

/* the child has stepped nothing itself; its parent's lock may have been held */
static void forked(void)
{
    pthread_mutex_init(&lock, NULL);
    sums.process = 0;
}

void ukTraceOpen(const char *trace, const char *report)
{
    snprintf(trace_path, sizeof trace_path, "%s", trace ? trace : "");
    snprintf(report_path, sizeof report_path, "%s", report ? report : "");
    wanted = trace_path[0] || report_path[0];
    if (wanted) pthread_atfork(NULL, NULL, forked);
}

bool ukTraceWanted(void)
{
    return wanted;
}

static void append(int file, const void *data, size_t size)
{
    const char *p = data;
    while (size > 0) {
        const ssize_t n = write(file, p, size);
        if (n <= 0) return; /* a full disk must not stop the program; the reader sees a short record */
        p += n;
        size -= (size_t)n;
    }
}

static int openForAppending(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void cannotWrite(char *path)
{
    ukLogWarning("cannot write %s", path);
    ukLogFirstStep();
    path[0] = 0;
}

static void programName(char *name, size_t size)
{
    const int file = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    const ssize_t n = file < 0 ? 0 : read(file, name, size - 1);
    if (file >= 0) close(file);
    name[n > 0 ? n : 0] = 0;
    for (char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == '"' || *c == '\\') *c = *c == '\n' ? 0 : '?';
}

static void reportStart(void)
{
    char line[128], name[32];
    const int file = openForAppending(report_path);
    if (file < 0) {
        cannotWrite(report_path);
        return;
    }
    programName(name, sizeof name);
    const int n =
        snprintf(line, sizeof line, "{\"event\":\"start\",\"pid\":%d,\"program\":\"%s\"}\n", (int)getpid(), name);
    append(file, line, (size_t)n);
    close(file);
}

/* "end", or "progress" for programs that end by a signal */
static void reportSums(const char *event)
{
    char line[2048], reasons[768] = "", name[32];
    size_t used = 0;
    const int file = openForAppending(report_path);
    if (file < 0) return;
    for (int i = 1; i < ReasonCount; i++) {
        if (!sums.reasons[i]) continue;
        used += (size_t)snprintf(reasons + used, sizeof reasons - used, "%s\"%s\":%llu", used ? "," : "",
                                 ukErrorName(-i), (unsigned long long)sums.reasons[i]);
    }
    programName(name, sizeof name);
    const uint64_t ours = sums.ours ? sums.ours : 1, native = sums.native ? sums.native : 1;
    const int n = snprintf(
        line, sizeof line,
        "{\"event\":\"%s\",\"pid\":%d,\"program\":\"%s\",\"worlds\":%d,\"steps\":%llu,\"native_steps\":%llu,"
        "\"fallbacks\":%llu,\"reasons\":{%s},\"simulated_seconds\":%.9g,\"seconds_per_step\":%.4g,"
        "\"seconds_per_native_step\":%.4g,\"checked\":%llu,\"rejected\":%llu,\"feasibility\":%.3e,"
        "\"stationarity\":%.3e,\"complementarity\":%.3e,\"position_error\":%.3e,\"velocity_error\":%.3e}\n",
        event, (int)getpid(), name, sums.worlds, (unsigned long long)sums.ours, (unsigned long long)sums.native,
        (unsigned long long)sums.fallbacks, reasons, sums.time, sums.seconds_ours / (double)ours,
        sums.seconds_native / (double)native, (unsigned long long)sums.checked, (unsigned long long)sums.rejected,
        sums.feasibility, sums.stationarity, sums.complementarity, sums.position_error, sums.velocity_error);
    append(file, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
    close(file);
}

void ukTraceClose(void)
{
    pthread_mutex_lock(&lock);
    if (report_path[0] && sums.process) reportSums("end");
    sums.process = 0;
    if (trace_file >= 0) close(trace_file);
    trace_file = -1;
    free(record);
    record = NULL;
    record_size = 0;
    wanted = false;
    pthread_mutex_unlock(&lock);
}

/* NaN counts as the largest */
static double larger(double x, double y)
{
    return x >= y ? x : y;
}

static void sum(const ukWorld *world, const ukReport *r, double h, double seconds, bool ours)
{
    sums.time += h;
    if (!ours) {
        sums.native++;
        sums.seconds_native += seconds;
        if (!world->enabled) return;
        const int reason = -ukErrorStatus();
        sums.fallbacks++;
        if (reason > 0 && reason < ReasonCount) sums.reasons[reason]++;
        return;
    }
    sums.ours++;
    sums.seconds_ours += seconds;
    if (world->settings.check != ukCheckOff) {
        sums.checked++;
        if (!r->ok) sums.rejected++;
    }
    sums.feasibility = larger(sums.feasibility, r->feasibility);
    sums.stationarity = larger(sums.stationarity, r->stationarity);
    sums.complementarity = larger(sums.complementarity, r->complementarity);
    sums.position_error = larger(sums.position_error, r->position_error);
    sums.velocity_error = larger(sums.velocity_error, r->velocity_error);
}

/* kinetic energy, and -m g x, of one dynamic body */
static void addEnergy(const ukBody *body, const dReal *g, ukTraceHeader *header)
{
    if (dBodyIsKinematic(body->handle)) return;
    dMass m;
    dVector3 w, L;
    dBodyGetMass(body->handle, &m);
    dBodyVectorFromWorld(body->handle, body->angular[0], body->angular[1], body->angular[2], w);
    dMultiply0_331(L, m.I, w);
    header->kinetic += 0.5 * m.mass * dCalcVectorDot3(body->linear, body->linear) + 0.5 * dCalcVectorDot3(w, L);
    if (dBodyGetGravityMode(body->handle)) header->potential -= m.mass * dCalcVectorDot3(g, body->position);
}

static void copy3(double *to, const dReal *from)
{
    for (int i = 0; i < 3; i++) to[i] = from[i];
}

static void writeRecord(const ukWorld *world, ukTraceHeader *header)
{
    dVector3 g;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer)
        if (j->handle && dJointGetFeedback(j->handle)) header->reactions++;
    for (const ukBody *b = world->oldest_body; b; b = b->newer)
        if (b->handle) header->bodies++;
    const size_t size =
        sizeof *header + header->bodies * sizeof(ukTraceBody) + header->reactions * sizeof(ukTraceReaction);
    if (size > record_size) {
        unsigned char *fresh = realloc(record, 2 * size);
        if (!fresh || size > UINT32_MAX) return;
        record = fresh;
        record_size = 2 * size;
    }
    ukTraceBody *body = (ukTraceBody *)(void *)(record + sizeof *header);
    dWorldGetGravity(world->handle, g);
    for (const ukBody *b = world->oldest_body; b; b = b->newer) {
        if (!b->handle) continue;
        copy3(body->x, b->position);
        memcpy(body->q, b->quaternion, sizeof body->q);
        copy3(body->v, b->linear);
        copy3(body->v + 3, b->angular);
        body++;
        addEnergy(b, g, header);
    }
    ukTraceReaction *reaction = (ukTraceReaction *)(void *)body;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) {
        const dJointFeedback *f = j->handle ? dJointGetFeedback(j->handle) : NULL;
        if (!f) continue;
        reaction->type = (int32_t)j->type;
        reaction->reserved = 0;
        copy3(reaction->f1, f->f1);
        copy3(reaction->t1, f->t1);
        copy3(reaction->f2, f->f2);
        copy3(reaction->t2, f->t2);
        reaction++;
    }
    header->size = (uint32_t)size;
    memcpy(record, header, sizeof *header);
    append(trace_file, record, size);
}

void ukTraceStep(ukWorld *world, double h, double seconds, bool ours)
{
    ukLogFirstStep();
    if (!wanted || !world || !world->handle) return;
    pthread_mutex_lock(&lock);
    if (sums.process == 0) { /* the first step here, or in a forked child */
        memset(&sums, 0, sizeof sums);
        sums.process = getpid();
        if (report_path[0]) reportStart();
        if (trace_path[0] && trace_file < 0) trace_file = openForAppending(trace_path);
        if (trace_path[0] && trace_file < 0) cannotWrite(trace_path);
    }
    if (world->trace_number == 0) world->trace_number = ++sums.worlds;
    world->trace_time += h;
    const ukReport report = ours ? world->stepper->report : (ukReport){0};
    sum(world, &report, h, seconds, ours);
    const uint64_t steps = sums.ours + sums.native;
    if (report_path[0] && steps >= 64 && (steps & (steps - 1)) == 0) reportSums("progress");
    if (trace_path[0]) {
        ukTraceHeader header = {.magic = ukTraceMagic,
                                .process = (int32_t)sums.process,
                                .world = world->trace_number,
                                .ours = ours,
                                .status = !ours && world->enabled ? ukErrorStatus() : ukOk,
                                .time = world->trace_time,
                                .h = h,
                                .seconds = seconds,
                                .position_error = report.position_error,
                                .residual =
                                    fmax(fmax(report.feasibility, report.stationarity), report.complementarity)};
        writeRecord(world, &header);
    }
    pthread_mutex_unlock(&lock);
}
