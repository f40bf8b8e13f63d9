/* SPDX-License-Identifier: BSD-3-Clause */
/* plugin/tools/command/verify.c: `ukode verify`: re-checks every step of a recording with independent code. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/plural.h"
#include "plugin/tools/launch/command.h"
#include "plugin/tools/launch/launch.h"
#include "plugin/tools/terminal/limit.h"
#include "plugin/tools/terminal/message.h"
#include "plugin/tools/verify/file.h"

typedef struct Options {
    double tolerance;
    const char *path;
    bool all;         /* every step must have equations */
    long most, found; /* reasons to print, and found */
} Options;

static Options options = {.tolerance = 1e-9, .most = 10};

static void printReason(void *context, long long step, const char *why)
{
    (void)context;
    if (options.found++ >= options.most) return;
    if (step > 0)
        printf("step %lld: %s\n", step, why);
    else
        printf("%s\n", why);
}

static void printEnd(const Verdict *v)
{
    const EndResidual *end = &v->end;
    if (v->ends == 0) return; /* an older format, or the continuous form */
    printf("    velocities at the end            %.2g\n", end->velocity);
    printf("    poses at the end                 %.2g\n", end->pose);
    if (v->split > 0)
        printf("    split corrections                %.2g\n",
               fmax(end->right_side_error, fmax(end->motion, end->rows)));
}

static void printCount(long long steps, const char *what)
{
    if (steps > 0) printf("  %lld step%s %s\n", steps, ukPlural((double)steps), what);
}

static void printOthers(const Verdict *v)
{
    if (v->uncoupled > 0)
        printf("  %lld step%s exact for the friction bounds, which differ from the law's by up to %.2g\n", v->uncoupled,
               ukPlural((double)v->uncoupled), v->residual.uncoupled);
    printCount(v->softened, "exact for rows that were softened or reconciled");
    if (v->reconciled > 0)
        printf("  %lld step%s with split corrections that contradict one another, by up to %.2g, satisfied in the "
               "least-squares sense\n",
               v->reconciled, ukPlural((double)v->reconciled), v->end.reconciled);
    printCount(v->continuous, "in the continuous form: equations at the end; the integration is not verified");
    printCount(v->older, "in an older format, which has neither velocities, poses nor split corrections");
    printCount(v->incomplete, "without all equations: for the missing ones only the seal was verified");
    printCount(v->still, "in which no body was awake: sealed, without equations");
    printCount(v->native, "by ODE's own stepper: sealed, without equations");
    printCount(v->unsealed, "after the last seal were skipped: the recording is truncated");
}

static void printResiduals(const Verdict *v)
{
    const Residual *r = &v->residual;
    printf("  largest residual, tolerance %.2g\n", options.tolerance);
    printf("    equations of motion              %.2g\n", r->motion);
    printf("    constraints                      %.2g\n", r->rows);
    printf("    forces and their bounds          %.2g\n", r->complementarity);
    printf("    bounds and the friction law      %.2g\n", fmax(r->law, r->first_phase));
    printEnd(v);
    printf("  distance from the exact acceleration, at most\n");
    printf("    %.2g m/s^2, %.2g rad/s^2; Gauss's function %.2g N m/s^2 above its minimum\n", v->distance.linear,
           v->distance.angular, v->distance.excess);
    if (v->distance.shift > 0)
        printf("    for right-hand sides changed by up to %.2g of the magnitudes in their rows\n", v->distance.shift);
}

static void printVerdict(const Verdict *v)
{
    if (options.found > options.most) printf("... and %ld more\n", options.found - options.most);
    printf("%lld step%s, %lld with equations: %lld island%s, %lld row%s\n", v->steps, ukPlural((double)v->steps),
           v->checked, v->islands, ukPlural((double)v->islands), v->rows, ukPlural((double)v->rows));
    if (v->checked > 0) printResiduals(v);
    printOthers(v);
}

static bool requireCertificates(ukReader *reader)
{
    sqlite3_stmt *const query = ukReaderAsk(reader, "SELECT count(*) FROM seal_table");
    const bool any = query && ukReaderNext(reader, query) && ukSql.column_int64(query, 0) > 0;
    ukReaderDone(query);
    if (!any && !reader->error[0])
        snprintf(reader->error, sizeof reader->error, "%.200s: it has no certificates: record with --certificates",
                 reader->path);
    return any;
}

/* The last line claims no more than was checked. */
static bool concludeVerify(const Verdict *v)
{
    const bool good = options.found == 0 && v->verified == v->steps, whole = v->checked == v->steps;
    if (good && v->checked == 0 && v->steps > 0)
        printf("no step was checked, since none has equations; the seals hold");
    else if (whole || !good)
        printf("%lld of %lld steps are verified", v->verified, v->steps);
    else
        printf("%lld of %lld steps are verified; of the others only the seals", v->checked, v->steps);
    printf("%s\n", v->tables ? "" : "; the seals of the tables without steps are broken");
    if (options.all && good && !whole)
        messagePrint("%s: %lld step%s without all equations (--all)", options.path, v->steps - v->checked,
                     ukPlural((double)(v->steps - v->checked)));
    return good && (whole || !options.all);
}

static int runVerify(int argc, char **argv)
{
    ukReader reader;
    Verdict verdict;
    if (!launchArguments(argc, argv, &commandVerify, &options.path)) return ExitUsage;
    limitMemory(argc, argv);
    bool good = ukReaderOpen(&reader, options.path);
    if (good) {
        good = ukReaderHasSteps(&reader) && requireCertificates(&reader) &&
               verifyFile(&reader, options.tolerance, printReason, NULL, &verdict);
        ukReaderClose(&reader);
    }
    if (!good) return messageFail(1, "%s", reader.error);
    printVerdict(&verdict);
    return concludeVerify(&verdict) ? 0 : 1;
}

const Command commandVerify = {
    .name = "verify",
    .arguments = "[--all] [--tolerance R] [--reasons N] RECORDING",
    .purpose = "re-checks, with independent code, every step that has a certificate",
    .options = (const Option[]){OPTION_FLAG("--all", &options.all, "fail if a step does not have all of its equations"),
                                OPTION_NUMBER("--tolerance", "R", &options.tolerance, 1e-300, 1e300,
                                              "a positive number", "tolerance of the scaled residuals; default: 1e-9"),
                                OPTION_WHOLE("--reasons", "N", &options.most, 1, 1e15, "a positive number",
                                             "number of failed steps to print; default: 10"),
                                {0}},
    .run = runVerify,
};
