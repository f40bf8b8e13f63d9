/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball set down sliding and spinning on a plane: friction turns sliding into rolling. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Inertia, Mu, Speed0, Spin0, RollTime, RollSpeed, RollSpin, RollDistance, Distance2, Columns };
enum { SpeedError, TimeError, SlipAfter, DistanceError, Count };

static const double radius = 0.1;

static const Figure figures[Count] = {
    [SpeedError] = {"rolling speed: error", 0, 0.1, "%"},
    [TimeError] = {"beginning of rolling: error beyond one step", 0, 0.5, "%"},
    [SlipAfter] = {"slip once it rolls", 0, 1e-4, "m/s"},
    [DistanceError] = {"distance after 2 s: error, of initial slip times 2 s", 0, -1, "%"},
};

static void roll(Stepper stepper, double h, const double *row, double *e)
{
    const double up[3] = {0, 0, 1}, I = row[Inertia] * radius * radius;
    const int two = (int)lround(2 / h), last = (int)ceil(fmax(2, 1.05 * row[RollTime]) / h);
    RefWorld *w = refWorld(stepper, h);
    const dBodyID ball = refBody(w, 1, I, I, I, 0, 0, radius);
    double begins = INFINITY, distance = NAN, slip_after = 0;
    dBodySetLinearVel(ball, row[Speed0], 0, 0);
    dBodySetAngularVel(ball, 0, row[Spin0], 0);
    for (int k = 1; k <= last; k++) {
        const dReal *x = dBodyGetPosition(ball);
        const double bottom[3] = {x[0], x[1], x[2] - radius};
        refContact(w, ball, 0, bottom, up, bottom[2], row[Mu]);
        refStep(w);
        const double slip = fabs(dBodyGetLinearVel(ball)[0] - radius * dBodyGetAngularVel(ball)[1]);
        if (slip < 1e-4 && isinf(begins)) begins = k * h;
        if (k * h > row[RollTime] + 2 * h) slip_after = refMax(slip_after, slip);
        if (k == two) distance = dBodyGetPosition(ball)[0];
    }
    /* one of the cases comes to rest: its speed is judged by the slip it began with */
    const double slip0 = fabs(row[Speed0] - radius * row[Spin0]);
    const double scale = fabs(row[RollSpeed]) > 1e-9 ? fabs(row[RollSpeed]) : slip0;
    const double off = fabs(begins - row[RollTime]) - h;
    e[SpeedError] = refMax(e[SpeedError], 100 * fabs(dBodyGetLinearVel(ball)[0] - row[RollSpeed]) / scale);
    e[TimeError] = refMax(e[TimeError], 100 * fmax(0, off) / row[RollTime]);
    e[SlipAfter] = refMax(e[SlipAfter], slip_after);
    if (row[RollTime] < 2) /* as the column supposes */
        e[DistanceError] = refMax(e[DistanceError], 100 * fabs(distance - row[Distance2]) / (2 * slip0));
    refWorldEnd(w);
}

static void run(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_ball_slip_roll.csv", Columns, &rows);
    for (int i = 0; i < Count; i++) out[i] = 0;
    for (int r = 0; r < rows; r++) roll(stepper, h, table + r * Columns, out);
    free(table);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("ball from slip to roll (32 cases)", figures, Count, 1e-3, run);
    refOrder("ball from slip to roll", figures, DistanceError, 4e-3, run);
    return refEnd();
}
