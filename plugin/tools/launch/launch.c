/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/launch/launch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin/formats/recording/guard.h"
#include "plugin/options.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/option_file.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/option.h"

extern char **environ;

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* options whose value is passed on as it is, and flags */
static const struct {
    const char *name, *variable, *argument, *help;
} plain[] = {
    {"config", "UKODE_CONFIG", "FILE", "settings and joint friction (docs/conventions.md); options take precedence"},
    {"record", "UKODE_RECORD", "FILE", "record into an SQLite file (docs/recording.md)"},
    {"rate", "UKODE_RECORD_RATE", "HZ",
     "for recordings: rows of each body and joint per second of simulated time; default: 60"},
    {"every-step", "UKODE_RECORD_EVERY_STEP", NULL, "for recordings: rows of each body and joint at every step"},
    {"at-once", "UKODE_RECORD_AT_ONCE", NULL,
     "for recordings: each step is in the file before the next one begins, so that a crash loses none"},
    {"inputs", "UKODE_RECORD_INPUTS", NULL, "for recordings: the data that ukode replay needs"},
    {"certificates", "UKODE_RECORD_CERTIFICATES", NULL, "for recordings: the data that ukode verify needs"},
    {"save", "UKODE_SAVE", "FILE", "keep the latest states of all worlds in a file (docs/keep.md)"},
    {"save-every", "UKODE_SAVE_EVERY", "T", "simulated time between two saves [s]; default: 1; 0: every step"},
    {"restore", "UKODE_RESTORE", "FILE", "worlds start from the states in a file of --save"},
    {"report", "UKODE_REPORT", "FILE", "append a summary of every process that stepped (lines of JSON)"},
    {"diagnosis", "UKODE_DIAGNOSIS", "FILE",
     "append rank, redundant joints and conflicts of each world, as info prints them"},
    {"hash", "UKODE_HASH", NULL, "print a hash of the final state, to compare runs"},
    {"verbose", "UKODE_VERBOSE", NULL, "print decisions, step by step, and a summary"},
    {"native", "UKODE_DISABLE", NULL, "step with ODE's own stepper, for comparison"},
};
enum { PlainCount = sizeof plain / sizeof *plain };

void launchPrintOptions(void)
{
    printf("options of every command that runs a program (each has an environment variable of the same meaning):\n");
    for (int i = 0; i < ukOptionCount; i++)
        printf("  --%-22s %s\n  %24s %s: %s%s\n", ukOptions[i].name, ukOptions[i].help, "", ukOptions[i].variable,
               ukOptions[i].choices, ukOptions[i].has_number ? " [:x]" : "");
    for (int i = 0; i < PlainCount; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", plain[i].name, plain[i].argument ? " " : "",
                 plain[i].argument ? plain[i].argument : "");
        printf("  --%-22s %s (%s)\n", left, plain[i].help, plain[i].variable);
    }
}

void launchSetPath(const char *variable, const char *path)
{
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0), *absolute = NULL;
    if (here && asprintf(&absolute, "%s/%s", here, path) < 0) absolute = NULL;
    setenv(variable, absolute ? absolute : path, 1);
    free(absolute);
    free(here);
}

/* names of the common options on the command line */
static const char *given[ukOptionCount + PlainCount];
static int given_count;

static void noteGiven(const char *name)
{
    if (given_count < ukOptionCount + PlainCount) given[given_count++] = name;
}

bool launchWithout(const char *const *names, const char *why)
{
    for (int i = 0; i < given_count; i++) {
        bool found = !names;
        for (const char *const *name = names; name && *name; name++) found = found || strcmp(*name, given[i]) == 0;
        if (found) return messageFail(false, "--%s does not apply: %s", given[i], why);
    }
    return true;
}

/* the value of one of the plain options: more than 0, or `zero` as well */
static bool launchNumber(int i, const char *value, bool zero)
{
    char *end;
    const double x = strtod(value, &end);
    const bool good = !*end && (zero ? x >= 0 : x > 0) && !isinf(x);
    if (good)
        setenv(plain[i].variable, value, 1);
    else
        messagePrint("--%s: '%s' is not a number %s 0", plain[i].name, value, zero ? ">=" : ">");
    return good;
}

