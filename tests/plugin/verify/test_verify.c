/* SPDX-License-Identifier: BSD-3-Clause */
/* Certificates: what the step hands over is judged by `ukode verify`, whose code shares nothing with what made it; one
 * bit that is changed is found, and so is what is missing. */
#include <ukode/ukode.h>

#include "plugin/formats/recording/schema.h"
#include "plugin/formats/recording/seal.h"
#include "tests/check.h"
#include "tests/support/certified.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[256];

/* What is almost at rest: numbers below the least normal one, which round by as much as they are. */
static void fadeOut(Scene *s)
{
    dWorldSetGravity(s->world, 1e-321, 0, -3e-321);
    for (int i = 0; i < s->count; i++) {
        dBodySetLinearVel(s->bodies[i], 0, 0, 0);
        dBodySetAngularVel(s->bodies[i], 2e-322, 0, 0);
        dBodySetTorque(s->bodies[i], 0, 1e-320 * i, 0);
    }
}

static double level; /* [m] of the last body at the start */

static int upwards(const ukConstraintContext *c, dReal *A, dReal *b, void *data)
{
    A[6 * (c->count - 1) + 2] = 1;
    b[0] = data ? sin(20 * c->time) : 0;
    return 0;
}

static int upwardsGap(const ukConstraintContext *c, dReal *phi, dReal *psi, void *data)
{
    (void)data;
    phi[0] = c->bodies[c->count - 1].position[2] - level + 0.01;
    psi[0] = c->bodies[c->count - 1].velocity[2];
    return 0;
}

/* The last body is accelerated up and down by actuators on it and on the first two. */
static void driveLast(Scene *s)
{
    const dBodyID body[3] = {s->bodies[0], s->bodies[1], s->bodies[s->count - 1]};
    const ukActuator actuator[3] = {{.body = body[0], .axis = 2, .cost = 1},
                                    {.body = body[1], .axis = 2, .cost = 4},
                                    {.body = body[2], .axis = 2, .cost = 0.5}};
    const ukConstraintID c = ukConstraintCreate(s->world, 1, body, 3, upwards, &level);
    CHECK(ukConstraintSetActuators(c, actuator, 3) == 0);
}

/* The last body bounces on a level that it may leave. */
static void holdLast(Scene *s)
{
    const dBodyID body = s->bodies[s->count - 1];
    const ukConstraintID c = ukConstraintCreate(s->world, 1, &body, 1, upwards, NULL);
    level = dBodyGetPosition(body)[2];
    CHECK(ukConstraintSetError(c, upwardsGap, NULL) == 0 && ukConstraintSetOneSided(c, 0) == 0);
    CHECK(ukConstraintSetRestitution(c, 0, 0.4) == 0);
}

/* ---- what is right is accepted ----------------------------------------------------------------------------------- */

static void accepted(const Case *c)
{
    ukReader reader;
    Verdict v;
    Told told;
    if (!certifiedRecord(path, c)) return;
    CHECK(ukReaderOpen(&reader, path));
    const bool good = holds(&reader, &v, &told);
    if (!good) printf("%s %d: step %lld: %s\n", c->scene, c->n, told.step, told.why);
    CHECK(good);
    CHECK(v.steps == c->steps && v.islands >= v.steps && v.rows > 0);
    /* accelerations of the order of gravity, or of a blow that stops a fall within a step */
    CHECK(v.end.velocity < 1e-14 && v.end.pose < 1e-14 && v.end.motion < 1e-9);
    CHECK(v.older == 0 && (v.continuous == v.steps) == (c->integrator == ukIntegratorRK4));
    CHECK((v.split == v.steps) == c->split);
    CHECK(v.distance.linear < 1e-3 && v.distance.angular < 0.1 && v.distance.shift < 1e-14);
    ukReaderClose(&reader);
}

/* ---- one bit ----------------------------------------------------------------------------------------------------- */

static unsigned random_state = 1;
static unsigned drawn(unsigned below)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (unsigned)(((uint64_t)random_state * below) >> 32);
}

