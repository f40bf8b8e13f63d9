/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/files/texts.c: configurations, studies, and texts that are parsed or printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/plain.h"
#include "plugin/config.h"
#include "plugin/formats/recording/definition.h"
#include "plugin/tools/launch/summary.h"
#include "plugin/tools/sweep/row.h"
#include "plugin/tools/sweep/sample.h"
#include "plugin/tools/sweep/study.h"
#include "tests/fuzz/files/files.h"

static bool always(void)
{
    return true;
}

static size_t put(const char *text, uint8_t *to, size_t room)
{
    const size_t size = strlen(text);
    if (size > room) return 0;
    memcpy(to, text, size);
    return size;
}

/* what a command prints of it is plain */
static void judge(const char *message)
{
    if (!ukPlainIs(message, strlen(message))) abort();
}

/* ---- configurations ---------------------------------------------------------------------------------------------- */

static void oneConfig(const uint8_t *data, size_t size)
{
    ukConfig config;
    char message[400], path[512];
    snprintf(path, sizeof path, "%s", fuzzPath("config"));
    if (!fuzzWriteFile(path, data, size)) abort();
    if (ukConfigRead(path, &config, message, sizeof message) == 0)
        ukConfigFree(&config);
    else
        judge(message);
}

static size_t seedConfig(int k, uint8_t *to, size_t room)
{
    static const char *const texts[] = {
        "# all of it\nsolver = sparse\nintegrator = rk4\ntolerance = 1e-6:1e-9\nall viscous 0.1\n",
        "joint 2 coulomb 0.1 radius 0.02 static 0.2 speed 0.01 drag 3\nslider coulomb 0.3\n",
        "name body 1 trunk\nname joint 3 left knee\n",
        "body 1 mass 4 position 1 2 3 orientation 1 0 0 0 velocity 1 0 0 spin 0 0 1e3\nbody \"a name\" mass 2\n",
        "step = 0.002\ncheck = report:1e-9\nfriction = cone\ncfm = ode\nthreads = 2\nstabilization = split\n"};
    return k < (int)(sizeof texts / sizeof *texts) ? put(texts[k], to, room) : 0;
}

const FuzzKind fuzzConfig = {"config", always, oneConfig, seedConfig, 4000};

/* ---- studies ----------------------------------------------------------------------------------------------------- */

static void useStudy(Study *study)
{
    char first[] = "run", second[] = "{x}{{{point}", *program[] = {first, second, NULL};
    char *value[MostVariables] = {0}, wrong[64];
    Text text = {0};
    study->program = program;
    study->here = strdup("/");
    studyIdentity(study, &text);
    const long points = studyPoints(study);
    for (int i = 0; i < study->variables; i++) {
        Text one = {0};
        sampleValue(study, i, points, &one);
        value[i] = one.at;
    }
    const RunNames names = {study, value, points, 1};
    for (int i = 0; i < study->environments; i++) studyPut(&text, study->environment[i].text, &names, wrong);
    studyPut(&text, program[1], &names, wrong);
    studyConfig(&text, &names, wrong);
    for (int i = 0; i < study->variables; i++) free(value[i]);
    textFree(&text);
}

static void oneStudy(const uint8_t *data, size_t size)
{
    Study study;
    char why[400];
    char *const text = malloc(size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = 0;
    if (studyRead(&study, text, why, sizeof why)) {
        useStudy(&study);
        studyFree(&study);
    } else {
        judge(why);
    }
    free(text);
}

static size_t seedStudy(int k, uint8_t *to, size_t room)
{
    static const char *const texts[] = {
        "vary gait in trot \"a bound\"\nvary x from 1 to 100 count 3 log\nvary n from 1 to 9 count 5 whole\n",
        "vary even halton 0 1\nvary dice random 1 6 whole\nvary bell normal 10 2\nsamples = 8\nseed = 7\n",
        "env SPEED = {x}/{gait} \\\n  more\nconfig hinge viscous {even}\nkeep out.txt *.png\n",
        "result h = SELECT max(position_z) FROM body_step\nrecord = every-step\nrepeat = 3\njobs = 2\n",
        "time = 60\nmemory = 2G\ndisk = 100M # limits\nvary x in 1 2\nenv A = {{x}} {point} {repetition} {here}\n"};
    return k < (int)(sizeof texts / sizeof *texts) ? put(texts[k], to, room) : 0;
}

const FuzzKind fuzzStudy = {"study", always, oneStudy, seedStudy, 4000};

/* ---- definitions, rows of a sweep, summaries, texts that are printed --------------------------------------------- */

static bool eachColumn(void *context, const char *name, const char *type)
{
    int *const count = context;
    ++*count;
    return *name && strlen(name) < ukDefinitionName && strlen(type) <= 7;
}

static void plain(const char *text, size_t size)
{
    char *const copy = malloc(4 * size + 1), small[9];
    if (!copy) abort();
    const size_t length = ukPlainCopy(text, size, copy, 4 * size + 1);
    if (length > 4 * size || strlen(copy) != length || !ukPlainIs(copy, length)) abort();
    if (ukPlainCopy(text, size, small, sizeof small) != length || strlen(small) >= sizeof small) abort();
    if (!ukPlainIs(small, strlen(small))) abort();
    free(copy);
}

static void oneText(const uint8_t *data, size_t size)
{
    Summary summary;
    RowValue value;
    size_t at = 0;
    int columns = 0;
    char *const text = malloc(size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = 0;
    ukDefinitionTable(text, "body", eachColumn, &columns);
    ukDefinitionIndex(text);
    plain(text, size);
    summaryRead(text, &summary);
    const Text row = {.at = text, .size = size, .capacity = size + 1};
    while (rowNext(&row, &at, &value))
        if (value.type == RowText || value.type == RowBlob) plain(value.bytes, value.size);
    free(text);
}

static size_t seedText(int k, uint8_t *to, size_t room)
{
    static const char *const texts[] = {
        "CREATE TABLE body (body INTEGER PRIMARY KEY, world INTEGER, mass REAL, name TEXT, data BLOB)",
        "CREATE TABLE \"body\" (step INTEGER, \"b\" , PRIMARY KEY (step, b)) WITHOUT ROWID",
        "CREATE UNIQUE INDEX i ON body (step, \"b\")", "{\"steps\":12,\"simulated_seconds\":0.5,\"hash\":\"00ff\"}\n",
        "plain \xc3\xa9 \x1b[2J \xc2\x9b \xe2\x80\xae \xf0\x9f\x98\x80 \xff"};
    return k < (int)(sizeof texts / sizeof *texts) ? put(texts[k], to, room) : 0;
}

const FuzzKind fuzzText = {"text", always, oneText, seedText, 8000};
