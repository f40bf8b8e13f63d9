/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/answer.h"

#include <math.h>
#include <stdio.h>

#include "bridge/base/log.h"
#include "bridge/base/plural.h"
#include "bridge/joints/class.h"
#include "bridge/joints/getters.h"

static const double pi = 3.141592653589793;

static FILE *openAs(const ukAnswerOf *a, const char *name, const char *mode)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", a->folder, name);
    return fopen(path, mode);
}

FILE *ukAnswerOpen(const ukAnswerOf *a, const char *name)
{
    return openAs(a, name, "we");
}

FILE *ukAnswerAppend(const ukAnswerOf *a, const char *name)
{
    return openAs(a, name, "ae");
}

FILE *ukAnswerAgain(const ukAnswerOf *a, const char *name)
{
    return openAs(a, name, "r+e");
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

void ukAnswerPutString(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') putc('\\', file);
        if (c < 0x20 || c == '<') /* the text may become part of a page */
            fprintf(file, "\\u%04x", c);
        else
            putc(c, file);
    }
    putc('"', file);
}

static void putNumber(FILE *file, double x)
{
    if (isfinite(x))
        fprintf(file, "%.17g", x);
    else
        fputs("null", file);
}

void ukAnswerPutVector(FILE *file, const double *x, int count)
{
    putc('[', file);
    for (int i = 0; i < count; i++) {
        if (i > 0) putc(',', file);
        putNumber(file, x[i]);
    }
    putc(']', file);
}

void ukAnswerPutMatrix(FILE *file, const char *name, const double *x, int rows, int columns)
{
    fprintf(file, ",\n\"%s\":[", name);
    for (int i = 0; i < rows; i++) {
        if (i > 0) fputs(",\n ", file);
        ukAnswerPutVector(file, x + (size_t)i * (size_t)columns, columns);
    }
    putc(']', file);
}

/* edges of the box with this body's inertia */
static void boxOf(dBodyID body, double edge[3])
{
    dMass mass;
    dBodyGetMass(body, &mass);
    const double I[3] = {mass.I[0], mass.I[5], mass.I[10]}, sum = I[0] + I[1] + I[2];
    for (int i = 0; i < 3; i++) edge[i] = sqrt(fmax(0, 6 * (sum - 2 * I[i]) / mass.mass));
}

/* the world as a picture needs it: bodies in the order of creation, joints with their anchors */
static void putWorld(FILE *file, const ukAnswerOf *a)
{
    char label[64];
    bool first = true;
    fputs(",\n\"bodies\":[", file);
    for (const ukBody *b = a->world->oldest_body; b; b = b->newer) {
        if (!b->handle) continue;
        double edge[3];
        boxOf(b->handle, edge);
        ukBodyLabel(b, label, sizeof label);
        fputs(first ? "\n {\"name\":" : ",\n {\"name\":", file);
        first = false;
        ukAnswerPutString(file, label);
        fputs(",\"position\":", file);
        ukAnswerPutVector(file, dBodyGetPosition(b->handle), 3);
        fputs(",\"orientation\":", file);
        ukAnswerPutVector(file, dBodyGetQuaternion(b->handle), 4);
        fputs(",\"box\":", file);
        ukAnswerPutVector(file, edge, 3);
        putc('}', file);
    }
    fputs("],\n\"joints\":[", file);
    first = true;
    for (const ukJoint *j = a->world->oldest_joint; j; j = j->newer) {
        const ukJointGetters *const getters = j->handle && j->body[0] ? ukJointGettersOf(j->class->type) : NULL;
        if (!getters || ukIsContact(j)) continue;
        dVector3 anchor = {0};
        const bool anchored = getters->anchor;
        if (anchored) (*getters->anchor)(j->handle, anchor);
        ukSignalJointLabel(j, label, sizeof label);
        fputs(first ? "\n {\"name\":" : ",\n {\"name\":", file);
        first = false;
        ukAnswerPutString(file, label);
        fputs(",\"anchor\":", file);
        if (anchored)
            ukAnswerPutVector(file, anchor, 3);
        else
            fputs("null", file);
        int place[2] = {-1, -1}, number = 0;
        for (const ukBody *b = a->world->oldest_body; b; b = b->newer) {
            if (!b->handle) continue;
            for (int k = 0; k < 2; k++)
                if (j->body[k] == b) place[k] = number;
            number++;
        }
        fprintf(file, ",\"bodies\":[%d,%d]}", place[0], place[1]);
    }
    fputs("]", file);
}

FILE *ukAnswerBegin(const ukAnswerOf *a, const char *kind)
{
    FILE *const file = ukAnswerOpen(a, "answer.json");
    if (!file) return NULL;
    fprintf(file, "{\"kind\":\"%s\",\"time\":", kind);
    putNumber(file, a->time);
    return file;
}

