/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/cli/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cli/column.h"

static const char *const severities[] = {"note", "doubtful", "wrong"};

Finding *findingAdd(Findings *findings, Severity severity, const char *kind)
{
    if (findings->count == findings->room) {
        const int room = 2 * findings->room + 16;
        Finding *const more = realloc(findings->list, (size_t)room * sizeof *more);
        if (!more) {
            findings->failed = true;
            return NULL;
        }
        findings->list = more;
        findings->room = room;
    }
    Finding *const finding = &findings->list[findings->count++];
    *finding = (Finding){.severity = severity, .kind = kind, .value = NAN, .unit = "", .excess = 1};
    return finding;
}

#define WRITES(name, place)                                                                                            \
    void name(Finding *finding, const char *format, ...)                                                               \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        vsnprintf(finding->place, sizeof finding->place, format, arguments);                                           \
        va_end(arguments);                                                                                             \
    }
WRITES(findingWhat, what)
WRITES(findingCause, cause)
WRITES(findingRemedy, remedy)

static char *nextPlace(size_t *size)
{
    static char place[8][96];
    static int turn;
    turn = (turn + 1) % 8;
    *size = sizeof place[turn];
    return place[turn];
}

const char *findingBody(ukReader *reader, int64_t body)
{
    size_t size;
    char *const text = nextPlace(&size);
    if (body == 0) return "the world";
    snprintf(text, size, "body %lld", (long long)body);
    Query q = queryBegin(reader, "SELECT name FROM body WHERE body = %lld", (long long)body);
    if (queryNext(&q) && *queryText(&q, 0)) snprintf(text, size, "%s", queryText(&q, 0));
    queryEnd(&q);
    return text;
}

const char *findingJoint(ukReader *reader, int64_t joint)
{
    size_t size;
    char *const text = nextPlace(&size);
    snprintf(text, size, "joint %lld", (long long)joint);
    Query q = queryBegin(reader, "SELECT name, type FROM joint WHERE joint = %lld", (long long)joint);
    if (queryNext(&q)) {
        if (*queryText(&q, 0))
            snprintf(text, size, "%s", queryText(&q, 0));
        else
            snprintf(text, size, "%s %lld", queryText(&q, 1), (long long)joint);
    }
    queryEnd(&q);
    return text;
}

bool findingsSprings(const Findings *findings, int64_t world)
{
    return queryOne(findings->reader,
                    "SELECT count(*) FROM joint_parameter p JOIN joint j ON j.joint = p.joint WHERE j.world = %lld AND "
                    "p.name "
                    "IN ('cfm', 'stop_cfm', 'suspension_cfm') AND p.value > 1e-5",
                    (long long)world) > 0;
}

static int compare(const void *a, const void *b)
{
    const Finding *const x = a, *const y = b;
    if (x->severity != y->severity) return x->severity > y->severity ? -1 : 1;
    if (x->depth != y->depth) return x->depth > y->depth ? -1 : 1;
    if (x->excess != y->excess) return x->excess > y->excess ? -1 : 1;
    if (x->world != y->world) return x->world < y->world ? -1 : 1;
    return x->step < y->step ? -1 : x->step > y->step;
}

bool findingsCollect(ukReader *reader, Findings *findings)
{
    static FindingFamily *const families[] = {findingsOfModel, findingsOfJoints, findingsOfEnergy, findingsOfContacts,
                                              findingsOfRest,  findingsOfMotors, findingsOfSteps,  findingsOfGaps};
    *findings = (Findings){.reader = reader};
    for (Query q = queryBegin(reader, "SELECT DISTINCT world FROM step ORDER BY world"); queryNext(&q);) {
        const int64_t world = queryInteger(&q, 0);
        for (size_t k = 0; k < sizeof families / sizeof *families; k++) families[k](findings, world);
    }
    for (int i = 0; i < findings->count; i++)
        if (!isfinite(findings->list[i].excess)) findings->list[i].excess = 1e300;
    if (findings->count > 1) qsort(findings->list, (size_t)findings->count, sizeof *findings->list, compare);
    return !findings->failed && !reader->error[0];
}

void findingsFree(Findings *findings)
{
    free(findings->list);
    *findings = (Findings){.list = NULL};
}

