/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/verify/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/plain.h"
#include "plugin/formats/recording/seal.h"

enum { FirstArray = 8, Columns = FirstArray + IslandArrays }; /* of `equation` */

typedef struct Verifier {
    ukReader *reader;
    sqlite3_stmt *equations, *seals;
    long long equation, seal; /* step of the current row of each query; INT64_MAX: none left */
    long long last, rest;     /* the last step that has a seal, and the last step whose rows this seal covers */
    ukSealWalk walk;
    Island island;
    Scale scale;
    Bounder bounder;
    EndWork end;
    double tolerance;
    VerifyReport *report;
    void *context;
    Verdict *verdict;
    long long bodies, rows; /* of the step under way, with equations */
    bool faultless;         /* the step (or the tables) being verified, so far */
    bool uncoupled, softened, older, continuous, split, reconciled; /* an island of this step is */
} Verifier;

static void reportFault(Verifier *v, long long step, const char *why)
{
    v->faultless = false;
    v->report(v->context, step, why);
}

/* ---- one island -------------------------------------------------------------------------------------------------- */

#define FIRST_FORM                                                                                                     \
    "SELECT step, island, format, continuous, law, h, coupling, compromise, body, mass, inertia, force, prescribed, "  \
    "block, jacobian, right_side, softness, lower, upper, bound_lower, bound_upper, normal, disc, load, "              \
    "acceleration, "                                                                                                   \
    "multiplier, "
#define BY_ISLAND " FROM equation ORDER BY step, island"
static const char second_form[] =
    FIRST_FORM "velocity, velocity_end, spin_cap, pose, pose_end, rotation, split_row, split_push, split_side, "
               "split_force, split_velocity" BY_ISLAND;
static const char first_form[] =
    FIRST_FORM "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL" BY_ISLAND;

/* Prepares the query for the equations; older recordings have no columns for the arrays of format 2. */
static sqlite3_stmt *askEquations(ukReader *reader)
{
    sqlite3_stmt *const columns =
        ukReaderAsk(reader, "SELECT count(*) FROM pragma_table_info('equation') WHERE name = 'split_velocity'");
    const bool second = columns && ukReaderNext(reader, columns) && ukSql.column_int64(columns, 0) > 0;
    ukReaderDone(columns);
    return ukReaderAsk(reader, second ? second_form : first_form);
}

static void sourceOf(sqlite3_stmt *row, IslandSource *source)
{
    *source = (IslandSource){.format = (int)ukSql.column_int64(row, 2),
                             .continuous = (int)ukSql.column_int64(row, 3),
                             .law = (int)ukSql.column_int64(row, 4),
                             .h = ukReaderReal(row, 5),
                             .coupling = ukReaderReal(row, 6),
                             .compromise = ukReaderReal(row, 7)};
    for (int k = 0; k < IslandArrays; k++) {
        if (ukSql.column_type(row, FirstArray + k) != ukSqlBlob) continue;
        source->array[k].bytes = ukSql.column_blob(row, FirstArray + k);
        source->array[k].size = (size_t)ukSql.column_bytes(row, FirstArray + k);
    }
}

/* Names the joint or contact to which a row belongs. */
static void nameRow(const Island *island, int row, char *text, size_t size)
{
    static const char *const kinds[] = {"joint", "contact", "constraint", "friction of joint"};
    for (int k = 0; k < island->blocks; k++) {
        const IslandBlock *b = &island->block[k];
        if (row < b->row || row >= b->row + b->rows) continue;
        if (b->key > 0)
            snprintf(text, size, "row %d of %s %d", row - b->row + 1, kinds[b->kind], b->key);
        else
            snprintf(text, size, "row %d of a %s, block %d", row - b->row + 1, kinds[b->kind], k + 1);
        return;
    }
    snprintf(text, size, "a row");
}

static void reportResidual(Verifier *v, long long step, int number, const char *what, const char *where,
                           double residual)
{
    char text[256];
    snprintf(text, sizeof text, "island %d: %s: residual %.2g, %s", number, what, residual, where);
    reportFault(v, step, text);
}

/* Whether the residual is within the tolerance; false for NaN. */
static bool isWithinTolerance(const Verifier *v, double residual)
{
    return residual <= v->tolerance;
}

