/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/findings/findings.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "bridge/base/grow.h"
#include "plugin/tools/query/partition.h"

const char *findingSeverity(Severity severity)
{
    static const char *const words[] = {[FindingNote] = "note", [FindingWarning] = "warning", [FindingError] = "error"};
    return words[severity];
}

Finding *findingAdd(Findings *findings, Severity severity, const char *kind)
{
    const size_t count = (size_t)findings->count + 1;
    const bool kept = ukArrayReserve(&findings->list, sizeof *findings->list, count, &findings->room);
    Finding *const finding = kept ? &findings->list[findings->count++] : &findings->lost;
    findings->failed |= !kept;
    *finding = (Finding){.severity = severity, .kind = kind, .value = NAN, .unit = "", .excess = 1};
    return finding;
}

bool findingsFound(const Findings *findings, int64_t world, const char *kind)
{
    for (int i = 0; i < findings->count; i++)
        if (findings->list[i].world == world && strcmp(findings->list[i].kind, kind) == 0) return true;
    return false;
}

#define WRITES(name, place)                                                                                            \
    void name(Finding *finding, const char *format, ...)                                                               \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        vsnprintf(finding->place, sizeof finding->place, format, arguments);                                           \
        va_end(arguments);                                                                                             \
    }
void findingWhat(Finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->what, sizeof finding->what, format, arguments);
    va_end(arguments);
    finding->pattern = format;
}
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

ContactSettings findingsContactSettings(const Findings *findings, int64_t world, int64_t body)
{
    ContactSettings s = {.bounce = 0};
    Query q =
        queryBegin(findings->reader,
                   "SELECT erp, cfm, surface_layer, max_correcting_velocity, (SELECT max(bounce) FROM contact_step c "
                   "JOIN step s ON s.step = c.step WHERE s.world = %lld AND (%lld = 0 OR c.body_1 = %lld OR c.body_2 "
                   "= %lld)) FROM world WHERE world = %lld",
                   (long long)world, (long long)body, (long long)body, (long long)body, (long long)world);
    if (queryNext(&q)) {
        s.erp = queryNumber(&q, 0), s.cfm = queryNumber(&q, 1), s.layer = queryNumber(&q, 2);
        s.max_velocity = queryNumber(&q, 3), s.bounce = fmax(queryNumber(&q, 4), 0);
    }
    queryEnd(&q);
    return s;
}

static int compareFindings(const void *a, const void *b)
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
    static FindingFamily *const families[] = {
        findingsOfModel,        findingsOfJoints,           findingsOfGaps,
        findingsOfWorldCfm,     findingsOfEnergy,           findingsOfExplosions,
        findingsOfContacts,     findingsOfContactModel,     findingsOfDegrees,
        findingsOfKeptContacts, findingsOfFriction,         findingsOfFrictionDirections,
        findingsOfRest,         findingsOfKinematic,        findingsOfMotors,
        findingsOfLinearMotors, findingsOfAMotors,          findingsOfSteps,
        findingsOfLengths,      findingsOfSettings,         findingsOfConflicts,
        findingsOfLimits,       findingsOfCouples,          findingsOfSprings,
        findingsOfBoundedRows,  findingsOfUnexplainedEnergy};
    Partition partition;
    *findings = (Findings){.reader = reader};
    partitionBegin(&partition, reader);
    for (Query q = queryBegin(reader, "SELECT DISTINCT world FROM main.step ORDER BY world"); queryNext(&q);) {
        const int64_t world = queryInteger(&q, 0);
        const int first = findings->count;
        if (!partitionSelect(&partition, world)) {
            queryEnd(&q);
            break;
        }
        for (size_t k = 0; k < sizeof families / sizeof *families; k++) families[k](findings, world);
        findingsAdvise(findings, first);
    }
    partitionEnd(&partition);
    /* worlds whose every step failed have no other rows */
    for (Query q = queryBegin(reader, "SELECT DISTINCT world FROM main.event WHERE kind IN ('refused', 'conflict') AND "
                                      "world NOT IN (SELECT world FROM main.step) ORDER BY world");
         queryNext(&q);)
        findingsOfRefusals(findings, queryInteger(&q, 0));
    for (int i = 0; i < findings->count; i++)
        if (!isfinite(findings->list[i].excess)) findings->list[i].excess = 1e300;
    if (findings->count > 1) qsort(findings->list, (size_t)findings->count, sizeof *findings->list, compareFindings);
    findingsGroup(findings);
    return !findings->failed && !reader->error[0];
}

void findingsFree(Findings *findings)
{
    free(findings->list);
    free(findings->trial);
    *findings = (Findings){.list = NULL};
}
