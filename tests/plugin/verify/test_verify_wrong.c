/* SPDX-License-Identifier: BSD-3-Clause */
/* Certificates of recordings that are wrong in themselves, and sealed again, so that only the equations can tell. */
#include <ukode/ukode.h>

#include "plugin/formats/recording/seal.h"
#include "tests/check.h"
#include "tests/support/certified.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[256];

static void sealAgain(ukReader *r)
{
    ukSealer sealer = {0};
    CHECK(ukSql.exec(r->file, "DELETE FROM seal; DELETE FROM seal_table", NULL, NULL, NULL) == ukSqlOk);
    CHECK(ukSealerRun(&sealer, r->file, true, true));
    ukSealerClose(&sealer);
}

/* doubles of an array of the first island of a step turned round, from `first` on */
static void turn(ukReader *r, const char *array, int step, size_t first, size_t count)
{
    char sql[256];
    static double values[1 << 14];
    snprintf(sql, sizeof sql, "SELECT %s FROM equation WHERE step = %d AND island = 1", array, step);
    sqlite3_stmt *const row = ukReaderAsk(r, sql);
    snprintf(sql, sizeof sql, "UPDATE equation SET %s = ?1 WHERE step = %d AND island = 1", array, step);
    sqlite3_stmt *const update = ukReaderAsk(r, sql);
    CHECK(row && update && ukReaderNext(r, row));
    const int size = ukSql.column_bytes(row, 0);
    CHECK((size_t)size >= 8 * (first + count) && (size_t)size <= sizeof values);
    memcpy(values, ukSql.column_blob(row, 0), (size_t)size);
    for (size_t i = first; i < first + count; i++) values[i] = -values[i];
    ukReaderDone(row);
    ukSql.bind_blob(update, 1, values, size, UKODE_SQL_STATIC);
    CHECK(ukSql.step(update) == ukSqlDone);
    ukReaderDone(update);
}

/* What is turned round in step 7, and what is then said of it. */
typedef struct Fault {
    const char *array;
    size_t first, count;
    const char *why, *where;
} Fault;

/* Every fault, one at a time, in a recording of 10 steps that holds. */
static void eachIsFound(ukReader *reader, const Fault *faults, size_t count)
{
    Verdict v;
    Told told;
    for (const Fault *f = faults; f < faults + count; f++) {
        ukSql.exec(reader->file, "BEGIN", NULL, NULL, NULL);
        turn(reader, f->array, 7, f->first, f->count);
        sealAgain(reader);
        CHECK(!holds(reader, &v, &told));
        if (!CHECK(told.step == 7 && strstr(told.why, f->why) && strstr(told.why, f->where)))
            printf("%s: step %lld: %s\n", f->array, (long long)told.step, told.why);
        CHECK(v.verified == v.steps - 1);
        ukSql.exec(reader->file, "ROLLBACK", NULL, NULL, NULL);
    }
}

static void wrong(void)
{
    const Case c = {.scene = "chain", .n = 6, .steps = 10};
    static const Fault faults[] = {{"jacobian", 0, 6, "equations of motion", ""},      /* one row, one body */
                                   {"jacobian", 5 * 6, 12, "equations of motion", ""}, /* one row, both bodies */
                                   {"multiplier", 3, 1, "equations of motion", ""},    /* one force */
                                   {"acceleration", 8, 1, "equations of motion", ""},  /* one acceleration */
                                   {"force", 2, 1, "equations of motion", ""},         /* one weight */
                                   {"right_side", 1, 1, "constraint", ""}};
    ukReader reader;
    Verdict v;
    Told told;
    if (!certifiedRecord(path, &c)) return;
    CHECK(ukReaderOpen(&reader, path));
    sealAgain(&reader);
    CHECK(holds(&reader, &v, &told));
    eachIsFound(&reader, faults, sizeof faults / sizeof *faults);
    ukReaderClose(&reader);
}

