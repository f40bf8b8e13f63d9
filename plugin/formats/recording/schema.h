/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/schema.h: the tables of a recording as data, from which they are created and written and
 * the unit of each column is taken.
 *
 * Keys are integers from 1 in the order of creation over the whole file, so that a join needs one key. Units are SI and
 * radians; vectors are in the world's frame unless a column says otherwise. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_SCHEMA_H
#define UKODE_PLUGIN_FORMATS_RECORDING_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

enum {
    ukRecordingId = 0x554b4f44, /* PRAGMA application_id: "UKOD" */
    ukRecordingVersion = 1      /* PRAGMA user_version */
};

/* One column, or one of each part: position, "x y z" are position_x, position_y, position_z. */
typedef struct ukColumn {
    const char *name, *parts; /* parts: NULL: the name is the column's */
    char type;                /* k: INTEGER PRIMARY KEY; i: INTEGER, d: REAL, t: TEXT, b: BLOB */
    const char *unit, *meaning;
} ukColumn;

typedef struct ukTable {
    const char *name;
    const char *key; /* what follows the columns: ", PRIMARY KEY (step, body)) WITHOUT ROWID" */
    const ukColumn *columns;
    size_t count;
} ukTable;

/* Statements by number: first the insertion of one row into each table, its values in the order of the columns; then
 * what changes rows. */
typedef enum ukStatement {
    ukInsertUnit,
    ukInsertRun,
    ukInsertWorld,
    ukInsertBody,
    ukInsertMesh,
    ukInsertShape,
    ukInsertJoint,
    ukInsertJointParameter,
    ukInsertStep,
    ukInsertBodyStart,
    ukInsertJointStart,
    ukInsertBodyStep,
    ukInsertJointStep,
    ukInsertContactStep,
    ukInsertBoundedRowStep,
    ukInsertLedgerStep,
    ukInsertEvent,
    ukInsertEquation,
    ukInsertSeal,
    ukInsertSealTable,
    ukInsertSnapshot,
    ukInsertInput,
    ukInsertSurface,
    ukTables,
    ukUpdateRunEnded = ukTables, /* ended */
    ukUpdateWorldName,           /* name, world */
    ukUpdateBodyName,            /* name, body */
    ukUpdateBodyDestroyed,       /* destroyed_step, body */
    ukUpdateJointName,           /* name, joint */
    ukUpdateJointDestroyed,      /* destroyed_step, joint */
    ukStatements
} ukStatement;

extern const ukTable ukSchema[ukTables];

/* Names of a table's columns and their types, parts apart. `visit` is called for each, in order. */
typedef void ukColumnVisit(void *context, const char *name, const ukColumn *column);
void ukSchemaColumns(const ukTable *table, ukColumnVisit *visit, void *context);

/* Whether its rows belong to steps: it has a column of that name. */
bool ukSchemaOfSteps(const ukTable *table);

/* Texts of SQL, each cut at `size` - 1 characters: that creates the table; of the statement; and the types of its
 * values, one letter each (as in ukColumn, k as i). They fit into ukSchemaText. Return the length needed. */
enum { ukSchemaText = 4096 };
size_t ukSchemaCreate(const ukTable *table, char *text, size_t size);
size_t ukSchemaStatement(ukStatement statement, char *text, size_t size);
size_t ukSchemaTypes(ukStatement statement, char *text, size_t size);

#endif
