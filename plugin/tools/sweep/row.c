/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/row.h"

#include <math.h>
#include <string.h>

/* each value: its type, its 8 bytes or its length, and the bytes of a text or a blob with a 0 after them */
static void putSweepRow(Text *row, char type, const void *word)
{
    textPut(row, &type, 1);
    textPut(row, word, 8);
}

static void putBytes(Text *row, char type, const void *bytes, size_t size)
{
    const uint64_t length = size;
    putSweepRow(row, type, &length);
    textPut(row, bytes, size);
    textPut(row, "", 1);
}

void rowInteger(Text *row, int64_t value)
{
    putSweepRow(row, RowInteger, &value);
}

void rowReal(Text *row, double value)
{
    if (isfinite(value))
        putSweepRow(row, RowReal, &value);
    else
        rowNull(row);
}

void rowText(Text *row, const char *value)
{
    if (value)
        putBytes(row, RowText, value, strlen(value));
    else
        rowNull(row);
}

void rowBlob(Text *row, const void *bytes, size_t size)
{
    putBytes(row, RowBlob, bytes, size);
}

void rowNull(Text *row)
{
    putSweepRow(row, RowNull, (const char[8]){0});
}

bool rowNext(const Text *row, size_t *at, RowValue *value)
{
    uint64_t length;
    if (row->size - *at < 9) return false;
    *value = (RowValue){.type = (unsigned char)row->at[*at]};
    memcpy(&length, row->at + *at + 1, sizeof length);
    memcpy(&value->integer, &length, sizeof value->integer);
    memcpy(&value->real, &length, sizeof value->real);
    *at += 9;
    if (value->type != RowText && value->type != RowBlob) return value->type <= RowBlob;
    if (length >= row->size - *at) return false;
    value->bytes = row->at + *at;
    value->size = length;
    *at += length + 1;
    return true;
}
