/* SPDX-License-Identifier: BSD-3-Clause */
/* A state saved in one process goes on in others, whose addresses are others, on 1 to 4 threads, with the same bits.
 *
 * Usage: test_keep_process [MOMENTS]        each state is handed to a process of its own
 *        test_keep_process write DIRECTORY  states, and where they lead to, for another build of this program:
 *        test_keep_process check DIRECTORY  ... which goes on from them */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/keep_scenes.h"

extern char **environ;

enum { Further = 500, Latest = 200, WriteMoments = 20 };

typedef struct Bytes {
    unsigned char *at;
    size_t size;
} Bytes;

static Bytes save(dWorldID world)
{
    Bytes bytes = {.size = ukWorldSave(world, NULL, 0)};
    bytes.at = malloc(bytes.size);
    CHECK(bytes.at && ukWorldSave(world, bytes.at, bytes.size) == bytes.size);
    return bytes;
}

static bool put(const char *path, Bytes bytes)
{
    FILE *const file = fopen(path, "wb");
    const bool ok = file && fwrite(bytes.at, 1, bytes.size, file) == bytes.size;
    return file && fclose(file) == 0 && ok;
}

static Bytes get(const char *path)
{
    enum { Most = 1 << 22 };
    Bytes bytes = {.at = malloc(Most)};
    FILE *const file = fopen(path, "rb");
    if (file && bytes.at) bytes.size = fread(bytes.at, 1, Most, file);
    if (file) fclose(file);
    return bytes;
}

static void pathOf(char path[512], const char *directory, const char *name, int moment, const char *what)
{
    snprintf(path, 512, "%s/%s.%d.%s", directory, name, moment, what);
}

/* states of one world at some moments (file names tell), and what is saved `Further` steps later */
static void writeScene(const char *directory, const char *name, int moments)
{
    char path[512];
    for (int m = 0; m < moments; m++) {
        Kept *const k = keptMake(name);
        const int moment = (Latest * (2 * m + 1) + 37 * m) / (2 * moments) % Latest;
        for (int i = 0; i < moment; i++) keptStep(k);
        const Bytes begin = save(k->scene->world);
        for (int i = 0; i < Further; i++) keptStep(k);
        const Bytes end = save(k->scene->world);
        pathOf(path, directory, name, m, "begin");
        CHECK(put(path, begin));
        pathOf(path, directory, name, m, "end");
        CHECK(put(path, end));
        pathOf(path, directory, name, m, "step");
        CHECK(put(path, (Bytes){(unsigned char *)&(int){moment}, sizeof(int)}));
        free(begin.at), free(end.at);
        keptDestroy(k);
    }
}

static void checkState(const char *directory, const char *name, int m, int threads)
{
    char path[512];
    pathOf(path, directory, name, m, "begin");
    const Bytes begin = get(path);
    pathOf(path, directory, name, m, "end");
    const Bytes end = get(path);
    pathOf(path, directory, name, m, "step");
    const Bytes step = get(path);
    Kept *const k = keptMake(name);
    CHECK(ukWorldSetThreads(k->scene->world, threads) == ukOk);
    if (!CHECK(ukWorldRestore(k->scene->world, begin.at, begin.size) == ukOk)) printf("%s\n", ukGetLastErrorMessage());
    CHECK(ukWorldGetThreads(k->scene->world) == threads && step.size == sizeof k->step);
    memcpy(&k->step, step.at, sizeof k->step);
    for (int i = 0; i < Further; i++) keptStep(k);
    const Bytes now = save(k->scene->world);
    if (!CHECK(now.size == end.size && memcmp(now.at, end.at, end.size) == 0))
        printf("%s: state %d on %d threads\n", name, m, threads);
    free(begin.at), free(end.at), free(step.at), free(now.at);
    keptDestroy(k);
}

/* this program once more, as `go DIRECTORY NAME MOMENT THREADS` */
static bool inProcess(const char *directory, const char *name, int moment, int threads)
{
    char number[2][16];
    snprintf(number[0], sizeof number[0], "%d", moment);
    snprintf(number[1], sizeof number[1], "%d", threads);
    char *const argv[] = {"test_keep_process", "go", (char *)directory, (char *)name, number[0], number[1], NULL};
    pid_t child;
    int status = 1;
    fflush(stdout);
    if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, argv, environ) != 0) return false;
    return waitpid(child, &status, 0) == child && status == 0;
}

static void removeAll(const char *directory, const char *name, int moments)
{
    static const char *const what[] = {"begin", "end", "step"};
    char path[512];
    for (int m = 0; m < moments; m++)
        for (int i = 0; i < 3; i++) {
            pathOf(path, directory, name, m, what[i]);
            unlink(path);
        }
}

static void acrossProcesses(int moments)
{
    char directory[] = "keep-XXXXXX";
    if (!CHECK(mkdtemp(directory) != NULL)) return;
    for (int i = 0; i < keptCount; i++) {
        writeScene(directory, keptName[i], moments);
        for (int m = 0; m < moments; m++) CHECK(inProcess(directory, keptName[i], m, 1 + m % 4));
        removeAll(directory, keptName[i], moments);
    }
    rmdir(directory);
}

int main(int argc, char **argv)
{
    dInitODE2(0);
    if (argc == 6 && strcmp(argv[1], "go") == 0) {
        checkState(argv[2], argv[3], atoi(argv[4]), atoi(argv[5]));
        return ukTestFailed > 0;
    }
    for (int i = 0; i < keptCount && argc == 3; i++) {
        if (strcmp(argv[1], "write") == 0) writeScene(argv[2], keptName[i], WriteMoments);
        for (int m = 0; m < WriteMoments && strcmp(argv[1], "check") == 0; m++)
            checkState(argv[2], keptName[i], m, 1 + m % 4);
    }
    if (argc < 3) acrossProcesses(argc > 1 ? atoi(argv[1]) : 4);
    dCloseODE();
    return ukTestEnd();
}
