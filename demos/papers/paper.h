/* SPDX-License-Identifier: BSD-3-Clause */
/* demos/papers/paper.h: what the worked examples share. Each is solved by ukode with RK4 and projection, and printed
 * beside its closed form, or beside a solution in minimal coordinates that knows no constraint. SI units, z up. */
#ifndef UKODE_DEMOS_PAPER_H
#define UKODE_DEMOS_PAPER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ukode/ukode.h>

/* A world under gravity (gx, gy, gz). */
dWorldID paperWorld(double gx, double gy, double gz);
/* A body of principal moments ixx, iyy, izz. */
dBodyID paperBody(dWorldID w, double mass, double ixx, double iyy, double izz, double x, double y, double z);
ukConstraintID paperConstraint(dWorldID w, int rows, dBodyID body, ukConstraintFn *fn, ukErrorFn *error, void *data);
/* The same on several bodies; a force on them. */
ukConstraintID paperJoin(dWorldID w, int rows, const dBodyID *bodies, int count, ukConstraintFn *fn, ukErrorFn *error,
                         void *data);
void paperApply(dWorldID w, const dBodyID *bodies, int count, ukForceFn *fn, void *data);
/* Steps to `time`. */
void paperRun(dWorldID w, double h, double time);
/* Destroys the world, and prints its ledger since the first step, which must close within 1e-9 of all that was turned
 * over: the energies against the work of forces; projection and the integrator's own error may not add more either. */
void paperClose(dWorldID w);
/* x (3): control force on the first body of a constraint on one or two, at the end of the last step */
void paperForce(ukConstraintID constraint, double *x);

/* y (n <= 12) over `time` by RK4 in steps of h: y' = f(y) */
typedef void PaperRates(const double *y, double *rates, void *data);
void paperIntegrate(double *y, int n, double h, double time, PaperRates *rates, void *data);

/* One line: ukode's value, the expected one, their difference; a difference above `tolerance` is a failure. */
void paperCompare(const char *what, double value, double expected, double tolerance);
/* Ends ODE; the program's exit status. */
int paperEnd(void);

#endif
