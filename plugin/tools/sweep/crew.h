/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/crew.h: schedules runs: concurrent processes on this machine and, in an MPI job, on those of the
 * other ranks. Rank 0 has the study and the database, and runs as the others do; each rank asks for the next run before
 * its present run has ended, so that no rank waits.
 *
 * Runs are child processes of a rank, so that a failing run does not end the rank. If a rank itself fails, the runs
 * that it had begun are reported as lost; the others are assigned to the next rank that requests a run. */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_CREW_H
#define UKODE_PLUGIN_TOOLS_SWEEP_CREW_H

#include "plugin/tools/sweep/job.h"
#include "plugin/tools/sweep/store.h"
#include "plugin/tools/sweep/study.h"

typedef struct CrewResult {
    long done;        /* runs stored by this sweep */
    double seconds;   /* their own wall times, added up */
    bool gone;        /* a rank is */
    int signal;       /* that ended it, 0: none */
    char fault[1000]; /* why it could not go on; "": it could */
} CrewResult;

/* Runs the points that the store lacks, until it has all, or an error stops the sweep. `ranks`: 1 without MPI. */
void crewLead(const Study *study, Store *store, int ranks, CrewResult *result);
/* Loop of any other rank: executes the runs that rank 0 assigns, until rank 0 ends the sweep. false: a rank is gone, so
 * that no rank may wait for all of them. */
bool crewFollow(char **program, const char *here, int jobs);
/* Sends the study to the other ranks: its file's text, and the user's own configuration; `jobs`: at once on each. */
void crewSendStudy(int ranks, const char *text, const char *base);
/* Ends the loops of the other ranks. `all`: none of them is gone. */
void crewDismiss(int ranks, bool all);

#endif
