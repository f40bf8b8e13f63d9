/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/sweep/study.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/base/plain.h"

enum { MostValues = 100000 };
static const long most_points = 100000000;

/* ---- words ------------------------------------------------------------------------------------------------------- */

typedef struct Reader {
    Study *study;
    char *rest; /* of the line */
    char *why;
    size_t size;
} Reader;

__attribute__((format(printf, 2, 3))) static bool wrong(Reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->why, r->size, format, arguments);
    va_end(arguments);
    return false;
}

static char *trimText(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = 0;
    return text;
}

/* The next word, or a text in quotation marks; NULL: there is none. */
static char *studyWord(Reader *r)
{
    char *const begin = r->rest + strspn(r->rest, " \t");
    const bool quoted = *begin == '"';
    char *const text = begin + quoted, *const end = text + strcspn(text, quoted ? "\"" : " \t");
    if (!*begin) return NULL;
    r->rest = *end ? end + 1 : end;
    *end = 0;
    return text;
}

static bool studyNumber(Reader *r, const char *what, double *x)
{
    const char *const text = studyWord(r);
    char *end;
    *x = text ? strtod(text, &end) : 0;
    if (!text || end == text || *end || !isfinite(*x))
        return wrong(r, "%s: '%.40s' is not a number", what, text ? text : "");
    return true;
}

/* a letter or _, and then digits as well */
static size_t nameLength(const char *text)
{
    size_t n = 0;
    while (isalpha((unsigned char)text[n]) || text[n] == '_' || (n > 0 && isdigit((unsigned char)text[n]))) n++;
    return n;
}

/* a name that is to be a column */
static bool isName(Reader *r, const char *text)
{
    static const char *const taken[] = {
        "point",       "repetition", "outcome",      "exit_status",   "signal",          "why",
        "host",        "started",    "seconds",      "cpu_seconds",   "memory",          "steps",
        "hash",        "fallbacks",  "failed_steps", "not_certified", "position_error",  "simulated_seconds",
        "feasibility", "output",     "error",        "stationarity",  "complementarity", "run",
        "here"};
    const Study *const s = r->study;
    if (!text || !*text || text[nameLength(text)]) return wrong(r, "'%.40s' is not a name", text ? text : "");
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcasecmp(taken[i], text) == 0)
            return wrong(r, "'%s' is the name of another column: use another name", text);
    for (int i = 0; i < s->variables; i++)
        if (strcasecmp(s->variable[i].name, text) == 0) return wrong(r, "there are two of '%s'", text);
    for (int i = 0; i < s->results; i++)
        if (strcasecmp(s->result[i].name, text) == 0) return wrong(r, "there are two of '%s'", text);
    return true;
}

/* ---- what varies ------------------------------------------------------------------------------------------------- */

static bool addValue(Reader *r, Variable *v, const char *text)
{
    if (v->values == MostValues) return wrong(r, "more than %d values", MostValues);
    if (!ukArrayReserve(&v->value, sizeof *v->value, (size_t)v->values + 1, &v->capacity)) return wrong(r, "no memory");
    v->value[v->values] = strdup(text);
    return v->value[v->values] ? (v->values++, true) : wrong(r, "no memory");
}

static bool readList(Reader *r, Variable *v)
{
    for (const char *text; (text = studyWord(r)) != NULL;)
        if (!addValue(r, v, text)) return false;
    return v->values > 0 || wrong(r, "%s: no value", v->name);
}

/* "log", "whole" after the numbers */
static bool readScale(Reader *r, Variable *v)
{
    for (const char *text; (text = studyWord(r)) != NULL;) {
        if (strcasecmp(text, "log") == 0)
            v->logarithmic = true;
        else if (strcasecmp(text, "whole") == 0)
            v->whole = true;
        else
            return wrong(r, "'%.40s' is not one of: log, whole", text);
    }
    if (v->logarithmic && !(v->low > 0 && v->high > 0)) return wrong(r, "log needs numbers above 0");
    if (!isfinite(v->logarithmic ? v->high / v->low : v->high - v->low))
        return wrong(r, "from %g to %g is farther than the largest number", v->low, v->high);
    if (v->whole && (v->low != floor(v->low) || v->high != floor(v->high)))
        return wrong(r, "whole needs whole numbers as ends");
    return true;
}

static bool studyNext(Reader *r, const char *expected)
{
    const char *const text = studyWord(r);
    return (text && strcasecmp(text, expected) == 0) ||
           wrong(r, "expected '%s' instead of '%.40s'", expected, text ? text : "");
}

