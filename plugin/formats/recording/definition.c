/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/formats/recording/definition.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* the next word, number or quoted name into `word`, or a single character; "" at the end */
static void nextToken(const char **at, char word[ukDefinitionName])
{
    *at += strspn(*at, " \t\r\n");
    const bool quoted = **at == '"';
    const char *const begin = *at + quoted;
    const size_t length = strspn(begin, letters);
    word[0] = 0;
    if (length == 0 && !quoted) {
        word[0] = **at;
        word[1] = 0;
        *at += **at != 0;
        return;
    }
    if (length == 0 || length >= ukDefinitionName || (quoted && begin[length] != '"')) return;
    memcpy(word, begin, length);
    word[length] = 0;
    *at = begin + length + quoted;
}

static bool definitionNext(const char **at, const char *expected)
{
    const char *after = *at;
    char word[ukDefinitionName];
    nextToken(&after, word);
    if (strcasecmp(word, expected) != 0) return false;
    *at = after;
    return true;
}

static bool readIdentifier(const char **at, char word[ukDefinitionName])
{
    nextToken(at, word);
    return word[0] && strspn(word, letters) == strlen(word) && !isdigit((unsigned char)word[0]);
}

/* (name, name, ...) */
static bool skipIdentifiers(const char **at)
{
    char word[ukDefinitionName];
    if (!definitionNext(at, "(")) return false;
    do {
        if (!readIdentifier(at, word)) return false;
    } while (definitionNext(at, ","));
    return definitionNext(at, ")");
}

static const char *readColumnType(const char **at)
{
    static const char *const types[] = {"INTEGER", "REAL", "TEXT", "BLOB"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (definitionNext(at, types[i])) return types[i];
    return "";
}

bool ukDefinitionTable(const char *sql, const char *table, ukDefinitionColumn *column, void *context)
{
    const char *at = sql;
    char word[ukDefinitionName];
    if (!at || !definitionNext(&at, "CREATE") || !definitionNext(&at, "TABLE") || !readIdentifier(&at, word) ||
        strcmp(word, table) != 0 || !definitionNext(&at, "("))
        return false;
    do {
        if (definitionNext(&at, "PRIMARY")) { /* a column of that name would be quoted by SQLite as well */
            if (!definitionNext(&at, "KEY") || !skipIdentifiers(&at)) return false;
            break;
        }
        if (!readIdentifier(&at, word)) return false;
        const char *const its = readColumnType(&at);
        if (definitionNext(&at, "PRIMARY") && !definitionNext(&at, "KEY")) return false;
        if (!column(context, word, its)) return false;
    } while (definitionNext(&at, ","));
    if (!definitionNext(&at, ")")) return false;
    if (definitionNext(&at, "WITHOUT") && !definitionNext(&at, "ROWID")) return false;
    return definitionNext(&at, "");
}

bool ukDefinitionIndex(const char *sql)
{
    const char *at = sql;
    char word[ukDefinitionName];
    if (!at || !definitionNext(&at, "CREATE")) return false;
    definitionNext(&at, "UNIQUE");
    return definitionNext(&at, "INDEX") && readIdentifier(&at, word) && definitionNext(&at, "ON") &&
           readIdentifier(&at, word) && skipIdentifiers(&at) && definitionNext(&at, "");
}
