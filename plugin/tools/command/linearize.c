/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/linearize.c: `ukode linearize`: prints A, B, C, D of a world's motion, for controllers. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "plugin/tools/command/analyze.h"

static const char *inputs = "", *outputs = "", *method = "tangent";
static bool discrete, regulate;
static double effort;

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
                             .regulate = &regulate,
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
    .purpose = "linearizes the motion of a world about a state: A, B, C, D",
    .runs = true,
    .options =
        (const Option[]){
            ANALYZE_LIST("--inputs", &inputs,
                         "inputs: motors (all motors), joints (all free axes), force:JOINT[.AXIS],\n"
                         "                           motor:JOINT[.AXIS], push:BODY.AXIS"),
            ANALYZE_LIST("--outputs", &outputs,
                         "outputs: joints (all free axes), position:JOINT[.AXIS], rate:JOINT[.AXIS],\n"
                         "                           reaction:JOINT.AXIS, place:BODY.AXIS, speed:BODY.AXIS"),
            OPTION_FLAG("--discrete", &discrete, "linearize the program's next step instead of the continuous motion"),
            OPTION_FLAG("--lqr", &regulate, "also compute the gains of a linear-quadratic regulator about the state"),
            OPTION_NUMBER("--effort", "X", &effort, 1e-12, DBL_MAX, "a number > 0",
                          "--lqr with this weight of the inputs in the cost; default: 1"),
            ANALYZE_METHOD(&method),
            ANALYZE_OUTPUT("write JSON, or FILE.csv, FILE.mat"),
            {0}},
    .shared = analyzeOptions,
    .run = runLinearize};
