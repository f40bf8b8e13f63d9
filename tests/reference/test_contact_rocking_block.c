/* SPDX-License-Identifier: BSD-3-Clause */
/* A block rocking from edge to edge on a plane without sliding (Housner 1963): each impact takes the angular momentum
 * about the new edge over, and with it the factor 1 - 3/2 sin^2(alpha) of the rate, without any restitution. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { HalfWidth, HalfHeight, Alpha, Tilt, Number, Apex, Quarter, Time, Before, After, ApexAfter, Housner, Columns };
enum { FirstTime, FirstRatio, AllTimes, AllRatios, Impacts, Count };

static const Figure figures[Count] = {
    [FirstTime] = {"time of the first impact: error", 0, 0.5, "%"},
    [FirstRatio] = {"ratio of rates at the first impact: error", 0, 2, "%"},
    [AllTimes] = {"times of all six impacts: error", 0, 0.5, "%"},
    [AllRatios] = {"ratios of rates at all six impacts: error", 0, 2, "%"},
    [Impacts] = {"impacts, of 54", 54, 0, ""},
};

/* what a block does at one impact */
static void judge(const double *row, double time, double before, double after, double *e)
{
    const double off = 100 * fabs(time / row[Time] - 1),
                 ratio = 100 * fabs(after / before * row[Before] / row[After] - 1);
    e[AllTimes] = refMax(e[AllTimes], off);
    e[AllRatios] = refMax(e[AllRatios], ratio);
    e[Impacts]++;
    if (row[Number] > 1) return;
    e[FirstTime] = refMax(e[FirstTime], off);
    e[FirstRatio] = refMax(e[FirstRatio], ratio);
}

/* rows: the six impacts of one block and tilt */
static void rock(Stepper stepper, double h, const double *row, double *e)
{
    const double b = row[HalfWidth], height = row[HalfHeight], tilt = row[Tilt] * row[Alpha], up[3] = {0, 0, 1};
    const double end = row[5 * Columns + Time] + 0.2;
    RefWorld *w = refWorld(stepper, h);
    const dBodyID block = refBox(w, 1, 2 * b, 0.2, 2 * height, -b * cos(tilt) + height * sin(tilt), 0,
                                 b * sin(tilt) + height * cos(tilt)); /* on its edge +b */
    dMatrix3 R;
    dRFromAxisAndAngle(R, 0, 1, 0, tilt);
    dBodySetRotation(block, R);
    int edge = 1, impacts = 0, at = -1;
    double rate[3] = {0}; /* of the last three steps, newest first */
    double before = 0, when = 0;
    for (int k = 1; k * h < end && impacts < 6; k++) {
        for (int c = 0; c < 4; c++) {
            dVector3 p;
            dBodyGetRelPointPos(block, c & 1 ? b : -b, c & 2 ? 0.1 : -0.1, -height, p);
            refContact(w, block, 0, p, up, p[2], dInfinity);
        }
        refStep(w);
        rate[2] = rate[1], rate[1] = rate[0], rate[0] = fabs(dBodyGetAngularVel(block)[1]);
        const double other = refForce(w, !edge)[2] + refForce(w, !edge + 2)[2];
        if (at < 0 && other > 0) at = k, when = k * h, before = rate[1];
        if (at < 0 || k < at + 2) continue; /* a gap is closed in one step, and the rate taken over in the next */
        judge(row + impacts++ * Columns, when, before, rate[0], e);
        edge = !edge, at = -1;
    }
    refWorldEnd(w);
}

static void run(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_rocking_block.csv", Columns, &rows);
    for (int i = 0; i < Count; i++) out[i] = 0;
    for (int r = 0; r + 6 <= rows; r += 6) rock(stepper, h, table + r * Columns, out);
    free(table);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("rocking block (9 cases)", figures, Count, 5e-5, run);
    refOrder("rocking block", figures, AllTimes, 2e-4, run);
    refOrder("rocking block", figures, AllRatios, 2e-4, run);
    return refEnd();
}
