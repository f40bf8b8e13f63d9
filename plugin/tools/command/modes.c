/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/modes.c: `ukode modes`: natural frequencies, damping and shapes of a world's motions. */
#include <string.h>

#include "plugin/tools/command/analyze.h"

static int writeModes(const char *folder, const char *path)
{
    return analyzeCopy(folder, "answer.json", path);
}

static int runModes(int argc, char **argv)
{
    const Analyze analyze = {.command = &commandModes, .kind = "modes", .write = writeModes};
    return analyzeRun(argc, argv, &analyze);
}

const Command commandModes = {.name = "modes",
                              .arguments = "[options] RECORDING | -- program arguments",
                              .purpose = "modes of motion of a world: frequencies, damping, shapes",
                              .runs = true,
                              .options = ANALYZE_OPTIONS "  -o FILE                  write JSON\n",
                              .own = analyzeOption,
                              .run = runModes};