/* Reads "from A to B count N [log] [whole]". */
static bool readGrid(Reader *r, Variable *v)
{
    double count;
    char text[40];
    if (!studyNumber(r, "from", &v->low) || !studyNext(r, "to") || !studyNumber(r, "to", &v->high) ||
        !studyNext(r, "count") || !studyNumber(r, "count", &count) || !readScale(r, v))
        return false;
    if (!(count >= 1 && count <= MostValues) || count != floor(count))
        return wrong(r, "count: not from 1 to %d", MostValues);
    for (int i = 0; i < (int)count; i++) {
        const double u = count > 1 ? i / (count - 1) : 0;
        double x = v->logarithmic ? v->low * pow(v->high / v->low, u) : v->low + u * (v->high - v->low);
        if (u == 1) x = v->high;
        snprintf(text, sizeof text, "%.12g", v->whole ? nearbyint(x) : x);
        if (!addValue(r, v, text)) return false;
    }
    return true;
}

static bool studyRange(Reader *r, Variable *v)
{
    const bool normal = v->kind == VariableNormal;
    v->values = 1;
    if (!studyNumber(r, normal ? "the mean" : "the least", &v->low) ||
        !studyNumber(r, normal ? "the deviation" : "the most", &v->high))
        return false;
    if (normal) return (v->high >= 0 && !studyWord(r)) || wrong(r, "normal MEAN DEVIATION needs a deviation >= 0");
    return (v->high >= v->low || wrong(r, "%g is above %g", v->low, v->high)) && readScale(r, v);
}

static bool readStudyVariable(Reader *r)
{
    Study *const s = r->study;
    const char *const name = studyWord(r), *const kind = studyWord(r);
    if (s->variables == MostVariables) return wrong(r, "more than %d variables", MostVariables);
    if (!isName(r, name)) return false;
    Variable *const v = &s->variable[s->variables++];
    *v = (Variable){.name = strdup(name)};
    if (!v->name) return wrong(r, "no memory");
    if (kind && strcasecmp(kind, "in") == 0) return readList(r, v);
    if (kind && strcasecmp(kind, "from") == 0) return readGrid(r, v);
    if (kind && strcasecmp(kind, "halton") == 0) {
        v->kind = VariableHalton;
        for (int i = 0; i + 1 < s->variables; i++) v->order += s->variable[i].kind == VariableHalton;
        return studyRange(r, v);
    }
    v->kind = kind && strcasecmp(kind, "normal") == 0 ? VariableNormal : VariableRandom;
    if (v->kind == VariableNormal || (kind && strcasecmp(kind, "random") == 0)) return studyRange(r, v);
    return wrong(
        r, "a variable is: vary NAME in VALUES, from A to B count N, halton A B, random A B, normal MEAN DEVIATION");
}

/* ---- the other lines --------------------------------------------------------------------------------------------- */

static bool appendStudyLine(Reader *r, StudyLine *lines, int *count, const char *name, const char *text)
{
    if (*count == MostLines) return wrong(r, "more than %d such lines", MostLines);
    StudyLine *const line = &lines[(*count)++];
    line->name = name ? strdup(name) : NULL;
    line->text = strdup(text);
    return (line->text && (!name || line->name)) || wrong(r, "no memory");
}

/* Reads "NAME = TEXT". */
static bool readNamedText(Reader *r, StudyLine *lines, int *count)
{
    char *const equals = strchr(r->rest, '=');
    if (!equals) return wrong(r, "expected NAME = TEXT");
    *equals = 0;
    char *const name = trimText(r->rest), *const text = trimText(equals + 1);
    if (lines == r->study->environment ? !*name : !isName(r, name)) return *name ? false : wrong(r, "no name before =");
    return appendStudyLine(r, lines, count, name, text);
}

static bool readKeptFiles(Reader *r)
{
    Study *const s = r->study;
    for (const char *text; (text = studyWord(r)) != NULL;) {
        if (s->kept == MostKept) return wrong(r, "more than %d files to keep", MostKept);
        if (*text == '/' || strstr(text, "..")) return wrong(r, "'%.40s' is not within a run's folder", text);
        if (!(s->keep[s->kept++] = strdup(text))) return wrong(r, "no memory");
    }
    return true;
}

/* 2G, 100M, 4k, or bytes */
static bool readByteCount(const char *text, size_t *size)
{
    static const char units[] = "kMGT";
    char *end;
    const double x = strtod(text, &end);
    const char *const unit = *end ? strchr(units, *end) : NULL;
    if (end == text || !(x > 0) || (*end && (!unit || end[1]))) return false;
    const double total = unit ? ldexp(x, 10 * (int)(unit - units + 1)) : x;
    if (!(total < 0x1p62)) return false;
    *size = (size_t)total;
    return true;
}