/* Reads an option that all commands share; returns the number of words that it has, 0: it is not such an option,
 * negative: it is wrong. */
static int commonOption(int argc, char **argv)
{
    int used;
    if (strncmp(argv[0], "--", 2) != 0) return 0;
    char *words[] = {argv[0] + 2, argc > 1 ? argv[1] : NULL};
    for (int i = 0; i < ukOptionCount; i++) {
        double numbers[2];
        char message[256];
        const char *const value = optionValue(ukOptions[i].name, argc, words, &used);
        if (!value) continue;
        if (ukOptionParse(&ukOptions[i], value, numbers) >= 0) {
            setenv(ukOptions[i].variable, value, 1);
            noteGiven(ukOptions[i].name);
            return used;
        }
        ukOptionComplain(&ukOptions[i], value, message, sizeof message);
        return messageFail(-1, "--%s: %s", ukOptions[i].name, message);
    }
    for (int i = 0; i < PlainCount; i++) {
        if (!plain[i].argument) {
            if (strcmp(words[0], plain[i].name) != 0) continue;
            setenv(plain[i].variable, "1", 1);
            noteGiven(plain[i].name);
            return 1;
        }
        const char *const value = optionValue(plain[i].name, argc, words, &used);
        if (!value) continue;
        noteGiven(plain[i].name);
        if (*value) {
            if (strcmp(plain[i].argument, "FILE") != 0)
                return launchNumber(i, value, strcmp(plain[i].name, "save-every") == 0) ? used : -1;
            if (!optionFileReady(plain[i].name, value)) return -1;
            launchSetPath(plain[i].variable, value);
            return used;
        }
        return messageFail(-1, "--%s needs a %s", plain[i].name,
                           strcmp(plain[i].argument, "FILE") == 0 ? "file name" : "number");
    }
    return 0;
}

/* Each of these options alone has an effect. */
static bool areCompatible(void)
{
    bool rate = false, every_step = false;
    for (int i = 0; i < given_count; i++) {
        rate |= strcmp(given[i], "rate") == 0;
        every_step |= strcmp(given[i], "every-step") == 0;
    }
    return !(rate && every_step) ||
           launchWithout((const char *const[]){"rate", NULL}, "--every-step records every step");
}

bool launchWithoutRecording(const char *why)
{
    static const char *const recorded[] = {"rate", "every-step", "at-once", "inputs", "certificates", NULL};
    return launchWithout(recorded, why);
}

bool launchRecords(void)
{
    const char *const record = getenv("UKODE_RECORD");
    return (record && *record) || launchWithoutRecording("nothing is recorded without --record (or ukode record)");
}

/* Whether every option on the command line has an effect on ODE's own steps, if these were requested. */
static bool actNatively(void)
{
    static const char *const others[] = {"save", "save-every", "restore", "diagnosis"};
    enum { Others = sizeof others / sizeof *others };
    const char *names[ukOptionCount + Others + 1];
    int count = 0;
    if (ukOptionFlag(getenv("UKODE_DISABLE")) <= 0) return true;
    for (int i = 0; i < ukOptionCount; i++)
        if (i != ukOptionStep) names[count++] = ukOptions[i].name;
    for (int i = 0; i < Others; i++) names[count++] = others[i];
    names[count] = NULL;
    return launchWithout(names, "ODE's own stepper takes the steps (--native, UKODE_DISABLE)");
}

bool launchNeedsSteps(const Command *command, const char *why)
{
    if (ukOptionFlag(getenv("UKODE_DISABLE")) <= 0) return true;
    return messageFail(false, "%s %s; --native and UKODE_DISABLE do not apply", command->name, why);
}

void launchPrintOwn(const Command *command)
{
    if (!command->options && !command->shared) return;
    printf("\noptions of %s alone:\n", command->name);
    optionHelp(command->shared);
    optionHelp(command->options);
}

void launchPrintHelp(const Command *command)
{
    printf("usage: ukode %s %s\n%s\n", command->name, command->arguments, command->purpose);
    launchPrintOwn(command);
    if (!command->runs) return;
    printf("\n");
    launchPrintOptions();
}

