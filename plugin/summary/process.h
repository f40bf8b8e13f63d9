/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/summary/process.h: is called for every step of the process, whichever stepper took it, numbers the worlds,
 * keeps their times, and updates the summary (plugin/summary/summary.h). A forked child begins again. */
#ifndef UKODE_PLUGIN_SUMMARY_PROCESS_H
#define UKODE_PLUGIN_SUMMARY_PROCESS_H

#include <stdbool.h>

struct ukWorld;

/* The program called dInitODE or dInitODE2. */
void ukProcessInitialized(void);
/* The process has called dWorldCreate. */
void ukProcessCreated(void);
/* A step of `world` begins. Cheap when no summary was asked for, and after the first one. */
void ukProcessBegin(struct ukWorld *world);
/* One step of `world` has been taken: h [s], wall time [s], by ukode or by ODE's own stepper. A step that ukode was
 * asked for and left to ODE (ours false, the world enabled) is a fallback; the thread's last error is its reason. Cheap
 * when no summary was asked for. */
void ukProcessStep(struct ukWorld *world, double h, double seconds, bool ours);

/* A step of `world` failed and no stepper took it: it is in the summary, with the thread's last error as its reason. */
void ukProcessFailed(struct ukWorld *world);

/* A world of a copy of ODE that ukode does not serve was stepped; why. It is printed by the command that started the
 * program; where there is none, here, at the first step. */
void ukProcessUnserved(const char *reason);

/* Called once, at load, with the names of the summary file and of the command's pipe, which are copied; NULL: not
 * requested. */
void ukProcessOpen(const char *report, const char *pipe);
bool ukProcessWanted(void);
/* Called at exit: writes the summary's last line. ODE may be closed by then. */
void ukProcessClose(void);
/* The same where the process ends without its exit handlers, unless it was forked by one that has stepped, or another
 * thread is being counted. */
void ukProcessLeave(void);
/* Called before another program may replace this one: writes the summary so far, under the same conditions. */
void ukProcessFlush(void);

#endif