static double timeOf(const Findings *findings, const Finding *finding)
{
    if (finding->step == 0) return NAN;
    return queryOne(findings->reader, "SELECT time FROM step WHERE step = %lld", (long long)finding->step);
}

void findingsSound(const Findings *findings, char *text, size_t size)
{
    snprintf(text, size, "Nothing wrong was found in %.0f steps of %.0f bodies and %.0f joints.",
             queryOne(findings->reader, "SELECT count(*) FROM step"),
             queryOne(findings->reader, "SELECT count(*) FROM body"),
             queryOne(findings->reader, "SELECT count(*) FROM joint WHERE type <> 'contact'"));
}

void findingsPrint(FILE *file, const Findings *findings)
{
    char text[200];
    if (findings->count == 0) {
        findingsSound(findings, text, sizeof text);
        fprintf(file, "%s\n", text);
    }
    for (int i = 0; i < findings->count; i++) {
        const Finding *const f = &findings->list[i];
        const double time = timeOf(findings, f);
        fprintf(file, "%d. %s (%s): %s", i + 1, severities[f->severity], f->kind, f->what);
        if (isfinite(time)) fprintf(file, " [at %.4g s]", time);
        fprintf(file, "\n   why: %s\n   do:  %s\n", f->cause, f->remedy);
    }
}

static void writeKey(FILE *file, const char *name, int64_t key)
{
    if (key)
        fprintf(file, "\"%s\":%lld,", name, (long long)key);
    else
        fprintf(file, "\"%s\":null,", name);
}

void findingsWrite(FILE *file, const Findings *findings)
{
    putc('[', file);
    for (int i = 0; i < findings->count; i++) {
        const Finding *const f = &findings->list[i];
        fprintf(file, "%s\n{\"severity\":\"%s\",\"kind\":\"%s\",", i ? "," : "", severities[f->severity], f->kind);
        writeKey(file, "world", f->world);
        writeKey(file, "body", f->body);
        writeKey(file, "joint", f->joint);
        fprintf(file, "\"time\":");
        columnWriteNumber(file, timeOf(findings, f));
        const char *const names[] = {"what", "cause", "remedy"}, *const texts[] = {f->what, f->cause, f->remedy};
        for (int k = 0; k < 3; k++) {
            fprintf(file, ",\"%s\":", names[k]);
            columnWriteText(file, texts[k]);
        }
        putc('}', file);
    }
    putc(']', file);
}

/* ---- the table ------------------------------------------------------------------------------------------------------ */

static void bindKey(sqlite3_stmt *statement, int place, int64_t key)
{
    if (key)
        ukSql.bind_int64(statement, place, key);
    else
        ukSql.bind_null(statement, place);
}

static bool insert(sqlite3_stmt *s, const Findings *findings, int index)
{
    const Finding *const f = &findings->list[index];
    const double time = timeOf(findings, f);
    const char *const texts[] = {f->unit, f->what, f->cause, f->remedy};
    ukSql.reset(s);
    ukSql.bind_int64(s, 1, index + 1);
    ukSql.bind_text(s, 2, severities[f->severity], -1, UKODE_SQL_STATIC);
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
    return ukSql.step(s) == ukSqlDone;
}

bool findingsStore(const Findings *findings)
{
    static const char make[] = "BEGIN; DROP TABLE IF EXISTS finding; CREATE TABLE finding (finding INTEGER PRIMARY "
                               "KEY, severity TEXT, kind TEXT, "
                               "world INTEGER, step INTEGER, body INTEGER, joint INTEGER, time REAL, value REAL, unit "
                               "TEXT, what TEXT, cause TEXT, "
                               "remedy TEXT)";
    sqlite3 *const db = findings->reader->file;
    if (ukSql.exec(db, make, NULL, NULL, NULL) != ukSqlOk) {
        ukSql.exec(db, "ROLLBACK", NULL, NULL, NULL);
        return false;
    }
    sqlite3_stmt *const s = ukReaderAsk(findings->reader, "INSERT INTO finding VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
    bool good = s != NULL;
    for (int i = 0; good && i < findings->count; i++) good = insert(s, findings, i);
    ukReaderDone(s);
    good = ukSql.exec(db, good ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL) == ukSqlOk && good;
    return good;
}
