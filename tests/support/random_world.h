/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/support/random_world.h: the same random world as often as wanted: one for ODE's stepper, one for ukode's. */
#ifndef UKODE_TESTS_RANDOM_WORLD_H
#define UKODE_TESTS_RANDOM_WORLD_H

#include <ode/ode.h>
#include <stdint.h>

/* xorshift64*: the same sequence on every machine */
typedef struct Random {
    uint64_t state;
} Random;
double randomUniform(Random *r, double lo, double hi);
int randomBelow(Random *r, int n);

enum { MaxWorldBodies = 8, MaxWorldJoints = 16 };

typedef struct RandomWorld {
    dWorldID world;
    int bodies, joints, contacts;
    dBodyID body[MaxWorldBodies];
    dJointID joint[MaxWorldJoints];
    dJointFeedback feedback[MaxWorldJoints];
} RandomWorld;

typedef struct RandomWorldKind {
    int types;             /* bit per dJointType that may occur */
    double cfm_lo, cfm_hi; /* log-uniform */
    int loops;             /* 1: always a loop or more, whatever the CFM */
    int stops;             /* 1: stops, most of them active, and bounce */
    int bounded_motors;    /* 1: finite FMax; 0: infinite ones only */
    int contacts;          /* most contact joints, with random surface modes */
    int finite_mu;         /* 1: no infinite coefficients of friction */
    int friction;          /* contacts with friction: 1 any law of ODE */
} RandomWorldKind;

extern const int randomEqualityTypes; /* every joint type that makes equality rows */

/* Builds the world of `seed`; the same seed and kind give the same world. */
void randomWorldBuild(RandomWorld *w, uint64_t seed, const RandomWorldKind *kind);
void randomWorldDestroy(RandomWorld *w);

/* Largest relative difference of velocities, poses and joint feedback of two worlds built alike. Each quantity is
 * measured against the largest of its kind in the world. `what` names the kind. */
double randomWorldDifference(const RandomWorld *x, const RandomWorld *y, const char **what);

/* Largest acceleration that one joint's force or torque alone would give its body. Where joints hold against each other
 * (contradictory rows, with nothing but ODE's default CFM to make them agree: 1e9 times the usual), a step's velocities
 * are known to rounding of this times h. */
double randomWorldPush(const RandomWorld *w);

#endif
