/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/writer.h: the file of a recording and its prepared statements, used by the writer thread.
 * All calls from one thread. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_WRITER_H
#define UKODE_PLUGIN_FORMATS_RECORDING_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "plugin/formats/recording/schema.h"
#include "plugin/formats/recording/seal.h"
#include "plugin/formats/recording/sqlite.h"

/* The number that a parameter of a statement is bound to, by its bits. */
typedef struct ukBound {
    long long bits;
    bool set; /* the parameter has been bound at least once */
} ukBound;

typedef struct ukWriter {
    sqlite3 *file;
    sqlite3_stmt *statement[ukStatements];
    char types[ukStatements][64]; /* of their values, a letter each */
    ukBound bound[ukStatements][64];
    int descriptor; /* of the file, as SQLite opened it; -1: not known */
    dev_t device;   /* of that file, */
    ino_t inode;
    bool abandoned; /* the program closed it */
    bool open;      /* a transaction */
    bool sealed;    /* it has certificates, hence seals */
    bool described; /* rows of tables without steps have come since the last seals */
    ukSealer sealer;
    char error[256]; /* of the first call that failed; "": none did */
} ukWriter;

/* Each returns false once anything has failed; `error` says what. */
bool ukWriterOpen(ukWriter *writer, const char *path);
/* Rows of a statement, as plugin/formats/recording/queue.h lays them out, up to `end`. Begins a transaction if none is
 * open. */
bool ukWriterRows(ukWriter *writer, ukStatement statement, const unsigned char *row, const unsigned char *end);
bool ukWriterCommit(ukWriter *writer);
/* Writes the last seals, after the last row. */
bool ukWriterFinish(ukWriter *writer);
/* Closes the file. Rows that are not committed are lost. */
void ukWriterClose(ukWriter *writer);

#endif
