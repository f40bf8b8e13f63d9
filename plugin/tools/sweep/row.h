/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/sweep/row.h: the results of a run as bytes: the values of its row in the database, in order, and its
 * files. A rank of an MPI job sends them as they are to the one that writes, hence only to machines of its kind. */
#ifndef UKODE_PLUGIN_TOOLS_SWEEP_ROW_H
#define UKODE_PLUGIN_TOOLS_SWEEP_ROW_H

#include <stdint.h>

#include "plugin/tools/sweep/text.h"

void rowInteger(Text *row, int64_t value);
void rowReal(Text *row, double value);      /* a number that is not finite becomes NULL */
void rowText(Text *row, const char *value); /* NULL: NULL */
void rowBlob(Text *row, const void *bytes, size_t size);
void rowNull(Text *row);

enum { RowNull, RowInteger, RowReal, RowText, RowBlob };

typedef struct RowValue {
    int type; /* of these */
    int64_t integer;
    double real;
    const char *bytes; /* of a text, which ends with a 0 after it, or a blob: within the row */
    size_t size;
} RowValue;

/* The value at *at, which moves on; false: there is none, or the bytes are no row. */
bool rowNext(const Text *row, size_t *at, RowValue *value);

#endif