static void reportResiduals(Verifier *v, long long step, int number, const Residual *r)
{
    const Island *island = &v->island;
    char where[96] = "";
    if (!isWithinTolerance(v, r->motion)) {
        if (r->worst_body >= 0) snprintf(where, sizeof where, "body %d", island->body[r->worst_body]);
        reportResidual(v, step, number, "equations of motion", where, r->motion);
    }
    if (!isWithinTolerance(v, r->rows)) {
        nameRow(island, r->worst_row, where, sizeof where);
        reportResidual(v, step, number, "constraint", where, r->rows);
    }
    if (!isWithinTolerance(v, r->complementarity)) {
        nameRow(island, r->worst_bounded, where, sizeof where);
        reportResidual(v, step, number, "force and bounds", where, r->complementarity);
    }
    if (!isWithinTolerance(v, r->law)) {
        nameRow(island, r->worst_law, where, sizeof where);
        reportResidual(v, step, number, "bounds and the friction law", where, r->law);
    }
    if (!isWithinTolerance(v, r->first_phase))
        reportResidual(v, step, number, "normal forces without friction", "", r->first_phase);
}

static void reportEndResiduals(Verifier *v, long long step, int number, const EndResidual *r)
{
    const Island *island = &v->island;
    const struct {
        double residual;
        int body, row;
        const char *what;
    } checks[] = {{r->velocity, r->worst_velocity, -1, "velocity at the end"},
                  {r->pose, r->worst_pose, -1, "pose at the end"},
                  {r->motion, r->worst_motion, -1, "split correction and its forces"},
                  {r->rows, -1, r->worst_row, "split correction"},
                  {r->right_side_error, -1, r->worst_right_side, "right-hand side of the split correction"}};
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        char where[96] = "";
        if (isWithinTolerance(v, checks[k].residual)) continue;
        if (checks[k].row >= 0) nameRow(island, checks[k].row, where, sizeof where);
        if (checks[k].body >= 0) snprintf(where, sizeof where, "body %d", island->body[checks[k].body]);
        reportResidual(v, step, number, checks[k].what, where, checks[k].residual);
    }
}

static void raiseMaximum(double *largest, double x)
{
    if (!(x <= *largest) && !isnan(*largest)) *largest = x;
}

static void addToVerdict(Verdict *to, const Island *island, const Residual *r, const Distance *d)
{
    to->islands++;
    to->rows += island->rows;
    raiseMaximum(&to->residual.motion, r->motion);
    raiseMaximum(&to->residual.rows, r->rows);
    raiseMaximum(&to->residual.complementarity, r->complementarity);
    raiseMaximum(&to->residual.law, r->law);
    raiseMaximum(&to->residual.first_phase, r->first_phase);
    raiseMaximum(&to->residual.uncoupled, r->uncoupled);
    raiseMaximum(&to->distance.linear, d->linear);
    raiseMaximum(&to->distance.angular, d->angular);
    raiseMaximum(&to->distance.excess, d->excess);
    raiseMaximum(&to->distance.shift, d->shift);
}

static void sumEnd(Verdict *to, const EndResidual *r)
{
    raiseMaximum(&to->end.velocity, r->velocity);
    raiseMaximum(&to->end.pose, r->pose);
    raiseMaximum(&to->end.motion, r->motion);
    raiseMaximum(&to->end.rows, r->rows);
    raiseMaximum(&to->end.right_side_error, r->right_side_error);
    raiseMaximum(&to->end.reconciled, r->reconciled);
}

/* Properties of a step that one of its islands has. */
static void noteKinds(Verifier *v, const Residual *r, const EndResidual *end)
{
    v->uncoupled |= r->uncoupled > v->tolerance;
    v->softened |= v->island.compromise > v->tolerance;
    v->older |= v->island.format == 1;
    v->continuous |= v->island.format > 1 && v->island.continuous;
    v->split |= v->island.split_velocity != NULL;
    v->reconciled |= !(end->reconciled <= v->tolerance);
}

