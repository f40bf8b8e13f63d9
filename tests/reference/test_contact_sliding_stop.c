/* SPDX-License-Identifier: BSD-3-Clause */
/* A block sliding to rest on a horizontal plane: v/(mu g) seconds, v^2/(2 mu g) metres, straight on; then the same in
 * 72 directions for one mu and speed: isotropy. The unit of time is the stopping time. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Mu, Speed, Direction, StopTime, StopDistance, EndX, EndY, Columns };
enum { DistanceError, HeadingError, TimeError, RestSpeed, Count };

static const Figure figures[Count] = {
    [DistanceError] = {"stopping distance: error", 0, 0.5, "%"},
    [HeadingError] = {"direction: error", 0, 0.1, "°"},
    [TimeError] = {"stopping time: error", 0, 0.5, "%"},
    [RestSpeed] = {"speed after 1.1 stopping times", 0, 1e-6, "m/s"},
};

/* h: in stopping times */
static void slide(Stepper stepper, double h, const double *row, double *e)
{
    const double half[3] = {0.5, 0.5, 0.1}, heading = row[Direction] * M_PI / 180;
    RefWorld *w = refWorld(stepper, h * row[StopTime]);
    const dBodyID block = refBox(w, 1, 1, 1, 0.2, 0, 0, half[2]);
    double rest = INFINITY;
    dBodySetLinearVel(block, row[Speed] * cos(heading), row[Speed] * sin(heading), 0);
    for (int k = 1; k <= (int)(1.1 / h); k++) {
        refBoxOnPlane(w, block, half, 0.05, row[Mu]);
        refStep(w);
        const dReal *v = dBodyGetLinearVel(block);
        if (hypot(v[0], v[1]) < 1e-6 && isinf(rest)) rest = k * w->h;
    }
    const dReal *x = dBodyGetPosition(block), *v = dBodyGetLinearVel(block);
    const double turned = remainder(atan2(x[1], x[0]) - heading, 2 * M_PI) * 180 / M_PI;
    e[DistanceError] = refMax(e[DistanceError], 100 * fabs(hypot(x[0], x[1]) / row[StopDistance] - 1));
    e[HeadingError] = refMax(e[HeadingError], fabs(turned));
    e[TimeError] = refMax(e[TimeError], 100 * fabs(rest / row[StopTime] - 1));
    e[RestSpeed] = refMax(e[RestSpeed], hypot(v[0], v[1]));
    refWorldEnd(w);
}

static void reference(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_sliding_stop.csv", Columns, &rows);
    for (int i = 0; i < Count; i++) out[i] = 0;
    for (int r = 0; r < rows; r++) slide(stepper, h, table + r * Columns, out);
    free(table);
}

static void isotropy(Stepper stepper, double h, double *out)
{
    const double mu = 0.3, v = 2, g = 9.81;
    for (int i = 0; i < Count; i++) out[i] = 0;
    for (int k = 0; k < 72; k++) {
        const double row[Columns] = {mu, v, 5 * k, v / (mu * g), v * v / (2 * mu * g)};
        slide(stepper, h, row, out);
    }
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("sliding block (72 cases)", figures, Count, 1e-3, reference);
    refProblem("sliding block, 72 directions", figures, Count, 1e-3, isotropy);
    refOrder("sliding block, 72 directions", figures, DistanceError, 1 / 250., isotropy);
    return refEnd();
}
