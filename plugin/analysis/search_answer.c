/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/search_answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/log.h"
#include "bridge/base/plural.h"
#include "bridge/base/progress.h"
#include "bridge/island/stepper.h"
#include "bridge/step/evaluate.h"
#include "plugin/analysis/motion_table.h"
#include "plugin/analysis/preserve.h"
#include "plugin/analysis/search.h"
#include "plugin/analysis/target_list.h"
#include "solvers/base/status.h"

/* ---- what searches have in common -------------------------------------------------------------------------------- */

static void labelOf(const ukWorld *world, dJointID joint, char *label, size_t size)
{
    snprintf(label, size, "a user constraint");
    for (const ukJoint *j = world->oldest_joint; j && joint; j = j->newer)
        if (j->handle == joint) ukSignalJointLabel(j, label, size);
}

static void bodyLabelOf(const ukWorld *world, dBodyID body, char *label, size_t size)
{
    snprintf(label, size, "-");
    for (const ukBody *b = world->oldest_body; b && body; b = b->newer)
        if (b->handle == body) ukBodyLabel(b, label, size);
}

static void putPoses(FILE *json, const ukWorld *world, const dBodyID *body, const dReal *x, const dReal *q, int count)
{
    char label[64];
    fputs(",\n\"bodies\":[", json);
    for (int k = 0; k < count; k++) {
        bodyLabelOf(world, body[k], label, sizeof label);
        fputs(k > 0 ? ",\n {\"name\":" : "\n {\"name\":", json);
        ukAnswerPutString(json, label);
        fputs(",\"position\":", json);
        ukAnswerPutVector(json, x + 3 * k, 3);
        fputs(",\"orientation\":", json);
        ukAnswerPutVector(json, q + 4 * k, 4);
        putc('}', json);
    }
    putc(']', json);
}

static void writePosesTable(FILE *table, const ukWorld *world, const dBodyID *body, const dReal *x, const dReal *q,
                            int count)
{
    char label[64];
    fprintf(table, "\n%-20s %12s %12s %12s  %9s %9s %9s %9s\n", "body", "x [m]", "y", "z", "w", "x", "y", "z");
    for (int k = 0; k < count; k++, x += 3, q += 4) {
        bodyLabelOf(world, body[k], label, sizeof label);
        fprintf(table, "%-20s %12.6g %12.6g %12.6g  %9.6f %9.6f %9.6f %9.6f\n", label, x[0], x[1], x[2], q[0], q[1],
                q[2], q[3]);
    }
}

/* ---- assembly ---------------------------------------------------------------------------------------------------- */

static void tableAssembly(const ukAnswerOf *a, const ukAssembly *found, int targets)
{
    FILE *const table = ukAnswerOpen(a, "table.txt");
    char label[64];
    if (!table) return;
    if (found->met)
        fprintf(table, "assembled at %.6g s: gap %.3g, %d row%s of rank %d, %d motion%s left\n", a->time, found->gap,
                found->rows, ukPlural(found->rows), found->rank, found->freedoms, ukPlural(found->freedoms));
    if (found->met && targets > 0)
        fprintf(table, found->targets_met ? "%d target%s reached\n" : "%d target%s not reached: error %.6g m in all\n",
                targets, ukPlural(targets), found->target_error);
    if (!found->met)
        fprintf(table, "at %.6g s the joints cannot all be satisfied; these contradict each other:\n\n", a->time);
    for (int i = 0; i < found->contradictions; i++) {
        labelOf(a->world, found->contradiction[i].joint, label, sizeof label);
        fprintf(table, "%-20s error %.6g m or rad where the joints are satisfied best\n", label,
                found->contradiction[i].error);
    }
    writePosesTable(table, a->world, found->bodies, found->positions, found->orientations, found->count);
    fclose(table);
}

