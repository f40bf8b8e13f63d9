/* SPDX-License-Identifier: BSD-3-Clause */
/* The summary counts every step, whoever took it; the file is appended to; a forked child tells for itself. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "plugin/summary/process.h"
#include "tests/check.h"
#include "tests/support/plain_world.h"

static char directory[] = "process-XXXXXX";
static char report_path[64];

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

static void stepOnce(Scene *s, bool ours)
{
    CHECK(ours ? ukWorldStep(s->world, s->h) : dWorldStep(s->world, s->h));
}

static void run(void)
{
    size_t size;
    Scene *one = sceneFourBar(), *two = sceneDoor(2);
    ukProcessOpen(report_path, NULL);
    CHECK(ukProcessWanted());
    stepOnce(one, true);
    stepOnce(two, true);
    stepOnce(one, false);
    stepOnce(one, true);

    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        stepOnce(two, true);
        ukProcessClose();
        _exit(ukTestFailed);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    ukProcessClose();
    CHECK(!ukProcessWanted());

    char *report = contents(report_path, &size);
    /* a line of progress after 1, 2, 4 ... steps */
    CHECK(count(report, "\"event\":\"start\"") == 2 && count(report, "\"event\":\"end\"") == 2);
    CHECK(count(report, "\"event\":\"progress\"") == 4 && count(report, "\n") == 8);
    CHECK(count(report, "\"worlds\":2,\"steps\":3,\"native_steps\":1,\"fallbacks\":0,\"reasons\":{}") ==
          2);                                                     /* at 4 steps, and the end */
    CHECK(count(report, "\"steps\":1,\"native_steps\":0,") == 3); /* of either process, and the child's end */
    CHECK(count(report, "\"checked\":3,\"rejected\":0,") == 2);
    free(report);
    sceneDestroy(one);
    sceneDestroy(two);
}

/* Whether an explosion is reported of a body whose velocity the program quadruples before each step. Of a body that
 * sleeps none is: its velocity moves nothing, and sleeping bodies, which are many, are not looked at. */
static bool explodes(bool sleeps, bool ours)
{
    size_t size;
    const dWorldID w = newWorld(0);
    const dBodyID b = ball(w, 1, 0, 0, 0);
    ball(w, 1, 5, 0, 0);
    if (sleeps) dBodyDisable(b);
    unlink(report_path);
    ukProcessOpen(report_path, NULL);
    double v = 1e-3;
    for (int i = 0; i < 40; i++) {
        dBodySetLinearVel(b, v *= 4, 0, 0);
        CHECK(ours ? ukWorldStep(w, 1e-3) : dWorldStep(w, 1e-3));
    }
    CHECK(dBodyIsEnabled(b) != sleeps);
    ukProcessClose();
    char *report = contents(report_path, &size);
    CHECK(count(report, "\"event\":\"end\"") == 1);
    const bool found = count(report, "\"explosion_steps\"") > 0;
    free(report);
    dWorldDestroy(w);
    return found;
}

/* A motor follows a rate that changes in each step: one event per step, of its joint. Without the motor: none. */
static void countsEvents(ukIntegrator integrator, bool motor)
{
    size_t size;
    const dWorldID w = newWorld(0);
    const dJointID j = dJointCreateSlider(w, 0);
    dJointAttach(j, ball(w, 1, 0, 0, 0), 0);
    dJointSetSliderAxis(j, 1, 0, 0);
    if (motor) dJointSetSliderParam(j, dParamFMax, 10);
    CHECK(ukWorldSetIntegrator(w, integrator) == 0 && ukWorldSetTolerance(w, 1e-7, 0) == 0);
    unlink(report_path);
    ukProcessOpen(report_path, NULL);
    double taken = 0;
    for (int i = 1; i <= 20; i++) {
        ukReport r;
        if (motor) dJointSetSliderParam(j, dParamVel, 1e-3 * i);
        CHECK(ukWorldStep(w, 1e-3) == 1 && ukWorldGetReport(w, &r) == 0);
        taken += r.evaluations;
    }
    ukProcessClose();
    char text[64], *report = contents(report_path, &size);
    const bool euler = integrator == ukIntegratorEuler;
    CHECK((count(report, "\"cost_steps\":20,") == 1) == !euler);
    CHECK((count(report, "\"plain_evaluations\":8,") > 0) == !euler);
    CHECK((count(report, "\"event_source\":\"slider joint 1\"") > 0) == (motor && !euler));
    snprintf(text, sizeof text, "\"evaluations\":%.4g,", taken / 20);
    CHECK((count(report, text) > 0) == !euler);
    CHECK((count(report, "\"events\":1,\"tolerance\":1e-07") > 0) == (motor && !euler));
    CHECK((count(report, "\"events\":0,\"tolerance\":1e-07") > 0) == (!motor && !euler));
    free(report);
    dWorldDestroy(w);
}

/* Two motors reach their speeds in one step, at 0.2 and 0.7 of it: the event that is named is the first one, whichever
 * joint's it is. */
static void namesFirst(bool swapped)
{
    static const double h = 1e-3, force = 10;
    size_t size;
    const double early = 0.2 * h, late = 0.7 * h;
    const dWorldID w = newWorld(0);
    const dBodyID a = ball(w, 1, 0, 0, 0), b = ball(w, 1, 0, 0, 0);
    for (int i = 0; i < 2; i++) { /* both bodies along x, the second alone along y */
        const dJointID j = dJointCreateSlider(w, 0);
        dJointAttach(j, i ? b : a, i ? a : 0);
        dJointSetSliderAxis(j, !i, i, 0);
        dJointSetSliderParam(j, dParamFMax, force);
        dJointSetSliderParam(j, dParamVel, force / (i ? 1 : 2) * ((i == 0) == swapped ? late : early));
    }
    CHECK(ukWorldSetIntegrator(w, ukIntegratorAdaptive) == 0);
    unlink(report_path);
    ukProcessOpen(report_path, NULL);
    CHECK(ukWorldStep(w, h) == 1);
    ukProcessClose();
    char *report = contents(report_path, &size);
    CHECK(count(report, "\"events\":2,") > 0);
    CHECK((count(report, "\"event_source\":\"slider joint 1\"") > 0) == !swapped);
    CHECK((count(report, "\"event_source\":\"slider joint 2\"") > 0) == swapped);
    free(report);
    dWorldDestroy(w);
}

static void unwritable(void)
{
    Scene *s = sceneDoor(2);
    ukProcessOpen("/nonexistent/report", NULL);
    CHECK(ukWorldStep(s->world, s->h) == 1);
    CHECK(ukWorldStep(s->world, s->h) == 1);
    ukProcessClose();
    sceneDestroy(s);
}

int main(void)
{
    dInitODE2(0);
    if (!mkdtemp(directory)) return 2;
    snprintf(report_path, sizeof report_path, "%s/report", directory);
    run();
    for (int ours = 0; ours < 2; ours++) {
        CHECK(explodes(false, ours));
        CHECK(!explodes(true, ours));
    }
    countsEvents(ukIntegratorAdaptive, true);
    countsEvents(ukIntegratorAdaptive, false);
    countsEvents(ukIntegratorEuler, true);
    namesFirst(false);
    namesFirst(true);
    unwritable();
    unlink(report_path);
    rmdir(directory);
    dCloseODE();
    return ukTestEnd();
}
