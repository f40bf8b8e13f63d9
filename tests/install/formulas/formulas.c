/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of a user of libukode-formulas: the installed header and library, no ODE. Also valid C++. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <ukode/formulas.h>

/* 1994's second example: a guided particle, [41] and [42] */
int main(void)
{
    const double m = 2, t = 1.5, X = 4, Y = -3, b = 0.7, k = 1 + t * t;
    const double M[] = {m, 0, 0, m}, A[] = {1, -t}, Q[] = {X, Y};
    ukFormulaSystem s;
    double qdd[2], force[2];
    memset(&s, 0, sizeof s);
    s.n = 2, s.m = 1, s.M = M, s.A = A, s.b = &b, s.Q = Q;
    int failed = 0;
    if (ukFormulaQuadraticAcceleration(&s, NULL, qdd) != 0 || ukFormulaControlForce(&s, NULL, force) != 0) failed = 1;
    if (!(fabs(k * m * qdd[0] - (t * t * X + t * Y + m * b)) < 1e-12)) failed = 2;
    if (!(fabs(k * m * qdd[1] - (t * X + Y - t * m * b)) < 1e-12)) failed = 3;
    if (!(fabs(k * force[0] - (-X + t * Y + m * b)) < 1e-12)) failed = 4;
    s.M = NULL;
    if (ukFormulaAcceleration(&s, qdd) != -1 || strcmp(ukFormulaErrorString(-1), ukFormulaErrorString(0)) == 0)
        failed = 5;
    if (failed) printf("formulas: check %d failed\n", failed);
    return failed;
}