static bool studyWhole(const char *text, long least, long most, long *x)
{
    char *end;
    errno = 0;
    const long n = strtol(text, &end, 10);
    if (end == text || *end || errno || n < least || n > most) return false;
    *x = n;
    return true;
}

static bool readStudySetting(Reader *r, const char *key, const char *value)
{
    Study *const s = r->study;
    char *end;
    long n = 0;
    bool good;
    if (strcasecmp(key, "samples") == 0) {
        good = studyWhole(value, 1, most_points, &s->samples);
    } else if (strcasecmp(key, "repeat") == 0) {
        good = studyWhole(value, 1, 1000000, &s->repeat);
    } else if (strcasecmp(key, "seed") == 0) {
        good = studyWhole(value, 0, INT64_MAX, &n);
        s->seed = (uint64_t)n;
    } else if (strcasecmp(key, "jobs") == 0) {
        good = studyWhole(value, 1, 250, &n);
        s->jobs = (int)n;
    } else if (strcasecmp(key, "time") == 0) {
        s->time = strtod(value, &end);
        good = end != value && !*end && s->time > 0 && s->time < 1e9;
    } else if (strcasecmp(key, "memory") == 0) {
        good = readByteCount(value, &s->memory);
    } else if (strcasecmp(key, "disk") == 0) {
        good = readByteCount(value, &s->disk);
    } else if (strcasecmp(key, "record") == 0) {
        const double rate = strtod(value, &end);
        good = (end != value && !*end && rate > 0 && isfinite(rate)) || strcmp(value, "yes") == 0 ||
               strcmp(value, "no") == 0 || strcmp(value, "every-step") == 0;
        snprintf(s->record, sizeof s->record, "%s", value);
    } else {
        return wrong(r, "'%.40s' is not one of: samples, repeat, seed, jobs, time, memory, disk, record", key);
    }
    return good || wrong(r, "%s: '%.40s' is not allowed", key, value);
}

static bool readLine(Reader *r, char *line)
{
    Study *const s = r->study;
    for (char *c = line; (c = strchr(c, '#')) != NULL; c++) { /* a comment begins a line, or stands after a blank */
        if (c > line && !isspace((unsigned char)c[-1])) continue;
        *c = 0;
        break;
    }
    line = trimText(line);
    if (!*line) return true;
    const size_t length = strcspn(line, " \t=");
    const bool blank = line[length] && line[length] != '=';
    char *const first = strndup(line, length);
    r->rest = line + length + blank;
    bool good;
    if (!first) return wrong(r, "no memory");
    if (blank && strcasecmp(first, "vary") == 0)
        good = readStudyVariable(r);
    else if (blank && strcasecmp(first, "env") == 0)
        good = readNamedText(r, s->environment, &s->environments);
    else if (blank && strcasecmp(first, "config") == 0)
        good = appendStudyLine(r, s->config, &s->configs, NULL, trimText(r->rest));
    else if (blank && strcasecmp(first, "result") == 0)
        good = readNamedText(r, s->result, &s->results);
    else if (blank && strcasecmp(first, "keep") == 0)
        good = readKeptFiles(r);
    else if (strchr(r->rest, '='))
        good = readStudySetting(r, first, trimText(strchr(r->rest, '=') + 1));
    else
        good = wrong(r, "'%.40s' is not one of: vary, env, config, result, keep, or a setting with =", first);
    free(first);
    return good;
}

/* a line that ends with a backslash goes on in the next one */
static void joinLines(char *text)
{
    for (char *c = text; (c = strstr(c, "\\\n")) != NULL;) c[0] = c[1] = ' ';
}

bool studyRead(Study *study, char *text, char *why, size_t size)
{
    char what[300] = "";
    int number = 0;
    bool good = true;
    *study = (Study){.samples = 1, .repeat = 1};
    Reader r = {.study = study, .why = what, .size = sizeof what};
    joinLines(text);
    for (char *line = text, *following; good && *line; line = following) {
        following = line + strcspn(line, "\n");
        if (*following) *following++ = 0;
        number++;
        good = readLine(&r, line);
    }
    if (good && studyPoints(study) > most_points / study->repeat) good = wrong(&r, "more than %ld runs", most_points);
    if (!good) {
        ukPlainMake(what, sizeof what);
        snprintf(why, size, "line %d: %s", number, what);
        studyFree(study);
    }
    return good;
}

static void freeLines(StudyLine *lines, int count)
{
    for (int i = 0; i < count; i++) {
        free(lines[i].name);
        free(lines[i].text);
    }
}

