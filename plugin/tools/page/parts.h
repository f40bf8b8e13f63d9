/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/page/parts.h: rows of a recording as JSON objects, and the quantities of bodies, joints and contacts
 * over time. */
#ifndef UKODE_PLUGIN_TOOLS_PAGE_PARTS_H
#define UKODE_PLUGIN_TOOLS_PAGE_PARTS_H

#include <stdio.h>

#include "plugin/tools/page/frames.h"

typedef struct Part {
    const char *name;
    int from, width, bits; /* the part's columns in a row, each written as an array, and their precision in bits */
} Part;

/* The present row as an object whose members are its columns, without the closing brace. */
void pageOpenObject(FILE *file, const Query *query);
/* Writes one value of the present row as JSON. */
void pageWriteValue(FILE *file, const Query *query, int column);
/* Writes all rows of `sql`, whose ?1 is the world, as an array. */
void pageWriteRows(FILE *file, ukReader *reader, const char *sql, int64_t world);

/* `,"first":..,"last":..,"name":[column, ...]` of each part of object `index` of the table. */
void pageWriteParts(FILE *file, const ObjectTable *table, int index, const Part *parts, int count);
/* An array of an object for each row of `sql` (its key first; ?1: the world of `table`), with its numbers over
 * time. */
void pageWriteObjects(FILE *file, ukReader *reader, const char *sql, const ObjectTable *table, const Part *parts,
                      int count);

#endif
