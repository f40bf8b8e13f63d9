/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/findings/output.c: findings as text, as JSON, and as a table of the recording; equal findings are
 * grouped. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "bridge/base/plural.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/terminal/column.h"

/* ---- those that are alike ---------------------------------------------------------------------------------------- */

/* the same text but for the numbers in it */
static bool sameWords(const char *a, const char *b)
{
    for (;;) {
        while (isdigit((unsigned char)*a)) a++;
        while (isdigit((unsigned char)*b)) b++;
        if (*a != *b) return false;
        if (!*a) return true;
        a++, b++;
    }
}

static bool areAlike(const Finding *a, const Finding *b)
{
    const bool same = a->pattern == b->pattern || (a->pattern && b->pattern && strcmp(a->pattern, b->pattern) == 0);
    return same && a->severity == b->severity && strcmp(a->kind, b->kind) == 0 && sameWords(a->remedy, b->remedy);
}

void findingsGroup(Findings *findings)
{
    for (int i = 0; i < findings->count; i++) {
        Finding *const f = &findings->list[i];
        f->leader = i, f->followers = 0;
        for (int k = 0; k < i && f->leader == i; k++)
            if (findings->list[k].leader == k && areAlike(&findings->list[k], f)) f->leader = k;
        if (f->leader != i) findings->list[f->leader].followers++;
    }
}

/* The object of a finding: its joint, else its body; false: neither. */
static bool objectOf(const Findings *findings, const Finding *f, const char **name)
{
    if (f->joint)
        *name = findingJoint(findings->reader, f->joint);
    else if (f->body)
        *name = findingBody(findings->reader, f->body);
    return f->joint || f->body;
}

static double timeOf(const Findings *findings, const Finding *finding)
{
    if (finding->step == 0) return NAN;
    return queryOne(findings->reader, "SELECT time FROM step WHERE step = %lld", (long long)finding->step);
}

void findingsSound(const Findings *findings, char *text, size_t size)
{
    const double steps = queryOne(findings->reader, "SELECT count(*) FROM step");
    const double bodies = queryOne(findings->reader, "SELECT count(*) FROM body");
    const double joints = queryOne(findings->reader, "SELECT count(*) FROM joint WHERE type <> 'contact'");
    snprintf(text, size, "Nothing wrong was found in %.0f step%s of %.0f bod%s and %.0f joint%s.", steps,
             ukPlural(steps), bodies, ukPluralBody(bodies), joints, ukPlural(joints));
}

/* "body 3, body 5 and 12 more" of those that follow the one at `leader` */
static void printFollowers(FILE *file, const Findings *findings, int leader)
{
    enum { Named = 12 };
    int named = 0, left = 0;
    for (int i = leader + 1; i < findings->count; i++) {
        const Finding *const f = &findings->list[i];
        const char *name = "";
        if (f->leader != leader) continue;
        if (named < Named && objectOf(findings, f, &name))
            fprintf(file, "%s%s", named++ ? ", " : "   also: ", name);
        else
            left++;
    }
    if (left > 0) fprintf(file, named ? " and %d more" : "   also: %d more", left);
    fprintf(file, " (each is in the page and in the table finding)\n");
}

void findingsPrint(FILE *file, const Findings *findings)
{
    char text[200];
    if (findings->count == 0) {
        findingsSound(findings, text, sizeof text);
        fprintf(file, "%s\n", text);
    }
    for (int i = 0, number = 0; i < findings->count; i++) {
        const Finding *const f = &findings->list[i];
        const double time = timeOf(findings, f);
        if (f->leader != i) continue;
        fprintf(file, "%d. %s (%s)", ++number, findingSeverity(f->severity), f->kind);
        if (f->followers > 0) fprintf(file, ", %d times", 1 + f->followers);
        fprintf(file, ": %s", f->what);
        if (isfinite(time)) fprintf(file, " [at %.4g s]", time);
        fprintf(file, "\n   why: %s\n   do:  %s\n", f->cause, f->remedy);
        if (f->followers > 0) printFollowers(file, findings, i);
    }
}

static void writeKey(FILE *file, const char *name, int64_t key)
{
    if (key)
        fprintf(file, "\"%s\":%lld,", name, (long long)key);
    else
        fprintf(file, "\"%s\":null,", name);
}

