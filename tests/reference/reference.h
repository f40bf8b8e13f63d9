/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/reference/reference.h: what the tests of the reference problems share. A problem is a function that runs it
 * with one stepper and returns some figures; each figure has a reference value and a tolerance. ukode's figures are
 * checked. With the argument `table` the program also runs ODE's own steppers, and prints the rows of docs/contact.md.
 */
#ifndef UKODE_TESTS_REFERENCE_H
#define UKODE_TESTS_REFERENCE_H

#include <stdbool.h>

#include <ukode/ukode.h>

typedef enum Stepper {
    ByUkode, /* ukWorldStep, true Coulomb cone */
    ByOde,   /* dWorldStep, ODE's own */
    ByQuick, /* dWorldQuickStep, ODE's own, 20 iterations */
    Steppers
} Stepper;

typedef struct Figure {
    const char *name;
    double reference, tolerance; /* in its unit; tolerance < 0: shown, not judged */
    const char *unit;
} Figure;

enum { MaxFigures = 12, MaxContacts = 512 };

/* out (figures): what `stepper` makes of the problem; `h` [s] */
typedef void ProblemFn(Stepper stepper, double h, double *out);

/* A world under one stepper. Contacts live for one step; their feedback stays until the next contacts are made. */
typedef struct RefWorld {
    dWorldID id;
    dJointGroupID group;
    Stepper stepper;
    double h;
    int contacts;
    dJointFeedback feedback[MaxContacts];
} RefWorld;

void refBegin(int argc, char **argv);
int refEnd(void);
/* Checks ukode's figures of one problem, run with step size h [s], prints them, and the table's rows if asked. */
void refProblem(const char *problem, const Figure *figures, int count, double h, ProblemFn *run);
/* For the table only: how far ukode's figure is off with h, h/2, h/4, and the quotients of that. */
void refOrder(const char *problem, const Figure *figures, int index, double h, ProblemFn *run);
bool refCheck(bool ok, const char *what);
/* whether the program was called with `table` */
bool refTabulates(void);

/* Gravity (0, 0, -9.81); parameters are ODE's defaults. */
RefWorld *refWorld(Stepper stepper, double h);
void refWorldEnd(RefWorld *w);
/* One step, after which the contacts are gone. ukode's steps must succeed and pass the Gauss check. */
void refStep(RefWorld *w);

dBodyID refBody(RefWorld *w, double mass, double ixx, double iyy, double izz, double x, double y, double z);
dBodyID refBox(RefWorld *w, double mass, double lx, double ly, double lz, double x, double y, double z);

/* A contact of exact geometry: at `position`, `normal` (unit, into a), `gap` [m] between the two. A gap is left to be
 * closed within the step: normal velocity >= -gap/h; a penetration (gap < 0) is ODE's depth. b may be 0.
 * Returns the contact's index. */
int refContact(RefWorld *w, dBodyID a, dBodyID b, const double *position, const double *normal, double gap, double mu);
/* The same for a dContact of the caller's. */
int refContactOf(RefWorld *w, dBodyID a, dBodyID b, const dContact *contact);
/* Contacts of a box with half lengths `half` on the plane z = 0: of its corners with a gap below `margin`. */
void refBoxOnPlane(RefWorld *w, dBodyID box, const double *half, double margin, double mu);
/* out (3): force of the last step's contact i on its body 1 */
const dReal *refForce(const RefWorld *w, int i);

/* The numbers of data/<name> (rows x columns, row-major), which the caller frees; a failed check and no rows else. */
double *refTable(const char *name, int columns, int *rows);

double refMax(double a, double b); /* a NaN stays */

#endif
