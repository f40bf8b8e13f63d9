/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/search.c: `ukode assemble`, `ukode equilibrium`, `ukode inverse`: poses and forces of a
 * world. */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugin/tools/command/analyze.h"
#include "plugin/tools/terminal/message.h"

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

/* --target may be repeated: the library gets them in one line */
static bool addTarget(const char *text)
{
    static char all[2000];
    if (strpbrk(text, "\n;") || strlen(all) + strlen(text) + 2 > sizeof all) return false;
    if (all[0]) strcat(all, ";");
    strcat(all, text);
    targets = all;
    return true;
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
static bool setMotion(const char *text)
{
    static char path[PATH_MAX];
    struct stat status;
    if (!realpath(text, path)) return messageFail(false, "%s: %s", text, strerror(errno));
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return messageFail(false, "%s: it is not a regular file", text);
    if (strlen(path) >= 1000 || strchr(path, '\n')) return false;
    motion = path;
    return true;
}

const Command commandAssemble = {
    .name = "assemble",
    .arguments = "[options] RECORDING | -- program arguments",
    .purpose = "finds poses of a world's bodies that satisfy its joints, from the present poses",
    .runs = true,
    .options = (const Option[]){OPTION_CHECKED("--target", "BODY:X,Y,Z", NULL, addTarget, "BODY:X,Y,Z",
                                               "the body's centre at this point, or as near as possible (may be "
                                               "repeated)"),
                                ANALYZE_OUTPUT("write JSON"),
                                {0}},
    .shared = analyzeOptions,
    .run = runAssemble};

const Command commandEquilibrium = {
    .name = "equilibrium",
    .arguments = "[options] RECORDING | -- program arguments",
    .purpose = "finds poses at which a world's forces balance, and the forces of joints and contacts",
    .runs = true,
    .options = (const Option[]){ANALYZE_OUTPUT("write JSON"), {0}},
    .shared = analyzeOptions,
    .run = runEquilibrium};

const Command commandInverse = {
    .name = "inverse",
    .arguments = "[options] RECORDING | -- program arguments",
    .purpose = "computes the forces of actuators that cause a world's motion",
    .runs = true,
    .options =
        (const Option[]){
            OPTION_NUMBER("--until", "T", &until, 0, DBL_MAX, "a time in seconds",
                          "print a row for each step up to this time [s]; default: only the state at --at"),
            OPTION_CHECKED("--motion", "FILE.csv", NULL, setMotion, "a CSV file",
                           "use the motion in this table (docs/analysis.md) instead of the recorded one"),
            ANALYZE_LIST("--actuators", &actuators, "joints, force:JOINT[.AXIS], push:BODY.AXIS"),
            OPTION_CHECKED("--weights", "LIST", &weights, analyzeIsList, "numbers separated by commas",
                           "a number > 0 for each actuator; default: 1"),
            ANALYZE_OUTPUT("write JSON, or FILE.csv"),
            {0}},
    .shared = analyzeOptions,
    .run = runInverse};
