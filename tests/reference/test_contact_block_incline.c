/* SPDX-License-Identifier: BSD-3-Clause */
/* A block at rest on an incline, released: it sticks if tan(angle) <= mu, else slides with g (sin - mu cos). The
 * incline's azimuth is 25 degrees, so that the tangents that ODE chooses do not lie along it. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Degrees, Mu, Sticks, Acceleration, Distance, Speed, NormalForce, FrictionForce, Columns };
enum { Drift, SlideError, HeadingError, NormalError, FrictionError, WrongSide, Count };

static const Figure figures[Count] = {
    [Drift] = {"drift in 1 s, sticking", 0, 1e-6, "m"},
    [SlideError] = {"distance after 1 s, sliding: error", 0, 0.1, "%"},
    [HeadingError] = {"direction of sliding: error", 0, 0.1, "°"},
    [NormalError] = {"normal force: error", 0, 0.1, "%"},
    [FrictionError] = {"friction force: error", 0, 0.1, "%"},
    [WrongSide] = {"cases on the wrong side of the threshold, of 80", 0, 0, ""},
};

/* The last step's contact forces against the table's. */
static void judgeForces(const RefWorld *w, const double *normal, const double *row, double *e)
{
    double force[3] = {0}, pressure = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 4; c++) force[i] += refForce(w, c)[i];
        pressure += force[i] * normal[i];
        square += force[i] * force[i];
    }
    const double friction = sqrt(fmax(0, square - pressure * pressure));
    e[NormalError] = refMax(e[NormalError], 100 * fabs(pressure / row[NormalForce] - 1));
    if (row[Mu] > 0) e[FrictionError] = refMax(e[FrictionError], 100 * fabs(friction / row[FrictionForce] - 1));
}

/* One row of the table, for one second. */
static void incline(Stepper stepper, double h, const double *row, double *e)
{
    const double azimuth = 25 * M_PI / 180, angle = row[Degrees] * M_PI / 180;
    const double down[3] = {cos(angle) * cos(azimuth), cos(angle) * sin(azimuth), -sin(angle)};
    const double across[3] = {-sin(azimuth), cos(azimuth), 0};
    const double normal[3] = {sin(angle) * cos(azimuth), sin(angle) * sin(azimuth), cos(angle)};
    RefWorld *w = refWorld(stepper, h);
    const dBodyID block = refBox(w, 1, 1, 1, 0.2, 0.1 * normal[0], 0.1 * normal[1], 0.1 * normal[2]);
    dMatrix3 R = {0};
    for (int i = 0; i < 3; i++) R[4 * i] = down[i], R[4 * i + 1] = across[i], R[4 * i + 2] = normal[i];
    dBodySetRotation(block, R);
    for (int k = 0; k < (int)lround(1 / h); k++) {
        for (int c = 0; c < 4; c++) {
            dVector3 p;
            dBodyGetRelPointPos(block, c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, -0.1, p);
            refContact(w, block, 0, p, normal, p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2], row[Mu]);
        }
        refStep(w);
    }
    judgeForces(w, normal, row, e);
    const dReal *x = dBodyGetPosition(block);
    const double along = x[0] * down[0] + x[1] * down[1] + x[2] * down[2];
    const double side = x[0] * across[0] + x[1] * across[1], moved = hypot(along, side);
    if (row[Sticks] != 0)
        e[Drift] = refMax(e[Drift], moved);
    else {
        e[SlideError] = refMax(e[SlideError], 100 * fabs(along / row[Distance] - 1));
        e[HeadingError] = refMax(e[HeadingError], fabs(atan2(side, along)) * 180 / M_PI);
    }
    /* one side of the threshold moves by 1.1e-6 m at least */
    e[WrongSide] += (row[Sticks] != 0) != (moved < 5e-7);
    refWorldEnd(w);
}

static void run(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_block_incline.csv", Columns, &rows);
    for (int i = 0; i < Count; i++) out[i] = 0;
    for (int r = 0; r < rows; r++) incline(stepper, h, table + r * Columns, out);
    free(table);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("block on an incline (80 cases)", figures, Count, 1.0 / 2048, run);
    refOrder("block on an incline", figures, SlideError, 1.0 / 256, run);
    return refEnd();
}
