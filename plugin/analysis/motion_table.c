/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/motion_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bridge/base/grow.h"
#include "bridge/base/log.h"
#include "plugin/analysis/motion_poses.h"
#include "solvers/base/status.h"

enum { MostLine = 1 << 16, MostRows = 1000000, Neighbours = 7 };

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static int refuseLine(const char *path, int line, const char *what)
{
    return ukErrorSet(ukErrorArgument, "%.200s: line %d: %s", path, line, what);
}

/* "time,LIST": the list, without quotation marks and blanks; NULL: it does not begin so */
static char *listOfHeader(char *line)
{
    char *to = line;
    for (const char *from = line; *from; from++)
        if (!strchr("\"\r\n \t", *from)) *to++ = *from;
    *to = 0;
    return strncmp(line, "time,", 5) == 0 ? line + 5 : NULL;
}

static int readHeader(ukMotionTable *t, ukWorld *world, const char *path, char *line)
{
    const char *const list = listOfHeader(line);
    if (!list || !*list) return refuseLine(path, 1, "it does not begin with time,position:...");
    const int status = ukSignalListRead(world, list, false, &t->list);
    if (status != ukOk) return status;
    for (int k = 0; k < t->list.count; k++)
        if (t->list.signal[k].kind != ukSignalJointPosition && t->list.signal[k].kind != ukSignalBodyPosition)
            return refuseLine(path, 1, "a column is not a position of a joint or body");
    return ukOk;
}

static int growTable(ukMotionTable *t)
{
    const size_t rows = (size_t)t->rows + 1;
    if (ukArrayReserve(&t->time, sizeof *t->time, rows, &t->time_capacity) &&
        ukArrayReserve(&t->value, sizeof *t->value, rows * (size_t)t->list.count, &t->value_capacity))
        return ukOk;
    return ukErrorSet(ukErrorMemory, "no memory for a table of %d rows", t->rows);
}

static int readRow(ukMotionTable *t, const char *path, int number, char *line)
{
    char *at = line;
    for (int k = -1; k < t->list.count; k++) {
        char *end;
        const double x = strtod(at, &end);
        end += strspn(end, " \t\r\n");
        const bool last = k == t->list.count - 1;
        if (end == at || !isfinite(x) || *end != (last ? 0 : ','))
            return refuseLine(path, number, "not a number for each column");
        *(k < 0 ? &t->time[t->rows] : &t->value[t->rows * t->list.count + k]) = x;
        at = end + 1;
    }
    if (t->rows > 0 && !(t->time[t->rows] > t->time[t->rows - 1]))
        return refuseLine(path, number, "times do not ascend");
    t->rows++;
    return ukOk;
}

static int readRows(ukMotionTable *t, ukWorld *world, const char *path, FILE *file, char *line)
{
    int status = ukOk;
    for (int number = 1; status == ukOk && fgets(line, MostLine, file); number++) {
        if (strlen(line) == MostLine - 1) return refuseLine(path, number, "too long");
        if (number == 1)
            status = readHeader(t, world, path, line);
        else if (line[strspn(line, " \t\r\n")]) {
            if (t->rows >= MostRows) return refuseLine(path, number, "too many rows");
            status = growTable(t);
            if (status == ukOk) status = readRow(t, path, number, line);
        }
    }
    if (status != ukOk || t->rows >= 3) return status;
    return ukErrorSet(ukErrorArgument, "%.200s: a motion needs three rows, for its accelerations", path);
}

int ukMotionTableRead(ukMotionTable *t, ukWorld *world, const char *path)
{
    *t = (ukMotionTable){.bodies = world->body_count};
    FILE *const file = fopen(path, "re");
    char *const line = malloc(MostLine);
    int status = ukOk;
    if (!file) {
        ukErrorSet(status = ukErrorArgument, "%.200s cannot be read", path);
    } else if (!line) {
        ukErrorSet(status = ukErrorMemory, "no memory for a table");
    } else {
        status = readRows(t, world, path, file, line);
    }
    free(line);
    if (file) fclose(file);
    return status;
}

void ukMotionTableEnd(ukMotionTable *t)
{
    free(t->time);
    free(t->value);
    free(t->pose);
    *t = (ukMotionTable){0};
}

/* ---- poses ------------------------------------------------------------------------------------------------------- */

