/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/guard.h: opens an untrusted database for reading.
 *
 * Before the first query, the file is known to be an ordinary file with a rollback journal of its own; its schema
 * contains ordinary tables and indexes alone: no view, trigger, virtual table, generated column, constraint or default
 * that would make a query do more than read; its pages form trees, each page used once, so that no table is endless;
 * and every value of a known table has its column's type. SQLite runs in its defensive mode, with limits on the length
 * of values and a budget of instructions in proportion to the size of the file. docs/security.md says what follows from
 * that. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_GUARD_H
#define UKODE_PLUGIN_FORMATS_RECORDING_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin/formats/recording/schema.h"
#include "plugin/formats/recording/sqlite.h"

/* The longest text, blob or row that is read [bytes]. */
enum { ukGuardLongest = 1 << 27 };

typedef struct ukGuard {
    sqlite3 *file;
    long long size;          /* of the file [bytes] */
    long long spent, budget; /* instructions of SQLite's virtual machine: executed so far; largest number */
    char error[300];         /* the fault, without the name of the file */
} ukGuard;

/* Whether a regular file begins like an SQLite database with this application id. */
bool ukGuardIsDatabase(const char *path, const char application[4]);

/* Opens the file; `guard` must stay where it is until ukGuardClose. false: `error` says why; nothing is left open. */
bool ukGuardOpen(ukGuard *guard, const char *path);
/* Verifies the schema and the pages, then the values of `count` known tables. false: `error` names table and row. */
bool ukGuardVerify(ukGuard *guard, const ukTable *tables, size_t count);
/* Subtracts `instructions` from the budget. false: it is exhausted. */
bool ukGuardSpend(ukGuard *guard, long long instructions);
/* Lifts the budget and the limit on lengths, for a file that is then written to for as long as a program runs. */
void ukGuardTrust(ukGuard *guard);
void ukGuardClose(ukGuard *guard);
/* Describes the error of a query that failed; SQLite's message may quote the file, hence ukPlainMake. */
const char *ukGuardFault(const ukGuard *guard);

/* Whether a name consists of letters, digits and _, so that it can stand in SQL, in JSON and in a file's name. */
bool ukGuardIsName(const char *name);

#endif
