/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid table on four legs: the leg forces are not determined; the least-norm ones are the pseudo-inverse's. Where
 * that would pull at a leg, only the sum and the moments are known. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { ComX, ComY, Npp, Nmp, Nmm, Npm, AllPush, Columns };
enum { SumError, MomentError, LegError, Pull, FrictionForce, Count };

static const Figure figures[Count] = {
    [SumError] = {"sum of leg forces: error, of mg", 0, 1e-6, ""},
    [MomentError] = {"moments: error, of mg a", 0, 1e-6, ""},
    [LegError] = {"one leg's force: error, of mg/4", 0, 1e-3, ""},
    [Pull] = {"largest pull of a leg", 0, 0, "N"},
    [FrictionForce] = {"largest horizontal force of a leg", 0, -1, "N"},
};

static void stand(Stepper stepper, double h, const double *row, double *e)
{
    const double a = 0.5, b = 0.3, height = 0.7, m = 10, g = 9.81, up[3] = {0, 0, 1};
    const double sign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    RefWorld *w = refWorld(stepper, h);
    const dBodyID table = refBox(w, m, 1, 0.6, 0.05, row[ComX], row[ComY], height);
    double sum = 0, mx = 0, my = 0;
    for (int i = 0; i < 4; i++) {
        const double foot[3] = {sign[i][0] * a, sign[i][1] * b, 0};
        refContact(w, table, 0, foot, up, 0, 0.5);
    }
    refStep(w);
    for (int i = 0; i < 4; i++) {
        const dReal *f = refForce(w, i);
        sum += f[2];
        mx += f[2] * sign[i][0] * a;
        my += f[2] * sign[i][1] * b;
        e[Pull] = refMax(e[Pull], -f[2]);
        e[FrictionForce] = refMax(e[FrictionForce], hypot(f[0], f[1]));
        if (row[AllPush] != 0) e[LegError] = refMax(e[LegError], fabs(f[2] - row[Npp + i]) / (m * g / 4));
    }
    e[SumError] = refMax(e[SumError], fabs(sum / (m * g) - 1));
    e[MomentError] = refMax(e[MomentError], fabs(mx - m * g * row[ComX]) / (m * g * a));
    e[MomentError] = refMax(e[MomentError], fabs(my - m * g * row[ComY]) / (m * g * a));
    refWorldEnd(w);
}

static void run(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_redundant_table.csv", Columns, &rows);
    for (int i = 0; i < Count; i++) out[i] = 0;
    for (int r = 0; r < rows; r++) stand(stepper, h, table + r * Columns, out);
    free(table);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("table on four legs (5 cases)", figures, Count, 0.01, run);
    return refEnd();
}
