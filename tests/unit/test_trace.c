/* SPDX-License-Identifier: BSD-3-Clause */
/* Trace and summary hold what the world had after each step; files are appended to; a forked child tells for itself. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "bridge/tell/trace.h"
#include "demos/scenes.h"
#include "tests/check.h"

static char directory[] = "/tmp/ukode-test-XXXXXX";
static char trace_path[64], report_path[64];

static char *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "r");
    if (!file) return *size = 0, NULL;
    char *data = calloc(1, 1 << 20);
    *size = data ? fread(data, 1, (1 << 20) - 1, file) : 0;
    fclose(file);
    return data;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; text && (text = strstr(text, part)) != NULL; text++) n++;
    return n;
}

static void checkRecord(const ukTraceHeader *r, const Scene *s, bool ours, double time)
{
    CHECK(r->magic == ukTraceMagic && r->version == ukTraceVersion && r->checksum == ukTraceChecksum(r, r->size));
    CHECK(r->process == (int)getpid() && r->ours == ours && r->status == 0);
    CHECK(r->bodies == (uint32_t)s->count && r->reactions == (uint32_t)s->joint_count);
    CHECK_NEAR(r->time, time, 1e-12);
    CHECK_NEAR(r->h, s->h, 0);
    CHECK(r->seconds >= 0 && r->seconds < 10);
    CHECK_NEAR(r->kinetic + r->potential, sceneEnergy(s), 1e-12);
    const ukTraceBody *body = (const ukTraceBody *)(const void *)(r + 1);
    for (int i = 0; i < s->count; i++, body++) {
        CHECK_NEAR_ALL(body->x, dBodyGetPosition(s->bodies[i]), 3, 0);
        CHECK_NEAR_ALL(body->q, dBodyGetQuaternion(s->bodies[i]), 4, 0);
        CHECK_NEAR_ALL(body->v, dBodyGetLinearVel(s->bodies[i]), 3, 0);
        CHECK_NEAR_ALL(body->v + 3, dBodyGetAngularVel(s->bodies[i]), 3, 0);
    }
    const ukTraceReaction *reaction = (const ukTraceReaction *)(const void *)body;
    for (int i = 0; i < s->joint_count; i++, reaction++) {
        CHECK(reaction->type == dJointTypeHinge);
        CHECK_NEAR_ALL(reaction->f1, s->feedback[i].f1, 3, 0);
        CHECK_NEAR_ALL(reaction->t2, s->feedback[i].t2, 3, 0);
    }
}

/* steps once, and checks the record that this appended */
static void stepOnce(Scene *s, bool ours, double time)
{
    size_t before, after;
    free(contents(trace_path, &before));
    if (ours)
        CHECK(ukWorldStep(s->world, s->h));
    else
        CHECK(dWorldStep(s->world, s->h));
    char *data = contents(trace_path, &after);
    const size_t size = sizeof(ukTraceHeader) + (size_t)s->count * sizeof(ukTraceBody) +
                        (size_t)s->joint_count * sizeof(ukTraceReaction);
    if (CHECK(after == before + size)) checkRecord((const ukTraceHeader *)(const void *)(data + before), s, ours, time);
    free(data);
}

static void run(void)
{
    size_t size;
    Scene *one = sceneFourBar(), *two = sceneDoor(2);
    sceneWatch(one);
    ukTraceOpen(trace_path, report_path, NULL);
    CHECK(ukTraceWanted());
    stepOnce(one, true, 0.01);
    stepOnce(two, true, 0.005);
    stepOnce(one, false, 0.02);
    stepOnce(one, true, 0.03);

    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        stepOnce(two, true, 0.01);
        ukTraceClose();
        _exit(ukTestFailed);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    ukTraceClose();
    CHECK(!ukTraceWanted());

    char *report = contents(report_path, &size);
    CHECK(count(report, "\n") == 4 && count(report, "\"event\":\"start\"") == 2);
    CHECK(count(report, "\"worlds\":2,\"steps\":3,\"native_steps\":1,\"fallbacks\":0,\"reasons\":{}") == 1);
    CHECK(count(report, "\"steps\":1,\"native_steps\":0,") == 1);
    CHECK(count(report, "\"checked\":3,\"rejected\":0,") == 1);
    free(report);
    sceneDestroy(one);
    sceneDestroy(two);
}

static void unwritable(void)
{
    Scene *s = sceneDoor(2);
    ukTraceOpen("/nonexistent/trace", "/nonexistent/report", NULL);
    CHECK(ukWorldStep(s->world, s->h) == 1);
    CHECK(ukWorldStep(s->world, s->h) == 1);
    ukTraceClose();
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    if (!mkdtemp(directory)) return 2;
    snprintf(trace_path, sizeof trace_path, "%s/trace", directory);
    snprintf(report_path, sizeof report_path, "%s/report", directory);
    run();
    unwritable();
    unlink(trace_path);
    unlink(report_path);
    rmdir(directory);
    dCloseODE();
    return ukTestEnd();
}
