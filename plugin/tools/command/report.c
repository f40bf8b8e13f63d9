/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/report.c: `ukode report`: a recording as one page, or what was found in it as text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/command/report.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/page/data.h"
#include "plugin/tools/page/page.h"
#include "plugin/tools/page/study_page.h"
#include "plugin/tools/sweep/store.h"
#include "plugin/tools/terminal/column.h"
#include "plugin/tools/terminal/limit.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/terminal/option.h"
#include "plugin/tools/terminal/output_file.h"

typedef struct Wish {
    const char *recording, *other, *page;
    const char *parting; /* from `other`, in words; NULL: not known */
    bool text, derived;  /* derived: the page's name is not the user's own */
    double rate;
} Wish;

static Wish asked; /* the options */

static const double usual_rate = 60; /* frames per second of simulated time */

typedef struct Report {
    ukReader recording, ghost;
    bool has_ghost;
    const char *parting;
    double rate;
    Findings findings;
} Report;

static bool writeData(FILE *file, void *context)
{
    Report *const report = context;
    char sound[200];
    fprintf(file, "\"findings\":");
    findingsWrite(file, &report->findings);
    findingsSound(&report->findings, sound, sizeof sound);
    fprintf(file, ",\"sound\":");
    columnWriteText(file, sound);
    if (report->parting) {
        fprintf(file, ",\"parting\":");
        columnWriteText(file, report->parting);
    }
    fprintf(file, ",");
    return pageDataWrite(file, &report->recording, report->has_ghost ? &report->ghost : NULL, report->rate);
}

static int writePage(Report *report, const char *path, bool derived)
{
    if (!pageReady()) return 1;
    FILE *const file = outputFileOpen(path, derived);
    bool good = file && pageWrite(file, "page.html", writeData, report);
    if (file) good = outputFileClose(file, path, good);
    if (good) return 0;
    return messageFail(1, "%s: %s", path,
                       report->recording.error[0] ? report->recording.error : outputFileFault(errno));
}

static int produceReport(Report *report, const Wish *wish)
{
    if (!findingsCollect(&report->recording, &report->findings))
        return messageFail(1, "%s", report->recording.error[0] ? report->recording.error : "no memory");
    findingsStore(&report->findings); /* where the file may be written */
    report->recording.error[0] = 0;
    if (wish->text) findingsPrint(stdout, &report->findings);
    return wish->page ? writePage(report, wish->page, wish->derived) : 0;
}

/* Reports why the first step of a recording without steps failed, as text; there is no page. */
static int makeRefused(Report *report, const Wish *wish)
{
    char none[sizeof report->recording.error];
    snprintf(none, sizeof none, "%s", report->recording.error);
    report->recording.error[0] = 0;
    const bool known = findingsCollect(&report->recording, &report->findings) && report->findings.count > 0;
    report->recording.error[0] = 0;
    if (known && wish->text) findingsPrint(stdout, &report->findings);
    if (known && !wish->page) return 0;
    return messageFail(1, "%s", none);
}

static int makeReport(const Wish *wish)
{
    Report r = {.has_ghost = wish->other != NULL, .parting = wish->parting, .rate = wish->rate};
    int status = 1;
    const int unwritable = wish->page && !wish->derived ? outputFileCheck(wish->page) : 0;
    if (unwritable != 0) return messageFail(1, "%s: %s", wish->page, outputFileFault(unwritable));
    if (!ukReaderOpen(&r.recording, wish->recording) || !ukReaderComplete(&r.recording)) {
        messagePrint("%s", r.recording.error);
        ukReaderClose(&r.recording);
        return 1;
    }
    if (!ukReaderHasSteps(&r.recording)) {
        status = makeRefused(&r, wish);
        findingsFree(&r.findings);
        ukReaderClose(&r.recording);
        return status;
    }
    if (wish->other && (!ukReaderOpen(&r.ghost, wish->other) || !ukReaderComplete(&r.ghost)))
        messagePrint("%s", r.ghost.error);
    else
        status = produceReport(&r, wish);
    findingsFree(&r.findings);
    if (wish->other) ukReaderClose(&r.ghost);
    ukReaderClose(&r.recording);
    return status;
}

int reportPage(const char *recording, const char *ghost, const char *page, const char *parting)
{
    return makeReport(
        &(Wish){.recording = recording, .other = ghost, .page = page, .parting = parting, .rate = usual_rate});
}

/* run.ukode -> run.html; NULL: no memory */
static char *pageBeside(const char *recording)
{
    const char *const slash = strrchr(recording, '/'), *const name = slash ? slash + 1 : recording;
    const char *const dot = strrchr(name, '.');
    const int stem = (int)(dot && dot > name ? dot - recording : (long)strlen(recording));
    char *page;
    return asprintf(&page, "%.*s.html", stem, recording) < 0 ? NULL : page;
}

/* Whether no option of a page of motion was given. false after a message, of which `why` is the reason. */
static bool withoutMotion(const char *why)
{
    const char *const option = asked.other ? "--ghost" : asked.rate > 0 ? "--rate" : NULL;
    return !option || messageFail(false, "%s does not apply: %s", option, why);
}

static int runReport(int argc, char **argv)
{
    Wish wish;
    if (!launchArguments(argc, argv, &commandReport, &asked.recording)) return ExitUsage;
    if (asked.text && !asked.page && !withoutMotion("--text without -o makes no page")) return ExitUsage;
    wish = asked;
    if (!(wish.rate > 0)) wish.rate = usual_rate;
    limitMemory(argc, argv);
    if (storeIs(wish.recording)) {
        if (!withoutMotion("the page of a sweep has no motion")) return ExitUsage;
        return studyPage(wish.recording, wish.page, wish.text);
    }
    char *const page = wish.page || wish.text ? NULL : pageBeside(wish.recording);
    if (page) wish.page = page, wish.derived = true;
    const int status = makeReport(&wish);
    if (page && status == 0) printf("%s\n", page);
    free(page);
    return status;
}

const Command commandReport = {
    .name = "report",
    .arguments = "RECORDING [-o PAGE.html] [--text] [--ghost RECORDING] [--rate HZ]",
    .purpose = "makes one page of a recording, usable offline: the motion, the forces, and faults of the model, most "
               "severe first; --text: the findings alone; for the database of a sweep, plots of all its runs",
    .options = (const Option[]){{.name = "-o",
                                 .other = "--output",
                                 .argument = "FILE",
                                 .text = &asked.page,
                                 .needs = "a file name",
                                 .help = "the page; default, without --text: RECORDING with the ending .html"},
                                OPTION_FLAG("--text", &asked.text, "the findings, on standard output"),
                                OPTION_TEXT("--ghost", "RECORDING", &asked.other, "a recording",
                                            "another run of the same program, drawn translucently"),
                                OPTION_NUMBER("--rate", "HZ", &asked.rate, 1e-9, 1e6, "a number > 0",
                                              "frames per second of simulated time; default: 60"),
                                {0}},
    .run = runReport,
};
