/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/record.c: `ukode record`: runs a program and records it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/formats/recording/reader.h"
#include "plugin/tools/command/run.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/terminal/message.h"

static bool quiet;
static const char *output;

static double fileMegabytes(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? 1e-6 * (double)file.st_size : 0;
}

/* Prints the names and sizes of the recordings, and commands that read them; false: there is none. */
static bool printRecordings(void)
{
    const char *const path = getenv("UKODE_RECORD");
    char name[1200];
    if (!ukReaderIs(path)) {
        messagePrint("error: there is no recording at %s (docs/recording.md)", path);
        return false;
    }
    if (quiet) return true;
    messagePrint("recorded into %s (%.3g MB)", path, fileMegabytes(path));
    double others = 0;
    int count = 1;
    for (; ukReaderNumbered(path, count + 1, name, sizeof name) && ukReaderIs(name); count++)
        others += fileMegabytes(name);
    if (count > 1) {
        ukReaderNumbered(path, count, name, sizeof name);
        messagePrint("recorded %d other process%s, up to %s (%.3g MB in all)", count - 1, count == 2 ? "" : "es", name,
                     others);
    }
    messagePrint("to view it: ukode report %s", path);
    return true;
}

static int runRecord(int argc, char **argv)
{
    int status;
    const int first = launchOptions(argc, argv, &commandRecord, &status);
    if (first < 0) return status;
    if (quiet) runSetQuiet();
    if (output && !launchWithout((const char *const[]){"record", NULL}, "-o names the recording")) return ExitUsage;
    if (output) launchSetPath("UKODE_RECORD", output);
    if (!getenv("UKODE_RECORD") || !*getenv("UKODE_RECORD")) launchSetPath("UKODE_RECORD", "run.ukode");
    bool stepped = false;
    status = runProgram(argv + first, &stepped);
    if (stepped && !printRecordings() && status == 0) status = ExitMisnamed;
    return status;
}

const Command commandRecord = {
    .name = "record",
    .runs = true,
    .arguments = "-o FILE [options] -- program arguments",
    .purpose = "runs an ODE program as run does, and records it into an SQLite file (docs/recording.md)",
    .options = (const Option[]){OPTION_TEXT("-o", "FILE", &output, "a file name",
                                            "the recording; default: run.ukode; an existing recording is replaced"),
                                OPTION_FLAG("--quiet", &quiet, "print only errors and warnings"),
                                {0}},
    .run = runRecord,
};