/* |f| of the velocities: 0 at an equilibrium */
static double accelerationOf(const ukLinearization *l)
{
    double square = 0;
    for (int i = 0; i < l->velocities; i++) square += l->f[l->positions + i] * l->f[l->positions + i];
    return sqrt(square);
}

static void jsonModes(const ukAnswerOf *a)
{
    const int width = 6 * a->world->body_count;
    FILE *const file = ukAnswerBegin(a, "modes");
    if (!file) return;
    fprintf(file, ",\"zero\":%d,\"acceleration\":%.6g,\"moved\":%.3g,\n\"modes\":[", a->zero, accelerationOf(&a->l),
            a->l.moved);
    for (int i = 0; i < a->count; i++) {
        const ukMode *const m = &a->modes[i];
        fprintf(file, "%s\n {\"frequency\":%.17g,\"growth\":%.17g,\"damping\":%.17g,\"unstable\":%d,\"shape\":",
                i > 0 ? "," : "", m->frequency, m->growth, m->damping, m->unstable);
        ukAnswerPutVector(file, m->shape, width);
        fputs(",\"shape_imag\":", file);
        ukAnswerPutVector(file, m->shape_imag, width);
        putc('}', file);
    }
    putc(']', file);
    putWorld(file, a);
    fputs("}\n", file);
    fclose(file);
}

void ukAnswerRefusal(const ukAnswerOf *a, int status)
{
    FILE *const file = ukAnswerBegin(a, "refusal");
    if (!file) return;
    fprintf(file, ",\"status\":%d,\"error\":", status);
    const char *const message = ukErrorStatus() == status ? ukErrorMessage() : ukErrorText(status);
    ukAnswerPutString(file, message);
    fputs("}\n", file);
    fclose(file);
    FILE *const text = ukAnswerOpen(a, "refusal.txt");
    if (!text) return;
    fprintf(text, "at %.6g s: %s\n", a->time, message);
    fclose(text);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

void ukAnswerMoved(const ukLinearization *l, FILE *table)
{
    static const double rounding = 1e-9, jumped = 1e-6;
    if (l->moved > rounding)
        fprintf(table, "the state violated its constraints, and was projected: moved by %.3g kg^1/2 m\n\n", l->moved);
    if (l->jump > jumped)
        fprintf(table, "velocities were changed by %.3g kg^1/2 m/s to satisfy constraints and motors\n\n", l->jump);
}

/* the joint whose two bodies move most against each other in a mode, by the difference of their displacements */
static void movesMost(const ukAnswerOf *a, const ukMode *m, char *label, size_t size)
{
    double most = -1;
    snprintf(label, size, "-");
    for (const ukJoint *j = a->world->oldest_joint; j; j = j->newer) {
        if (!j->handle || ukIsContact(j) || !j->body[0]) continue;
        const double *shape[2] = {NULL, NULL};
        int number = 0;
        for (const ukBody *b = a->world->oldest_body; b; b = b->newer) {
            if (!b->handle) continue;
            for (int k = 0; k < 2; k++)
                if (j->body[k] == b) shape[k] = m->shape + 6 * number;
            number++;
        }
        double square = 0;
        for (int c = 0; c < 6; c++) {
            const double d = (shape[0] ? shape[0][c] : 0) - (shape[1] ? shape[1][c] : 0);
            square += d * d;
        }
        if (square <= most * (1 + 1e-9)) continue;
        most = square;
        ukSignalJointLabel(j, label, size);
    }
}

void ukAnswerModes(const ukAnswerOf *a)
{
    jsonModes(a);
    FILE *const file = ukAnswerOpen(a, "table.txt");
    if (!file) return;
    fprintf(file, "modes about the state at %.6g s: %d, and %d motion%s without a restoring force\n\n", a->time,
            a->count, a->zero, ukPlural(a->zero));
    const double off = accelerationOf(&a->l);
    if (off > 1e-6) fprintf(file, "not an equilibrium: this state accelerates by %.3g kg^1/2 m/s^2\n\n", off);
    ukAnswerMoved(&a->l, file);
    fputs(a->l.activity, file);
    fprintf(file, "%4s  %14s  %14s  %14s  %9s  %s\n", "mode", "rad/s", "Hz", "growth 1/s", "damping", "moves most");
    for (int i = 0; i < a->count; i++) {
        const ukMode *const m = &a->modes[i];
        char label[64];
        movesMost(a, m, label, sizeof label);
        fprintf(file, "%4d  %14.9g  %14.9g  %14.6g  %9.4f  %s%s\n", i + 1, m->frequency, m->frequency / (2 * pi),
                m->growth, m->damping, label, m->unstable ? "  (unstable)" : "");
    }
    fclose(file);
}
