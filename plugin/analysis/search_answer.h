/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/search_answer.h: searches that are requested (request.h), and their answers as files: table.txt,
 * answer.json, and of inverse dynamics forces.csv, a row per step. */
#ifndef UKODE_PLUGIN_ANALYSIS_SEARCH_ANSWER_H
#define UKODE_PLUGIN_ANALYSIS_SEARCH_ANSWER_H

#include "plugin/analysis/answer.h"

/* Assembles the world, with targets (target_list.h), and writes the result. ukOk or the search's status. */
int ukSearchAssembly(ukAnswerOf *answer, const char *targets);
/* Searches an equilibrium from the present state, and writes the result. */
int ukSearchEquilibrium(ukAnswerOf *answer);
/* Forces of the actuators (a list, signal_list.h) that give the bodies these accelerations (6 x bodies; NULL: those
 * that they have at the present state); weights: numbers separated by commas, "": all 1. Appends a row; `first`: begins
 * the files. */
typedef struct ukInverseRequest {
    const char *actuators, *weights;
    const dReal *acceleration;
    bool first;
} ukInverseRequest;
int ukSearchInverse(const ukAnswerOf *answer, const ukInverseRequest *request);
/* The same at each row of a table of motion (motion_table.h), whose path `motion` is. The world ends as it was. */
int ukSearchInverseTable(const ukAnswerOf *answer, const char *motion, const ukInverseRequest *request);

#endif
