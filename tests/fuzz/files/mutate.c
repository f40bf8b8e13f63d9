/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/files/mutate.c: the fuzzers of files without libFuzzer: the inputs of a corpus (a folder of each kind),
 * then inputs that are changed by chance, from fixed seeds. Each kind runs in a process of its own; what ends it is
 * reported with the name or the number of the input.
 * Usage: fuzz_files [--kind NAME] [--first N] [--count N] [--corpus FOLDER] */
#include <dirent.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/files/files.h"

enum { Room = 1 << 18, Limit = 60 /* seconds of an input */ };
static uint8_t input[Room], other[Room];
static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return below > 0 ? state % below : 0;
}

static void overwrite(size_t size)
{
    static const uint64_t special[] = {0,
                                       1,
                                       0x7f,
                                       0x80,
                                       0xff,
                                       0x7fff,
                                       0xffffffff,
                                       UINT64_MAX,
                                       0x7ff0000000000000,
                                       0x7ff8000000000000,
                                       0xbff0000000000000,
                                       (uint64_t)1 << 63};
    const size_t width = (size_t)1 << draw(4), at = (size_t)draw(size);
    const uint64_t word = draw(3) > 0 ? special[draw(sizeof special / sizeof *special)] : draw(UINT64_MAX);
    for (size_t i = 0; i < width && at + i < size; i++) input[at + i] = (uint8_t)(word >> 8 * i);
}

static size_t insert(size_t size)
{
    const size_t at = (size_t)draw(size + 1), count = 1 + (size_t)draw(draw(4) > 0 ? 12 : 400);
    if (size + count > Room) return size;
    memmove(input + at + count, input + at, size - at);
    for (size_t i = 0; i < count; i++) input[at + i] = (uint8_t)draw(256);
    return size + count;
}

/* cuts, copies within, or goes on with another input */
static size_t rearrange(size_t size, size_t other_size)
{
    const size_t at = (size_t)draw(size), count = 1 + (size_t)draw(size - at);
    size_t to;
    switch (draw(4)) {
    case 0: memmove(input + at, input + at + count, size - at - count); return size - count;
    case 1:
        to = (size_t)draw(size);
        memmove(input + to, input + at, count < size - to ? count : size - to);
        return size;
    case 2:
        to = (size_t)draw(other_size);
        if (at + other_size - to > Room) return size;
        memcpy(input + at, other + to, other_size - to);
        return at + other_size - to;
    default: return at + 1;
    }
}

static size_t make(const FuzzKind *kind, uint64_t number)
{
    int seeds = 0;
    while (kind->seed(seeds, input, Room) > 0) seeds++;
    state = (number + 1) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 8; i++) draw(2);
    const size_t other_size = kind->seed((int)draw((uint64_t)seeds), other, Room);
    size_t size = kind->seed((int)draw((uint64_t)seeds), input, Room);
    for (uint64_t changes = draw(8) > 0 ? 1 + draw(6) : 0; changes > 0 && size > 0; changes--) {
        const uint64_t how = draw(10);
        if (how < 4)
            input[draw(size)] ^= (uint8_t)(1u << draw(8));
        else if (how < 7)
            overwrite(size);
        else
            size = how == 7 ? insert(size) : rearrange(size, other_size);
    }
    return size;
}

/* what a process of its own is about; shared with its parent */
typedef struct Now {
    char file[256]; /* of the corpus; "": the input is a number */
    uint64_t number, files;
} Now;

static bool runCorpus(const FuzzKind *kind, const char *corpus, volatile Now *now)
{
    char folder[512], path[800];
    snprintf(folder, sizeof folder, "%s/%s", corpus, kind->name);
    DIR *const files = opendir(folder);
    if (!files) return false;
    for (const struct dirent *entry; (entry = readdir(files)) != NULL;) {
        size_t size;
        if (entry->d_name[0] == '.') continue;
        snprintf((char *)now->file, sizeof now->file, "%.200s", entry->d_name);
        snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
        uint8_t *const bytes = fuzzReadFile(path, &size), *const exact = bytes ? malloc(size > 0 ? size : 1) : NULL;
        if (!exact) return false;
        memcpy(exact, bytes, size);
        free(bytes);
        alarm(Limit);
        kind->one(exact, size);
        free(exact);
        now->files++;
    }
    closedir(files);
    now->file[0] = 0;
    return now->files > 0;
}

typedef struct Range {
    const char *corpus; /* NULL: none */
    uint64_t first, count;
} Range;

/* in a process of its own; 77: it cannot be fuzzed here */
static int runAll(const FuzzKind *kind, const Range *range, volatile Now *now)
{
    const uint64_t end = range->first + range->count;
    if (!freopen("/dev/null", "w", stdout)) return 2;
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    if (!kind->begin()) return 77;
    if (range->corpus && !runCorpus(kind, range->corpus, now)) return 3;
    for (now->number = range->first; now->number < end; now->number++) {
        const size_t size = make(kind, now->number);
        uint8_t *const exact = malloc(size > 0 ? size : 1); /* so that a sanitizer sees what is read beyond it */
        if (!exact) return 2;
        memcpy(exact, input, size);
        alarm(Limit);
        kind->one(exact, size);
        free(exact);
    }
    return 0;
}

static bool run(const FuzzKind *kind, const Range *range, Now *now)
{
    int status = 0;
    *now = (Now){.files = 0};
    struct timespec begun, ended;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) exit(runAll(kind, range, now));
    if (child < 0 || waitpid(child, &status, 0) != child) return false;
    clock_gettime(CLOCK_MONOTONIC, &ended);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        printf("%s: %llu files, %llu inputs, %ld s\n", kind->name, (unsigned long long)now->files,
               (unsigned long long)range->count, (long)(ended.tv_sec - begun.tv_sec));
        return true;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        printf("%s: cannot be fuzzed here: no SQLite\n", kind->name);
        return false;
    }
    printf("%s: failed: %s%s %llu: %s %d\n", kind->name, now->file[0] ? "file " : "input", now->file,
           (unsigned long long)now->number, WIFSIGNALED(status) ? "signal" : "exit status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return false;
}

int main(int argc, char **argv)
{
    static const FuzzKind *const kinds[] = FUZZ_KINDS;
    const char *only = NULL;
    uint64_t count = 0;
    Range range = {.first = 1};
    int failed = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--kind") == 0) only = argv[i + 1];
        if (strcmp(argv[i], "--first") == 0) range.first = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--corpus") == 0) range.corpus = argv[i + 1];
    }
    Now *const now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (now == MAP_FAILED) return 2;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (only && strcmp(kinds[i]->name, only) != 0) continue;
        range.count = count > 0 ? count : (uint64_t)kinds[i]->usual;
        failed += !run(kinds[i], &range, now);
    }
    return failed > 0;
}
