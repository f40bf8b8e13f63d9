/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "plugin/cli/cli.h"
#include "plugin/cli/launch.h"

static const Command *const commands[] = {&commandRun,     &commandRecord, &commandSweep,
                                          &commandCompare, &commandReplay, &commandVerify,
                                          &commandExport,  &commandReport, &commandInfo};
enum { CommandCount = sizeof commands / sizeof *commands };

static int help(void)
{
    printf("ukode %s: exact, certified stepping for the Open Dynamics Engine\n\n", UKODE_VERSION);
    for (int i = 0; i < CommandCount; i++)
        printf("  ukode %s %s\n      %s\n", commands[i]->name, commands[i]->arguments, commands[i]->purpose);
    printf("\n");
    launchPrintOptions();
    for (int i = 0; i < CommandCount; i++)
        if (commands[i]->options) printf("\noptions of %s alone:\n%s", commands[i]->name, commands[i]->options);
    printf(
        "\nA run has its program's exit status, 128 + n if signal n ended it, 2 for a wrong command line, 125 without\n"
        "libukode.so, 126 or 127 if the program cannot be run.\n");
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(
            stderr,
            "usage: ukode run|record|sweep|compare|replay|verify|export|report|info [options] [-- program arguments]; "
            "ukode --help\n");
        return ExitUsage;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) return help();
    if (strcmp(argv[1], "--version") == 0) {
        printf("ukode %s\n", UKODE_VERSION);
        return 0;
    }
    for (int i = 0; i < CommandCount; i++)
        if (strcmp(argv[1], commands[i]->name) == 0) return commands[i]->run(argc - 2, argv + 2);
    fprintf(stderr,
            "ukode: no command '%s'; there are run, record, sweep, compare, replay, verify, export, report, info\n",
            argv[1]);
    return ExitUsage;
}
