/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/terminal/progress.h: the status line on the terminal while a program runs: simulated time, speed
 * relative to real time, steps that are not certified, and a high number of evaluations. Where stderr is no terminal
 * there is none, or, on request, a line of text a second. */
#ifndef UKODE_PLUGIN_TOOLS_TERMINAL_PROGRESS_H
#define UKODE_PLUGIN_TOOLS_TERMINAL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether there will be a line; from here on real time counts. */
bool progressBegin(void);
/* The same, and where stderr is no terminal, whole lines. */
bool progressBeginLines(void);
/* Shows the progress so far; at most a few lines per second are drawn. */
void progressShow(double simulated_seconds, double not_certified);
/* Shows another text instead, as rarely. */
void progressText(const char *text);
/* More evaluations of the equations per step than this times those of a plain step are displayed, as is the reason in
 * the summary (plugin/tools/command/run.c). */
enum { ukManyEvaluations = 4 };

/* Shows simulated time and cost of a line that the library wrote (plugin/summary/summary.h). */
void progressLine(const char *line);
/* The line is wiped away. */
void progressEnd(void);

#endif
