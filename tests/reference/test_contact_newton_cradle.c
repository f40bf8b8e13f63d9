/* SPDX-License-Identifier: BSD-3-Clause */
/* Newton's cradle: five equal balls on a line, k of them come in at 1 m/s. As the reference defines it: binary impacts,
 * the left-most approaching pair first. Then (e = 1) as a world has it, with gaps of 5 mm and contacts found by
 * overlap; and with all balls touching, where only momentum is determined. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Restitution, Incoming, V1, Momentum = V1 + 5, Energy, Columns, Balls = 5 };
enum { Sequential, MomentumError, EnergyError, Gaps, TouchingMomentum, TouchingEnergy, Count };

static const double radius = 0.05;

static const Figure figures[Count] = {
    [Sequential] = {"velocities, one pair after the other: error", 0, 1e-6, "m/s"},
    [MomentumError] = {"momentum: error", 0, 1e-6, "m/s"},
    [EnergyError] = {"energy: error", 0, 1e-6, "J/kg"},
    [Gaps] = {"velocities, gaps of 5 mm, e = 1: error", 0, 1e-6, "m/s"},
    [TouchingMomentum] = {"momentum, all touching: error", 0, 1e-6, "m/s"},
    [TouchingEnergy] = {"energy lost, all touching, e = 1 (not determined)", 0, -1, "%"},
};

typedef struct Cradle {
    RefWorld *w;
    dBodyID ball[Balls];
} Cradle;

static Cradle make(Stepper stepper, double h, double gap, int incoming)
{
    Cradle c = {refWorld(stepper, h), {0}};
    dWorldSetGravity(c.w->id, 0, 0, 0);
    for (int i = 0; i < Balls; i++) {
        c.ball[i] = refBody(c.w, 1, 0.001, 0.001, 0.001, i * (2 * radius + gap), 0, 0);
        dBodySetLinearVel(c.ball[i], i < incoming, 0, 0);
    }
    return c;
}

static double speed(const Cradle *c, int i)
{
    return dBodyGetLinearVel(c->ball[i])[0];
}

static void touch(const Cradle *c, int i, double restitution)
{
    const dReal *a = dBodyGetPosition(c->ball[i]), *b = dBodyGetPosition(c->ball[i + 1]);
    dContact contact = {.surface = {.mode = dContactBounce, .bounce = restitution}};
    contact.geom.normal[0] = -1;
    contact.geom.pos[0] = 0.5 * (a[0] + b[0]);
    contact.geom.depth = fmax(0, a[0] + 2 * radius - b[0]);
    refContactOf(c->w, c->ball[i], c->ball[i + 1], &contact);
}

static void totals(const Cradle *c, double *momentum, double *energy)
{
    *momentum = *energy = 0;
    for (int i = 0; i < Balls; i++) *momentum += speed(c, i), *energy += 0.5 * speed(c, i) * speed(c, i);
}

static double velocityError(const Cradle *c, const double *row)
{
    double e = 0;
    for (int i = 0; i < Balls; i++) e = refMax(e, fabs(speed(c, i) - row[V1 + i]));
    return e;
}

static void sequential(Stepper stepper, double h, const double *row, double *e)
{
    Cradle c = make(stepper, h, 0.1, (int)row[Incoming]);
    double momentum, energy;
    for (int k = 0; k < 200; k++) {
        int i = 0;
        while (i < Balls - 1 && speed(&c, i) <= speed(&c, i + 1) + 1e-9) i++;
        if (i == Balls - 1) break;
        touch(&c, i, row[Restitution]);
        refStep(c.w);
    }
    totals(&c, &momentum, &energy);
    e[Sequential] = refMax(e[Sequential], velocityError(&c, row));
    e[MomentumError] = refMax(e[MomentumError], fabs(momentum - row[Momentum]));
    e[EnergyError] = refMax(e[EnergyError], fabs(energy - row[Energy]));
    refWorldEnd(c.w);
}

static void withGaps(Stepper stepper, double h, const double *row, double *e)
{
    Cradle c = make(stepper, h, 0.005, (int)row[Incoming]);
    for (int k = 0; k < (int)(0.1 / h); k++) {
        for (int i = 0; i + 1 < Balls; i++) {
            const double gap = dBodyGetPosition(c.ball[i + 1])[0] - dBodyGetPosition(c.ball[i])[0] - 2 * radius;
            if (gap <= 0) touch(&c, i, row[Restitution]);
        }
        refStep(c.w);
    }
    e[Gaps] = refMax(e[Gaps], velocityError(&c, row));
    refWorldEnd(c.w);
}

static void allTouching(Stepper stepper, double h, const double *row, double *e)
{
    Cradle c = make(stepper, h, 0, (int)row[Incoming]);
    double momentum, energy;
    for (int i = 0; i + 1 < Balls; i++) touch(&c, i, row[Restitution]);
    refStep(c.w);
    totals(&c, &momentum, &energy);
    e[TouchingMomentum] = refMax(e[TouchingMomentum], fabs(momentum - row[Momentum]));
    if (row[Restitution] == 1) e[TouchingEnergy] = refMax(e[TouchingEnergy], 100 * (1 - energy / row[Energy]));
    refWorldEnd(c.w);
}

static void run(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_newton_cradle.csv", Columns, &rows);
    for (int i = 0; i < Count; i++) out[i] = 0;
    for (const double *row = table; row < table + rows * Columns; row += Columns) {
        sequential(stepper, h, row, out);
        allTouching(stepper, h, row, out);
        if (row[Restitution] == 1) withGaps(stepper, h, row, out);
    }
    free(table);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("Newton's cradle (6 cases)", figures, Count, 1e-3, run);
    return refEnd();
}