int ukSearchAssembly(ukAnswerOf *a, const char *targets)
{
    ukAssembly found;
    ukTargetList list;
    char label[64];
    int status = ukTargetListRead(a->world, targets, &list);
    if (status == ukOk) status = ukSearchPoses(a->world, list.target, list.count, &found);
    FILE *const json = status == ukOk ? ukAnswerBegin(a, "assembly") : NULL;
    if (!json) return status;
    fprintf(json,
            ",\"met\":%d,\"targets_met\":%d,\"target_error\":%.17g,\"gap\":%.17g,\"rows\":%d,\"rank\":%d,"
            "\"freedoms\":%d,\"starts\":%d,\"passes\":%d,\n\"contradiction\":[",
            found.met, found.targets_met, found.target_error, found.gap, found.rows, found.rank, found.freedoms,
            found.starts, found.passes);
    for (int i = 0; i < found.contradictions; i++) {
        labelOf(a->world, found.contradiction[i].joint, label, sizeof label);
        fputs(i > 0 ? ",{\"joint\":" : "{\"joint\":", json);
        ukAnswerPutString(json, label);
        fprintf(json, ",\"error\":%.17g}", found.contradiction[i].error);
    }
    putc(']', json);
    putPoses(json, a->world, found.bodies, found.positions, found.orientations, found.count);
    fputs("}\n", json);
    fclose(json);
    a->moved = found.met;
    a->unmet = !found.met || (list.count > 0 && !found.targets_met);
    tableAssembly(a, &found, list.count);
    return ukOk;
}

/* ---- equilibrium ------------------------------------------------------------------------------------------------- */

static void tableEquilibrium(const ukAnswerOf *a, const ukEquilibrium *e)
{
    FILE *const table = ukAnswerOpen(a, "table.txt");
    char label[64];
    if (!table) return;
    if (e->found)
        fprintf(table, "equilibrium from the state at %.6g s: %s, %d motion%s, %d unstable, %d neutral\n", a->time,
                e->stable ? "stable" : "not stable", e->freedoms, ukPlural(e->freedoms), e->unstable, e->neutral);
    else if (e->gap > 1e-6) {
        fprintf(table,
                "no equilibrium found from the state at %.6g s: its joints cannot all be satisfied (gap %.3g m; ukode "
                "assemble names those that contradict)\n",
                a->time, e->gap);
    } else {
        bodyLabelOf(a->world, e->unbalanced, label, sizeof label);
        fprintf(table,
                "no equilibrium found from the state at %.6g s: a fraction of %.3g of the forces is unbalanced, most "
                "on %s\n",
                a->time, e->residual, label);
    }
    writePosesTable(table, a->world, e->bodies, e->positions, e->orientations, e->count);
    fprintf(table, "\n%-20s %12s %12s %12s  %12s %12s %12s\n", "carried by", "force x [N]", "y", "z", "torque x", "y",
            "z");
    for (int i = 0; i < e->carriers; i++) {
        const ukCarried *const c = e->carried + i;
        const dReal *f = c->force[0];
        labelOf(a->world, c->joint, label, sizeof label);
        for (int k = 0; k < 6 && c->force[0][k] == 0; k++)
            if (k == 5) f = c->force[1]; /* of its only body */
        fprintf(table, "%-20s %12.6g %12.6g %12.6g  %12.6g %12.6g %12.6g%s%s\n", label, f[0], f[1], f[2], f[3], f[4],
                f[5], c->unique ? "" : "  (arbitrary share)", c->at_bound ? "  (at a bound)" : "");
    }
    fclose(table);
}

