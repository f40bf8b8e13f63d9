/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/linearize.c: `ukode linearize`: A, B, C, D of a world's motion, for controllers. */
#include <stdio.h>
#include <string.h>

#include "plugin/tools/command/analyze.h"
#include "plugin/tools/terminal/option.h"

static const char *inputs = "", *outputs = "";
static bool discrete;

static int linearizeOption(int argc, char **argv)
{
    const struct {
        const char *name, **value;
    } lists[] = {{"--inputs", &inputs}, {"--outputs", &outputs}};
    if (strcmp(argv[0], "--discrete") == 0) {
        discrete = true;
        return 1;
    }
    for (int i = 0; i < 2; i++) {
        int used;
        const char *const value = optionValue(lists[i].name, argc, argv, &used);
        if (!value) continue;
        if (*value && strlen(value) < 2000 && !strchr(value, '\n')) {
            *lists[i].value = value;
            return used;
        }
        fprintf(stderr, "ukode: %s needs a list of signals (docs/analysis.md)\n", lists[i].name);
        return -1;
    }
    return analyzeOption(argc, argv);
}

static bool endsWith(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static int writeMatrices(const char *folder, const char *path)
{
    const char *const name = endsWith(path, ".csv")   ? "matrices.csv"
                             : endsWith(path, ".mat") ? "matrices.mat"
                                                      : "answer.json";
    return analyzeCopy(folder, name, path);
}

static int runLinearize(int argc, char **argv)
{
    const Analyze analyze = {.command = &commandLinearize,
                             .kind = "linearize",
                             .discrete = &discrete,
                             .inputs = &inputs,
                             .outputs = &outputs,
                             .write = writeMatrices};
    return analyzeRun(argc, argv, &analyze);
}

const Command commandLinearize = {
    .name = "linearize",
    .arguments = "[options] RECORDING | -- program arguments",
    .purpose = "the linearized motion of a world about a state: A, B, C, D",
    .runs = true,
    .options = ANALYZE_OPTIONS
    "  --inputs LIST            motors, joints, force:JOINT[.AXIS], motor:JOINT[.AXIS], push:BODY.AXIS\n"
    "  --outputs LIST           joints, position:JOINT[.AXIS], rate:JOINT[.AXIS], reaction:JOINT.AXIS,\n"
    "                           place:BODY.AXIS, speed:BODY.AXIS\n"
    "  --discrete               of the program's next step, not of the continuous motion\n"
    "  -o FILE                  write JSON, or FILE.csv, FILE.mat\n",
    .own = linearizeOption,
    .run = runLinearize};
