/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/tell/trace.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/base/log.h"
#include "bridge/base/output.h"
#include "bridge/island/stepper.h"
#include "bridge/joints/class.h"
#include "bridge/tell/summary.h"
#include "bridge/world/energy.h"
#include "bridge/world/record.h"
#include "solvers/base/status.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool wanted;
static pid_t process; /* 0: nothing was stepped yet; a forked child starts anew */
static int worlds;    /* that it has stepped */
static ukOutput trace;
static unsigned char *record;
static size_t record_size;

/* the child has stepped nothing itself; its parent's lock may have been held */
static void forked(void)
{
    pthread_mutex_init(&lock, NULL);
    process = 0;
}

void ukTraceOpen(const char *path, const char *report, const char *pipe)
{
    ukOutputOpen(&trace, path, true);
    ukSummaryOpen(report, pipe);
    wanted = ukOutputWanted(&trace) || ukSummaryWanted();
    if (wanted) pthread_atfork(NULL, NULL, forked);
}

bool ukTraceWanted(void)
{
    return wanted;
}

void ukTraceClose(void)
{
    pthread_mutex_lock(&lock);
    if (process) ukSummaryEnd();
    process = 0;
    ukOutputClose(&trace);
    trace.path[0] = 0;
    free(record);
    record = NULL;
    record_size = 0;
    wanted = false;
    pthread_mutex_unlock(&lock);
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
        unsigned char *fresh = size <= UINT32_MAX ? realloc(record, 2 * size) : NULL;
        if (!fresh) return; /* the next record's number tells that one is missing */
        record = fresh;
        record_size = 2 * size;
    }
    ukTraceBody *body = (ukTraceBody *)(void *)(record + sizeof *header);
    dWorldGetGravity(world->handle, g);
    for (ukBody *b = world->oldest_body; b; b = b->newer) {
        if (!b->handle) continue;
        copy3(body->x, b->position);
        memcpy(body->q, b->quaternion, sizeof body->q);
        copy3(body->v, b->linear);
        copy3(body->v + 3, b->angular);
        body++;
        ukBodyEnergy(b, g, &header->kinetic, &header->potential);
    }
    ukTraceReaction *reaction = (ukTraceReaction *)(void *)body;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) {
        const dJointFeedback *f = j->handle ? dJointGetFeedback(j->handle) : NULL;
        if (!f) continue;
        reaction->type = (int32_t)j->class->type;
        reaction->reserved = 0;
        copy3(reaction->f1, f->f1);
        copy3(reaction->t1, f->t1);
        copy3(reaction->f2, f->f2);
        copy3(reaction->t2, f->t2);
        reaction++;
    }
    header->size = (uint32_t)size;
    memcpy(record, header, sizeof *header);
    header->checksum = ukTraceChecksum(record, size);
    memcpy(record, header, sizeof *header);
    ukOutputAppend(&trace, record, size);
}

/* the process's first step, the world's first step: they are given their numbers */
static void introduce(ukWorld *world)
{
    if (process == 0) {
        process = getpid();
        worlds = 0;
        ukSummaryBegin();
    }
    if (world->trace.process == process) return;
    world->trace.process = process;
    world->trace.number = ++worlds;
    world->trace.step = 0;
}

void ukTraceFailed(ukWorld *world)
{
    if (!wanted || !world || !world->handle) return;
    pthread_mutex_lock(&lock);
    introduce(world);
    ukSummaryFailed(worlds);
    pthread_mutex_unlock(&lock);
}

void ukTraceStep(ukWorld *world, double h, double seconds, bool ours)
{
    ukLogFirstStep();
    if (!wanted || !world || !world->handle) return;
    pthread_mutex_lock(&lock);
    introduce(world);
    world->trace.step++;
    world->trace.time += h;
    ukSummaryStep(world, h, seconds, ours, worlds);
    if (ukOutputWanted(&trace)) {
        const ukReport report = ours ? world->stepper->report : (ukReport){0};
        ukTraceHeader header = {.magic = ukTraceMagic,
                                .version = ukTraceVersion,
                                .process = (int32_t)process,
                                .world = world->trace.number,
                                .step = world->trace.step,
                                .ours = ours,
                                .status = !ours && world->enabled ? ukErrorStatus() : ukOk,
                                .time = world->trace.time,
                                .h = h,
                                .seconds = seconds,
                                .position_error = report.position_error,
                                .residual =
                                    fmax(fmax(report.feasibility, report.stationarity), report.complementarity)};
        writeRecord(world, &header);
    }
    pthread_mutex_unlock(&lock);
}
