/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording as CSV says what the recording says, to the last bit; as glTF it is a whole file with a node a body,
 * quaternions of length 1 that never jump. With a name as argument it only writes that file (tests/cli/export_*.sh). */
#include "plugin/formats/recording/queue.h"
#include "plugin/formats/recording/sqlite.h"
#include "plugin/tools/export/export.h"
#include "tests/check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char recording[128], folder[128], scene[128];
static const char strange[] = "na\xc3\xafve, \"q\"\r\n\xff";

/* ---- a recording of every shape ---------------------------------------------------------------------------------- */

enum { Frames = 40, Shaped = 6, Bodies = Shaped + 1 };

static void putShapes(ukQueue *q)
{
    static const struct {
        const char *type;
        double size[3];
        long long body, mesh;
    } shapes[] = {{"box", {0.5, 0.2, 0.3}, 1, ukNullInt},
                  {"sphere", {0.3, 0, 0}, 2, ukNullInt},
                  {"capsule", {0.1, 0.5, 0}, 3, ukNullInt},
                  {"cylinder", {0.2, 0.7, 0}, 4, ukNullInt},
                  {"convex", {0, 0, 0}, 5, 1},
                  {"trimesh", {0, 0, 0}, 6, 1},
                  {"plane", {0, 0, 0}, ukNullInt, ukNullInt},
                  {"heightfield", {0, 0, 0}, ukNullInt, 1},
                  {"ray", {1, 0, 0}, 1, ukNullInt},
                  {"sphere", {0.3, 0, 0}, ukNullInt, ukNullInt}};
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 1, 2, 9};
    ukQueuePut(q, ukInsertMesh, 1LL, "trimesh", "0123456789abcdef", (size_t)16, 4LL, 5LL, vertices, sizeof vertices,
               faces, sizeof faces);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        ukQueuePut(q, ukInsertShape, (long long)k + 1, 1LL, shapes[k].body, shapes[k].type, shapes[k].size[0],
                   shapes[k].size[1], shapes[k].size[2], 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, shapes[k].mesh);
}

/* Body 3 comes late, body 4 is destroyed early, body 5 is disabled early, as its row says, and stays; quaternions turn
 * over every third frame. */
static void putFrames(ukQueue *q)
{
    for (long long n = 0; n < Frames; n++) {
        ukRows rows;
        CHECK(ukRowsBegin(&rows, q, ukInsertStep, 8 * 64));
        const double t = (double)(n + 1) / 60, none[6] = {NAN, NAN, NAN, NAN, NAN, NAN};
        ukRowsInt(&rows, n + 1);
        ukRowsInt(&rows, 1);
        ukRowsInt(&rows, n + 1);
        ukRowsReal(&rows, t);
        ukRowsReal(&rows, 1.0 / 60);
        ukRowsInt(&rows, 1);
        ukRowsInt(&rows, 0);
        ukRowsReals(&rows, none, 2);
        for (int k = 0; k < 8; k++) ukRowsInt(&rows, ukNullInt);
        ukRowsReals(&rows, none, 6);
        ukRowsReal(&rows, 0.1);
        ukRowsInt(&rows, 1);
        ukRowsInt(&rows, 0);
        ukRowsText(&rows, n == 2 ? "" : n == 3 ? strange : NULL);
        ukRowsReals(&rows, none, 5);
        ukRowsBlob(&rows, NULL, 0);
        ukRowsEnd(&rows);
        for (long long b = 1; b <= Bodies; b++) {
            const double a = 4 * t + (double)b, sign = n % 3 == 0 ? -1 : 1;
            if ((b == 3 && n < 10) || (b == 4 && n > 30) || (b == 5 && n > 20)) continue;
            ukQueuePut(q, ukInsertBodyStep, n + 1, b, 0.8 * (double)b, sin(t), 1 + t * t, sign * cos(a),
                       sign * 0.6 * sin(a), 0.0, sign * 0.8 * sin(a), 1.0 / 3, -0.0, 1e-300, 0.0, 0.0, 0.0,
                       (long long)!(b == 5 && n == 20));
        }
    }
}

