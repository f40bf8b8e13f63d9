/* SPDX-License-Identifier: BSD-3-Clause */
/* A rod sliding on one end (Painleve's geometry): friction and rotation decide the normal force, N = b/p. First N over
 * a table of angles, rates, mu and directions; then a slide of 0.38 s. Where the table's class is 2 (no acceleration is
 * possible) the rod must jam: an impulse stops it within the step, whatever the step's length; where it is 3 (two are),
 * either is right. */
#include <math.h>
#include <stdlib.h>

#include "tests/reference/reference.h"

enum { Theta, Omega, Mu, Slide, B, P, Normal, Painleve, Class, ForceColumns };
enum { Time, ContactX, ContactVx, ComX, ComY, Angle, Rate, NormalForce, Friction, SlideColumns };
enum { NormalError, NormalWorst, Detached, Jams, Either, ForceCount };
enum { XError, AngleError, ForceError, SlideCount };

static const Figure forces[ForceCount] = {
    [NormalError] = {"normal force, mu below half of Painlevé's: error", 0, 0.1, "%"},
    [NormalWorst] = {"normal force, mu at least half Painlevé's: error", 0, 0.1, "%"},
    [Detached] = {"normal force where the rod takes off", 0, 1e-6, "N"},
    [Jams] = {"no acceleration possible: cases that jam, of 13", 13, 0, ""},
    [Either] = {"two accelerations possible: cases that jam or take off, of 5", 5, 0, ""},
};

static const Figure slides[SlideCount] = {
    [XError] = {"x of the contact at the end: error", 0, 1e-4, "m"},
    [AngleError] = {"angle at the end: error", 0, 1e-4, "rad"},
    [ForceError] = {"normal force on the way: error", 0, 0.1, "%"},
};

static const double l = 0.5;

/* The rod at an angle in the plane y = 0, its end at the origin with the velocity (speed, 0, rise). */
static dBodyID place(RefWorld *w, double angle, double omega, double speed, double rise)
{
    const double I = l * l / 3;
    const dBodyID rod = refBody(w, 1, 1e-4, I, I, l * cos(angle), 0, l * sin(angle));
    dMatrix3 R;
    dRFromAxisAndAngle(R, 0, -1, 0, angle);
    dBodySetRotation(rod, R);
    dBodySetAngularVel(rod, 0, -omega, 0);
    dBodySetLinearVel(rod, speed - l * omega * sin(angle), 0, rise + l * omega * cos(angle));
    dWorldSetCFM(w->id, 0); /* one contact: nothing is redundant */
    return rod;
}

static void slideOn(RefWorld *w, dBodyID rod, double mu)
{
    const double up[3] = {0, 0, 1};
    dVector3 end;
    dBodyGetRelPointPos(rod, -l, 0, 0, end);
    refContact(w, rod, 0, end, up, end[2], mu);
    refStep(w);
}

static void forceTable(Stepper stepper, double h, double *out)
{
    int rows;
    double *table = refTable("contact_sliding_rod_force.csv", ForceColumns, &rows);
    for (int i = 0; i < ForceCount; i++) out[i] = 0;
    for (const double *row = table; row < table + rows * ForceColumns; row += ForceColumns) {
        RefWorld *w = refWorld(stepper, h);
        /* A step sees how the end's path bends by the velocity that the step before left, J'v h. */
        const double angle = row[Theta] * M_PI / 180, rise = h * l * row[Omega] * row[Omega] * sin(angle);
        const dBodyID rod = place(w, angle, row[Omega], row[Slide], rise);
        slideOn(w, rod, row[Mu]);
        const double N = refForce(w, 0)[2], error = 100 * fabs(N / row[Normal] - 1);
        dVector3 v;
        dBodyGetRelPointVel(rod, -l, 0, 0, v);
        if (row[Class] == 0 && row[Mu] < 0.5 * row[Painleve]) out[NormalError] = refMax(out[NormalError], error);
        if (row[Class] == 0 && row[Mu] >= 0.5 * row[Painleve]) out[NormalWorst] = refMax(out[NormalWorst], error);
        if (row[Class] == 1) out[Detached] = refMax(out[Detached], fabs(N));
        if (row[Class] == 2) out[Jams] += fabs(v[0]) < 1e-4;
        if (row[Class] == 3) out[Either] += fabs(v[0]) < 1e-4 || N == 0;
        refWorldEnd(w);
    }
    free(table);
}

static void slideAlong(Stepper stepper, double h, double *out)
{
    int rows, done = 0;
    double *table = refTable("contact_sliding_rod.csv", SlideColumns, &rows);
    const double end = rows ? table[(rows - 1) * SlideColumns + Time] : 0;
    const int steps = (int)lround(end / h);
    RefWorld *w = refWorld(stepper, steps ? end / steps : h);
    const dBodyID rod = place(w, 1.2, 0, 2, 0);
    for (int i = 0; i < SlideCount; i++) out[i] = 0;
    for (int r = 0; r < rows; r++) {
        const double *row = table + r * SlideColumns;
        for (; done < (int)lround(row[Time] / w->h); done++) slideOn(w, rod, 0.3);
        if (r > 0) out[ForceError] = refMax(out[ForceError], 100 * fabs(refForce(w, 0)[2] / row[NormalForce] - 1));
        if (r + 1 < rows) continue;
        dVector3 x;
        dBodyGetRelPointPos(rod, -l, 0, 0, x);
        const dReal *c = dBodyGetPosition(rod);
        out[XError] = fabs(x[0] - row[ContactX]);
        out[AngleError] = fabs(atan2(c[2] - x[2], c[0] - x[0]) - row[Angle]);
    }
    free(table);
    refWorldEnd(w);
}

int main(int argc, char **argv)
{
    refBegin(argc, argv);
    refProblem("sliding rod, 216 states", forces, ForceCount, 1e-6, forceTable);
    refProblem("sliding rod, one slide", slides, SlideCount, 2e-5, slideAlong);
    refOrder("sliding rod, one slide", slides, XError, 1.6e-4, slideAlong);
    refOrder("sliding rod, one slide", slides, AngleError, 1.6e-4, slideAlong);
    return refEnd();
}