/* One bit of a value of the row that the query stands at, bound to parameter 1 of `update`. false: it has none. */
static bool flip(sqlite3_stmt *row, int column, sqlite3_stmt *update)
{
    static unsigned char bytes[1 << 20];
    const int type = ukSql.column_type(row, column);
    if (type == ukSqlInteger) {
        const uint64_t x = (uint64_t)ukSql.column_int64(row, column) ^ (uint64_t)1 << drawn(64);
        ukSql.bind_int64(update, 1, (long long)x);
        return true;
    }
    if (type == ukSqlReal) {
        double x = ukSql.column_double(row, column);
        uint64_t bits;
        if (x == 0) return false; /* SQLite keeps no sign of it */
        memcpy(&bits, &x, sizeof bits);
        bits ^= (uint64_t)1 << drawn(64);
        memcpy(&x, &bits, sizeof x);
        ukSql.bind_double(update, 1, x);
        return true;
    }
    const void *const data = type == ukSqlNull ? NULL : ukSql.column_blob(row, column);
    const int size = data ? ukSql.column_bytes(row, column) : 0;
    if (size == 0) return false;
    memcpy(bytes, data, (size_t)size);
    bytes[drawn((unsigned)size)] ^= (unsigned char)(1u << drawn(8));
    if (type == ukSqlText)
        ukSql.bind_text(update, 1, (const char *)bytes, size, UKODE_SQL_STATIC);
    else
        ukSql.bind_blob(update, 1, bytes, size, UKODE_SQL_STATIC);
    return true;
}

/* A random value of a random row of a table with one bit changed. false: there is none. */
static bool spoil(ukReader *r, const ukTable *table, char *what, size_t size)
{
    char sql[256];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table->name);
    const long long rows = certifiedNumber(r, sql);
    if (rows < 1) return false;
    const unsigned at = drawn((unsigned)rows);
    snprintf(sql, sizeof sql, "SELECT * FROM %s LIMIT 1 OFFSET %u", table->name, at);
    sqlite3_stmt *const row = ukReaderAsk(r, sql);
    CHECK(row && ukReaderNext(r, row));
    const int column = (int)drawn((unsigned)ukSql.column_count(row));
    const char *const first = ukSql.column_name(row, 0), *const second = ukSql.column_name(row, 1);
    snprintf(what, size, "%s.%s", table->name, ukSql.column_name(row, column));
    snprintf(sql, sizeof sql, "UPDATE OR REPLACE %s SET %s = ?1 WHERE (%s, %s) IS (?2, ?3)", table->name,
             ukSql.column_name(row, column), first, second);
    sqlite3_stmt *const update = ukReaderAsk(r, sql);
    bool done = update && flip(row, column, update);
    for (int k = 0; done && k < 2; k++) {
        if (ukSql.column_type(row, k) == ukSqlText)
            ukSql.bind_text(update, 2 + k, (const char *)ukSql.column_text(row, k), -1, UKODE_SQL_STATIC);
        else if (ukSql.column_type(row, k) == ukSqlBlob)
            ukSql.bind_blob(update, 2 + k, ukSql.column_blob(row, k), ukSql.column_bytes(row, k), UKODE_SQL_STATIC);
        else if (ukSql.column_type(row, k) == ukSqlInteger)
            ukSql.bind_int64(update, 2 + k, ukSql.column_int64(row, k));
        else
            ukSql.bind_null(update, 2 + k);
    }
    /* of a number of a column of integers that became text there is no more: SQLite refuses what does not fit a key */
    done = done && ukSql.step(update) == ukSqlDone;
    ukReaderDone(update);
    ukReaderDone(row);
    return done;
}

static void bits(int count)
{
    const Case c = {.scene = "walker", .n = 1, .steps = 12};
    ukReader reader;
    Verdict v;
    Told told;
    char what[128];
    int found = 0;
    if (!certifiedRecord(path, &c)) return;
    CHECK(ukReaderOpen(&reader, path));
    CHECK(holds(&reader, &v, &told));
    for (int k = 0; k < count;) {
        ukSql.exec(reader.file, "BEGIN", NULL, NULL, NULL);
        if (spoil(&reader, &ukSchema[drawn(ukTables)], what, sizeof what)) {
            const bool rejected = !holds(&reader, &v, &told);
            if (!rejected) printf("one bit of %s was changed\n", what);
            found += rejected;
            k++;
        }
        ukSql.exec(reader.file, "ROLLBACK", NULL, NULL, NULL);
    }
    printf("%d of %d changed bits found\n", found, count);
    CHECK(found == count);
    CHECK(holds(&reader, &v, &told));
    ukReaderClose(&reader);
}

