/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/replay.c: ukode replay: a recording's worlds without the program that made them. The work is done
 * by ukode-replay (plugin/tools/replay/), which is linked with ODE, as this command is not. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/launch/replay.h"

static const char *world = "0", *from = "0", *to = "inf", *bench = "0", *substeps = "1";

static bool replayNumber(const char *text, double least, double most)
{
    char *end;
    const double x = strtod(text, &end);
    return *text && !*end && x >= least && x <= most && (most == (double)INFINITY || x == floor(x));
}

static int own(int argc, char **argv)
{
    const struct {
        const char *name, **value;
        double least, most; /* finite: a whole number */
        const char *what;
    } option[] = {{"--world", &world, 1, 9e15, "the key of a world"},
                  {"--from", &from, 0, INFINITY, "a time in seconds"},
                  {"--to", &to, 0, INFINITY, "a time in seconds"},
                  {"--bench", &bench, 1, 1e6, "a number from 1 to 1000000"},
                  {"--substeps", &substeps, 1, 1e4, "a number from 1 to 10000"}};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
        if (strcmp(argv[0], option[i].name) != 0) continue;
        if (argc > 1 && replayNumber(argv[1], option[i].least, option[i].most)) {
            *option[i].value = argv[1];
            return 2;
        }
        fprintf(stderr, "ukode: %s needs %s\n", option[i].name, option[i].what);
        return -1;
    }
    return 0;
}

bool replayFind(char *path, size_t size)
{
    static const char *const places[] = {"", UKODE_LIBDIR_FROM_BINDIR "/ukode/", "../lib/ukode/"};
    char self[1024];
    char *const file = launchSelf();
    snprintf(self, sizeof self, "%s", file ? file : "");
    free(file);
    char *slash = strrchr(self, '/');
    if (slash) slash[1] = 0;
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        const int length = snprintf(path, size, "%s%sukode-replay", self, places[i]);
        if (length > 0 && (size_t)length < size && access(path, X_OK) == 0) return true;
    }
    fprintf(stderr, "ukode: ukode-replay is neither beside this command nor in %s%s/ukode\n", self,
            UKODE_LIBDIR_FROM_BINDIR);
    return false;
}

static int runReplay(int argc, char **argv)
{
    static const char *const others[] = {
        "UKODE_CONFIG",        "UKODE_REPORT", "UKODE_DIAGNOSIS",         "UKODE_RECORD",
        "UKODE_RECORD_INPUTS", "UKODE_PIPE",   "UKODE_RECORD_EVERY_STEP", "UKODE_RECORD_AT_ONCE"};
    char path[2048];
    int status;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) unsetenv(others[i]);
    const int first = launchOptions(argc, argv, &commandReplay, &status);
    if (first < 0) return status;
    if (first + 1 < argc) {
        fprintf(stderr, "ukode: give one recording, after the options (ukode replay %s)\n", commandReplay.arguments);
        return ExitUsage;
    }
    if (!replayFind(path, sizeof path)) return ExitNoLibrary;
    execl(path, path, argv[first], world, from, to, bench, substeps, (char *)NULL);
    fprintf(stderr, "ukode: %s: %s\n", path, strerror(errno));
    return ExitNotRun;
}

const Command commandReplay = {
    .name = "replay",
    .arguments = "[options] RECORDING",
    .purpose = "steps the worlds of a recording again, without the program: as recorded, or under other settings",
    .options = "  --world N                only the world with this key\n"
               "  --from T, --to T         other settings apply from this time on; the replay ends at this time [s]\n"
               "  --bench N                repeat the replay N times, to measure its time\n"
               "  --substeps N             take each step as N shorter ones, under the same forces\n",
    .own = own,
    .run = runReplay};
