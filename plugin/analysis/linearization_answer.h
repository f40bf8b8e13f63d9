/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/linearization_answer.h: the answer of a linearization, with its regulator, if it was requested: JSON,
 * a table, CSV and MATLAB's level 4. */
#ifndef UKODE_PLUGIN_ANALYSIS_LINEARIZATION_ANSWER_H
#define UKODE_PLUGIN_ANALYSIS_LINEARIZATION_ANSWER_H

#include "plugin/analysis/answer.h"

void ukAnswerLinearization(const ukAnswerOf *answer, const ukSignalList *in, const ukSignalList *out);

#endif
