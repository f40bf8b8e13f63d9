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
    const double *effort;           /* of a regulator (ukWorldRegulate); 0 or NULL: none, */
    const bool *regulate;           /* or 1 with this */
    bool saves;                     /* the state that it finds, to --save */
    const char **motion;            /* path of a table of motion, "": none */
    const double *until;            /* last time of a series [s]; NULL: one state */
    /* writes the answer to a file that the user named; `folder` has the files of plugin/analysis/answer.h. 0, or an
     * exit status */
    int (*write)(const char *folder, const char *path);
    /* of the database of a sweep in place of a recording; output NULL: none; NULL: there is no such analysis */
    int (*study)(const char *database, const char *output);
} Analyze;

/* Options of all analyses; and what some of them share. */
extern const Option analyzeOptions[];
extern const char *analyze_output; /* of -o; NULL: none */
bool analyzeIsMethod(const char *text);
/* Whether a list or name can be passed on to the library: one line, not too long. */
bool analyzeIsList(const char *text);
#define ANALYZE_OUTPUT(HELP)                                                                                           \
    {                                                                                                                  \
        .name = "-o", .other = "--output", .argument = "FILE", .text = &analyze_output, .needs = "a file",             \
        .help = HELP                                                                                                   \
    }
#define ANALYZE_LIST(NAME, LIST, HELP)                                                                                 \
    OPTION_CHECKED(NAME, "LIST", LIST, analyzeIsList, "a list of signals (docs/analysis.md)", HELP)
#define ANALYZE_METHOD(METHOD)                                                                                         \
    OPTION_CHECKED("--method", "NAME", METHOD, analyzeIsMethod, "tangent or differences",                              \
                   "how to compute derivatives: tangent (linearized equations) or differences (perturbed motions)")

/* Runs the program whose command line follows the options, and prints the answer; returns the exit status. */
int analyzeRun(int argc, char **argv, const Analyze *analyze);

/* A file of the folder to an open one; false: there is none. */
bool analyzePrint(const char *folder, const char *name, FILE *to);

/* A file of the folder copied to `path`; 0, or an exit status after a message. */
int analyzeCopy(const char *folder, const char *name, const char *path);

#endif
