/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/mpi.h: messages among the processes that mpirun or srun started, by Open MPI (libmpi.so.40,
 * Debian: libopenmpi3), which is loaded on demand. It is declared here as Open MPI 4 and 5 have it. No call waits for a
 * message, because Open MPI would use a whole processor meanwhile. */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_MPI_H
#define UKODE_PLUGIN_TOOLS_SWEEP_MPI_H

#include <stdbool.h>

#include "plugin/tools/sweep/text.h"

/* Whether this process is one of several that were started as an MPI job. */
bool mpiWanted(void);
/* Whether it is one of several that srun started without MPI, so that they do not know of each other. */
bool mpiMissed(void);
/* Joins the other ranks; a rank that dies is an error of the calls that concern it, not the end of this process. false
 * after a message. */
bool mpiBegin(int *rank, int *ranks);
/* Sends bytes, which are copied. false: the rank cannot be reached. */
bool mpiSend(int to, const void *bytes, size_t size);
/* The next message, if one is there: put after what `message` has; *from: its rank. */
bool mpiReceive(Text *message, int *from);
/* Leaves MPI, if every rank does (`all`); otherwise ends this process with that status, since no rank may wait for
 * those that are gone. */
void mpiEnd(bool all, int status);

#endif
