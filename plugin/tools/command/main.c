/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/main.c: `ukode`: finds the command by its name and runs it. */
#include <stdio.h>
#include <string.h>

#include <ukode/ukode.h>

#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/terminal/console.h"

static const Command *const commands[] = {&commandRun,         &commandRecord,  &commandView,      &commandSweep,
                                          &commandCompare,     &commandReplay,  &commandVerify,    &commandExport,
                                          &commandReport,      &commandModes,   &commandLinearize, &commandAssemble,
                                          &commandEquilibrium, &commandInverse, &commandInfo};
enum { CommandCount = sizeof commands / sizeof *commands };

static bool asksForHelp(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* The command of this name; NULL: there is none, which is reported. */
static const Command *findCommand(const char *name)
{
    for (int i = 0; i < CommandCount; i++)
        if (strcmp(name, commands[i]->name) == 0) return commands[i];
    fprintf(stderr, "ukode: no command '%s'; the commands are", name);
    for (int i = 0; i < CommandCount; i++) fprintf(stderr, "%s %s", i > 0 ? "," : "", commands[i]->name);
    fprintf(stderr, "\n");
    return NULL;
}

/* `name`: of this command alone; NULL: of all */
static int printHelp(const char *name)
{
    if (name) {
        const Command *const command = findCommand(name);
        if (command) launchPrintHelp(command);
        return command ? 0 : ExitUsage;
    }
    printf("ukode %s: exact, certified stepping for the Open Dynamics Engine\n\n", UKODE_VERSION);
    for (int i = 0; i < CommandCount; i++)
        printf("  ukode %s %s\n      %s\n", commands[i]->name, commands[i]->arguments, commands[i]->purpose);
    printf("\n");
    launchPrintOptions();
    for (int i = 0; i < CommandCount; i++) launchPrintOwn(commands[i]);
    printf(
        "\nA run has its program's exit status, 128 + n if signal n ended it, 2 for a wrong command line, 125 without\n"
        "libukode.so, 126 or 127 if the program cannot be run.\n");
    return 0;
}

static int runCommand(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: ukode "
                        "run|record|view|sweep|compare|replay|verify|export|report|modes|linearize|assemble|"
                        "equilibrium|inverse|info "
                        "[options] [-- program arguments]; "
                        "ukode --help\n");
        return ExitUsage;
    }
    launchSetSelf(argv[0]);
    if (asksForHelp(argv[1]) || strcmp(argv[1], "help") == 0) return printHelp(argc > 2 ? argv[2] : NULL);
    if (strcmp(argv[1], "--version") == 0) {
        printf("ukode %s\n", UKODE_VERSION);
        return 0;
    }
    const Command *const command = findCommand(argv[1]);
    if (!command) return ExitUsage;
    if (argc < 3 || !asksForHelp(argv[2])) return command->run(argc - 2, argv + 2);
    launchPrintHelp(command);
    return 0;
}

int main(int argc, char **argv)
{
    consoleBegin();
    return consoleEnd(runCommand(argc, argv));
}
