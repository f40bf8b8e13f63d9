/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball dropped from 1 m on a plane, Newton restitution e. Contacts are made when the ball is at or below the plane,
 * without position correction (soft_erp = 0), so that the impact law acts alone. Impacts count as long as the flight
 * that follows lasts 400 steps: a flight of a few steps has no height to speak of. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Restitution, Number, Time, Before, After, Height, RestTime, Columns };
enum { TimeError, SpeedError, HeightError, Judged, RestHeight, RestSpeed, Count };

static const Figure figures[Count] = {
    [TimeError] = {"impact time: error per impact, in steps", 0, 1, "h"},
    [SpeedError] = {"speed after impact: error", 0, 1, "%"},
    [HeightError] = {"apex height: error", 0, 1, "%"},
    [Judged] = {"impacts compared, of 61", 47, 0, ""},
    [RestHeight] = {"e < 1, after 1.1 rest times: distance from the plane", 0, -1, "m"},
    [RestSpeed] = {"e < 1, after 1.1 rest times: speed", 0, 1e-6, "m/s"},
};

static void fall(Stepper stepper, double h, const double *row, int rows, double *e)
{
    const double up[3] = {0, 0, 1}, radius = 0.1, g = 9.81;
    const double end = row[RestTime] > 0 ? 1.1 * row[RestTime] : row[(rows - 1) * Columns + Time] + 0.1;
    RefWorld *w = refWorld(stepper, h);
    const dBodyID ball = refBody(w, 1, 0.004, 0.004, 0.004, 0, 0, 1 + radius);
    double apex = 0;
    int impacts = 0;
    for (int k = 1; k * h < end; k++) {
        const double gap = dBodyGetPosition(ball)[2] - radius, before = dBodyGetLinearVel(ball)[2];
        if (gap <= 0) {
            dContact c = {.surface = {.mode = dContactBounce | dContactSoftERP, .bounce = row[Restitution]}};
            c.geom.pos[2] = gap;
            for (int i = 0; i < 3; i++) c.geom.normal[i] = up[i];
            c.geom.depth = -gap;
            refContactOf(w, ball, 0, &c);
        }
        refStep(w);
        const double after = dBodyGetLinearVel(ball)[2];
        apex = refMax(apex, dBodyGetPosition(ball)[2] - radius);
        if (!(gap <= 0 && before < 0) || impacts >= rows) continue;
        const double *now = row + impacts++ * Columns;
        if (impacts > 1 && 2 * now[Before] / g > 400 * h)
            e[HeightError] = refMax(e[HeightError], 100 * fabs(apex / now[Height - Columns] - 1));
        apex = 0;
        if (2 * now[Before] / g <= 400 * h) continue;
        e[Judged]++;
        e[TimeError] = refMax(e[TimeError], fabs(k * h - now[Time]) / (impacts * h));
        e[SpeedError] = refMax(e[SpeedError], 100 * fabs(after - now[After]) / now[Before]);
    }
    if (row[RestTime] > 0) {
        e[RestHeight] = refMax(e[RestHeight], fabs(dBodyGetPosition(ball)[2] - radius));
        e[RestSpeed] = refMax(e[RestSpeed], fabs(dBodyGetLinearVel(ball)[2]));
    }
    refWorldEnd(w);
}

static void run(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_bouncing_ball.csv", Columns, &rows);
    for (int i = 0; i < Count; i++) out[i] = 0;
    for (int r = 0, next; r < rows; r = next) {
        for (next = r + 1; next < rows && table[next * Columns] == table[r * Columns];) next++;
        fall(stepper, h, table + r * Columns, next - r, out);
    }
    free(table);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("bouncing ball (6 restitutions)", figures, Count, 5e-5, run);
    return refEnd();
}
