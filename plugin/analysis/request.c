/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/request.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/base/log.h"
#include "bridge/base/progress.h"
#include "bridge/user/joint_law.h"
#include "bridge/world/element.h"
#include "plugin/analysis/answer.h"
#include "plugin/analysis/linearization_answer.h"
#include "plugin/analysis/linearize.h"
#include "plugin/analysis/modes.h"
#include "plugin/analysis/regulate.h"
#include "plugin/analysis/search_answer.h"
#include "plugin/analysis/signal_list.h"
#include "plugin/formats/snapshot/file.h"
#include "solvers/base/status.h"

static struct {
    bool wanted, begun, discrete, differences;
    char kind[16];
    double at, until, effort;
    long world;
    char folder[1024], motion[1024], inputs[2048], outputs[2048], weights[2048];
} request;

static bool takeText(char *to, size_t size, const char *value, size_t length)
{
    if (length >= size) return false;
    memcpy(to, value, length);
    to[length] = 0;
    return true;
}

static bool takeLine(const char *line, size_t length)
{
    static const struct {
        const char *key;
        char *to;
        size_t size;
    } texts[] = {{"folder=", request.folder, sizeof request.folder},
                 {"inputs=", request.inputs, sizeof request.inputs},
                 {"outputs=", request.outputs, sizeof request.outputs},
                 {"motion=", request.motion, sizeof request.motion},
                 {"weights=", request.weights, sizeof request.weights}};
    static const char *const kinds[] = {"modes", "linearize", "assemble", "equilibrium", "inverse"};
    char value[64];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const size_t key = strlen(texts[i].key);
        if (length >= key && memcmp(line, texts[i].key, key) == 0)
            return takeText(texts[i].to, texts[i].size, line + key, length - key);
    }
    if (!takeText(value, sizeof value, line, length)) return false;
    if (strncmp(value, "kind=", 5) == 0) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (strcmp(value + 5, kinds[i]) == 0)
                return takeText(request.kind, sizeof request.kind, value + 5, length - 5);
        return false;
    }
    if (strncmp(value, "effort=", 7) == 0)
        request.effort = strtod(value + 7, NULL);
    else if (strncmp(value, "until=", 6) == 0)
        request.until = strtod(value + 6, NULL);
    else if (strncmp(value, "at=", 3) == 0)
        request.at = strtod(value + 3, NULL);
    else if (strncmp(value, "world=", 6) == 0)
        request.world = strtol(value + 6, NULL, 10);
    else if (strncmp(value, "method=", 7) == 0)
        request.differences = strcmp(value + 7, "differences") == 0;
    else if (strncmp(value, "step=", 5) == 0)
        request.discrete = value[5] == '1';
    else
        return false;
    return true;
}

bool ukRequestOpen(const char *text)
{
    if (!text || !*text) return true;
    bool good = true;
    while (*text && good) {
        const size_t length = strcspn(text, "\n");
        good = length == 0 || takeLine(text, length);
        text += length + (text[length] == '\n');
    }
    request.wanted = good && request.folder[0];
    if (request.wanted) {
        char path[sizeof request.folder + 16];
        snprintf(path, sizeof path, "%s/progress", request.folder);
        ukProgressOpen(path);
    }
    return request.wanted;
}

/* Whether this process answers the request: it is the first that creates the mark. */
static bool claimRequest(void)
{
    char path[sizeof request.folder + 16];
    snprintf(path, sizeof path, "%s/begun", request.folder);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return false;
    close(file);
    return true;
}

static int answerLinearization(ukWorld *world, double h, ukAnswerOf *answer)
{
    ukSignalList in, out;
    int status = ukSignalListRead(world, request.inputs, true, &in);
    if (status == ukOk) status = ukSignalListRead(world, request.outputs, false, &out);
    if (status != ukOk) return status;
    const ukLinearizeTask task = {.in = in.signal,
                                  .out = out.signal,
                                  .inputs = in.count,
                                  .outputs = out.count,
                                  .h = request.discrete ? h : 0,
                                  .as = ukAnalysisLinearization,
                                  .differences = request.differences};
    status = ukLinearize(world, &task, &answer->l);
    if (status == ukOk && request.effort > 0) {
        const ukRegulateTask regulate = {in.signal, in.count, request.effort, task.h};
        status = ukRegulate(world, &regulate, &answer->regulator);
        answer->regulated = true;
    }
    if (status == ukOk) ukAnswerLinearization(answer, &in, &out);
    return status;
}

