/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/launch/launch.h: the common options of commands, and the start of a program with libukode.so
 * preloaded. */
#ifndef UKODE_PLUGIN_TOOLS_LAUNCH_LAUNCH_H
#define UKODE_PLUGIN_TOOLS_LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "plugin/tools/launch/command.h"

enum { ExitMisnamed = 1, ExitUsage = 2, ExitUnmet = 3, ExitNoLibrary = 125, ExitNotRun = 126, ExitNotFound = 127 };

/* Sets the UKODE_* twin of each option in this process's environment, which the program inherits.
 * Returns the index of the program in argv (after "--", or the first word that is no option); negative where there is
 * nothing to run, after a message or the command's help: *status is the exit status then. */
int launchOptions(int argc, char **argv, const Command *command, int *status);
/* After launchOptions: whether none of these common options was on the command line, by their names without dashes,
 * NULL at the end; NULL: none at all. false after a message, of which `why` is the reason. */
bool launchWithout(const char *const *names, const char *why);
/* The same of the options of recordings: where there is none. */
bool launchWithoutRecording(const char *why);
/* Whether there is one, by --record or UKODE_RECORD, or none of these options. */
bool launchRecords(void);
/* After launchOptions: whether ukode takes the steps, without which the command can do nothing. false after a message,
 * of which `why` is the reason. */
bool launchNeedsSteps(const Command *command, const char *why);
void launchPrintOptions(void);
/* Reads the words of a command that runs no program: options, and one recording. false after a message. */
bool launchArguments(int argc, char **argv, const Command *command, const char **recording);
/* The options that the command alone has, with a heading; nothing if it has none. */
void launchPrintOwn(const Command *command);
/* Prints usage, purpose and options of a command. */
void launchPrintHelp(const Command *command);
/* argv[0] of this command, for launchSelf. */
void launchSetSelf(const char *name);
/* The file of this command, symbolic links resolved: from the kernel, or, where there is no /proc, from argv[0] and
 * PATH. NULL: not found; else free() it. */
char *launchSelf(void);
/* A file name for the program, absolute: the program, or a script that starts it, may be elsewhere by then. */
void launchSetPath(const char *variable, const char *path);

/* Path of libukode.so: next to the command in a build tree, else where it was installed. false after a message. */
bool launchFindLibrary(char *path, size_t size);
/* Appends it to LD_PRELOAD, which is never overwritten; where its path has a blank, by name, with its folder put into
 * LD_LIBRARY_PATH. false after a message. */
bool launchPreload(void);

typedef struct LaunchResult {
    int status; /* exit status, 128 + signal, or ExitNotFound, ExitNotRun if it could not be started */
    int signal; /* 0: it exited */
    double seconds;
} LaunchResult;

/* Runs it and waits. `quiet`: its standard output is dropped. Signals sent to this process reach it. After `limit`
 * seconds it is ended; 0: no limit. */
LaunchResult launchProgram(char **argv, bool quiet, double limit);

/* A function that is called every 10 ms while programs run; NULL: none. */
typedef void LaunchObserver(void);
void launchObserve(LaunchObserver *observe);

/* A new empty directory for this run's files, removed with all that is in it. */
bool launchMakeDirectory(char *path, size_t size);
void launchRemoveDirectory(const char *path);

#endif
