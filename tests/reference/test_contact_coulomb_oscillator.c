/* SPDX-License-Identifier: BSD-3-Clause */
/* A mass on a spring with dry friction: the amplitude falls by 2 mu m g / k each half swing, and the mass comes to rest
 * away from the spring's zero. The spring is a force of the program's, constant over each step, as in any ODE program.
 */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Time, Position, Velocity, Columns };
enum { PositionError, RestPosition, RestSpeed, RestTime, Count };

static const Figure figures[Count] = {
    [PositionError] = {"x(t), 2 s: largest error", 0, 1e-4, "m"},
    [RestPosition] = {"position of rest", -0.00696, 1e-4, "m"},
    [RestSpeed] = {"speed at 2 s", 0, 1e-6, "m/s"},
    [RestTime] = {"comes to rest (below 1e-6 m/s) at", 1.2566370614359, -1, "s"},
};

static void run(Stepper stepper, double h, double *out)
{
    const double half[3] = {0.1, 0.1, 0.02}, k = 100, mu = 0.2;
    RefWorld *w = refWorld(stepper, h);
    const dBodyID mass = refBox(w, 1, 0.2, 0.2, 0.04, 0.15, 0, half[2]);
    int rows;
    double *table = refTable("contact_coulomb_oscillator.csv", Columns, &rows);
    for (int i = 0; i < Count; i++) out[i] = 0;
    out[RestTime] = NAN;
    for (int r = 0, i = 0; r < rows; r++) {
        for (; i < (int)lround(table[r * Columns + Time] / h); i++) {
            dBodyAddForce(mass, -k * dBodyGetPosition(mass)[0], 0, 0);
            refBoxOnPlane(w, mass, half, 0.01, mu);
            refStep(w);
            if (fabs(dBodyGetLinearVel(mass)[0]) >= 1e-6) out[RestTime] = (i + 2) * h;
        }
        out[PositionError] =
            refMax(out[PositionError], fabs(dBodyGetPosition(mass)[0] - table[r * Columns + Position]));
    }
    out[RestPosition] = dBodyGetPosition(mass)[0];
    out[RestSpeed] = fabs(dBodyGetLinearVel(mass)[0]);
    free(table);
    refWorldEnd(w);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("oscillator with dry friction", figures, Count, 5e-5, run);
    refOrder("oscillator with dry friction", figures, PositionError, 4e-4, run);
    return refEnd();
}
