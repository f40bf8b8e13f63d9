/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/diagnose.c: `ukode info -- program`: runs some seconds of a program and prints the diagnosis of
 * its worlds' joints. */
#include <stdio.h>
#include <stdlib.h>

#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/launch/listen.h"
#include "plugin/tools/launch/summary.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/option.h"

static double limit = 5;

const Option cliDiagnoseOptions[] = {
    OPTION_FLAG("--preload", NULL, "print only the library's path, for LD_PRELOAD"),
    OPTION_NUMBER("--seconds", "S", &limit, 1e-6, 1e6, "a number > 0", "time limit of the program [s]; default: 5"),
    {0}};

static void printFile(const char *path)
{
    char line[512];
    FILE *file = fopen(path, "re");
    if (!file) return;
    while (fgets(line, sizeof line, file)) fputs(line, stdout);
    fclose(file);
}

int cliDiagnose(int argc, char **argv)
{
    char directory[512], diagnosis[600], library[1024], text[400];
    int status;
    const int first = launchOptions(argc, argv, &commandInfo, &status);
    if (first < 0) return status;
    if (!launchWithout((const char *const[]){"report", "diagnosis", "hash", NULL}, "info prints the diagnosis itself"))
        return ExitUsage;
    if (!launchRecords()) return ExitUsage;
    if (!launchNeedsSteps(&commandInfo, "diagnoses the equations of ukode's steps")) return ExitUsage;
    if (!launchFindLibrary(library, sizeof library) || !launchPreload()) return ExitNoLibrary;
    if (!infoDenseSolvers(library, text, sizeof text)) return messageFail(1, "no diagnosis: %s", text);
    if (!launchMakeDirectory(directory, sizeof directory) || !listenBegin()) return ExitNotRun;
    snprintf(diagnosis, sizeof diagnosis, "%s/diagnosis", directory);
    setenv("UKODE_DIAGNOSIS", diagnosis, 1);
    unsetenv("UKODE_REPORT");

    const LaunchResult result = launchProgram(argv + first, true, limit);
    Summary summary;
    char *const lines = listenEnd();
    summaryRead(lines, &summary);
    summaryPrintUnserved(&summary);
    free(lines);
    printFile(diagnosis);
    launchRemoveDirectory(directory);
    if (result.status == ExitNotFound || result.status == ExitNotRun) return result.status;
    if (summary.started == 0)
        messagePrint("%s took no step within %g s (--seconds S waits longer)", argv[first], limit);
    return summary.started == 0;
}
