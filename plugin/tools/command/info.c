/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/info.c: `ukode info`: prints the installed versions, and the settings of a run with the present
 * environment. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ukode/ukode.h>

#include "bridge/base/plural.h"
#include "plugin/config.h"
#include "plugin/options.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/terminal/message.h"
#include "ukode/ukode.h"

static const char ode_name[] = "libode.so.8";           /* of ODE 0.13 to 0.16; a program may bring another copy */
static const char precision[] = "ODE_double_precision"; /* or single, printed on a separate line */

/* Prints ODE's configuration except for its precision, a list of words, wrapped at 100 columns. */
static void printWords(const char *words)
{
    size_t column = 0;
    while (*words) {
        const size_t length = strcspn(words, " ");
        const bool apart = length == sizeof precision - 1 && strncmp(words + 10, precision + 10, length - 10) == 0;
        if (!apart && column + length > 96) {
            printf("\n                  ");
            column = 0;
        }
        if (!apart) column += (size_t)printf(" %.*s", (int)length, words);
        words += length + strspn(words + length, " ");
    }
    printf("\n");
}

static int printOde(void)
{
    Dl_info where;
    const char *(*configuration)(void);
    unsetenv("UKODE_REPORT");
    void *const handle = dlopen(ode_name, RTLD_NOW | RTLD_LOCAL);
    void *const symbol = handle ? dlsym(handle, "dGetConfiguration") : NULL;
    if (!symbol) {
        printf("ODE               %s is not installed: programs bring their own ODE\n", ode_name);
        return 0;
    }
    memcpy(&configuration, &symbol, sizeof configuration);
    printf("ODE               %s\n", dladdr(symbol, &where) && where.dli_fname ? where.dli_fname : "?");
    printf("  configuration  ");
    printWords(configuration());
    printf("  precision       %s\n", strstr(configuration(), precision) ? "double" : "single");
    return 0;
}

static bool lookUp(void *library, const char *name, void *function)
{
    void *const symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Tests the library as a program would use it: with a world, and a dense solver for it. */
bool infoDenseSolvers(const char *library, char *text, size_t size)
{
    int (*begin)(unsigned), (*choose)(dWorldID, int);
    dWorldID (*create)(void);
    void (*destroy)(dWorldID), (*end)(void);
    const char *(*message)(void);
    void *const ode = dlopen(ode_name, RTLD_NOW | RTLD_LOCAL), *const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!ode || !handle || !lookUp(handle, "dInitODE2", &begin) || !lookUp(handle, "dWorldCreate", &create) ||
        !lookUp(handle, "dWorldDestroy", &destroy) || !lookUp(ode, "dCloseODE", &end) ||
        !lookUp(handle, "ukWorldSetSolver", &choose) || !lookUp(handle, "ukGetLastErrorMessage", &message)) {
        snprintf(text, size, "%s", dlerror());
        return false;
    }
    begin(0);
    const dWorldID world = create();
    const bool found = choose(world, ukSolverMInverse) == ukOk;
    snprintf(text, size, "%s", found ? "usable" : message());
    destroy(world);
    end();
    return found;
}

/* Prints what the configuration sets, or its error; returns 1 for an error. */
static int printConfig(ukConfig *config)
{
    const char *path = getenv("UKODE_CONFIG");
    char message[400];
    if (!path || !*path) return 0;
    if (ukConfigRead(path, config, message, sizeof message) != 0) {
        printf("  %-15s error: %s\n", "config", message);
        return 1;
    }
    printf("  %-15s %s: %d joint law%s\n", "config", path, config->laws, ukPlural(config->laws));
    return 0;
}

static int printOptions(void)
{
    ukConfig config = {.law = NULL};
    for (int i = 0; i < ukOptionCount; i++) config.option[i].value = -1;
    int wrong = printConfig(&config);
    for (int i = 0; i < ukOptionCount; i++) {
        double number[2] = {0};
        char message[256];
        const char *value = getenv(ukOptions[i].variable);
        const bool set = value && *value;
        if (set && ukOptionParse(&ukOptions[i], value, number) < 0) {
            ukOptionComplain(&ukOptions[i], value, message, sizeof message);
            printf("  %-15s error: %s\n", ukOptions[i].name, message);
            wrong = 1;
        } else if (set) {
            printf("  %-15s %s (of %s)\n", ukOptions[i].name, value, ukOptions[i].choices);
        } else if (config.option[i].value >= 0) {
            printf("  %-15s as the configuration says (possible: %s)\n", ukOptions[i].name, ukOptions[i].choices);
        } else {
            printf("  %-15s %s, the default (possible: %s)\n", ukOptions[i].name, ukOptions[i].usual,
                   ukOptions[i].choices);
        }
    }
    ukConfigFree(&config);
    return wrong;
}

static int runInfo(int argc, char **argv)
{
    char library[1024];
    if (argc > 0 && strcmp(argv[0], "--preload") == 0) { /* for scripts: LD_PRELOAD=$(ukode info --preload) */
        if (argc > 1) return messageFail(ExitUsage, "info --preload takes no other words, such as %s", argv[1]);
        if (!launchFindLibrary(library, sizeof library)) return ExitNoLibrary;
        if (strpbrk(library, ":; "))
            return messageFail(ExitNoLibrary, "LD_PRELOAD cannot hold this path (ukode run can): %s", library);
        printf("%s\n", library);
        return 0;
    }
    if (argc > 0) return cliDiagnose(argc, argv);
    printf("ukode             %s\n", UKODE_VERSION);
    if (!launchFindLibrary(library, sizeof library)) return ExitNoLibrary;
    printf("library           %s\n", library);
    const int unusable = printOde();
    char dense[400] = "not usable, because ODE is not";
    const bool bare = unusable || !infoDenseSolvers(library, dense, sizeof dense);
    printf("LAPACKE, CBLAS    %s\n", dense);
    printf("\nA run with the present environment:\n");
    const int wrong = printOptions();
    const char *preload = getenv("LD_PRELOAD");
    if (preload && *preload) printf("  LD_PRELOAD      %s, followed by the library\n", preload);
    const bool disabled = ukOptionFlag(getenv("UKODE_DISABLE")) != 0;
    printf("  steps           of every world that the program creates: %s\n",
           unusable || wrong || disabled ? "ODE's own" : "ukode's");
    return unusable || wrong || bare;
}

const Command commandInfo = {
    .name = "info",
    .runs = true,
    .arguments = "[--preload] | [options] -- program arguments",
    .purpose = "prints versions, ODE's configuration and the settings of a run; with a program, which runs for some "
               "seconds: rank, redundant joints, conflicts",
    .options = cliDiagnoseOptions,
    .run = runInfo,
};
