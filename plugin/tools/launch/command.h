/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/command.h: the commands of `ukode`, one file each. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_COMMAND_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/tools/terminal/option.h"

typedef struct Command {
    const char *name, *arguments, *purpose;
    bool runs;                         /* it runs a program: the options of launchPrintOptions apply */
    const Option *options, *shared;    /* those that it alone has, and those of its kind; NULL: none */
    int (*run)(int argc, char **argv); /* the words after the command's name; returns the exit status */
} Command;

extern const Command commandRun, commandRecord, commandCompare, commandInfo, commandVerify, commandExport,
    commandReport, commandReplay, commandSweep, commandModes, commandLinearize, commandAssemble, commandEquilibrium,
    commandInverse, commandView;

/* info with a program, and its options */
int cliDiagnose(int argc, char **argv);
extern const Option cliDiagnoseOptions[];

/* Whether the library at this path finds LAPACKE and CBLAS, and in `text` a word on it. */
bool infoDenseSolvers(const char *library, char *text, size_t size);

#endif