int ukSearchEquilibrium(ukAnswerOf *a)
{
    ukEquilibrium e;
    char label[64];
    const int status = ukSearchBalance(a->world, 0, &e);
    FILE *const json = status == ukOk ? ukAnswerBegin(a, "equilibrium") : NULL;
    if (!json) return status;
    fprintf(
        json,
        ",\"found\":%d,\"residual\":%.17g,\"gap\":%.17g,\"passes\":%d,\"freedoms\":%d,\"stable\":%d,\"unstable\":%d,"
        "\"neutral\":%d,\"softest\":%.17g,\"conservative\":%d,\n\"carried\":[",
        e.found, e.residual, e.gap, e.passes, e.freedoms, e.stable, e.unstable, e.neutral, e.softest, e.conservative);
    for (int i = 0; i < e.carriers; i++) {
        labelOf(a->world, e.carried[i].joint, label, sizeof label);
        fputs(i > 0 ? ",\n {\"joint\":" : "\n {\"joint\":", json);
        ukAnswerPutString(json, label);
        fputs(",\"force\":", json);
        ukAnswerPutVector(json, e.carried[i].force[0], 12);
        fprintf(json, ",\"unique\":%d,\"at_bound\":%d}", e.carried[i].unique, e.carried[i].at_bound);
    }
    putc(']', json);
    putPoses(json, a->world, e.bodies, e.positions, e.orientations, e.count);
    fputs("}\n", json);
    fclose(json);
    a->moved = e.found;
    a->unmet = !e.found;
    tableEquilibrium(a, &e);
    return ukOk;
}

/* ---- inverse dynamics -------------------------------------------------------------------------------------------- */

/* Computes the accelerations of all bodies at the present state, in the order of creation. */
static int presentAccelerations(ukWorld *world, dReal *acceleration)
{
    ukPreserved preserved;
    int status = ukPreserveBegin(&preserved, world);
    if (status == ukOk) status = ukEvaluateWorld(world, false);
    if (status == ukOk) {
        const ukStepper *const s = world->stepper;
        int k = 0;
        for (const ukBody *b = world->oldest_body; b; b = b->newer, k++)
            for (int i = 0; i < s->moving_count; i++)
                if (s->bodies.frame[i]->body == b)
                    memcpy(acceleration + 6 * k, s->bodies.qdd + 6 * (size_t)i, 6 * sizeof *acceleration);
    }
    return ukPreserveEnd(&preserved, status);
}

static int refuseWeights(int count)
{
    return ukErrorSet(ukErrorArgument, "--weights: the number of actuators is %d; each needs one weight > 0", count);
}

static int readWeights(const char *text, int count, dReal *weight)
{
    for (int k = 0; k < count; k++) {
        char *end = (char *)text;
        weight[k] = *text ? strtod(text, &end) : 1;
        if (*text && (end == text || (*end && *end != ','))) break;
        text = *end == ',' ? end + 1 : end;
        if (k < count - 1 && !*text && end != text) break;
        if (k == count - 1 && !*text) return ukOk;
    }
    if (count == 0) return ukOk;
    return refuseWeights(count);
}

/* A quotation mark within a name is doubled: it does not end the field. */
static void putQuoted(FILE *csv, const char *text)
{
    putc('"', csv);
    for (; *text; text++) {
        if (*text == '"') putc('"', csv);
        putc(*text, csv);
    }
    putc('"', csv);
}

static void putRow(const ukAnswerOf *a, const ukSignalList *list, const dReal *u, const ukInverse *found, bool first)
{
    FILE *const csv = ukAnswerAppend(a, "forces.csv"), *const table = ukAnswerAppend(a, "table.txt");
    char label[64];
    if (csv && table) {
        for (int k = -1; k <= list->count && first; k++) {
            const char *const name = k < 0 ? "time" : k < list->count ? list->name[k] : "residual";
            if (k >= 0) putc(',', csv);
            putQuoted(csv, name);
            if (k >= 0 && k < list->count) fprintf(table, "%d: %s\n", k + 1, name);
        }
        fprintf(csv, first ? "\n%.17g" : "%.17g", a->time);
        fprintf(table, "%10.6g s:", a->time);
        for (int k = 0; k < list->count; k++) fprintf(csv, ",%.17g", u[k]), fprintf(table, " %12.6g", u[k]);
        fprintf(csv, ",%.17g\n", found->residual);
        bodyLabelOf(a->world, found->worst, label, sizeof label);
        if (!found->met)
            fprintf(table, "  a fraction of %.3g of the forces is missing, most on %s", found->residual, label);
        putc('\n', table);
    }
    if (csv) fclose(csv);
    if (table) fclose(table);
}

