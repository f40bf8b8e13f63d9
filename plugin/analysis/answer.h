/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/answer.h: the answer to a request (request.h), as files of a folder: table.txt for people,
 * answer.json, and of a linearization matrices.csv and matrices.mat (MATLAB's level 4, which every reader of MAT files
 * takes). */
#ifndef UKODE_PLUGIN_ANALYSIS_ANSWER_H
#define UKODE_PLUGIN_ANALYSIS_ANSWER_H

#include <stdio.h>

#include "plugin/analysis/signal_list.h"

typedef struct ukAnswerOf {
    ukWorld *world;
    const char *folder;
    double time, h;        /* of the world; of the step that the program requests [s] */
    ukLinearization l;     /* also that of the modes */
    ukRegulator regulator; /* if it was requested: `regulated` */
    bool regulated;
    const ukMode *modes;
    int count, zero;
    bool moved; /* a search has moved the world to the requested state */
    bool unmet; /* a search has not found all that was requested */
} ukAnswerOf;

/* A file of the folder: begun; with the kind and the time as the first members of answer.json's object; to append to;
 * to change. NULL: it cannot be opened. */
FILE *ukAnswerOpen(const ukAnswerOf *answer, const char *name);
FILE *ukAnswerBegin(const ukAnswerOf *answer, const char *kind);
FILE *ukAnswerAppend(const ukAnswerOf *answer, const char *name);
FILE *ukAnswerAgain(const ukAnswerOf *answer, const char *name);
/* ,"name":[[...],...] */
void ukAnswerPutMatrix(FILE *file, const char *name, const double *x, int rows, int columns);
/* A JSON string, an array of numbers. */
void ukAnswerPutString(FILE *file, const char *text);
void ukAnswerPutVector(FILE *file, const double *x, int count);

/* A line of the table about the projection that preceded a linearization, where it was more than rounding. */
void ukAnswerMoved(const ukLinearization *l, FILE *table);

void ukAnswerModes(const ukAnswerOf *answer);
/* A status and the thread's last error: answer.json has "error". */
void ukAnswerRefusal(const ukAnswerOf *answer, int status);

#endif