static bool record(void)
{
    char message[256];
    unlink(recording);
    ukQueue *const q = ukQueueOpen(recording, message, sizeof message);
    if (!CHECK(q != NULL)) return false;
    ukQueuePut(q, ukInsertWorld, 1LL, "arena \"one\"", "euler", "ode", 3LL, "erp", 0.0, 0.0, "auto", "auto", "ode", 0.0,
               "warn", 1e-9, 1LL, 0.0, 0.0, -9.81, 0.2, 1e-5, 0.0, 1.0, 0.0);
    for (long long b = 1; b <= Bodies; b++)
        ukQueuePut(q, ukInsertBody, b, 1LL,
                   b == 1   ? strange
                   : b == 2 ? "second"
                            : NULL,
                   2.0, 0.3, 0.5, 0.6, 0.05, 0.0, 0.02, 0LL, 1LL, b == 4 ? 32 : ukNullInt);
    putShapes(q);
    putFrames(q);
    ukQueueClose(q);
    return true;
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

/* One field of RFC 4180 into `text`; how many bytes it has, -1 for an unquoted empty one. Leaves what ends it. */
static long field(FILE *file, char *text, size_t size, int *end)
{
    size_t length = 0;
    int c = fgetc(file);
    const bool quoted = c == '"';
    if (quoted) c = fgetc(file);
    for (; c != EOF; c = fgetc(file)) {
        if (quoted && c == '"' && (c = fgetc(file)) != '"') break;
        if (!quoted && (c == ',' || c == '\r')) break;
        if (length + 1 < size) text[length++] = (char)c;
    }
    text[length] = 0;
    if (c == '\r') c = fgetc(file);
    *end = c;
    return length == 0 && !quoted ? -1 : (long)length;
}

static bool same(sqlite3_stmt *row, int k, const char *text, long length)
{
    static char hex[4096];
    switch (ukSql.column_type(row, k)) {
    case ukSqlNull: return length == -1;
    case ukSqlInteger: return strtoll(text, NULL, 10) == ukSql.column_int64(row, k);
    case ukSqlReal: return strtod(text, NULL) == ukSql.column_double(row, k);
    case ukSqlText:
        return length == ukSql.column_bytes(row, k) && memcmp(text, ukSql.column_text(row, k), (size_t)length) == 0;
    default:
        for (int i = 0; i < ukSql.column_bytes(row, k) && 2 * i + 3 < (int)sizeof hex; i++)
            snprintf(hex + 2 * i, 3, "%02x", ((const unsigned char *)ukSql.column_blob(row, k))[i]);
        return strcmp(hex, text) == 0;
    }
}

static void compareTable(ukReader *reader, const char *table)
{
    char path[256], sql[128];
    static char text[8192];
    snprintf(path, sizeof path, "%s/%s.csv", folder, table);
    snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    FILE *const file = fopen(path, "r");
    sqlite3_stmt *const row = ukReaderAsk(reader, sql);
    if (!CHECK(file && row)) return;
    const int columns = ukSql.column_count(row);
    int end = 0, wrong = 0;
    for (int k = 0; k < columns; k++) {
        field(file, text, sizeof text, &end);
        wrong += strcmp(text, ukSql.column_name(row, k)) != 0 || end != (k + 1 < columns ? ',' : '\n');
    }
    while (ukReaderNext(reader, row))
        for (int k = 0; k < columns; k++) {
            const long length = field(file, text, sizeof text, &end);
            wrong += !same(row, k, text, length) || end != (k + 1 < columns ? ',' : '\n');
        }
    CHECK(wrong == 0 && fgetc(file) == EOF);
    ukReaderDone(row);
    fclose(file);
    unlink(path);
}

static void csv(ukReader *reader)
{
    CHECK(exportCsv(reader, folder));
    for (int t = 0; t < ukTables; t++) compareTable(reader, ukSchema[t].name);
    CHECK(rmdir(folder) == 0);
    CHECK(!exportCsv(reader, "/nowhere/at/all") && strstr(reader->error, "/nowhere/at/all: No such"));
    reader->error[0] = 0;
}

/* A text that a spreadsheet would evaluate has an apostrophe before it, another has none. */
static void formulas(void)
{
    static const char *const names[] = {"=1", "+1", "-1", "@SUM(1)", "\tx", "\rx", "\nx", "1=", "x@", "'", ""};
    enum { Names = sizeof names / sizeof *names, Formulas = 7 };
    char message[256], path[256];
    static char text[256];
    unlink(recording);
    ukQueue *const q = ukQueueOpen(recording, message, sizeof message);
    if (!CHECK(q != NULL)) return;
    for (long long b = 1; b <= Names; b++)
        ukQueuePut(q, ukInsertBody, b, 1LL, names[b - 1], 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0LL, 1LL, ukNullInt);
    ukQueueClose(q);
    ukReader reader;
    if (!CHECK(ukReaderOpen(&reader, recording) && exportCsv(&reader, folder))) return;
    snprintf(path, sizeof path, "%s/body.csv", folder);
    FILE *const file = fopen(path, "r");
    int end = 0, row = -1, column = 0, found = 0;
    for (; file; column++) {
        const long length = field(file, text, sizeof text, &end);
        if (end == EOF) break;
        const bool formula = row >= 0 && row < Formulas;
        if (row >= 0 && column == 2) {
            const bool marked = formula && text[0] == '\'' && strcmp(text + 1, names[row]) == 0;
            if (!CHECK(formula ? marked : length >= 0 && strcmp(text, names[row]) == 0)) printf("  %s\n", text);
            found++;
        }
        if (end == '\n') row++, column = -1;
    }
    CHECK(found == Names);
    if (file) fclose(file);
    for (int t = 0; t < ukTables; t++) snprintf(path, sizeof path, "%s/%s.csv", folder, ukSchema[t].name), unlink(path);
    CHECK(rmdir(folder) == 0);
    ukReaderClose(&reader);
    unlink(recording);
}

/* ---- glTF -------------------------------------------------------------------------------------------------------- */

static unsigned word(const unsigned char *at)
{
    return at[0] | (unsigned)at[1] << 8 | (unsigned)at[2] << 16 | (unsigned)at[3] << 24;
}

static int times(const char *text, const char *what)
{
    int count = 0;
    for (; (text = strstr(text, what)) != NULL; text++) count++;
    return count;
}

/* the n-th number after `what` in a text */
static long after(const char *text, const char *what, int n)
{
    for (; n >= 0 && (text = strstr(text, what)) != NULL; n--) text += strlen(what);
    return text ? strtol(text, NULL, 10) : -1;
}

/* of all arrays of quaternions: of length 1, each next to the one before; how many there are */
static int rotations(const char *json, const unsigned char *data)
{
    const char *const accessors = strstr(json, "\"accessors\""), *const views = strstr(json, "\"bufferViews\"");
    const char *const end = views;
    int arrays = 0;
    for (const char *at = accessors; (at = strstr(at, "{\"bufferView\":")) != NULL && at < end; at++) {
        const char *const type = strstr(at, "\"type\":\"");
        if (strncmp(type, "\"type\":\"VEC4\"", 13) != 0) continue;
        const long view = after(at, "\"bufferView\":", 0), count = after(at, "\"count\":", 0);
        const long offset = after(views, "\"byteOffset\":", (int)view);
        double last[4] = {0};
        for (long i = 0; i < count; i++) {
            float q[4];
            double size = 0, along = 0;
            memcpy(q, data + offset + 16 * i, sizeof q);
            for (int c = 0; c < 4; c++) size += (double)q[c] * (double)q[c], along += (double)q[c] * last[c];
            for (int c = 0; c < 4; c++) last[c] = (double)q[c];
            CHECK_NEAR(size, 1, 1e-6);
            CHECK(i == 0 || along > 0.99);
        }
        arrays++;
    }
    return arrays;
}

static void structure(const unsigned char *glb, size_t size)
{
    CHECK(size > 28 && memcmp(glb, "glTF", 4) == 0 && word(glb + 4) == 2 && word(glb + 8) == size);
    const size_t length = word(glb + 12);
    if (!CHECK(size > 28 + length && length % 4 == 0 && memcmp(glb + 16, "JSON", 4) == 0)) return;
    char *const json = calloc(1, length + 1);
    memcpy(json, glb + 20, length);
    const unsigned char *const binary = glb + 20 + length;
    CHECK(memcmp(binary + 4, "BIN\0", 4) == 0 && word(binary) == size - length - 28 && word(binary) % 4 == 0);
    CHECK(after(json, "\"buffers\":[{\"byteLength\":", 0) == (long)word(binary));
    CHECK(strstr(json, "\"name\":\"arena \\u0022one\\u0022\"") && strstr(json, "\"name\":\"second\""));
    CHECK(strstr(json, "\"name\":\"na\xc3\xafve, \\u0022q\\u0022\\u005cx0d\\u005cx0a\\u005cxff\"") &&
          strstr(json, "\"name\":\"body 7\""));
    CHECK(times(json, "\"path\":\"translation\"") == Bodies && times(json, "\"path\":\"rotation\"") == Bodies);
    CHECK(times(json, "\"path\":\"scale\"") == 2);
    /* a node for the world, for each body, for each shape that can be seen and for the stand-in */
    CHECK(times(json, "\"translation\":[") == 1 + Bodies + 9 + 1);
    CHECK(rotations(json, binary + 8) == Bodies);
    free(json);
}

static void gltf(ukReader *reader)
{
    if (!CHECK(exportGltf(reader, scene))) return;
    FILE *const file = fopen(scene, "rb");
    static unsigned char glb[1 << 20];
    const size_t size = file ? fread(glb, 1, sizeof glb, file) : 0;
    if (file) fclose(file);
    CHECK(size > 0 && size < sizeof glb);
    structure(glb, size);
    unlink(scene);
    CHECK(!exportGltf(reader, "/nowhere/at/all.glb") && strstr(reader->error, "/nowhere/at/all.glb: No such"));
    reader->error[0] = 0;
}

int main(int count, char **argument)
{
    ukReader reader;
    if (!ukSqliteReady()) {
        printf("skipped: %s\n", UKODE_SQLITE_MISSING);
        return 77;
    }
    snprintf(recording, sizeof recording, "export-%ld.ukode", (long)getpid());
    snprintf(folder, sizeof folder, "export-%ld", (long)getpid());
    snprintf(scene, sizeof scene, "export-%ld.glb", (long)getpid());
    if (record() && CHECK(ukReaderOpen(&reader, recording))) {
        if (count > 1) {
            CHECK(exportGltf(&reader, argument[1]));
        } else {
            csv(&reader);
            gltf(&reader);
        }
        ukReaderClose(&reader);
        if (count <= 1) formulas();
    }
    unlink(recording);
    return ukTestEnd();
}
