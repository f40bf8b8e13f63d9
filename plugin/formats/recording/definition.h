/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/formats/recording/definition.h: checks the SQL by which a database defines its tables, with a parser that
 * accepts only ordinary tables:
 *
 *      CREATE TABLE name (column [INTEGER|REAL|TEXT|BLOB] [PRIMARY KEY], ... [, PRIMARY KEY (column, ...)])
 *          [WITHOUT ROWID]
 *      CREATE [UNIQUE] INDEX name ON table (column, ...)
 *
 * Names may stand in double quotes. Anything else (an expression, a constraint, a generated column, AS SELECT, USING a
 * module) is not a definition of this kind. */
#ifndef UKODE_PLUGIN_FORMATS_RECORDING_DEFINITION_H
#define UKODE_PLUGIN_FORMATS_RECORDING_DEFINITION_H

#include <stdbool.h>
#include <stddef.h>

enum { ukDefinitionName = 64 };

/* Called for each column of a table. type: "" where there is none. false: stop. */
typedef bool ukDefinitionColumn(void *context, const char *name, const char *type);

/* false: it is not an ordinary table of that name, or `column` stopped. */
bool ukDefinitionTable(const char *sql, const char *name, ukDefinitionColumn *column, void *context);
/* Whether it is an ordinary index. */
bool ukDefinitionIndex(const char *sql);

#endif
