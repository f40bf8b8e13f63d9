/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/cli/trace_file.h: a trace (bridge/tell/trace.h) mapped into memory, its records sorted by world. */
#ifndef UKODE_PLUGIN_CLI_TRACE_FILE_H
#define UKODE_PLUGIN_CLI_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "bridge/tell/trace.h"

typedef struct TraceWorld {
    int process, world; /* pid; number of the world in it */
    uint32_t step;      /* of the last record */
    int count;
    const ukTraceHeader **record; /* (count), into the file */
} TraceWorld;

typedef struct TraceFile {
    void *data;
    size_t size;
    int records, worlds; /* worlds in order of their first step */
    TraceWorld *world;
    char damage[160]; /* what is not as it was written: "damaged: ..."; "": nothing that can be seen */
} TraceFile;

/* false after a message; a file that does not exist has no worlds. Of a damaged file what comes before the damage is
 * there. */
bool traceRead(const char *path, TraceFile *file);
void traceFree(TraceFile *file);

static inline const ukTraceBody *traceBodies(const ukTraceHeader *record)
{
    return (const ukTraceBody *)(const void *)(record + 1);
}
static inline const ukTraceReaction *traceReactions(const ukTraceHeader *record)
{
    return (const ukTraceReaction *)(const void *)(traceBodies(record) + record->bodies);
}

#endif
