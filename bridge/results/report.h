/* SPDX-License-Identifier: BSD-3-Clause */
/* bridge/results/report.h: the report of the last step (ukReport). */
#ifndef UKODE_BRIDGE_RESULTS_REPORT_H
#define UKODE_BRIDGE_RESULTS_REPORT_H

#include "bridge/world/record.h"

/* Reports the last step; for a world that was never stepped, all values are zero. */
void ukReportLast(const ukWorld *world, ukReport *report);
/* The last step's equations, dense, in the stepper's memory. ukOk, ukErrorArgument before the first step and after a
 * failed one, ukErrorMemory. */
int ukReportEquations(ukWorld *world, ukEquations *equations);

#endif
