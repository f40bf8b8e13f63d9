/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/fuzz.c: random worlds, each from its seed and in a process of its own, so that one that goes down costs
 * one world. A seed that fails is printed, and replayed in this process by --seed N -v.
 *
 * Usage: fuzz [--count N] [--seconds S] [--first SEED] [--seed SEED] [--native] [--replay] [-v]
 *   --replay: what is captured of each world builds a second one, which must be left as the first is
 *   --native: ukode is not called: what still aborts is the fuzzer's doing */
#include "tests/fuzz/fuzz.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { Hang = 600 }; /* s a world may take; it takes milliseconds, of a loaded or emulated machine's rather more */

static struct Options {
    long count, first, seed; /* seed < 0: all */
    double seconds;          /* 0: no limit */
    bool native, verbose, replay;
} options = {.count = 1000, .first = 1, .seed = -1};

/* ---- ODE's handlers: natively never reached ---- */

static void odeAborts(int number, const char *message, va_list list)
{
    char text[300];
    vsnprintf(text, sizeof text, message, list);
    (void)number;
    if (fuzz_now->stepping && fuzz_now->check == ukCheckFallback) _exit(0); /* in its own step, which was asked for */
    fuzzFault(fuzz_now, "ODE ends the process %s: %s", fuzz_now->inside ? "within ukode" : "in the fuzzer", text);
}

static void odeSays(int number, const char *message, va_list list)
{
    char text[300];
    (void)number;
    vsnprintf(text, sizeof text, message, list);
    if (fuzz_now->inside > 0 && fuzz_now->check != ukCheckFallback) fuzzFault(fuzz_now, "ODE says: %s", text);
}

/* ---- one world ---- */

static void end(Fuzz *f)
{
    for (int i = 0; i < f->joints && f->world; i++)
        if (f->joint[i] && fuzzChance(f, 0.5)) dJointDestroy(f->joint[i]);
    const bool group_first = fuzzChance(f, 0.8) || !f->world;
    if (group_first) dJointGroupDestroy(f->group);
    if (f->world) dWorldDestroy(f->world);
    if (!group_first) dJointGroupDestroy(f->group);
}

static void run(long seed, FuzzTally *tally)
{
    Fuzz f = {.random = {(uint64_t)seed * 0x9E3779B97F4A7C15u + 0x1234567u},
              .tally = tally,
              .verbose = options.verbose,
              .native = options.native || !fuzzUkode()};
    fuzz_now = &f;
    for (int i = 0; i < 8; i++) fuzzChance(&f, 0);
    dSetDebugHandler(odeAborts);
    dSetErrorHandler(odeAborts);
    dSetMessageHandler(odeSays);
    f.replay = options.replay;
    fuzzReplayWorld(&f);
    fuzzBuild(&f);
    fuzzSay(&f, "seed %ld: reach %d, wild %.2g, meddle %.2g, %d bodies, %d joints, %d constraints, %d forces\n", seed,
            f.reach, f.wild, f.meddle, f.bodies, f.joints, f.constraints, f.forces);
    for (int steps = 1 + fuzzBelow(&f, 6); steps > 0 && f.world; steps--) {
        const long refused = tally->steps - tally->certified - tally->doubtful;
        if (!f.native) fuzzJudgeStep(&f);
        if (f.world && tally->steps - tally->certified - tally->doubtful > refused && fuzzChance(&f, 0.7)) fuzzHeal(&f);
        if (f.world) fuzzChange(&f);
    }
    end(&f);
}

/* ---- all of them ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* what the world printed, and how it ended; whether something is wrong */
static bool judge(long seed, int status, FILE *printed, FuzzTally *tally)
{
    char *const fault = tally->fault;
    char text[2000] = {0};
    rewind(printed);
    const size_t size = fread(text, 1, sizeof text - 1, printed);
    if (WIFSIGNALED(status))
        snprintf(fault, sizeof tally->fault, WTERMSIG(status) == SIGALRM ? "hangs" : "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0 && !fault[0])
        snprintf(fault, sizeof tally->fault, "exit status %d", WEXITSTATUS(status));
    if (size > 0 && !fault[0]) snprintf(fault, sizeof tally->fault, "prints");
    if (!fault[0]) return false;
    printf("seed %ld: %s\n%s%s", seed, fault, text, size > 0 && text[size - 1] != '\n' ? "\n" : "");
    fflush(stdout);
    fault[0] = 0;
    if (size > 0 && ftruncate(fileno(printed), 0) != 0) exit(2);
    return true;
}

static bool fork1(long seed, FILE *printed, FuzzTally *tally)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) exit(2);
    if (child == 0) {
        alarm(Hang);
        dup2(fileno(printed), 1);
        dup2(fileno(printed), 2);
        run(seed, tally);
        fflush(NULL);
        _exit(0);
    }
    if (waitpid(child, &status, 0) != child) exit(2);
    return judge(seed, status, printed, tally);
}

static void summary(const FuzzTally *t, long worlds, long faults, double seconds)
{
    printf("%ld worlds, %ld steps (%ld certified, %ld of them recomputed; %ld not certified) in %.1f s\n", worlds,
           t->steps, t->certified, t->judged, t->doubtful, seconds);
    printf("refused:");
    for (int k = 0; k < FuzzStatuses; k++)
        if (t->refused[k] > 0) printf(" %ld x %d", t->refused[k], -k);
    printf("\n%ld worlds with a fault\n", faults);
}

static bool option(int argc, char **argv, int *i)
{
    static const struct {
        const char *name;
        long *value;
    } numbers[] = {{"--count", &options.count}, {"--first", &options.first}, {"--seed", &options.seed}};
    if (strcmp(argv[*i], "-v") == 0) return options.verbose = true;
    if (strcmp(argv[*i], "--native") == 0) return options.native = true;
    if (strcmp(argv[*i], "--replay") == 0) return options.replay = true;
    if (*i + 1 >= argc) return false;
    if (strcmp(argv[*i], "--seconds") == 0) {
        options.seconds = strtod(argv[++*i], NULL);
        options.count = 1L << 60;
        return true;
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (strcmp(argv[*i], numbers[k].name) != 0) continue;
        *numbers[k].value = strtol(argv[++*i], NULL, 10);
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (option(argc, argv, &i)) continue;
        fprintf(stderr,
                "usage: fuzz [--count N] [--seconds S] [--first SEED] [--seed SEED] [--native] [--replay] [-v]\n");
        return 2;
    }
    FuzzTally *const tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *const printed = fdopen(memfd_create("printed", MFD_CLOEXEC), "w+");
    if (tally == MAP_FAILED || !printed) return 2;
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    (void)dlopen("liblapacke.so.3", RTLD_NOW | RTLD_LOCAL); /* or each child with a dense solver loads it */
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    if (options.seed >= 0) {
        run(options.seed, tally);
        summary(tally, 1, 0, 0);
        return 0;
    }
    const double start = now();
    long worlds = 0, faults = 0;
    for (; worlds < options.count && (options.seconds <= 0 || now() - start < options.seconds); worlds++)
        faults += fork1(options.first + worlds, printed, tally);
    summary(tally, worlds, faults, now() - start);
    return faults > 0;
}