int ukMotionTableFollow(ukMotionTable *t, ukWorld *world, double h)
{
    const size_t width = 7 * (size_t)t->bodies;
    t->pose = malloc(((size_t)t->rows * width + 1) * sizeof *t->pose);
    if (!t->pose) return ukErrorSet(ukErrorMemory, "no memory for the poses of %d rows", t->rows);
    for (int row = 0; row < t->rows; row++) {
        const ukMotionAim aim = {&t->list, t->value + (size_t)row * (size_t)t->list.count, t->time[row], h};
        const int status = ukMotionPosesFind(world, &aim);
        if (status != ukOk) return status;
        int k = 0;
        for (const ukBody *b = world->oldest_body; b && k < t->bodies; b = b->newer) {
            if (!b->handle) continue;
            double *const to = t->pose + (size_t)row * width + 7 * (size_t)k++;
            const dReal *x = dBodyGetPosition(b->handle), *q = dBodyGetQuaternion(b->handle);
            const double *const before = row > 0 ? to - width : NULL;
            double side = 1;
            if (before && before[3] * q[0] + before[4] * q[1] + before[5] * q[2] + before[6] * q[3] < 0) side = -1;
            for (int i = 0; i < 3; i++) to[i] = x[i];
            for (int i = 0; i < 4; i++) to[3 + i] = side * q[i];
        }
    }
    return ukOk;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* Weights of the derivatives 0, 1, 2 at x0 of the polynomial through n points (Fornberg 1988): w[derivative][point]. */
static void fornbergWeights(double x0, const double *x, int n, double w[3][Neighbours])
{
    double c1 = 1, c4 = x[0] - x0;
    memset(w, 0, sizeof(double[3][Neighbours]));
    w[0][0] = 1;
    for (int i = 1; i < n; i++) {
        const int most = i < 2 ? i : 2;
        const double c5 = c4;
        double c2 = 1;
        c4 = x[i] - x0;
        for (int j = 0; j < i; j++) {
            const double c3 = x[i] - x[j];
            c2 *= c3;
            if (j == i - 1) {
                for (int k = most; k >= 1; k--) w[k][i] = c1 * (k * w[k - 1][i - 1] - c5 * w[k][i - 1]) / c2;
                w[0][i] = -c1 * c5 * w[0][i - 1] / c2;
            }
            for (int k = most; k >= 1; k--) w[k][j] = (c4 * w[k][j] - k * w[k - 1][j]) / c3;
            w[0][j] = c4 * w[0][j] / c3;
        }
        c1 = c2;
    }
}

/* the vector part of 2 a conj(q): angular velocity for a = dq/dt, angular acceleration for a = d2q/dt2 */
static void turnOf(const double *a, const double *q, double *to)
{
    to[0] = 2 * (-a[0] * q[1] + a[1] * q[0] - a[2] * q[3] + a[3] * q[2]);
    to[1] = 2 * (-a[0] * q[2] + a[1] * q[3] + a[2] * q[0] - a[3] * q[1]);
    to[2] = 2 * (-a[0] * q[3] - a[1] * q[2] + a[2] * q[1] + a[3] * q[0]);
}

void ukMotionTablePlace(const ukMotionTable *t, ukWorld *world, int row, dReal *acceleration)
{
    const int n = t->rows < Neighbours ? t->rows : Neighbours;
    const int first = row - n / 2 < 0 ? 0 : row - n / 2 > t->rows - n ? t->rows - n : row - n / 2;
    const size_t width = 7 * (size_t)t->bodies;
    double w[3][Neighbours];
    int k = 0;
    fornbergWeights(t->time[row], t->time + first, n, w);
    for (const ukBody *b = world->oldest_body; b && k < t->bodies; b = b->newer) {
        if (!b->handle) continue;
        double d[3][7] = {{0}}, spin[3];
        for (int order = 1; order < 3; order++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < 7; i++)
                    d[order][i] += w[order][j] * t->pose[(size_t)(first + j) * width + 7 * (size_t)k + (size_t)i];
        const double *const p = t->pose + (size_t)row * width + 7 * (size_t)k;
        dReal *const a = acceleration + 6 * (size_t)k++;
        turnOf(d[1] + 3, p + 3, spin);
        memcpy(a, d[2], 3 * sizeof *a);
        turnOf(d[2] + 3, p + 3, a + 3);
        dBodySetPosition(b->handle, p[0], p[1], p[2]);
        dBodySetQuaternion(b->handle, (dQuaternion){p[3], p[4], p[5], p[6]});
        dBodySetLinearVel(b->handle, d[1][0], d[1][1], d[1][2]);
        dBodySetAngularVel(b->handle, spin[0], spin[1], spin[2]);
    }
}
