/* SPDX-License-Identifier: BSD-3-Clause */
#include "plugin/analysis/linearization_answer.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bridge/base/plural.h"
#include "bridge/ode/ode.h"

/* ---- a regulator ------------------------------------------------------------------------------------------------- */

static void putRegulatedBodies(FILE *file, const ukAnswerOf *a)
{
    const ukRegulator *const r = &a->regulator;
    char label[64];
    fputs(",\n\"bodies\":[", file);
    for (int k = 0; k < r->bodies; k++) {
        label[0] = 0;
        for (const ukBody *b = a->world->oldest_body; b; b = b->newer)
            if (b->handle == r->body[k]) ukBodyLabel(b, label, sizeof label);
        fputs(k > 0 ? ",\n {\"name\":" : "\n {\"name\":", file);
        ukAnswerPutString(file, label);
        fputs(",\"position\":", file);
        ukAnswerPutVector(file, dBodyGetPosition(r->body[k]), 3);
        fputs(",\"orientation\":", file);
        ukAnswerPutVector(file, dBodyGetQuaternion(r->body[k]), 4);
        putc('}', file);
    }
    putc(']', file);
}

/* ,"lqr":{...}: the members of ukRegulator, and of each body its name and the pose from which its displacement is
 * measured */
static void writeRegulatorJson(FILE *file, const ukAnswerOf *a)
{
    const ukRegulator *const r = &a->regulator;
    fprintf(file, ",\n\"lqr\":{\"unbalanced\":%.6g,\n\"force\":", r->unbalanced);
    ukAnswerPutVector(file, r->force, r->inputs);
    fputs(",\n\"real\":", file);
    ukAnswerPutVector(file, r->real, r->states);
    fputs(",\n\"imag\":", file);
    ukAnswerPutVector(file, r->imag, r->states);
    ukAnswerPutMatrix(file, "K", r->K, r->inputs, r->states);
    ukAnswerPutMatrix(file, "position", r->position, r->inputs, 6 * r->bodies);
    ukAnswerPutMatrix(file, "velocity", r->velocity, r->inputs, 6 * r->bodies);
    putRegulatedBodies(file, a);
    putc('}', file);
}

/* forces and the closed loop */
static void writeRegulatorTable(FILE *file, const ukAnswerOf *a, const ukSignalList *in)
{
    const ukRegulator *const r = &a->regulator;
    double slowest = r->discrete ? 0 : -HUGE_VAL;
    for (int i = 0; i < r->states; i++)
        slowest = fmax(slowest, r->discrete ? hypot(r->real[i], r->imag[i]) : r->real[i]);
    if (r->discrete)
        fprintf(file, "\nregulator: the slowest mode decays to %.6g of its size per step\n", slowest);
    else
        fprintf(file, "\nregulator: the slowest mode decays at a rate of %.6g 1/s\n", -slowest);
    if (r->unbalanced > 1e-6)
        fprintf(file,
                "not an equilibrium: with these forces, the bodies accelerate by %.3g (norm in the mass matrix, kg^1/2 "
                "m/s^2); "
                "start from the result of `ukode equilibrium`\n",
                r->unbalanced);
    fputs("forces that hold the state; the feedback is added to them:\n", file);
    for (int i = 0; i < r->inputs; i++) fprintf(file, "%14.6g  %s\n", r->force[i], in->name[i]);
    fputs("gains: written by -o FILE.json, .csv or .mat\n", file);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void putSignals(FILE *file, const char *name, const ukSignalList *list)
{
    fprintf(file, ",\n\"%s\":[", name);
    for (int i = 0; i < list->count; i++) {
        if (i > 0) putc(',', file);
        ukAnswerPutString(file, list->name[i]);
    }
    putc(']', file);
}

static void writeLinearizationJson(const ukAnswerOf *a, const ukSignalList *in, const ukSignalList *out)
{
    const ukLinearization *const l = &a->l;
    const int n = l->positions + l->velocities;
    FILE *const file = ukAnswerBegin(a, "linearization");
    if (!file) return;
    fprintf(file,
            ",\"positions\":%d,\"velocities\":%d,\"rank\":%d,\"redundant\":%d,\"discrete\":%d,\"stepsize\":%.17g,"
            "\"error\":%.3g,\"moved\":%.3g,\"jump\":%.3g,\"method\":\"%s\",\n\"activity\":",
            l->positions, l->velocities, l->rank, l->redundant, l->discrete, l->discrete ? a->h : 0, l->error, l->moved,
            l->jump, l->differences ? "differences" : "tangent");
    ukAnswerPutString(file, l->activity);
    putSignals(file, "inputs", in);
    putSignals(file, "outputs", out);
    ukAnswerPutMatrix(file, "A", l->A, n, n);
    ukAnswerPutMatrix(file, "B", l->B, n, l->inputs);
    ukAnswerPutMatrix(file, "C", l->C, l->outputs, n);
    ukAnswerPutMatrix(file, "D", l->D, l->outputs, l->inputs);
    fputs(",\n\"f\":", file);
    ukAnswerPutVector(file, l->f, n);
    ukAnswerPutMatrix(file, "Nq", l->Nq, l->positions, 6 * l->bodies);
    ukAnswerPutMatrix(file, "Nv", l->Nv, l->velocities, 6 * l->bodies);
    if (a->regulated) writeRegulatorJson(file, a);
    fputs("}\n", file);
    fclose(file);
}

/* ---- matrices ---------------------------------------------------------------------------------------------------- */

typedef struct Matrix {
    const char *name;
    const double *x;
    int rows, columns;
} Matrix;

enum { Matrices = 11 };

/* Returns how many. */
static int matricesOf(const ukAnswerOf *a, Matrix matrix[Matrices])
{
    const ukLinearization *const l = &a->l;
    const ukRegulator *const r = &a->regulator;
    const int n = l->positions + l->velocities;
    const Matrix all[Matrices] = {{"A", l->A, n, n},
                                  {"B", l->B, n, l->inputs},
                                  {"C", l->C, l->outputs, n},
                                  {"D", l->D, l->outputs, l->inputs},
                                  {"f", l->f, n, 1},
                                  {"Nq", l->Nq, l->positions, 6 * l->bodies},
                                  {"Nv", l->Nv, l->velocities, 6 * l->bodies},
                                  {"K", r->K, r->inputs, r->states},
                                  {"Kposition", r->position, r->inputs, 6 * r->bodies},
                                  {"Kvelocity", r->velocity, r->inputs, 6 * r->bodies},
                                  {"force", r->force, r->inputs, 1}};
    memcpy(matrix, all, sizeof all);
    return a->regulated ? Matrices : Matrices - 4;
}

static void writeCsv(const ukAnswerOf *a, const Matrix *matrix, int count)
{
    FILE *const file = ukAnswerOpen(a, "matrices.csv");
    if (!file) return;
    fputs("matrix,row,column,value\n", file);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < matrix[k].rows; i++)
            for (int j = 0; j < matrix[k].columns; j++)
                fprintf(file, "%s,%d,%d,%.17g\n", matrix[k].name, i + 1, j + 1,
                        matrix[k].x[(size_t)i * (size_t)matrix[k].columns + (size_t)j]);
    fclose(file);
}

