/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/linearize.c: `ukode linearize`: prints A, B, C, D of a world's motion, for controllers. */
#include <stdio.h>
#include <string.h>

#include "plugin/tools/command/analyze.h"
#include "plugin/tools/terminal/option.h"

static const char *inputs = "", *outputs = "", *method = "tangent";
static bool discrete;
static double effort;

static int linearizeOption(int argc, char **argv)
{
    int used = analyzeList("--inputs", argc, argv, &inputs);
    if (used == 0) used = analyzeList("--outputs", argc, argv, &outputs);
    if (used == 0) used = analyzeMethod(argc, argv, &method);
    if (used != 0) return used;
    if (strcmp(argv[0], "--discrete") == 0) {
        discrete = true;
        return 1;
    }
    if (strcmp(argv[0], "--lqr") == 0) {
        if (effort == 0) effort = 1;
        return 1;
    }
    const char *const value = optionValue("--effort", argc, argv, &used);
    if (!value) return analyzeOption(argc, argv);
    if (analyzeNumber(value, 1e-12, &effort)) return used;
    fprintf(stderr, "ukode: --effort: '%s' is not a number > 0\n", value);
    return -1;
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
                             .effort = &effort,
                             .inputs = &inputs,
                             .method = &method,
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
    "  --lqr                    with the gains of a linear-quadratic regulator that holds the state\n"
    "  --effort X               the same, with this weight of the forces (1)\n"
    "  --method NAME            tangent, or differences of motions (docs/analysis.md)\n"
    "  -o FILE                  write JSON, or FILE.csv, FILE.mat\n",
    .own = linearizeOption,
    .run = runLinearize};
