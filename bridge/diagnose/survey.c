/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge/diagnose/survey.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "bridge/base/log.h"
#include "bridge/base/output.h"
#include "bridge/diagnose/diagnose.h"
#include "bridge/joints/class.h"
#include "bridge/joints/idle.h"
#include "bridge/user/constraint.h"
#include "bridge/world/registry.h"
#include "solvers/base/status.h"

/* steps that a world must stay as it is; rows up to which a dense decomposition takes no noticeable time */
enum { Settled = 10, MostRows = 600 };

static ukOutput output;
static atomic_int worlds;

void ukSurveyOpen(const char *path)
{
    ukOutputOpen(&output, path);
}

static void printSurvey(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void printSurvey(FILE *file, const char *format, ...)
{
    char line[240];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ukLog("%s", line);
    if (file) fprintf(file, "%s\n", line);
}

static const char *surveyNameOf(const ukJointDiagnosis *d, char name[64])
{
    const ukJoint *joint = d->joint ? ukRegistryJoint(d->joint) : NULL;
    const unsigned long long serial = joint ? joint->serial : ukConstraintOf(d->constraint)->element.serial;
    snprintf(name, 64, "%s %s %llu", joint ? joint->class->name : "user", joint ? "joint" : "constraint", serial);
    return name;
}

static void sayJoint(FILE *file, const ukJointDiagnosis *d)
{
    static const char *const components[6] = {"force x", "force y", "force z", "torque x", "torque y", "torque z"};
    char name[64], free[128] = "";
    size_t used = 0;
    if (d->redundant_rows == 0 && d->unique) return;
    for (int c = 0; c < 6; c++)
        if (!d->unique_component[c])
            used += (size_t)snprintf(free + used, sizeof free - used, "%s%s", used ? ", " : ": ", components[c]);
    printSurvey(file, "  %s: %d of %d rows redundant; reaction %s%s", surveyNameOf(d, name), d->redundant_rows, d->rows,
                d->unique ? "unique" : "not unique", free);
}

static void sayInConflict(FILE *file, const ukJointDiagnosis *d)
{
    char name[64];
    if (d->in_conflict) printSurvey(file, "    %s", surveyNameOf(d, name));
}

/* Prints the joints in the order of their creation, which is not ODE's order of assembly. */
static void eachJoint(const ukWorld *world, FILE *file, const ukDiagnosis *d,
                      void (*print)(FILE *, const ukJointDiagnosis *))
{
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer)
        for (int i = 0; i < d->count; i++)
            if (j->handle && d->joints[i].joint == j->handle) print(file, &d->joints[i]);
    for (const ukElement *e = world->oldest_element; e; e = e->newer)
        for (int i = 0; i < d->count; i++)
            if (d->joints[i].constraint && d->joints[i].constraint == e->handle) print(file, &d->joints[i]);
}

static void sayDiagnosis(const ukWorld *world, FILE *file, const ukDiagnosis *d)
{
    static const char *const kinds[] = {"", "positions", "rates", "accelerations"};
    static const char *const units[] = {"", "", "/s", "/s^2"};
    if (d->rank < d->rows)
        printSurvey(file, "  %d of %d rows are redundant; singular values: largest %.3g, least kept %.3g, next %.2g",
                    d->rows - d->rank, d->rows, d->largest, d->kept, d->dropped);
    else if (d->rows > 0)
        printSurvey(file, "  every reaction is unique; singular values: largest %.3g, least %.3g", d->largest, d->kept);
    eachJoint(world, file, d, sayJoint);
    if (d->conflict == ukConflictNone) return;
    printSurvey(file, "  conflict: these joints contradict each other in %s by %.6g %s%s:", kinds[d->conflict],
                d->conflict_size, d->conflict_is_angle ? "rad" : "m", units[d->conflict]);
    eachJoint(world, file, d, sayInConflict);
}

/* the number of joints without contacts, and an upper bound on the number of their rigid rows */
static int countJoints(const ukWorld *world, int *rows, int *constraints)
{
    int count = 0;
    *rows = *constraints = 0;
    for (const ukJoint *j = world->oldest_joint; j; j = j->newer) {
        if (ukIsContact(j)) continue;
        count++;
        *rows += j->class->max_rows;
    }
    for (const ukElement *e = world->oldest_element; e; e = e->newer) {
        if (e->is_force) continue;
        ++*constraints;
        *rows += ((const struct ukConstraint *)e)->rows;
    }
    return count;
}

static void sayIdle(void *file, const char *text)
{
    printSurvey(file, "  without effect: %s", text);
}

static void surveyWorld(ukWorld *world, FILE *file)
{
    int bound, constraints;
    const int count = countJoints(world, &bound, &constraints);
    ukDiagnosis d = {.rows = 0};
    const int status = bound <= MostRows ? ukDiagnose(world, &d) : ukOk;
    printSurvey(file, "world %d at %.6g s: bodies %d, joints %d, user constraints %d, rigid rows %s%d%s%.0d",
                world->survey.number, world->settings.time, world->body_count, count, constraints,
                bound <= MostRows ? "" : "up to ", bound <= MostRows ? d.rows : bound,
                status == ukOk && d.rows > 0 ? ", rank " : "", d.rank);
    if (status != ukOk)
        printSurvey(file, "  no diagnosis: %s", ukErrorMessage());
    else if (bound > MostRows)
        printSurvey(file, "  more than %d rows are not diagnosed here: call ukWorldDiagnose", MostRows);
    else
        sayDiagnosis(world, file, &d);
    ukIdleEach(world, sayIdle, file);
}

/* Text that is printed to the file, also if a user function throws. */
typedef struct Page {
    FILE *file; /* NULL: for the log alone */
    char *text;
    size_t size;
} Page;

static void deliverPage(Page *page)
{
    if (page->file && fclose(page->file) == 0) ukOutputAppend(&output, page->text, page->size);
    free(page->text);
}

void ukSurveyStep(ukWorld *world)
{
    if (!ukOutputWanted(&output) && !ukLogIsVerbose()) return;
    if (world->survey.number == 0) world->survey.number = atomic_fetch_add(&worlds, 1) + 1;
    world->survey.still = world->changes == world->survey.seen ? world->survey.still + 1 : 0;
    world->survey.seen = world->changes;
    if (world->survey.printed == world->changes || (world->survey.printed != 0 && world->survey.still < Settled))
        return;
    world->survey.printed = world->changes;
    __attribute__((cleanup(deliverPage))) Page page = {.text = NULL};
    if (ukOutputWanted(&output)) page.file = open_memstream(&page.text, &page.size);
    surveyWorld(world, page.file);
}
