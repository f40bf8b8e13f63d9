/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/reference/follow.h: a world under RK4 and projection, compared with a table whose first column is the time. */
#ifndef UKODE_TESTS_FOLLOW_H
#define UKODE_TESTS_FOLLOW_H

#include "tests/reference/reference.h"
#include "tests/reference/table.h"

/* What `compare` makes of one row: the largest errors so far. */
typedef struct Follow {
    dBodyID body;
    ukConstraintID constraint;
    double r;            /* a radius or lever [m] */
    double state;        /* largest error of positions and velocities, in units of the table */
    double force;        /* of constraint forces */
    double other;        /* what else the problem compares */
    double microseconds; /* processor time a step */
} Follow;

typedef struct FollowLimit {
    const char *what; /* with its unit; NULL: not compared */
    double tolerance;
} FollowLimit;

/* A problem, and how far a run of it by RK4 may be off. */
typedef struct FollowProblem {
    const char *name;
    double h;
    FollowLimit state, force, other;
} FollowProblem;

/* Runs it by RK4 and checks; for the accuracy table also by the Euler step. `argument` is for `run`. */
void followProblem(const FollowProblem *problem, Follow (*run)(double h, const void *argument), const void *argument);

/* A world for ukode, gravity g along -z; under followProblem with its integrator, else by RK4, and projection. */
RefWorld *followWorld(double h, double g);
/* Moves the body to the state of a row's columns: position, velocity; with rotation, also quaternion and spin. */
void followStart(dBodyID body, const double *x, const double *v, const double *q, const double *w);
/* Steps to the time of every row of data/<csv> (a multiple of h) and calls compare there; false: no table. */
bool followTable(RefWorld *w, const char *csv, int columns, void (*compare)(const double *row, Follow *follow),
                 Follow *follow);
/* largest |x_i - y_i| and `largest` */
double followWorst(double largest, const double *x, const double *y, int n);

#endif