/* a MATLAB file of level 4: of each matrix five integers (type 0: little-endian doubles by column), its name, its
 * numbers */
static void writeMat(const ukAnswerOf *a, const Matrix *matrix, int count)
{
    FILE *const file = ukAnswerOpen(a, "matrices.mat");
    if (!file) return;
    for (int k = 0; k < count; k++) {
        const Matrix *const m = &matrix[k];
        const int32_t header[5] = {0, m->rows, m->columns, 0, (int32_t)strlen(m->name) + 1};
        fwrite(header, sizeof header, 1, file);
        fwrite(m->name, strlen(m->name) + 1, 1, file);
        for (int j = 0; j < m->columns; j++)
            for (int i = 0; i < m->rows; i++)
                fwrite(m->x + (size_t)i * (size_t)m->columns + (size_t)j, sizeof(double), 1, file);
    }
    fclose(file);
}

static void writeMatrixTable(FILE *file, const Matrix *m)
{
    enum { Widest = 16, Longest = 40 }; /* largest matrix that is printed in a terminal */
    if (m->rows == 0 || m->columns == 0) return;
    if (m->columns > Widest || m->rows > Longest) {
        fprintf(file, "\n%s (%d x %d): written by -o FILE.json, .csv or .mat\n", m->name, m->rows, m->columns);
        return;
    }
    fprintf(file, "\n%s (%d x %d)\n", m->name, m->rows, m->columns);
    for (int i = 0; i < m->rows; i++) {
        for (int j = 0; j < m->columns; j++) fprintf(file, " %12.6g", m->x[(size_t)i * (size_t)m->columns + (size_t)j]);
        putc('\n', file);
    }
}

void ukAnswerLinearization(const ukAnswerOf *a, const ukSignalList *in, const ukSignalList *out)
{
    const ukLinearization *const l = &a->l;
    Matrix matrix[Matrices];
    writeLinearizationJson(a, in, out);
    const int count = matricesOf(a, matrix);
    writeCsv(a, matrix, count);
    writeMat(a, matrix, count);
    FILE *const file = ukAnswerOpen(a, "table.txt");
    if (!file) return;
    fprintf(file, "linearization about the state at %.6g s, ", a->time);
    if (l->discrete)
        fprintf(file, "of a step of %.6g s", a->h);
    else
        fprintf(file, "continuous");
    fprintf(file, ": %d position%s, %d velocit%s; rank %d, %d redundant row%s; error %.1e, by %s\n", l->positions,
            ukPlural(l->positions), l->velocities, ukPluralBody(l->velocities), l->rank, l->redundant,
            ukPlural(l->redundant), l->error, l->differences ? "differences of motions" : "the tangent");
    ukAnswerMoved(l, file);
    fputs(l->activity, file);
    for (int i = 0; i < in->count; i++) fprintf(file, "input %d: %s\n", i + 1, in->name[i]);
    for (int i = 0; i < out->count; i++) fprintf(file, "output %d: %s\n", i + 1, out->name[i]);
    for (int k = 0; k < 5; k++) writeMatrixTable(file, &matrix[k]);
    if (a->regulated) writeRegulatorTable(file, a, in);
    fclose(file);
}
