/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bridge/base/grow.h"
#include "bridge/base/plural.h"
#include "plugin/tools/compare/parting.h"
#include "plugin/tools/findings/findings.h"
#include "plugin/tools/terminal/message.h"

/* ---- the recordings of a run ------------------------------------------------------------------------------------- */

static bool noMemory(void)
{
    return messageFail(false, "no memory");
}

static bool addWorlds(Recorded *run, int file)
{
    ukReader *const r = run->file[file];
    for (Query q = queryBegin(r, "SELECT world FROM step GROUP BY world ORDER BY min(step)"); queryNext(&q);) {
        if (!ukArrayReserve(&run->world, sizeof *run->world, (size_t)run->worlds + 1, &run->world_capacity)) {
            queryEnd(&q);
            return noMemory();
        }
        run->world[run->worlds++] = (struct RecordedWorld){file, queryInteger(&q, 0)};
    }
    run->steps += fmax(queryOne(r, "SELECT count(*) FROM step"), 0);
    return true;
}

bool recordedOpen(Recorded *run, const char *path, bool numbered)
{
    char name[1100];
    run->selected = -1;
    for (int i = 1; (i == 1 || numbered) && ukReaderNumbered(path, i, name, sizeof name); i++) {
        if (numbered && access(name, F_OK) != 0) break;
        const bool space = ukArrayReserve(&run->file, sizeof *run->file, (size_t)i, &run->file_capacity);
        ukReader *const r = space ? malloc(sizeof *r) : NULL; /* which stays where it is while the list grows */
        if (!r) return noMemory();
        run->file[i - 1] = r;
        if (!ukReaderOpen(r, name) || !ukReaderComplete(r)) {
            messagePrint("%s", r->error);
            ukReaderClose(r);
            free(r);
            return false;
        }
        run->files = i;
        if (!addWorlds(run, i - 1)) return false;
    }
    return true;
}

ukReader *recordedSelect(Recorded *run, int i)
{
    const int file = run->world[i].file;
    bool good = true;
    if (run->selected != file) {
        if (run->selected >= 0) partitionEnd(&run->partition);
        run->selected = file;
        good = partitionBegin(&run->partition, run->file[file]);
    }
    return good && partitionSelect(&run->partition, run->world[i].world) ? run->file[file] : NULL;
}

bool recordedClose(Recorded *run)
{
    bool good = true;
    if (run->files > 0 && run->selected >= 0) partitionEnd(&run->partition);
    for (int i = 0; i < run->files; i++) {
        ukReader *const r = run->file[i];
        if (r->error[0]) messagePrint("%s", r->error);
        good = good && !r->error[0];
        ukReaderClose(r);
        free(r);
    }
    free(run->file);
    free(run->world);
    run->file = NULL;
    run->world = NULL;
    run->files = run->worlds = 0;
    return good;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void rowOf(const char *what, double native, double ours, const char *format)
{
    char x[32], y[32];
    snprintf(x, sizeof x, format, native);
    snprintf(y, sizeof y, format, ours);
    printf("  %-42s %14s %14s\n", what, x, y);
}

/* residuals: of ukode's steps alone */
static void residualRow(const char *what, const Course *x, double of_x, const Course *y, double of_y)
{
    char a[32] = "-", b[32] = "-";
    if (x->ours > 0) snprintf(a, sizeof a, "%.2g", of_x);
    if (y->ours > 0) snprintf(b, sizeof b, "%.2g", of_y);
    printf("  %-42s %14s %14s\n", what, a, b);
}

static void printCourses(const Course *x, const Course *y)
{
    rowOf("steps", x->steps, y->steps, "%.0f");
    rowOf("  of these by ukode", x->ours, y->ours, "%.0f");
    rowOf("  of these left to ODE by ukode", x->fallbacks, y->fallbacks, "%.0f");
    rowOf("simulated time [s]", x->time, y->time, "%.6g");
    rowOf("time per step, median [us]", 1e6 * x->median, 1e6 * y->median, "%.3g");
    rowOf("time per step, mean [us]", 1e6 * x->mean, 1e6 * y->mean, "%.3g");
    rowOf("time per step, worst [us]", 1e6 * x->worst, 1e6 * y->worst, "%.3g");
    rowOf("energy after the first step [J]", x->energy_first, y->energy_first, "%.8g");
    rowOf("energy after the last step [J]", x->energy_last, y->energy_last, "%.8g");
    rowOf("energy, highest minus lowest [J]", x->energy_highest - x->energy_lowest,
          y->energy_highest - y->energy_lowest, "%.3g");
    residualRow("Gauss check: largest scaled residual", x, x->residual, y, y->residual);
    residualRow("largest position error [m or rad]", x, x->position_error, y, y->position_error);
}

static void printCell(double x)
{
    if (isnan(x))
        printf(" %11s", "-");
    else
        printf(" %11.3g", x);
}

/* One line of the table of differences. */
typedef struct Line {
    int64_t number;
    double time;
    Difference d;
} Line;

/* after 1, 2, 5, 10, 20, 50, ... steps, and at the end of the shorter run, or where the runs are not alike any more */
typedef struct Lines {
    Line line[64];
    int count;
    int64_t due;
    bool ended; /* nothing comes after the last one */
    Line last;
} Lines;

static int64_t nextPrinted(int64_t due)
{
    int64_t power = 1;
    while (power * 10 <= due) power *= 10;
    return due < 2 * power ? 2 * power : due < 5 * power ? 5 * power : 10 * power;
}

static void takeLine(Lines *l, const Walk *x, const Difference *d)
{
    l->last = (Line){x->number, x->time, *d};
    if (l->ended || (x->number < l->due && d->alike)) return;
    if (l->count < (int)(sizeof l->line / sizeof *l->line) - 1) l->line[l->count++] = l->last;
    while (l->due <= x->number) l->due = nextPrinted(l->due);
    l->ended = !d->alike;
}

static void printLines(Lines *l)
{
    printf("\n  largest difference of the two runs at the same step\n");
    printf("  %8s %9s %11s %11s %11s %11s %11s %11s\n", "step", "time", "position", "orientation", "velocity", "energy",
           "reaction", "of (load)");
    printf("  %8s %9s %11s %11s %11s %11s %11s %11s\n", "", "[s]", "[m]", "[rad]", "[m/s]", "[J]", "[N]", "[N]");
    if (!l->ended && l->last.number > (l->count > 0 ? l->line[l->count - 1].number : 0)) l->line[l->count++] = l->last;
    for (int i = 0; i < l->count; i++) {
        const Difference *const d = &l->line[i].d;
        printf("  %8lld %9.4g", (long long)l->line[i].number, l->line[i].time);
        const double cells[] = {d->position, d->orientation, d->velocity, d->energy, d->reaction, d->load};
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) printCell(cells[k]);
        printf("%s\n", d->alike ? "" : "  (the bodies or joints differ)");
    }
}