int launchOptions(int argc, char **argv, const Command *command, int *status)
{
    int i = 0;
    *status = ExitUsage;
    while (i < argc && argv[i][0] == '-') {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            launchPrintHelp(command);
            *status = 0;
            return -1;
        }
        int used = optionRead(command->options, argc - i, argv + i);
        if (used == 0) used = optionRead(command->shared, argc - i, argv + i);
        if (used == 0) used = commonOption(argc - i, argv + i);
        if (used < 0) return -1;
        if (used == 0) return messageFail(-1, "unknown option %s (ukode %s --help lists them)", argv[i], command->name);
        i += used;
    }
    const char *const save = getenv("UKODE_SAVE");
    if (!(save && *save) &&
        !launchWithout((const char *const[]){"save-every", NULL}, "no state is saved without --save"))
        return -1;
    if (!actNatively() || !areCompatible()) return -1;
    if (i < argc) return i;
    return messageFail(-1, "no %s given (ukode %s %s)",
                       strstr(command->arguments, "RECORDING") ? "recording or program" : "program", command->name,
                       command->arguments);
}

bool launchArguments(int argc, char **argv, const Command *command, const char **recording)
{
    *recording = NULL;
    for (int i = 0; i < argc;) {
        const int used = optionRead(command->options, argc - i, argv + i);
        if (used < 0) return false;
        const bool option = used == 0 && argv[i][0] == '-' && argv[i][1];
        if (option) messagePrint("%s has no option '%s'", command->name, argv[i]);
        if (used == 0 && !option && *recording) messagePrint("%s takes one recording", command->name);
        if (used == 0 && (option || *recording)) return false;
        if (used == 0) *recording = argv[i];
        i += used > 0 ? used : 1;
    }
    if (!*recording) fprintf(stderr, "usage: ukode %s %s\n", command->name, command->arguments);
    return *recording != NULL;
}

/* ---- library ----------------------------------------------------------------------------------------------------- */

static const char *invoked = ""; /* argv[0] */

void launchSetSelf(const char *name)
{
    invoked = name;
}

char *launchSelf(void)
{
    char *found = realpath("/proc/self/exe", NULL);
    if (found) return found;
    if (strchr(invoked, '/')) return realpath(invoked, NULL);
    const char *const path = getenv("PATH");
    for (const char *at = path ? path : ""; *at && !found;) {
        const size_t length = strcspn(at, ":");
        char *candidate = NULL;
        if (asprintf(&candidate, "%.*s/%s", (int)length, at, invoked) < 0) return NULL;
        if (access(candidate, X_OK) == 0) found = realpath(candidate, NULL);
        free(candidate);
        at += length + (at[length] == ':');
    }
    return found;
}

bool launchFindLibrary(char *path, size_t size)
{
    static const char *const places[] = {"", UKODE_LIBDIR_FROM_BINDIR "/", "../lib/"};
    char self[1024], candidate[2048];
    char *const file = launchSelf();
    snprintf(self, sizeof self, "%s", file ? file : "");
    free(file);
    char *slash = strrchr(self, '/');
    if (slash) slash[1] = 0;
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        snprintf(candidate, sizeof candidate, "%s%slibukode.so.0", self, places[i]);
        char *real = realpath(candidate, NULL);
        if (!real) continue;
        const int length = snprintf(path, size, "%s", real);
        free(real);
        if (length > 0 && (size_t)length < size) return true;
    }
    return messageFail(false, "libukode.so.0 is neither next to this command nor in %s%s", self,
                       UKODE_LIBDIR_FROM_BINDIR);
}

/* Adds the entry to an environment variable that is a list separated by colons, as the first or the last one. */
static bool addToList(const char *variable, const char *entry, bool first)
{
    char list[4096];
    const char *const others = getenv(variable), *const old = others ? others : "";
    if (!first && strstr(old, entry)) return true;
    const char *const colon = *old ? ":" : "";
    const int n = snprintf(list, sizeof list, "%s%s%s", first ? entry : old, colon, first ? old : entry);
    if (n < 0 || (size_t)n >= sizeof list) return messageFail(false, "%s is too long", variable);
    return setenv(variable, list, 1) == 0;
}