/* The end of a step and its second problem: one row's wrong sign, one force's, one velocity's, one pose's. */
static void wrongEnds(void)
{
    const Case c = {.scene = "chain", .n = 6, .steps = 10, .split = true, .prepare = disturb};
    static const Fault faults[] = {
        {"velocity", 0, 1, "velocity at the end", "body"},
        {"velocity_end", 12, 1, "velocity at the end", "body"},
        {"pose", 9, 1, "pose at the end", "body"},
        {"pose_end", 7 + 3, 1, "pose at the end", "body"},
        {"split_velocity", 6, 1, "pose at the end", "body"}, /* and then the correction itself */
        {"split_force", 4, 1, "split correction and its forces", "body"},
        {"split_side", 2, 1, "split correction", "row 3 of joint"}};
    ukReader reader;
    Verdict v;
    Told told;
    if (!certifiedRecord(path, &c)) return;
    CHECK(ukReaderOpen(&reader, path));
    sealAgain(&reader);
    CHECK(holds(&reader, &v, &told) && v.split == v.steps);
    eachIsFound(&reader, faults, sizeof faults / sizeof *faults);
    ukReaderClose(&reader);
}

/* What a contact asks for is no force that pulls, and not what it opens by itself: one row's push turned round. */
static void wrongPush(void)
{
    const Case c = {.scene = "pile", .n = 10, .steps = 60, .split = true};
    ukReader reader;
    Verdict v;
    Told told;
    if (!certifiedRecord(path, &c)) return;
    CHECK(ukReaderOpen(&reader, path));
    const int step = (int)certifiedNumber(&reader, "SELECT min(step) FROM equation WHERE island = 1 AND split_push <> "
                                                   "zeroblob(length(split_push))");
    CHECK(step > 0);
    if (step > 0) {
        char sql[128];
        snprintf(sql, sizeof sql, "SELECT length(split_push) / 8 FROM equation WHERE step = %d AND island = 1", step);
        turn(&reader, "split_push", step, 0, (size_t)certifiedNumber(&reader, sql));
        sealAgain(&reader);
        CHECK(!holds(&reader, &v, &told) && told.step == step);
        CHECK(strstr(told.why, "right-hand side of the split correction") && strstr(told.why, "of a contact"));
    }
    ukReaderClose(&reader);
}

/* A recording of the first format, which has no columns for the end of a step. */
static void older(void)
{
    const Case c = {.scene = "walker", .n = 1, .steps = 10};
    static const char *const columns[] = {"velocity",   "velocity_end", "spin_cap",      "pose",
                                          "pose_end",   "rotation",     "split_row",     "split_push",
                                          "split_side", "split_force",  "split_velocity"};
    ukReader reader;
    Verdict v;
    Told told;
    char sql[128];
    if (!certifiedRecord(path, &c)) return;
    CHECK(ukReaderOpen(&reader, path));
    CHECK(ukSql.exec(reader.file, "UPDATE equation SET format = 1", NULL, NULL, NULL) == ukSqlOk);
    sealAgain(&reader);
    CHECK(!holds(&reader, &v, &told) && strstr(told.why, "which its format or the continuous form does not have"));
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        snprintf(sql, sizeof sql, "UPDATE equation SET %s = NULL", columns[k]);
        CHECK(ukSql.exec(reader.file, sql, NULL, NULL, NULL) == ukSqlOk);
    }
    sealAgain(&reader);
    CHECK(holds(&reader, &v, &told) && v.older == v.steps);
    bool dropped = true; /* SQLite 3.35 */
    for (size_t k = 0; k < sizeof columns / sizeof *columns && dropped; k++) {
        snprintf(sql, sizeof sql, "ALTER TABLE equation DROP COLUMN %s", columns[k]);
        dropped = ukSql.exec(reader.file, sql, NULL, NULL, NULL) == ukSqlOk;
    }
    sealAgain(&reader);
    CHECK(holds(&reader, &v, &told) && v.older == v.steps);
    if (!dropped) printf("this SQLite drops no columns: those of older recordings are not tried\n");
    CHECK(ukSql.exec(reader.file, "UPDATE equation SET format = 2 WHERE step = 3", NULL, NULL, NULL) == ukSqlOk);
    sealAgain(&reader);
    CHECK(!holds(&reader, &v, &told) && told.step == 3 && strstr(told.why, "are missing"));
    ukReaderClose(&reader);
}

int main(void)
{
    if (!ukSqliteReady()) {
        printf("skipped: %s\n", UKODE_SQLITE_MISSING);
        return 77;
    }
    snprintf(path, sizeof path, "verify_wrong-%ld.ukode", (long)getpid());
    dInitODE2(0);
    wrong();
    wrongEnds();
    wrongPush();
    older();
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
