/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/query/partition.h: a recording of many worlds or bodies, read in linear time.
 *
 * The tables of steps are not indexed by world, so a query of one world reads the rows of all: with W worlds, queries
 * of each of them read W times the file. A partition copies the rows of the selected world into temporary tables of the
 * same names, which hide those of the file from every query that does not say `main.`. Likewise shapes and joints are
 * not indexed by body: of recordings of few worlds and many bodies, temporary copies of these two tables are. Other
 * recordings are left as they are. */
#ifndef UKODE_PLUGIN_TOOLS_QUERY_PARTITION_H
#define UKODE_PLUGIN_TOOLS_QUERY_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "plugin/formats/recording/reader.h"

typedef struct Partition {
    ukReader *reader;
    bool many;               /* worlds, each of which is copied */
    bool replaced[ukTables]; /* by a temporary table */
    sqlite3_stmt *clear[ukTables], *fill[ukTables];
} Partition;

/* Begins a partition, after ukReaderComplete. false: the reader's `error` says why; partitionEnd is to be called in any
 * case. */
bool partitionBegin(Partition *partition, ukReader *reader);
/* Restricts queries to the rows of that world from now on. */
bool partitionSelect(Partition *partition, int64_t world);
/* Ends the restriction of queries. No query of the recording may be open. */
bool partitionEnd(Partition *partition);

#endif
