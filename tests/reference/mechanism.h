/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/reference/mechanism.h: a mechanism of joints, run by RK4 with projection through ukWorldStep and judged against
 * a reference trajectory; for the table of docs/accuracy.md also by ukode's Euler step, dWorldStep and dWorldQuickStep,
 * with the same step size, in processes of their own, since dWorldStep ends the process where its matrix is singular.
 */
#ifndef UKODE_TESTS_MECHANISM_H
#define UKODE_TESTS_MECHANISM_H

#include <stdbool.h>

#include <ukode/ukode.h>

#include "demos/scenes.h"
#include "tests/reference/table.h"

enum { MaxColumns = 24, MaxJudged = 5, MaxForced = 4 };

/* Columns of the trajectory that belong together, and how far the largest of them may be off up to a time. */
typedef struct Judged {
    const char *what; /* with its unit: "P1 [m]"; NULL: the end of the list */
    int first, count; /* columns, the first after the time is 0 */
    double until, tolerance;
    bool quaternion; /* q and -q are one */
} Judged;

typedef struct Mechanism {
    const char *name;
    Scene *(*build)(void); /* the world's settings are ODE's but for gravity */
    void (*measure)(const Scene *scene, double *out);
    const char *data; /* in data/: a header, then rows of time and columns */
    int columns;
    double h, duration, energy; /* [s], [s], largest |E - E0| [J]; 0: not conserved */
    Judged judged[MaxJudged];
    double (*work)(const Scene *scene); /* what sceneEnergy does not see: energy of springs less work of motors [J] */
    int rank;                           /* that every report must tell; 0: rows are independent, whose number it is */
    bool only_ukode;                    /* has constraints that ODE does not know */
    ukForceFn *force;                   /* of springs and motors; NULL: none. ODE's steppers take it as it is at the */
    int forced[MaxForced];              /* step's start. On these of the scene's bodies, */
    int forced_count;                   /* so many */
} Mechanism;

typedef struct Run {
    double off[MaxJudged], energy, phi, microseconds; /* largest errors; processor time a step */
    int rank_lo, rank_hi, rows, failed;
    long calls; /* of its force */
    bool whole; /* came to its end */
} Run;

/* Reads the command line: `table` prints the table's rows instead of what was checked; `curve NAME` only prints, for
 * the mechanisms with NAME in their name and every stepper, lines of time and the largest error of the first quantity,
 * energy and gap so far. */
void mechanismBegin(int argc, char **argv);
int mechanismEnd(void);

/* Force and torque of the scene's joint on its first body at the end of the last step; by ODE's steppers and Euler its
 * mean over the step. */
void mechanismForce(const Scene *scene, int joint, dReal wrench[6]);

/* Runs it and checks trajectory, energy, |phi| <= 1e-12, rank and the Gauss check. */
void mechanismCheck(const Mechanism *m);
void mechanismRun(const Mechanism *m, Way way, double h, Run *run);
/* To a tolerance the adaptive integrator's first quantity is off by no more than `error`, for a `times`-th of the calls
 * of the force that RK4 takes at its own step. */
void mechanismCosts(const Mechanism *m, double to, double error, double times);

/* Parts. Principal moments of inertia about the centre of mass in the body's frame; q NULL: not turned. */
dBodyID mechanismBody(Scene *s, double mass, double ix, double iy, double iz, const double x[3], const double *q);
void mechanismMotion(dBodyID body, const double v[3], const double w[3]);
dJointID mechanismJoint(Scene *s, dJointID joint, dBodyID a, dBodyID b);
/* A massless rod from a's centre of mass to b's, or to a point of the world. */
dJointID mechanismRod(Scene *s, dBodyID a, dBodyID b, const double *to);

#endif
