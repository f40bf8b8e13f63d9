/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/search.c: `ukode assemble`, `ukode equilibrium`, `ukode inverse`: poses and forces of a
 * world. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/command/analyze.h"
#include "plugin/tools/terminal/option.h"

static const char *actuators = "", *weights = "", *targets = "", *motion = "";
static double until;

static int writeSearch(const char *folder, const char *path)
{
    return analyzeCopy(folder, "answer.json", path);
}

static int writeForces(const char *folder, const char *path)
{
    const size_t length = strlen(path);
    const bool csv = length > 4 && strcmp(path + length - 4, ".csv") == 0;
    return analyzeCopy(folder, csv ? "forces.csv" : "answer.json", path);
}

static int assembleOption(int argc, char **argv)
{
    static char all[2000];
    int used;
    const char *const value = optionValue("--target", argc, argv, &used);
    if (!value) return analyzeOption(argc, argv);
    if (!*value || strpbrk(value, "\n;") || strlen(all) + strlen(value) + 2 > sizeof all) {
        fprintf(stderr, "ukode: --target needs BODY:X,Y,Z\n");
        return -1;
    }
    if (all[0]) strcat(all, ";");
    strcat(all, value);
    targets = all;
    return used;
}

static int runAssemble(int argc, char **argv)
{
    const Analyze analyze = {
        .command = &commandAssemble, .kind = "assemble", .saves = true, .inputs = &targets, .write = writeSearch};
    return analyzeRun(argc, argv, &analyze);
}

static int runEquilibrium(int argc, char **argv)
{
    const Analyze analyze = {
        .command = &commandEquilibrium, .kind = "equilibrium", .saves = true, .write = writeSearch};
    return analyzeRun(argc, argv, &analyze);
}

static int runInverse(int argc, char **argv)
{
    const Analyze analyze = {.command = &commandInverse,
                             .kind = "inverse",
                             .inputs = &actuators,
                             .weights = &weights,
                             .until = &until,
                             .motion = &motion,
                             .write = writeForces};
    return analyzeRun(argc, argv, &analyze);
}

/* --motion FILE: absolute, because the program may change its folder */
static int motionOption(const char *value, int used)
{
    static char path[PATH_MAX];
    if (!realpath(value, path)) {
        fprintf(stderr, "ukode: --motion: %s: %s\n", value, strerror(errno));
        return -1;
    }
    if (strlen(path) >= 1000 || strchr(path, '\n')) {
        fprintf(stderr, "ukode: --motion: the path is too long, or has a line break\n");
        return -1;
    }
    motion = path;
    return used;
}

static int inverseOption(int argc, char **argv)
{
    int words;
    const char *const table = optionValue("--motion", argc, argv, &words);
    if (table) return motionOption(table, words);
    const struct {
        const char *name, **value, *needs;
    } lists[] = {{"--actuators", &actuators, "a list of signals (docs/analysis.md)"},
                 {"--weights", &weights, "numbers separated by commas"},
                 {"--until", NULL, "a time in seconds"}};
    for (int i = 0; i < 3; i++) {
        int used;
        const char *const value = optionValue(lists[i].name, argc, argv, &used);
        if (!value) continue;
        bool good = *value && strlen(value) < 2000 && !strchr(value, '\n');
        if (good && lists[i].value)
            *lists[i].value = value;
        else if (good)
            good = analyzeNumber(value, 0, &until);
        if (good) return used;
        fprintf(stderr, "ukode: %s needs %s\n", lists[i].name, lists[i].needs);
        return -1;
    }
    return analyzeOption(argc, argv);
}

const Command commandAssemble = {
    .name = "assemble",
    .arguments = "[options] RECORDING | -- program arguments",
    .purpose = "finds poses of a world's bodies that satisfy its joints, from the present poses",
    .runs = true,
    .options = ANALYZE_OPTIONS "  --target BODY:X,Y,Z      the body's centre at this point, or as near as possible "
                               "(may be repeated)\n"
                               "  -o FILE                  write JSON\n",
    .own = assembleOption,
    .run = runAssemble};

const Command commandEquilibrium = {
    .name = "equilibrium",
    .arguments = "[options] RECORDING | -- program arguments",
    .purpose = "finds poses at which a world's forces balance, and the forces of joints and contacts",
    .runs = true,
    .options = ANALYZE_OPTIONS "  -o FILE                  write JSON\n",
    .own = analyzeOption,
    .run = runEquilibrium};

const Command commandInverse = {
    .name = "inverse",
    .arguments = "[options] RECORDING | -- program arguments",
    .purpose = "computes the forces of actuators that cause a world's motion",
    .runs = true,
    .options = ANALYZE_OPTIONS
    "  --until T                a row for each step up to this time [s]; default: only that at --at\n"
    "  --motion FILE.csv        the motion of this table (docs/analysis.md), not that of the program or recording\n"
    "  --actuators LIST         joints, force:JOINT[.AXIS], push:BODY.AXIS\n"
    "  --weights LIST           a number > 0 for each actuator (1)\n"
    "  -o FILE                  write JSON, or FILE.csv\n",
    .own = inverseOption,
    .run = runInverse};
