/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/queue.h: the queue of fixed size between the stepping threads and the writer thread, which
 * writes rows to the SQLite file in transactions of a third of a second.
 *
 * The file is valid after every transaction, however the process ends: what was not written yet is missing, the last
 * second at most. (SQLite's rollback journal, without waiting for the disk: a power failure is another matter.) If the
 * queue is full, the stepping thread waits: no row is dropped. An error of the file, such as a full disk, ends the
 * recording with one warning on the log; no more rows are accepted, and the program continues. A forked child has no
 * part in its parent's recording: there all calls do nothing.
 *
 * One thread at a time may use a queue (the recorder's lock ensures this). */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_QUEUE_H
#define UKODE_PLUGIN_FORMATS_RECORDING_QUEUE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "plugin/formats/recording/schema.h"

typedef struct ukQueue ukQueue;

/* Creates the file (one of that name is an error) with all tables and units. NULL: `message` says why not. */
ukQueue *ukQueueOpen(const char *path, char *message, size_t size);
/* false: an error ended the recording, or this is a forked child: nothing is taken. */
bool ukQueueTakes(const ukQueue *queue);
/* Waits until all that was put is written. */
void ukQueueFlush(ukQueue *queue);
/* The same, for a process that is replaced at once: gives up, with a warning, when nothing was written for so long. */
void ukQueueFlushWithin(ukQueue *queue, double seconds);
/* The same, and the end of the recording: for a process that ends at once. */
void ukQueueEnd(ukQueue *queue, double seconds);
/* The same; the file is closed, the queue is gone. NULL is nothing to close. */
void ukQueueClose(ukQueue *queue);

/* One row, its values in the order of the statement's: i: long long, d: double, t: const char * (NULL: NULL),
 * b: const void * and size_t. ukNullInt and NaN are NULL, too. false: not taken. */
bool ukQueuePut(ukQueue *queue, ukStatement statement, ...);

struct ukWriter;
typedef bool ukRowsCall(struct ukWriter *writer, unsigned char *data, size_t size);

/* Many rows of one statement, without a detour: begin with an upper bound of their bytes, write each value of each row,
 * end. Nothing else may be put meanwhile. */
typedef struct ukRows {
    ukQueue *queue;
    unsigned char *at, *begin;
    ukStatement statement;
    ukRowsCall *call; /* NULL: these are rows */
} ukRows;

/* 8 bytes a value; a text or blob of n bytes has ukRowsBytes(n) more. */
static inline size_t ukRowsBytes(size_t n)
{
    return (n + 7) & ~(size_t)7;
}
#define ukNullInt INT64_MIN

/* false: not taken, nothing may be written. */
bool ukRowsBegin(ukRows *rows, ukQueue *queue, ukStatement statement, size_t bytes);
/* The same for data that are not rows yet: in their turn, `call` receives them on the writing thread and converts them
 * to rows (ukWriterRows). It returns false if the writer has failed. */
bool ukRowsCallBegin(ukRows *rows, ukQueue *queue, ukRowsCall *call, size_t bytes);
void ukRowsEnd(ukRows *rows);

static inline void ukRowsInt(ukRows *rows, int64_t value)
{
    memcpy(rows->at, &value, 8);
    rows->at += 8;
}
static inline void ukRowsReal(ukRows *rows, double value)
{
    memcpy(rows->at, &value, 8);
    rows->at += 8;
}
static inline void ukRowsReals(ukRows *rows, const double *value, size_t count)
{
    memcpy(rows->at, value, 8 * count);
    rows->at += 8 * count;
}
static inline void ukRowsBlob(ukRows *rows, const void *data, size_t size)
{
    ukRowsInt(rows, data ? (int64_t)size : -1);
    if (!data || size == 0) return;
    memcpy(rows->at, data, size);
    rows->at += ukRowsBytes(size);
}
static inline void ukRowsText(ukRows *rows, const char *text)
{
    ukRowsBlob(rows, text, text ? strlen(text) : 0);
}

#endif