/* false: no memory */
static bool verifyIsland(Verifier *v, long long step, double h)
{
    IslandSource source;
    Residual residual;
    EndResidual end;
    Distance distance;
    char text[200];
    const int number = (int)ukSql.column_int64(v->equations, 1);
    sourceOf(v->equations, &source);
    const char *const wrong = islandRead(&source, &v->island);
    if (!wrong && v->island.h != h) {
        snprintf(text, sizeof text, "island %d: the step size in its equations, %g, differs from the step's, %g",
                 number, v->island.h, h);
        reportFault(v, step, text);
    } else if (wrong) {
        snprintf(text, sizeof text, "island %d: %s", number, wrong);
        reportFault(v, step, text);
        return true;
    }
    if (!residualOf(&v->island, &v->scale, &residual)) return false;
    if (!boundOf(&v->island, &v->scale, &v->bounder, &distance)) return false;
    if (!endOf(&v->island, &v->end, &end)) return false;
    reportResiduals(v, step, number, &residual);
    reportEndResiduals(v, step, number, &end);
    addToVerdict(v->verdict, &v->island, &residual, &distance);
    v->bodies += v->island.bodies;
    v->rows += v->island.rows;
    sumEnd(v->verdict, &end);
    v->verdict->ends += v->island.velocity != NULL;
    noteKinds(v, &residual, &end);
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void advanceQuery(Verifier *v, sqlite3_stmt *query, long long *step)
{
    *step = ukReaderNext(v->reader, query) ? ukSql.column_int64(query, 0) : INT64_MAX;
}

/* Verifies the seal of the step; the hash of the next step begins with it, valid or not. */
static bool verifySeal(Verifier *v, long long step)
{
    for (; v->seal < step; advanceQuery(v, v->seals, &v->seal)) reportFault(v, v->seal, "a seal without a step");
    const long long event = v->seal == step ? ukSql.column_int64(v->seals, 1) : v->walk.event;
    if (event >= ukSealRest) {
        reportFault(v, step, "its seal is broken: it covers more events than the recording has");
        return true;
    }
    if (!ukSealStep(&v->walk, step == v->last ? v->rest : step, event)) return false;
    if (v->seal != step) {
        reportFault(v, step, "its seal is missing");
        return true;
    }
    const void *const hash = ukReaderBlob(v->seals, 2, ukHashBytes);
    if (!hash || memcmp(hash, v->walk.hash, ukHashBytes) != 0)
        reportFault(v, step, "its seal is broken: a value of it has changed since it was recorded");
    if (hash) memcpy(v->walk.hash, hash, ukHashBytes);
    advanceQuery(v, v->seals, &v->seal);
    return true;
}

/* Whether the equations are those of all bodies and rows that the step's own row says were solved. If no equations were
 * recorded, only the row's own counts exist. */
static void countChecked(Verifier *v, sqlite3_stmt *row, bool native, bool any)
{
    const bool complete = v->bodies >= ukSql.column_int64(row, 3) && v->rows >= ukSql.column_int64(row, 4);
    v->verdict->checked += complete && any;
    v->verdict->incomplete += !complete && !native;
    v->verdict->still += complete && !any && !native;
}

static bool verifyStep(Verifier *v, sqlite3_stmt *row)
{
    const long long step = ukSql.column_int64(row, 0);
    const bool native = ukSql.column_int64(row, 2) == 0;
    const double h = ukReaderReal(row, 1);
    const long long islands = v->verdict->islands;
    v->faultless = true;
    v->bodies = v->rows = 0;
    v->uncoupled = v->softened = v->older = v->continuous = v->split = v->reconciled = false;
    if (!verifySeal(v, step)) return false;
    for (; v->equation < step; advanceQuery(v, v->equations, &v->equation))
        reportFault(v, v->equation, "equations without a step");
    for (; v->equation == step; advanceQuery(v, v->equations, &v->equation))
        if (!verifyIsland(v, step, h)) return false;
    v->verdict->steps++;
    v->verdict->native += native;
    countChecked(v, row, native, v->verdict->islands > islands);
    v->verdict->verified += v->faultless;
    v->verdict->uncoupled += v->uncoupled;
    v->verdict->softened += v->softened;
    v->verdict->older += v->older;
    v->verdict->continuous += v->continuous;
    v->verdict->split += v->split;
    v->verdict->reconciled += v->reconciled;
    return true;
}

/* Finds the last sealed step. A recording that was not completed may have steps after its last seal; in a complete one
 * the last step's seal covers all remaining rows. */
static bool findLast(Verifier *v)
{
    sqlite3_stmt *const query =
        ukReaderAsk(v->reader, "SELECT (SELECT ended FROM run) IS NULL, (SELECT max(step) FROM seal), "
                               "(SELECT max(step) FROM step)");
    const bool good = query && ukReaderNext(v->reader, query), cut = good && ukSql.column_int64(query, 0) != 0;
    if (good) v->last = ukSql.column_int64(query, cut ? 1 : 2);
    v->rest = cut ? v->last : ukSealRest;
    ukReaderDone(query);
    return good;
}

static bool verifySteps(Verifier *v)
{
    if (!findLast(v)) return false;
    sqlite3_stmt *const steps = ukReaderAsk(v->reader, "SELECT step, h, ukode, bodies, rows FROM step ORDER BY step");
    v->equations = askEquations(v->reader);
    v->seals = ukReaderAsk(v->reader, "SELECT step, event, hash FROM seal ORDER BY step");
    bool good = steps && v->equations && v->seals && ukSealRange(&v->walk, -INT64_MAX, v->rest);
    if (good) advanceQuery(v, v->equations, &v->equation), advanceQuery(v, v->seals, &v->seal);
    while (good && ukReaderNext(v->reader, steps)) {
        if (ukSql.column_int64(steps, 0) > v->last)
            v->verdict->unsealed++;
        else
            good = verifyStep(v, steps);
    }
    if (good && v->rest == ukSealRest && v->verdict->steps > 0 && ukSealLeft(&v->walk))
        reportFault(v, 0, "events without a seal");
    for (; good && v->rest == ukSealRest && v->equation < INT64_MAX; advanceQuery(v, v->equations, &v->equation))
        reportFault(v, v->equation, "equations without a step");
    for (; good && v->seal < INT64_MAX; advanceQuery(v, v->seals, &v->seal))
        reportFault(v, v->seal, "a seal without a step");
    ukReaderDone(steps);
    ukReaderDone(v->equations);
    ukReaderDone(v->seals);
    return good && !v->reader->error[0];
}

/* ---- tables without steps ---------------------------------------------------------------------------------------- */

static bool verifyTables(Verifier *v)
{
    unsigned char hash[ukHashBytes];
    char text[128];
    int known = 0;
    v->faultless = true;
    sqlite3_stmt *const query = ukReaderAsk(v->reader, "SELECT hash FROM seal_table WHERE table_name = ?1");
    sqlite3_stmt *const count = ukReaderAsk(v->reader, "SELECT count(*) FROM seal_table");
    bool good = query && count;
    for (int t = 0; good && t < v->walk.tables; t++) {
        known++;
        good = ukSealTable(&v->walk, t, hash);
        ukSql.bind_text(query, 1, v->walk.table[t].name, -1, UKODE_SQL_STATIC);
        const void *const stored = ukReaderNext(v->reader, query) ? ukReaderBlob(query, 0, ukHashBytes) : NULL;
        if (!stored || memcmp(stored, hash, ukHashBytes) != 0) {
            snprintf(text, sizeof text, "the seal of the table %s is broken: a value of it has changed",
                     v->walk.table[t].name);
            reportFault(v, 0, text);
        }
        ukSql.reset(query);
    }
    if (good && ukReaderNext(v->reader, count) && ukSql.column_int64(count, 0) != known)
        reportFault(v, 0, "a seal of a missing table");
    ukReaderDone(query);
    ukReaderDone(count);
    v->verdict->tables = v->faultless;
    return good;
}

/* Runs SQLite's own integrity check, which also reads pages that no query needs. */
static bool verifyPages(Verifier *v)
{
    char text[256];
    sqlite3_stmt *const query = ukReaderAsk(v->reader, "PRAGMA integrity_check(1)");
    if (query && ukReaderNext(v->reader, query)) {
        const char *const word = (const char *)ukSql.column_text(query, 0);
        if (!word || strcmp(word, "ok") != 0) {
            snprintf(text, sizeof text, "the file is damaged: %.200s", word ? word : "");
            reportFault(v, 0, text);
        }
    }
    ukReaderDone(query);
    return !v->reader->error[0];
}

bool verifyFile(ukReader *reader, double tolerance, VerifyReport *report, void *context, Verdict *verdict)
{
    Verifier v = {.reader = reader, .tolerance = tolerance, .report = report, .context = context, .verdict = verdict};
    *verdict = (Verdict){0};
    bool good = ukSealBegin(&v.walk, reader->file) && verifyPages(&v) && verifyTables(&v) && verifySteps(&v);
    if (!good && !reader->error[0]) {
        snprintf(reader->error, sizeof reader->error, "%.200s: %.150s", reader->path, ukSql.errmsg(reader->file));
        ukPlainMake(reader->error, sizeof reader->error);
    }
    ukSealEnd(&v.walk);
    free(v.island.memory);
    free(v.scale.memory);
    free(v.bounder.memory);
    free(v.end.memory);
    free(v.end.scale.memory);
    return good && !reader->error[0];
}
