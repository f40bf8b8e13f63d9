/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/report.h: the report of the last step (ukReport). */
#ifndef UKODE_BRIDGE_RESULTS_REPORT_H
#define UKODE_BRIDGE_RESULTS_REPORT_H

#include "bridge/world/record.h"

/* Of the last step; a world that was never stepped has a report of zeros. */
void ukReportLast(const ukWorld *world, ukReport *report);
/* The last step's equations, dense; memory is the stepper's. ukOk, ukErrorArgument before the first step and after one
 * that failed, ukErrorMemory. */
int ukReportEquations(ukWorld *world, ukEquations *equations);

#endif
