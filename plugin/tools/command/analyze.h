/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/analyze.h: the common part of `ukode modes`, `ukode linearize` and the searches (search.c): a
 * program, or the replay of a recording, runs under the library up to a time; the library analyses a world there
 * (plugin/analysis/request.h), and the process ends. */
#ifndef UKODE_PLUGIN_TOOLS_COMMAND_ANALYZE_H
#define UKODE_PLUGIN_TOOLS_COMMAND_ANALYZE_H

#include <stdbool.h>
#include <stdio.h>

#include "plugin/tools/launch/command.h"

typedef struct Analyze {
    const Command *command;
    const char *kind;               /* "modes" or "linearize" */
    const bool *discrete;           /* of the program's step; read, as the lists, once the options are */
    const char **inputs, **outputs; /* lists, or ""; NULL: none */
    const char **weights;           /* the same */
    const char **method;            /* "tangent" or "differences"; NULL: there is one only */
    const double *effort;           /* of a regulator (ukWorldRegulate); 0 or NULL: none */
    bool saves;                     /* the state that it finds, to --save */
    const char **motion;            /* path of a table of motion, "": none */
    const double *until;            /* last time of a series [s]; NULL: one state */
    /* writes the answer to a file that the user named; `folder` has the files of plugin/analysis/answer.h. 0, or an
     * exit status */
    int (*write)(const char *folder, const char *path);
    /* of the database of a sweep in place of a recording; output NULL: none; NULL: there is no such analysis */
    int (*study)(const char *database, const char *output);
} Analyze;

/* --at, --world, --seconds, --progress, -o, --json: how many words it used; 0: it is none of them; negative after a
 * message */
int analyzeOption(int argc, char **argv);
/* --method tangent|differences, the same. */
int analyzeMethod(int argc, char **argv, const char **method);
/* An option with a list of signals, the same. */
int analyzeList(const char *name, int argc, char **argv, const char **list);
/* Whether a text is a finite number of at least `least`. */
bool analyzeNumber(const char *text, double least, double *number);
/* The options' help, in whole lines. */
#define ANALYZE_OPTIONS                                                                                                \
    "  --at T                   analyse the state at this time of the world [s] (0: before its first step)\n"          \
    "  --world N                of the world with this number, in the order of creation (the first that steps)\n"      \
    "  --seconds S              stop without a result after S seconds of running and analysing (a program: 60, a "     \
    "recording: 8)\n"                                                                                                  \
    "  --progress               print how far the analysis is, a line a second (on a terminal: always, one line)\n"    \
    "  --json                   print JSON instead of a table\n"

/* Runs the words that follow the options, prints the answer; the exit status. */
int analyzeRun(int argc, char **argv, const Analyze *analyze);

/* A file of the folder to an open one; false: there is none. */
bool analyzePrint(const char *folder, const char *name, FILE *to);

/* A file of the folder copied to `path`; 0, or an exit status after a message. */
int analyzeCopy(const char *folder, const char *name, const char *path);

#endif