void studyFree(Study *study)
{
    for (int i = 0; i < study->variables; i++) {
        Variable *const v = &study->variable[i];
        for (int k = 0; v->value && k < v->values; k++) free(v->value[k]);
        free(v->value);
        free(v->name);
    }
    freeLines(study->environment, study->environments);
    freeLines(study->config, study->configs);
    freeLines(study->result, study->results);
    for (int i = 0; i < study->kept; i++) free(study->keep[i]);
    free(study->here);
    free(study->base);
    free(study->settings);
    *study = (Study){.samples = 0};
}

/* ---- what it comes to -------------------------------------------------------------------------------------------- */

long studyPoints(const Study *study)
{
    long n = 1;
    bool sampled = false;
    for (int i = 0; i < study->variables; i++) {
        n *= study->variable[i].values;
        if (n > most_points) return n;
        sampled |= study->variable[i].kind != VariableList;
    }
    return sampled ? n * study->samples : n;
}

bool studyRecords(const Study *study)
{
    return study->record[0] ? strcmp(study->record, "no") != 0 : study->results > 0;
}

/* Puts the value of a {name}; false: the study has no such name. */
static bool putName(Text *text, const char *name, size_t length, const RunNames *run)
{
    const Study *const s = run->study;
    for (int i = 0; i < s->variables; i++) {
        if (strlen(s->variable[i].name) != length || strncmp(s->variable[i].name, name, length) != 0) continue;
        textPrint(text, "%s", run->value[i]);
        return true;
    }
    if (length == 5 && strncmp(name, "point", length) == 0)
        textPrint(text, "%ld", run->point);
    else if (length == 10 && strncmp(name, "repetition", length) == 0)
        textPrint(text, "%d", run->repetition);
    else if (length == 4 && strncmp(name, "here", length) == 0)
        textPrint(text, "%s", s->here);
    else
        return false;
    return true;
}

/* braces around anything but a name are the program's own */
bool studyPut(Text *text, const char *pattern, const RunNames *run, char wrong[64])
{
    while (*pattern) {
        const size_t plain = strcspn(pattern, "{"), length = pattern[plain] ? nameLength(pattern + plain + 1) : 0;
        textPut(text, pattern, plain);
        pattern += plain;
        if (!*pattern) break;
        if (length > 0 && pattern[1 + length] == '}') {
            snprintf(wrong, 64, "%.*s", (int)length, pattern + 1);
            if (!putName(text, pattern + 1, length, run)) return false;
            pattern += length + 2;
        } else {
            textPut(text, pattern, 1);
            pattern += pattern[1] == '{' ? 2 : 1;
        }
    }
    textPut(text, "", 0);
    return true;
}

bool studyConfig(Text *text, const RunNames *run, char wrong[64])
{
    const Study *const s = run->study;
    textPrint(text, "%s\n", s->base ? s->base : "");
    for (int i = 0; i < s->configs; i++) {
        if (!studyPut(text, s->config[i].text, run, wrong)) return false;
        textPut(text, "\n", 1);
    }
    return true;
}

void studyIdentity(const Study *s, Text *text)
{
    static const char *const kinds[] = {"in", "halton", "random", "normal"};
    for (int i = 0; i < s->variables; i++) {
        const Variable *const v = &s->variable[i];
        textPrint(text, "vary %s %s", v->name, kinds[v->kind]);
        for (int k = 0; v->value && k < v->values; k++) textPrint(text, " \"%s\"", v->value[k]);
        if (!v->value)
            textPrint(text, " %.17g %.17g%s%s", v->low, v->high, v->logarithmic ? " log" : "",
                      v->whole ? " whole" : "");
        textPut(text, "\n", 1);
    }
    for (int i = 0; i < s->environments; i++)
        textPrint(text, "env %s = %s\n", s->environment[i].name, s->environment[i].text);
    for (int i = 0; i < s->configs; i++) textPrint(text, "config %s\n", s->config[i].text);
    for (int i = 0; i < s->results; i++) textPrint(text, "result %s = %s\n", s->result[i].name, s->result[i].text);
    for (int i = 0; i < s->kept; i++) textPrint(text, "keep %s\n", s->keep[i]);
    if (s->record[0]) textPrint(text, "record = %s\n", s->record);
    if (s->seed) textPrint(text, "seed = %llu\n", (unsigned long long)s->seed);
    if (s->base && *s->base) textPrint(text, "base %s\n", s->base);
    if (s->settings) textPrint(text, "%s", s->settings);
    textPrint(text, "program");
    for (char **w = s->program; w && *w; w++) textPrint(text, " \"%s\"", *w);
    textPut(text, "\n", 1);
}