/* A bit of each array that an end has: the seal tells. */
static void bitsOfEnds(void)
{
    static const char *const arrays[] = {"velocity",   "velocity_end", "spin_cap",      "pose",
                                         "pose_end",   "rotation",     "split_row",     "split_push",
                                         "split_side", "split_force",  "split_velocity"};
    const Case c = {.scene = "pile", .n = 6, .steps = 60, .split = true, .prepare = whirl};
    ukReader reader;
    Verdict v;
    Told told;
    if (!certifiedRecord(path, &c)) return;
    CHECK(ukReaderOpen(&reader, path));
    CHECK(holds(&reader, &v, &told));
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        char sql[256];
        ukSql.exec(reader.file, "BEGIN", NULL, NULL, NULL);
        snprintf(sql, sizeof sql, "SELECT %s FROM equation WHERE length(%s) > 0 ORDER BY step DESC, island LIMIT 1",
                 arrays[k], arrays[k]);
        sqlite3_stmt *const row = ukReaderAsk(&reader, sql);
        snprintf(sql, sizeof sql,
                 "UPDATE equation SET %s = ?1 WHERE (step, island) IN (SELECT step, island FROM equation "
                 "WHERE length(%s) > 0 ORDER BY step DESC, island LIMIT 1)",
                 arrays[k], arrays[k]);
        sqlite3_stmt *const update = ukReaderAsk(&reader, sql);
        const bool any = row && update && ukReaderNext(&reader, row) && flip(row, 0, update);
        CHECK(any && ukSql.step(update) == ukSqlDone);
        ukReaderDone(update);
        ukReaderDone(row);
        const bool rejected = any && !holds(&reader, &v, &told);
        if (!rejected) printf("one bit of %s was changed\n", arrays[k]);
        CHECK(rejected);
        ukSql.exec(reader.file, "ROLLBACK", NULL, NULL, NULL);
    }
    ukReaderClose(&reader);
}

/* ---- what a recording lacks -------------------------------------------------------------------------------------- */

static void missing(void)
{
    const Case c = {.scene = "chain", .n = 3, .steps = 10};
    static const struct {
        const char *sql;
        bool holds;
        long long steps;
    } cuts[] = {{"DELETE FROM equation WHERE step = 5", false, 10},
                {"DELETE FROM step WHERE step = 5", false, 9},
                {"DELETE FROM seal WHERE step = 5", false, 10},
                {"DELETE FROM seal WHERE step = 10", false, 10},
                {"DELETE FROM body_step WHERE step = 2 AND body = 2", false, 10},
                {"DELETE FROM event WHERE event = 1", false, 10},
                {"DELETE FROM event WHERE event = 21", false, 10},
                {"INSERT INTO event (event, step) VALUES (22, 10)", false, 10},
                {"INSERT INTO body_step (step, body) VALUES (0, 1)", false, 10},
                {"INSERT INTO body_step (step, body) VALUES (11, 1)", false, 10},
                {"DELETE FROM seal_table WHERE table_name = 'body'", false, 10},
                {"UPDATE body SET mass = 2", false, 10},
                {"UPDATE equation SET jacobian = x'00' WHERE step = 3", false, 10},
                {"UPDATE step SET why = NULL WHERE step = 3", false, 10},
                /* a process that was killed: steps without a seal do not count */
                {"DELETE FROM seal WHERE step > 8; UPDATE run SET ended = NULL; DELETE FROM seal_table", true, 8}};
    ukReader reader;
    Verdict v;
    Told told;
    if (!certifiedRecord(path, &c)) return;
    CHECK(ukReaderOpen(&reader, path));
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        ukSealer sealer = {0};
        ukSql.exec(reader.file, "BEGIN", NULL, NULL, NULL);
        CHECK(ukSql.exec(reader.file, cuts[k].sql, NULL, NULL, NULL) == ukSqlOk);
        if (cuts[k].holds) {
            sealer.last = 10;
            CHECK(ukSealerRun(&sealer, reader.file, false, true));
        }
        const bool good = holds(&reader, &v, &told);
        if (good != cuts[k].holds) printf("%s: %s\n", cuts[k].sql, told.why);
        CHECK(good == cuts[k].holds && v.steps == cuts[k].steps);
        ukSealerClose(&sealer);
        ukSql.exec(reader.file, "ROLLBACK", NULL, NULL, NULL);
    }
    ukReaderClose(&reader);
}

