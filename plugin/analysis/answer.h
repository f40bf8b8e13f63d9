/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/answer.h: the answer to a request (request.h), as files of a folder: table.txt for people,
 * answer.json, and of a linearization matrices.csv and matrices.mat (MATLAB's level 4, which every reader of MAT files
 * takes). */
#ifndef UKODE_PLUGIN_ANALYSIS_ANSWER_H
#define UKODE_PLUGIN_ANALYSIS_ANSWER_H

#include "plugin/analysis/signal_list.h"

typedef struct ukAnswerOf {
    ukWorld *world;
    const char *folder;
    double time, h;    /* of the world; of the step that the program asks for [s] */
    ukLinearization l; /* also that of the modes */
    const ukMode *modes;
    int count, zero;
} ukAnswerOf;

void ukAnswerLinearization(const ukAnswerOf *answer, const ukSignalList *in, const ukSignalList *out);
void ukAnswerModes(const ukAnswerOf *answer);
/* A status and the thread's last error: answer.json has "error". */
void ukAnswerRefusal(const ukAnswerOf *answer, int status);

#endif
