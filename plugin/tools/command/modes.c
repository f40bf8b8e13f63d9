/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/modes.c: `ukode modes`: prints natural frequencies, damping and shapes of a world's motions. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "plugin/tools/command/analyze.h"
#include "plugin/tools/page/locus_page.h"
#include "plugin/tools/page/page.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/output_file.h"

static bool putAnswer(FILE *file, void *context)
{
    fprintf(file, "\"answer\":");
    return analyzePrint(context, "answer.json", file);
}

static int writeModesPage(const char *folder, const char *path)
{
    FILE *const file = outputFileOpen(path, false);
    if (!file) return messageFail(1, "%s: %s", path, outputFileFault(errno));
    const bool good = pageWrite(file, "modes.html", putAnswer, (void *)folder);
    if (outputFileClose(file, path, good)) return 0;
    return messageFail(1, "%s: %s", path, outputFileFault(errno));
}

static int writeModes(const char *folder, const char *path)
{
    const size_t length = strlen(path);
    if (length > 5 && strcmp(path + length - 5, ".html") == 0) return writeModesPage(folder, path);
    return analyzeCopy(folder, "answer.json", path);
}

static const char *inputs = "", *method = "tangent";

static int runModes(int argc, char **argv)
{
    const Analyze analyze = {.command = &commandModes,
                             .kind = "modes",
                             .inputs = &inputs,
                             .write = writeModes,
                             .study = locusPage,
                             .method = &method};
    return analyzeRun(argc, argv, &analyze);
}

const Command commandModes = {
    .name = "modes",
    .arguments = "[options] RECORDING | STUDY.db | -- program arguments",
    .purpose = "computes the modes of motion of a world: frequencies, damping, shapes",
    .runs = true,
    .options =
        (const Option[]){ANALYZE_LIST("--inputs", &inputs,
                                      "release the motors of these (joints, force:JOINT[.AXIS]): they exert no force"),
                         ANALYZE_METHOD(&method),
                         ANALYZE_OUTPUT("write JSON, or FILE.html: a page that animates each mode; of a sweep "
                                        "(docs/analysis.md):\n                           FILE.csv with the "
                                        "poles of all runs, or FILE.html with the root locus"),
                         {0}},
    .shared = analyzeOptions,
    .run = runModes};
