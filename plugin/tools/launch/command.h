/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/command.h: the commands of `ukode`, one file each. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_COMMAND_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Command {
    const char *name, *arguments, *purpose;
    bool runs;           /* a program: the options of launchPrintOptions hold */
    const char *options; /* help of the options that it alone has, in whole lines; NULL: none */
    /* takes one of these: how many words it used, 0: it is none of them, negative: of an error that it has told */
    int (*own)(int argc, char **argv);
    int (*run)(int argc, char **argv); /* the words after the command's name; returns the exit status */
} Command;

extern const Command commandRun, commandRecord, commandCompare, commandInfo, commandVerify, commandExport,
    commandReport, commandReplay, commandSweep, commandModes, commandLinearize, commandAssemble, commandEquilibrium,
    commandInverse, commandView;

/* info with a program, and its option */
int cliDiagnose(int argc, char **argv);
int cliDiagnoseOption(int argc, char **argv);

/* Whether the library at this path finds LAPACKE and CBLAS, and in `text` a word on it. */
bool infoDenseSolvers(const char *library, char *text, size_t size);

#endif