bool launchPreload(void)
{
    char path[1024];
    if (!launchFindLibrary(path, sizeof path)) return false;
    if (strpbrk(path, ":;"))
        return messageFail(false, "the dynamic linker cannot preload a library whose path has a colon or semicolon: %s",
                           path);
    if (!strchr(path, ' ')) return addToList("LD_PRELOAD", path, false);
    /* a blank ends an entry of LD_PRELOAD, but not one of LD_LIBRARY_PATH */
    char *const name = strrchr(path, '/') + 1;
    if (!addToList("LD_PRELOAD", name, false)) return false;
    name[-1] = 0;
    return addToList("LD_LIBRARY_PATH", path, true);
}

/* ---- program ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t child;

static void forwardSignal(int signal)
{
    if (child > 0) kill((pid_t)child, signal);
}

static double monotonicSeconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The terminal sends an interrupt to the whole group, so the program has it already; the others are passed on. */
static void handleSignals(bool begin)
{
    static struct sigaction old[4];
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    for (int i = 0; i < 4; i++) {
        struct sigaction action = {.sa_flags = SA_RESTART};
        action.sa_handler = i < 2 ? SIG_IGN : forwardSignal;
        sigaction(signals[i], begin ? &action : &old[i], begin ? &old[i] : NULL);
    }
}

/* the program's time is up: it is asked to end, and a second later made to */
static volatile sig_atomic_t asked;

static void onTimeout(int signal)
{
    (void)signal;
    if (child > 0) kill((pid_t)child, asked ? SIGKILL : SIGTERM);
    asked = 1;
}

static void handleTime(double limit)
{
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = limit > 0 ? onTimeout : SIG_DFL;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {.it_interval.tv_sec = limit > 0};
    asked = 0;
    timer.it_value.tv_sec = (time_t)limit;
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (limit - floor(limit)));
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* Prints why the program could not be started; `name`: its first word. */
static void printNotStarted(const char *name, int error)
{
    messagePrint("%s: %s", name, strerror(error));
    if (ukGuardIsDatabase(name, "UKOD"))
        messagePrint("it is a recording, which `ukode report %s` and other commands read (ukode help)", name);
    else if (error == ENOENT && !strchr(name, '/') && access(name, F_OK) == 0)
        messagePrint("no program of this name is in PATH; the file in this folder is ./%s", name);
}

static LaunchObserver *observer;

void launchObserve(LaunchObserver *observe)
{
    observer = observe;
}

/* Waits for the program to end, and returns its status. */
static int awaitProgram(pid_t pid)
{
    static const struct timespec pause = {.tv_nsec = 10000000};
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(pid, &status, observer ? WNOHANG : 0)) != pid && !(ended < 0 && errno != EINTR)) {
        if (!observer) continue;
        observer();
        nanosleep(&pause, NULL);
    }
    return status;
}

LaunchResult launchProgram(char **argv, bool quiet, double limit)
{
    LaunchResult result = {0};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    sigset_t defaults;
    pid_t pid;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&files);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (quiet) posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);

    fflush(NULL);
    handleSignals(true);
    const double start = monotonicSeconds();
    const int error = posix_spawnp(&pid, argv[0], &files, &attributes, argv, environ);
    if (error) {
        printNotStarted(argv[0], error);
        result.status = error == ENOENT ? ExitNotFound : ExitNotRun;
    } else {
        child = pid;
        handleTime(limit);
        const int status = awaitProgram(pid);
        child = 0;
        handleTime(0);
        result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        result.status = result.signal ? 128 + result.signal : WEXITSTATUS(status);
    }
    result.seconds = monotonicSeconds() - start;
    handleSignals(false);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return result;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

bool launchMakeDirectory(char *path, size_t size)
{
    const char *base = getenv("TMPDIR");
    const int n = snprintf(path, size, "%s/ukode-XXXXXX", base && *base ? base : "/tmp");
    if (n > 0 && (size_t)n < size && mkdtemp(path)) return true;
    return messageFail(false, "cannot create the temporary directory %s: %s", path, strerror(errno));
}

void launchRemoveDirectory(const char *path)
{
    DIR *directory = opendir(path);
    if (!directory) return;
    const int at = dirfd(directory);
    for (struct dirent *entry; (entry = readdir(directory));) unlinkat(at, entry->d_name, 0);
    closedir(directory);
    rmdir(path);
}
