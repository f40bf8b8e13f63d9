/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/summary/summary.h: sums over the steps of one process, for UKODE_REPORT and for the command that started the
 * program.
 *
 * Lines of JSON, appended to the report and written to the pipe: {"event":"start",...} when the first step begins, so
 * that a process that aborts in it is known to have stepped, {"event":"progress",...} whenever the number of steps has
 * doubled, and {"event":"end",...} at exit. docs/conventions.md has them all. The caller ensures that one thread at a
 * time calls these functions. */
#ifndef UKODE_PLUGIN_SUMMARY_SUMMARY_H
#define UKODE_PLUGIN_SUMMARY_SUMMARY_H

#include <stdbool.h>

#include "bridge/world/record.h"

/* report: file, pipe: address (bridge/base/output.h); NULL or "": not wanted. */
void ukSummaryOpen(const char *report, const char *pipe);
bool ukSummaryWanted(void);
bool ukSummaryHeard(void); /* a command of ukode reads the pipe and prints the messages, so the library does not */
/* Writes {"event":"live",...} to the pipe, at most four times a second, if a command displays the progress. */
void ukSummaryLive(void);
/* The first step of this process begins: all sums are 0 again. `initialized`: whether dInitODE was called, where that
 * is known. */
void ukSummaryBegin(bool initialized);
/* A step of h [s] that took `seconds`, by ukode (its report is in the world's stepper) or by ODE; `worlds`: how many
 * were stepped so far. A step that ukode was asked for and left to ODE is a fallback; the thread's last error is its
 * reason. */
void ukSummaryStep(ukWorld *world, double h, double seconds, bool ours, int worlds);
/* A step failed, and no stepper took it; the thread's last error is its reason. */
void ukSummaryFailed(int worlds);
/* {"event":"unserved","reason":...}: worlds of another copy of ODE are stepped by that ODE. */
void ukSummaryUnserved(const char *reason);
/* Writes {"event":"unreached","reason":...} to the pipe alone: no step reached this library. */
void ukSummaryUnreached(const char *reason);
/* The sums so far, to the pipe. */
void ukSummaryFlush(void);
/* Called at exit: writes the last line. */
void ukSummaryEnd(void);

#endif
