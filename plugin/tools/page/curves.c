/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/tools/page/curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/tools/terminal/column.h"

enum { Bits = 14 }; /* of a column */

/* ---- curves: of each frame, or the largest since the frame before ------------------------------------------------ */

static const struct Curve {
    const char *column;
    bool largest;
} curves[] = {
    {"kinetic_energy", false},
    {"potential_energy", false},
    {"rows", false},
    {"rank", false},
    {"active", false},
    {"contacts", false},
    {"passes", true},
    {"feasibility", true},
    {"stationarity", true},
    {"complementarity", true},
    {"position_error", true},
    {"velocity_error", true},
    {"coupling", true},
    {"compromise", true},
    {"microseconds", true},
    {"gauss_ni", false},
    {"1 - coalesce(ok, 1)", true},
};
enum { Curves = sizeof curves / sizeof *curves };

bool pageWriteCurves(FILE *file, ukReader *reader, const Frames *frames)
{
    char sql[800] = "SELECT step";
    double *const value = malloc(((size_t)frames->count + 1) * Curves * sizeof *value);
    if (!value) return false;
    for (int k = 0; k < Curves; k++) {
        strcat(sql, ", ");
        strcat(sql, curves[k].column);
    }
    for (size_t i = 0; i < ((size_t)frames->count + 1) * Curves; i++) value[i] = NAN;
    int frame = 0;
    for (Query q = queryBegin(reader, "%s FROM step WHERE world = %lld ORDER BY step", sql, (long long)frames->world);
         queryNext(&q);) {
        const int64_t step = queryInteger(&q, 0);
        double *const row = value + (size_t)frame * Curves;
        for (int k = 0; k < Curves; k++) {
            const double x = queryNumber(&q, 1 + k);
            row[k] = curves[k].largest ? fmax(row[k], x) : x;
        }
        if (frame < frames->count && step >= frames->step[frame]) frame++;
    }
    fprintf(file, ",\n\"curves\":{");
    for (int k = 0; k < Curves; k++) {
        fprintf(file, "%s\"%s\":", k ? "," : "", k == Curves - 1 ? "rejected" : curves[k].column);
        columnWrite(file, value + k, (size_t)frames->count, Curves, Bits);
    }
    putc('}', file);
    free(value);
    return true;
}

/* Fills the moments without a number by linear interpolation. */
static void interpolateGaps(double *value, int count)
{
    int from = -1;
    for (int i = 0; i < count; i++) {
        if (isnan(value[i])) continue;
        for (int k = from + 1; from >= 0 && k < i; k++)
            value[k] = value[from] + (value[i] - value[from]) * (k - from) / (i - from);
        from = i;
    }
    for (int k = from + 1; from >= 0 && k < count; k++) value[k] = value[from];
}

bool pageWriteLedger(FILE *file, ukReader *reader, const Frames *frames)
{
    char cause[40][32];
    int causes = 0;
    double *const value = malloc(((size_t)frames->count + 1) * sizeof *value);
    if (!value) return false;
    for (Query q = queryBegin(reader, "SELECT DISTINCT cause FROM ledger_step ORDER BY cause"); queryNext(&q);) {
        const char *const text = queryText(&q, 0);
        const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
        const bool word = length > 0 && length < sizeof *cause && !text[length]; /* else the recording is corrupt */
        if (word && causes < 40) snprintf(cause[causes++], sizeof *cause, "%s", text);
    }
    fprintf(file, ",\n\"ledger\":{");
    for (int k = 0; k < causes; k++) {
        for (int i = 0; i < frames->count; i++) value[i] = NAN;
        for (Query q =
                 queryBegin(reader, "SELECT step, work FROM ledger_step WHERE cause = '%s' ORDER BY step", cause[k]);
             queryNext(&q);) {
            const int64_t step = queryInteger(&q, 0);
            const int frame = framesFind(frames, step);
            if (frame >= 0) value[frame] = queryNumber(&q, 1);
        }
        interpolateGaps(value, frames->count); /* frames without rows, of recordings with an estimate */
        fprintf(file, "%s\"%s\":", k ? "," : "", cause[k]);
        columnWrite(file, value, (size_t)frames->count, 1, Bits);
    }
    putc('}', file);
    free(value);
    return true;
}

void pageWriteTime(FILE *file, ukReader *reader, const Frames *frames)
{
    double *const number = malloc(((size_t)frames->count + 1) * sizeof *number);
    for (int i = 0; number && i < frames->count; i++)
        number[i] = queryOne(reader, "SELECT number FROM step WHERE step = %lld", (long long)frames->step[i]);
    fprintf(file, ",\"frames\":%d,\"time\":", frames->count);
    columnWrite(file, frames->time, (size_t)frames->count, 1, 24);
    fprintf(file, ",\"number\":");
    if (number)
        columnWrite(file, number, (size_t)frames->count, 1, 24);
    else
        fprintf(file, "null");
    free(number);
}
