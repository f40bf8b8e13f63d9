/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/analysis/linear_operator_make.h: makes a linear operator (plugin/analysis/linear_operator.h) of a world at its
 * present state: derivatives, factorizations, checks, an estimate of its error. The world is preserved. */
#ifndef UKODE_PLUGIN_ANALYSIS_LINEAR_OPERATOR_MAKE_H
#define UKODE_PLUGIN_ANALYSIS_LINEAR_OPERATOR_MAKE_H

#include "plugin/analysis/linear_operator.h"

/* Creates the operator; NULL with the error set. */
struct ukLinearOperator *ukLinearOperatorMake(ukWorld *world, const ukSignal *in, int inputs);
void ukLinearOperatorFree(struct ukLinearOperator *o);

#endif
