/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/search_answer.h: searches that are requested (request.h), and their answers as files: table.txt,
 * answer.json, and of inverse dynamics forces.csv, a row per step. */
#ifndef UKODE_PLUGIN_ANALYSIS_SEARCH_ANSWER_H
#define UKODE_PLUGIN_ANALYSIS_SEARCH_ANSWER_H

#include "plugin/analysis/answer.h"

/* Assembles the world, with targets (target_list.h), and writes what was found. ukOk or the search's status. */
int ukSearchAssembly(ukAnswerOf *answer, const char *targets);
/* Searches an equilibrium from the present state, and writes what was found. */
int ukSearchEquilibrium(ukAnswerOf *answer);
/* Forces of the actuators (a list, signal_list.h) that give the bodies the accelerations that they have at the present
 * state; weights: numbers separated by commas, "": all 1. Appends a row; `first`: begins the files. */
int ukSearchInverse(const ukAnswerOf *answer, const char *actuators, const char *weights, bool first);

#endif