/* ---- a world of both runs ---------------------------------------------------------------------------------------- */

typedef struct Both {
    Walk x, y;
    Parting parting;
    Lines lines;
} Both;

/* Advances both walks to the next step of which both have states. */
static bool comparisonNext(Walk *x, Walk *y)
{
    if (!walkNext(x) || !walkNext(y)) return false;
    while (x->number != y->number)
        if (!walkNext(x->number < y->number ? x : y)) return false;
    return true;
}

static void writeCsv(FILE *csv, int world, const Both *b, const Difference *d)
{
    fprintf(csv, "%d,%lld,%.9g,%.6g,%.6g,%.6g,%.6g,%.6g,%.12g,%.12g,%.3g,%.3g\n", world, (long long)b->x.number,
            b->x.time, d->position, d->orientation, d->velocity, d->reaction, d->load, b->x.energy, b->y.energy,
            b->x.seconds, b->y.seconds);
}

static void walkBoth(Both *b, const char *where, FILE *csv, int number)
{
    b->lines.due = 1;
    while (comparisonNext(&b->x, &b->y)) {
        const Difference d = differenceOf(&b->x, &b->y);
        partingTake(&b->parting, &b->x, &b->y, &d, where);
        takeLine(&b->lines, &b->x, &d);
        if (csv) writeCsv(csv, number, b, &d);
    }
}

static void compareWorld(Recorded *x, Recorded *y, int i, FILE *csv, char *text, size_t size)
{
    ukReader *const reader[] = {recordedSelect(x, i), recordedSelect(y, i)};
    const int64_t world[] = {x->world[i].world, y->world[i].world};
    if (!reader[0] || !reader[1]) return;
    const Course a = courseOf(reader[0], world[0]), b = courseOf(reader[1], world[1]);
    Both *const both = calloc(1, sizeof *both);
    if (!both) return;
    if (walkBegin(&both->x, reader[0], world[0]) && walkBegin(&both->y, reader[1], world[1]))
        walkBoth(both, x->where, csv, i + 1);
    partingDescribe(&both->parting, x->where, text, size);
    printf("\nworld %d: %.0f bod%s at first\n  %s\n\n  %-42s %14s %14s\n", i + 1, a.bodies, a.bodies == 1 ? "y" : "ies",
           text, "", x->name, y->name);
    printCourses(&a, &b);
    rowOf("largest gap of a joint's anchors [m]", findingsWidestGap(reader[0], world[0]),
          findingsWidestGap(reader[1], world[1]), "%.2g");
    printLines(&both->lines);
    walkEnd(&both->x);
    walkEnd(&both->y);
    free(both);
}

void comparisonPrint(Recorded *x, Recorded *y, FILE *csv, char *parting, size_t size)
{
    const int worlds = x->worlds < y->worlds ? x->worlds : y->worlds;
    if (csv)
        fprintf(csv,
                "world,step,time,position,orientation,velocity,reaction,load,energy_%s,energy_%s,seconds_%s,"
                "seconds_%s\n",
                x->name, y->name, x->name, y->name);
    for (int i = 0; i < worlds; i++) {
        char text[1300] = "";
        compareWorld(x, y, i, csv, text, sizeof text);
        if (i == 0) snprintf(parting, size, "%s", text);
    }
    if (x->worlds != y->worlds)
        printf("\n%d world%s stepped %s, %d %s: the others have no counterpart\n", x->worlds, ukPlural(x->worlds),
               x->where, y->worlds, y->where);
}