/* `printf abc | b2sum -l 256` so many times: less than a block, nothing, three blocks, and eleven and a part */
static void hashes(void)
{
    static const struct {
        int repeat;
        unsigned char hash[4];
    } known[] = {{1, {0xbd, 0xdd, 0x81, 0x3c}},
                 {0, {0x0e, 0x57, 0x51, 0xc0}},
                 {128, {0x2f, 0xf6, 0xc9, 0x33}},
                 {500, {0xcf, 0x2d, 0x4f, 0x13}}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        ukBlake2b hash;
        unsigned char out[ukHashBytes];
        ukBlake2bBegin(&hash);
        for (int i = 0; i < known[k].repeat; i++) ukBlake2bAdd(&hash, "abc", 3);
        ukBlake2bEnd(&hash, out);
        CHECK(memcmp(out, known[k].hash, 4) == 0);
    }
}

int main(int argc, char **argv)
{
    static const Case cases[] = {
        {.scene = "chain", .n = 20, .steps = 50},
        {.scene = "four_bar", .n = 1, .steps = 100},
        {.scene = "bricard", .n = 1, .steps = 60},
        {.scene = "flat_net", .n = 4, .steps = 20},
        {.scene = "heavy", .n = 8, .steps = 30},
        {.scene = "pile", .n = 10, .steps = 100},
        {.scene = "pile", .n = 10, .steps = 60, .quick = true},
        {.scene = "pile", .n = 10, .steps = 60, .friction = ukFrictionCone},
        {.scene = "walker", .n = 1, .steps = 60},
        {.scene = "walker", .n = 1, .steps = 60, .friction = ukFrictionCone},
        {.scene = "gripper", .n = 1, .steps = 60, .quick = true},
        {.scene = "ragdolls", .n = 1, .steps = 60},
        {.scene = "pile", .n = 10, .steps = 60, .split = true, .prepare = disturb},
        {.scene = "pile", .n = 10, .steps = 60, .split = true, .quick = true},
        {.scene = "ragdolls", .n = 1, .steps = 60, .split = true, .prepare = disturb},
        {.scene = "gripper", .n = 1, .steps = 60, .split = true},
        {.scene = "walker", .n = 1, .steps = 60, .split = true},
        {.scene = "chain", .n = 6, .steps = 30, .split = true, .prepare = disturb},
        {.scene = "four_bar", .n = 1, .steps = 50, .split = true, .prepare = disturb},
        {.scene = "pile", .n = 8, .steps = 60, .prepare = whirl},
        {.scene = "pile", .n = 8, .steps = 60, .split = true, .prepare = whirl},
        {.scene = "bricard", .n = 1, .steps = 60, .split = true},
        {.scene = "walker", .n = 1, .steps = 10, .prepare = fadeOut},
        {.scene = "chain", .n = 3, .steps = 10, .prepare = fadeOut},
        {.scene = "chain", .n = 5, .steps = 30, .prepare = driveLast},
        {.scene = "chain", .n = 5, .steps = 30, .prepare = holdLast},
        {.scene = "chain", .n = 5, .steps = 30, .split = true, .prepare = holdLast},
        {.scene = "chain", .n = 5, .steps = 30, .integrator = ukIntegratorRK4, .prepare = driveLast},
        {.scene = "chain", .n = 10, .steps = 30, .integrator = ukIntegratorRK4},
        {.scene = "four_bar", .n = 1, .steps = 50, .integrator = ukIntegratorRK4}};
    if (!ukSqliteReady()) {
        printf("skipped: %s\n", UKODE_SQLITE_MISSING);
        return 77;
    }
    snprintf(path, sizeof path, "verify-%ld.ukode", (long)getpid());
    dInitODE2(0);
    hashes();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) accepted(&cases[k]);
    bits(argc > 1 ? atoi(argv[1]) : 200);
    bitsOfEnds();
    missing();
    unlink(path);
    dCloseODE();
    return ukTestEnd();
}
