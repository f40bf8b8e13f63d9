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
#include "plugin/tools/terminal/message.h"

static const char *world = "0", *from = "0", *to = "inf", *bench = "0", *substeps = "1";

/* a number, passed on as its text */
#define REPLAY_OPTION(NAME, ARGUMENT, TEXT, LEAST, MOST, NEEDS, HELP)                                                  \
    {                                                                                                                  \
        .name = NAME, .argument = ARGUMENT, .text = TEXT, .is_number = true, .is_whole = MOST < (double)INFINITY,      \
        .least = LEAST, .most = MOST, .needs = NEEDS, .help = HELP                                                     \
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
    return messageFail(false, "ukode-replay is neither next to this command nor in %s%s/ukode", self,
                       UKODE_LIBDIR_FROM_BINDIR);
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
    if (!launchWithout((const char *const[]){"restore", NULL}, "a replay starts from the states of its recording"))
        return ExitUsage;
    if (!launchWithout((const char *const[]){"config", "hash", NULL},
                       "a replay has the settings and joint laws of its recording, and compares states itself"))
        return ExitUsage;
    if (!launchRecords()) return ExitUsage;
    if (first + 1 < argc)
        return messageFail(ExitUsage, "give one recording, after the options (ukode replay %s)",
                           commandReplay.arguments);
    if (!replayFind(path, sizeof path)) return ExitNoLibrary;
    execl(path, path, argv[first], world, from, to, bench, substeps, (char *)NULL);
    return messageFail(ExitNotRun, "%s: %s", path, strerror(errno));
}

const Command commandReplay = {
    .name = "replay",
    .arguments = "[options] RECORDING",
    .purpose = "steps the worlds of a recording again, without the program: as recorded, or under other settings",
    .options = (const Option[]){REPLAY_OPTION("--world", "N", &world, 1, 9e15, "the key of a world",
                                              "replay only the world with this key"),
                                REPLAY_OPTION("--from", "T", &from, 0, (double)INFINITY, "a time in seconds",
                                              "apply the options only from this time on [s]"),
                                REPLAY_OPTION("--to", "T", &to, 0, (double)INFINITY, "a time in seconds",
                                              "end the replay at this time [s]"),
                                REPLAY_OPTION("--bench", "N", &bench, 1, 1e6, "a number from 1 to 1000000",
                                              "repeat the replay N times, to measure its time"),
                                REPLAY_OPTION("--substeps", "N", &substeps, 1, 1e4, "a number from 1 to 10000",
                                              "take each step as N shorter ones, under the same forces"),
                                {0}},
    .run = runReplay};