static int answerModes(ukWorld *world, ukAnswerOf *answer)
{
    ukSignalList in;
    int status = ukSignalListRead(world, request.inputs, true, &in);
    if (status != ukOk) return status;
    const ukModesTask task = {.in = in.signal, .inputs = in.count, .differences = request.differences};
    status = ukModesFind(world, &task, &answer->modes, &answer->count, &answer->zero, &answer->l);
    if (status == ukOk) ukAnswerModes(answer);
    return status;
}

static bool lawCalls(const ukLaw *law)
{
    return law && (law->joint_fn || law->constraint_fn);
}

/* Whether a world has functions of the program; alone: user constraints. */
static bool hasFunctions(const ukWorld *world, bool constraints_alone)
{
    for (const ukElement *e = world->oldest_element; e; e = e->newer)
        if (e->active && !(e->is_force && constraints_alone)) return true;
    for (const ukJoint *j = world->oldest_joint; j && !constraints_alone; j = j->newer)
        if (lawCalls(j->law)) return true;
    return false;
}

/* A recording has the values of the program's functions at its own states. Inverse dynamics of its motion needs no
 * others; an assembly needs the user constraints alone. */
static int refuseRecordedFunctions(const ukWorld *world)
{
    if (!world->replayed || (strcmp(request.kind, "inverse") == 0 && !request.motion[0])) return ukOk;
    if (!hasFunctions(world, strcmp(request.kind, "assemble") == 0)) return ukOk;
    ukErrorSet(
        ukErrorUnsupported,
        "the recording has the values of the program's constraint, force or law functions at its own states only, and "
        "this analysis needs them at others: analyse the program (-- program) instead");
    return ukErrorUnsupported;
}

static int answerKind(ukWorld *world, double h, ukAnswerOf *answer)
{
    const int status = refuseRecordedFunctions(world);
    if (status != ukOk) return status;
    if (strcmp(request.kind, "modes") == 0) return answerModes(world, answer);
    if (strcmp(request.kind, "linearize") == 0) return answerLinearization(world, h, answer);
    if (strcmp(request.kind, "assemble") == 0) return ukSearchAssembly(answer, request.inputs);
    if (strcmp(request.kind, "equilibrium") == 0) return ukSearchEquilibrium(answer);
    const ukInverseRequest inverse = {.actuators = request.inputs, .weights = request.weights, .first = !request.begun};
    return request.motion[0] ? ukSearchInverseTable(answer, request.motion, &inverse)
                             : ukSearchInverse(answer, &inverse);
}

/* Number of the world in the order of creation, from 1. */
static long numberOf(const ukWorld *world)
{
    long number = 1;
    for (const ukWorld *w = world->older; w; w = w->older) number++;
    return number;
}

void ukRequestFailed(const ukWorld *world, int status)
{
    static bool written;
    if (!request.wanted || request.begun || written || (request.world > 0 && numberOf(world) != request.world)) return;
    const ukAnswerOf answer = {.folder = request.folder};
    FILE *const file = ukAnswerOpen(&answer, "failed.txt");
    written = true;
    if (!file) return;
    fprintf(file, "the step at %.6g s failed: %s\n", world->settings.time,
            ukErrorStatus() == status ? ukErrorMessage() : ukErrorText(status));
    fclose(file);
}

bool ukRequestStep(ukWorld *world, double h)
{
    if (!request.wanted) return false;
    if (request.world > 0 ? numberOf(world) != request.world : world->body_count == 0) return false;
    if (world->settings.time < request.at - 1e-9 * (1 + request.at)) {
        ukProgressStore(ukProgressRunning, world->settings.time, request.at);
        return false;
    }
    if (request.begun) ukProgressStore(ukProgressForces, world->settings.time, request.until);
    if (!request.begun && !claimRequest()) {
        request.wanted = false;
        return false;
    }
    request.wanted = false;
    ukAnswerOf answer = {.world = world, .folder = request.folder, .time = world->settings.time, .h = h};
    const int status = answerKind(world, h, &answer);
    if (status != ukOk) ukAnswerRefusal(&answer, status);
    FILE *const mark = status == ukOk && answer.unmet ? ukAnswerOpen(&answer, "unmet") : NULL;
    if (mark) fclose(mark);
    if (status == ukOk && answer.moved) ukKeepFileNow(world);
    request.begun = true;
    request.wanted = status == ukOk && strcmp(request.kind, "inverse") == 0 && !request.motion[0] &&
                     answer.time + h <= request.until + 1e-9 * h;
    return !request.wanted;
}
