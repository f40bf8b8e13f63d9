/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/files/databases.c: recordings and databases of sweeps, given to every command that reads them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/tools/compare/walk.h"
#include "plugin/tools/export/export.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/page/data.h"
#include "plugin/tools/page/study_page.h"
#include "plugin/tools/replay/recording.h"
#include "plugin/tools/sweep/store.h"
#include "plugin/tools/verify/file.h"
#include "tests/fuzz/files/edits.h"
#include "tests/fuzz/files/files.h"

/* ---- recordings -------------------------------------------------------------------------------------------------- */

static uint8_t *recording;
static size_t recording_size;

static bool beginRecording(void)
{
    if (!ukSqliteReady() || !fuzzRecordTemplate(fuzzPath("template.ukode"))) return false;
    recording = fuzzReadFile(fuzzPath("template.ukode"), &recording_size);
    return recording != NULL;
}

static void hear(void *context, long long step, const char *why)
{
    (void)context;
    (void)step;
    if (strlen(why) > 10000) abort();
}

static void readAll(ukReader *reader, FILE *sink)
{
    Findings findings;
    Verdict verdict;
    Walk walk;
    long long worlds[4];
    if (!ukReaderHasSteps(reader)) return;
    findingsCollect(reader, &findings);
    findingsPrint(sink, &findings);
    findingsWrite(sink, &findings);
    findingsFree(&findings);
    reader->error[0] = 0;
    verifyFile(reader, 1e-9, hear, NULL, &verdict);
    reader->error[0] = 0;
    pageDataWrite(sink, reader, reader, 60);
    reader->error[0] = 0;
    exportCsv(reader, fuzzPath("csv"));
    reader->error[0] = 0;
    exportGltf(reader, fuzzPath("run.glb"));
    reader->error[0] = 0;
    if (walkBegin(&walk, reader, 1))
        for (int i = 0; i < 20 && walkNext(&walk); i++) continue;
    walkEnd(&walk);
    reader->error[0] = 0;
    ukReplayWorlds(reader, worlds, 4);
}

static void oneRecording(const uint8_t *data, size_t size)
{
    Take take = {data, data + size};
    ukReader reader;
    char path[512];
    snprintf(path, sizeof path, "%s", fuzzPath("spoilt.ukode"));
    editDatabase(path, recording, recording_size, &take);
    if (!ukReaderOpen(&reader, path)) return;
    FILE *const sink = fopen("/dev/null", "w");
    if (sink) readAll(&reader, sink);
    if (sink) fclose(sink);
    ukReaderClose(&reader);
}

/* one value of each table and column */
static size_t seedRecording(int k, uint8_t *to, size_t room)
{
    if (k >= 200 || room < 64) return 0;
    const uint8_t seed[] = {(uint8_t)(k % 3 * 8),
                            (uint8_t)(k / 10),
                            (uint8_t)(7 * k),
                            (uint8_t)(k % 5 ? k : 255),
                            8,
                            0,
                            (uint8_t)k,
                            (uint8_t)(k / 6),
                            1,
                            2,
                            3};
    memcpy(to, seed, sizeof seed);
    return sizeof seed;
}

const FuzzKind fuzzRecording = {"recording", beginRecording, oneRecording, seedRecording, 150};

/* ---- sweeps ------------------------------------------------------------------------------------------------------ */

static uint8_t *database;
static size_t database_size;
static char study_text[] = "vary n from 1 to 3 count 3\nvary gait in trot pace\nresult height = SELECT 1\n";
static char word[] = "true", *program[] = {word, NULL};

static bool readStudy(Study *study)
{
    char text[sizeof study_text], why[300];
    memcpy(text, study_text, sizeof text);
    if (!studyRead(study, text, why, sizeof why)) return false;
    study->program = program;
    return true;
}

static bool beginSweep(void)
{
    Store store;
    Study study;
    if (!ukSqliteReady() || !readStudy(&study)) return false;
    bool good = storeOpen(&store, fuzzPath("template.db"), false, &study, study_text);
    for (int i = 1; good && i <= 4; i++) {
        char sql[200];
        snprintf(sql, sizeof sql,
                 "INSERT INTO run (point, repetition, outcome, seconds, n, gait, height) VALUES "
                 "(%d, 1, 'ok', 0.5, %d, 'trot', 1.5)",
                 i, i);
        good = ukSql.exec(store.file, sql, NULL, NULL, NULL) == ukSqlOk;
    }
    storeClose(&store);
    studyFree(&study);
    database = good ? fuzzReadFile(fuzzPath("template.db"), &database_size) : NULL;
    return database != NULL;
}

static void oneSweep(const uint8_t *data, size_t size)
{
    Take take = {data, data + size};
    Store store;
    Study study;
    char path[512];
    snprintf(path, sizeof path, "%s", fuzzPath("spoilt.db"));
    editDatabase(path, database, database_size, &take);
    if (storeIs(path)) studyPage(path, fuzzPath("study.html"), true);
    if (!readStudy(&study)) return;
    storeOpen(&store, path, false, &study, study_text);
    storeClose(&store);
    studyFree(&study);
}

const FuzzKind fuzzSweep = {"sweep", beginSweep, oneSweep, seedRecording, 300};
