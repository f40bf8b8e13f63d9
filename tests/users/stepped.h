/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/users/stepped.h: worlds of programs that ODE's users reported, under every stepper: what the tests of this
 * folder share. */
#ifndef UKODE_TESTS_USERS_STEPPED_H
#define UKODE_TESTS_USERS_STEPPED_H

#include <stdbool.h>

#include <ukode/ukode.h>

/* `Exact`: Euler with exact joint rows */
typedef enum Stepper { Euler, Exact, RK4, Adaptive, Rattle, Radau, Steppers } Stepper;

extern const char *const stepper_name[Steppers];

/* whether it divides steps to a tolerance */
bool stepperDivides(Stepper stepper);

typedef struct Stepped {
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dSurfaceParameters surface; /* of contacts */
    Stepper stepper;
    double h;
} Stepped;

/* a world without bodies, gravity g along -z */
Stepped steppedBegin(Stepper stepper, double h, double g);
void steppedEnd(Stepped *s);

/* collides and steps; what the step returned */
int steppedStep(Stepped *s);

/* of mass m at (x, y, z); colliding: with a geom of these sizes */
dBodyID steppedBox(Stepped *s, double m, const double x[3], const double sides[3], bool colliding);
dBodyID steppedBall(Stepped *s, double m, const double x[3], double radius, bool colliding);

double kineticOf(dBodyID body);
/* adds the angular momentum about the origin */
void addAngularMomentum(dBodyID body, double sum[3]);

#endif
