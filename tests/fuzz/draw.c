/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/fuzz/draw.c: numbers, from ordinary ones to those at the ends of double and beyond. */
#include "tests/fuzz/fuzz.h"

#include <float.h>
#include <math.h>

bool fuzzChance(Fuzz *f, double p)
{
    return randomUniform(&f->random, 0, 1) < p;
}

int fuzzBelow(Fuzz *f, int n)
{
    return randomBelow(&f->random, n);
}

double fuzzUniform(Fuzz *f, double lo, double hi)
{
    return randomUniform(&f->random, lo, hi);
}

double fuzzScale(Fuzz *f, double ordinary, double wide, double extreme)
{
    const double e = f->reach == 0 ? ordinary : f->reach == 1 ? wide : extreme;
    return pow(10, fuzzUniform(f, -e, e));
}

static double wild(Fuzz *f, bool finite)
{
    static const double numbers[] = {0,     -0.,   5e-324, DBL_MIN, 1e-200, 1e-20,   1e9, 1e20,     1e77,
                                     1e100, 1e154, 1e155,  1e200,   1e300,  DBL_MAX, NAN, INFINITY, -INFINITY};
    const double x = numbers[fuzzBelow(f, (int)(sizeof numbers / sizeof *numbers) - (finite ? 3 : 0))];
    return fuzzChance(f, 0.5) ? x : -x;
}

static double real(Fuzz *f, double size, bool finite)
{
    if (f->wild > 0 && fuzzChance(f, f->wild)) return wild(f, finite);
    return fuzzUniform(f, -size, size) * fuzzScale(f, 0, 2, 6);
}

double fuzzReal(Fuzz *f, double size)
{
    return real(f, size, false);
}

double fuzzSize(Fuzz *f, double size)
{
    return fmax(fabs(real(f, size, true)), DBL_MIN);
}

double fuzzErp(Fuzz *f)
{
    if (f->wild > 0 && fuzzChance(f, f->wild)) return wild(f, false);
    if (f->reach > 0 && fuzzChance(f, 0.1)) return fuzzUniform(f, -2, 5);
    return fuzzChance(f, 0.2) ? (double)fuzzBelow(f, 2) : fuzzUniform(f, 0, 1);
}

double fuzzCfm(Fuzz *f)
{
    double cfm = fuzzChance(f, 0.4) ? 0 : pow(10, fuzzUniform(f, -12, f->reach == 0 ? -2 : 2));
    if (f->reach > 0 && fuzzChance(f, 0.05)) cfm = -cfm;
    if (f->wild > 0 && fuzzChance(f, f->wild)) cfm = wild(f, false);
    return cfm;
}

void fuzzDirections(Fuzz *f, double u[3], double v[3])
{
    double d[3], along = 0, size = 0;
    do {
        size = along = 0;
        for (int k = 0; k < 3; k++) u[k] = fuzzUniform(f, -1, 1), d[k] = fuzzUniform(f, -1, 1);
        for (int k = 0; k < 3; k++) size += u[k] * u[k], along += u[k] * d[k];
        for (int k = 0; k < 3; k++) v[k] = d[k] - along / size * u[k];
    } while (!(size > 0.05) || !(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 0.05));
    const double length[2] = {fuzzScale(f, 0, 1, 3), fuzzScale(f, 0, 1, 3)};
    for (int k = 0; k < 3; k++) u[k] *= length[0], v[k] *= length[1];
}
