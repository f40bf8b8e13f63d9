/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/gather.h: gathers the results of a run from its folder: exit status, the library's summary, the
 * values queried from its recording, and its files. */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_GATHER_H
#define UKODE_PLUGIN_TOOLS_SWEEP_GATHER_H

#include "plugin/tools/sweep/job.h"
#include "plugin/tools/sweep/study.h"
#include "plugin/tools/sweep/text.h"

/* The columns that every run has, in the order of a row; variables stand between the first two and the others, results
 * after all. */
typedef struct RunColumn {
    const char *name, *type, *unit, *meaning;
} RunColumn;
extern const RunColumn runColumns[];
enum { RunColumns = 22, RunKeys = 2 };

/* Writes the row of a run that has ended; after it its files, each as a text (name) and a blob. */
void gatherRow(Text *row, const Job *job, const Study *study);
/* Writes the row of a run whose result is lost, because its machine is gone. */
void gatherLost(Text *row, const Job *job, const Study *study, const char *why);

/* Tries `sql` on a recording without steps, and stores its error in `why`. */
bool gatherTry(const char *sql, char *why, size_t size);

#endif