/* Adds the row to answer.json, which is complete after every call. */
static void putRowJson(const ukAnswerOf *a, const ukSignalList *list, const dReal *u, const ukInverse *found,
                       bool first)
{
    static const char end[] = "]}\n";
    FILE *const json = first ? ukAnswerBegin(a, "inverse") : ukAnswerAgain(a, "answer.json");
    if (!json) return;
    if (first) {
        fputs(",\n\"actuators\":[", json);
        for (int k = 0; k < list->count; k++) {
            if (k > 0) putc(',', json);
            ukAnswerPutString(json, list->name[k]);
        }
        fputs("],\n\"steps\":[\n", json);
    } else {
        fseek(json, -(long)(sizeof end - 1), SEEK_END);
        fputs(",\n", json);
    }
    fprintf(json, "{\"time\":%.17g,\"met\":%d,\"residual\":%.17g,\"forces\":", a->time, found->met, found->residual);
    ukAnswerPutVector(json, u, list->count);
    fprintf(json, "}%s", end);
    fclose(json);
}

int ukSearchInverse(const ukAnswerOf *a, const ukInverseRequest *request)
{
    ukSignalList list;
    ukInverse found;
    int status = ukSignalListRead(a->world, request->actuators, true, &list);
    if (status != ukOk) return status;
    const size_t bodies = (size_t)a->world->body_count, count = (size_t)list.count;
    dReal *const x = calloc(6 * bodies + 2 * count + 1, sizeof *x);
    if (!x) return ukErrorMemory;
    dReal *const u = x + 6 * bodies, *const weight = u + count;
    status = readWeights(request->weights, list.count, weight);
    for (int k = 0; k < list.count && status == ukOk; k++)
        if (list.signal[k].kind == ukSignalMotorVelocity) {
            status = ukErrorArgument;
            ukErrorSet(status, "'%s' is a motor's velocity, not a force: choose joint forces, user forces or actuators",
                       list.name[k]);
        }
    for (int k = 0; k < list.count && status == ukOk; k++)
        if (!(weight[k] > 0 && weight[k] < HUGE_VAL)) status = refuseWeights(list.count);
    if (status == ukOk && request->acceleration)
        memcpy(x, request->acceleration, 6 * bodies * sizeof *x);
    else if (status == ukOk)
        status = presentAccelerations(a->world, x);
    if (status == ukOk)
        status = ukSearchForces(a->world, &(ukForceSearch){list.signal, list.count, weight, x}, u, &found);
    if (status == ukOk) putRow(a, &list, u, &found, request->first), putRowJson(a, &list, u, &found, request->first);
    free(x);
    return status;
}

static int inverseRows(const ukAnswerOf *a, ukMotionTable *table, const ukInverseRequest *request)
{
    dReal *const acceleration = calloc(6 * (size_t)table->bodies + 1, sizeof *acceleration);
    int status = acceleration ? ukMotionTableFollow(table, a->world, a->h) : ukErrorMemory;
    for (int row = 0; row < table->rows && status == ukOk; row++) {
        ukAnswerOf at = *a;
        ukInverseRequest each = *request;
        at.time = table->time[row];
        each.acceleration = acceleration, each.first = row == 0;
        ukProgressStore(ukProgressForces, at.time, table->time[table->rows - 1]);
        ukMotionTablePlace(table, a->world, row, acceleration);
        status = ukSearchInverse(&at, &each);
    }
    free(acceleration);
    return status;
}

int ukSearchInverseTable(const ukAnswerOf *a, const char *motion, const ukInverseRequest *request)
{
    ukMotionTable table;
    ukPreserved preserved;
    int status = ukMotionTableRead(&table, a->world, motion);
    if (status == ukOk) {
        status = ukPreserveBegin(&preserved, a->world);
        if (status == ukOk) status = inverseRows(a, &table, request);
        status = ukPreserveEnd(&preserved, status);
    }
    ukMotionTableEnd(&table);
    return status;
}