static void writeTexts(FILE *file, const char *const *names, const char *const *texts, int count)
{
    for (int k = 0; k < count; k++) {
        fprintf(file, ",\"%s\":", names[k]);
        columnWriteText(file, texts[k]);
    }
}

/* Writes the members in which alike findings differ: world, body, joint, time, and text. */
static void writeOwn(FILE *file, const Findings *findings, const Finding *f)
{
    const char *name = "";
    objectOf(findings, f, &name);
    writeKey(file, "world", f->world);
    writeKey(file, "body", f->body);
    writeKey(file, "joint", f->joint);
    fprintf(file, "\"time\":");
    columnWriteNumber(file, timeOf(findings, f));
    writeTexts(file, (const char *[]){"name", "what"}, (const char *[]){name, f->what}, 2);
}

void findingsWrite(FILE *file, const Findings *findings)
{
    bool first = true;
    putc('[', file);
    for (int i = 0; i < findings->count; i++) {
        const Finding *const f = &findings->list[i];
        if (f->leader != i) continue;
        fprintf(file, "%s\n{\"severity\":\"%s\",\"kind\":\"%s\",", first ? "" : ",", findingSeverity(f->severity),
                f->kind);
        writeOwn(file, findings, f);
        writeTexts(file, (const char *[]){"cause", "remedy"}, (const char *[]){f->cause, f->remedy}, 2);
        fprintf(file, ",\"alike\":[");
        for (int k = i + 1, n = 0; k < findings->count && n < f->followers; k++) {
            if (findings->list[k].leader != i) continue;
            fprintf(file, n++ ? ",{" : "{");
            writeOwn(file, findings, &findings->list[k]);
            putc('}', file);
        }
        fprintf(file, "]}");
        first = false;
    }
    putc(']', file);
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static void bindKey(sqlite3_stmt *statement, int place, int64_t key)
{
    if (key)
        ukSql.bind_int64(statement, place, key);
    else
        ukSql.bind_null(statement, place);
}

static bool insertFinding(sqlite3_stmt *s, const Findings *findings, int index)
{
    const Finding *const f = &findings->list[index];
    const double time = timeOf(findings, f);
    const char *const texts[] = {f->unit, f->what, f->cause, f->remedy};
    ukSql.reset(s);
    ukSql.bind_int64(s, 1, index + 1);
    ukSql.bind_text(s, 2, findingSeverity(f->severity), -1, UKODE_SQL_STATIC);
    ukSql.bind_text(s, 3, f->kind, -1, UKODE_SQL_STATIC);
    bindKey(s, 4, f->world);
    bindKey(s, 5, f->step);
    bindKey(s, 6, f->body);
    bindKey(s, 7, f->joint);
    if (isfinite(time))
        ukSql.bind_double(s, 8, time);
    else
        ukSql.bind_null(s, 8);
    if (isfinite(f->value))
        ukSql.bind_double(s, 9, f->value);
    else
        ukSql.bind_null(s, 9);
    for (int k = 0; k < 4; k++) ukSql.bind_text(s, 10 + k, texts[k], -1, UKODE_SQL_STATIC);
    bindKey(s, 14, f->leader == index ? 0 : f->leader + 1);
    return ukSql.step(s) == ukSqlDone;
}

bool findingsStore(const Findings *findings)
{
    static const char make[] = "BEGIN; DROP TABLE IF EXISTS finding; CREATE TABLE finding (finding INTEGER PRIMARY "
                               "KEY, severity TEXT, kind TEXT, "
                               "world INTEGER, step INTEGER, body INTEGER, joint INTEGER, time REAL, value REAL, unit "
                               "TEXT, what TEXT, cause TEXT, "
                               "remedy TEXT, alike INTEGER)";
    sqlite3 *const db = findings->reader->file;
    if (ukSql.exec(db, make, NULL, NULL, NULL) != ukSqlOk) {
        ukSql.exec(db, "ROLLBACK", NULL, NULL, NULL);
        return false;
    }
    sqlite3_stmt *const s = ukReaderAsk(findings->reader, "INSERT INTO finding VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    bool good = s != NULL;
    for (int i = 0; good && i < findings->count; i++) good = insertFinding(s, findings, i);
    ukReaderDone(s);
    good = ukSql.exec(db, good ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL) == ukSqlOk && good;
    return good;
}
