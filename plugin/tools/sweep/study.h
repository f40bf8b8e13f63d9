/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/study.h: what `ukode sweep` runs: a file of lines in the syntax of UKODE_CONFIG, and a program.
 *
 *      # what varies
 *      vary gait in trot pace "a bound"        a list; its combinations with other lists and grids are all run
 *      vary mu from 0.2 to 1 count 5           a grid, ends included; `log` after it: in equal ratios
 *      vary mass halton 4 8                    spread evenly, all such variables together; `log`, `whole`
 *      vary seed random 1 1000 whole           random, as is `normal MEAN DEVIATION`
 *      samples = 100                           of the last three kinds, each with all combinations of the others
 *      # where it goes: {gait} in the program's words, and in
 *      env SPEED = {mu}
 *      config body torso mass {mass}           a line of UKODE_CONFIG
 *      # what is kept of a run
 *      result height = SELECT max(position_z) FROM body_step       the first value, asked of its recording
 *      keep path.csv *.png                     files that it wrote
 *      # limits of a run
 *      time = 60       memory = 2G     disk = 100M                 (a line each) */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_STUDY_H
#define UKODE_PLUGIN_TOOLS_SWEEP_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/tools/sweep/text.h"

enum { MostVariables = 32, MostLines = 64, MostKept = 32 };

typedef enum VariableKind { VariableList, VariableHalton, VariableRandom, VariableNormal } VariableKind;

typedef struct Variable {
    char *name; /* owned, as are the values */
    VariableKind kind;
    char **value; /* of a list, or of a grid, as they are put in */
    int values;   /* 1: of the other kinds */
    size_t capacity;
    double low, high; /* of these; normal: mean and deviation */
    bool logarithmic, whole;
    int order; /* among the halton variables, from 0 */
} Variable;

/* a name and a text, owned; where a line has no name, NULL */
typedef struct StudyLine {
    char *name, *text;
} StudyLine;

typedef struct Study {
    Variable variable[MostVariables];
    StudyLine environment[MostLines], config[MostLines], result[MostLines];
    char *keep[MostKept];
    int variables, environments, configs, results, kept;
    long samples, repeat;
    uint64_t seed;
    double time;         /* limits: [s]; 0: none */
    size_t memory, disk; /* [bytes]; 0: none */
    int jobs;            /* at once; 0: as many as there are processors */
    char record[32];     /* "": a recording if results are queried from it; else yes, no, every-step or a rate */
    char *here;          /* folder it was begun in, owned: {here} */
    char *base;          /* the text of the user's UKODE_CONFIG, owned */
    char *settings;      /* of the command line and the environment, which change results: lines, owned */
    char **program;      /* its words; not owned */
} Study;

/* Parses the text into `study`; false after a message in `why`: "line N: ...". `text` is overwritten. */
bool studyRead(Study *study, char *text, char *why, size_t size);
void studyFree(Study *study);

/* Points: combinations of values, from 1; each is run `repeat` times. */
long studyPoints(const Study *study);
bool studyRecords(const Study *study);

/* Puts `pattern` with the values of a run in the place of {names}; {{ is {. false: *wrong is the name that there is
 * not, or NULL: braces without end. `value`: (variables). */
typedef struct RunNames {
    const Study *study;
    char *const *value;
    long point;
    int repetition;
} RunNames;
bool studyPut(Text *text, const char *pattern, const RunNames *run, char wrong[64]);

/* The configuration of a run, with the user's own before it; false as studyPut. */
bool studyConfig(Text *text, const RunNames *run, char wrong[64]);

/* Writes the parts of the study that determine the results of its runs, to check that a continued study is the same
 * one: the lines of the file except limits and numbers of runs, and the program's words. */
void studyIdentity(const Study *study, Text *text);

#endif
