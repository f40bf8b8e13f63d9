/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/matrix/matrix.h: every joint type in every situation under every integrator. A cell of the table is a joint
 * type in a situation: the largest error over its orders of attachment, against closed forms and invariants. */
#ifndef UKODE_TESTS_MATRIX_H
#define UKODE_TESTS_MATRIX_H

#include <ode/ode.h>
#include <ukode/ukode.h>

#include "tests/check.h"
#include "tests/support/joints_at_origin.h"

enum { Integrators = 4 };

/* ---- joints ---------------------------------------------------------------------------------------------------------- */

/* One free axis of a joint at the origin, along or about which its motor, its stops and laws act. */
typedef struct Kind {
    const char *name;
    JointMaker *make;                                        /* NULL: a contact */
    void (*set)(dJointID joint, int parameter, dReal value); /* NULL: no motor */
    int group;                                               /* of the motor's parameters */
    int axis;                                                /* 0 x, 1 y, 2 z */
    bool linear;                                             /* along it, otherwise about it */
    bool stops;                                              /* it has stops, on that axis; */
    bool laws;                                               /* and laws: */
    bool stuck;      /* the axis is not free: it holds all six freedoms of its bodies */
    bool both;       /* two bodies only */
    bool one;        /* one body and the world only */
    bool swings;     /* with its load: it turns where that acts beside the anchor, or bears none across its axis */
    bool forward;    /* not as (0, b) where its motors and stops are concerned (docs/ode-differences.md) */
    bool fixed_line; /* it pushes along an axis through both centres of mass, whatever their places: no single wrench */
} Kind;

extern const Kind kinds[];
extern const int kind_count;

/* ---- two bodies, or one and the world
 * -------------------------------------------------------------------------------- */

enum { OnWorld, WorldFirst, OnBody, BodyFirst, Attachments };

extern const double step_size, body_mass, body_inertia, base_mass, base_inertia;

/* spheres, whose spin is their angular momentum */
typedef struct Rig {
    const Kind *kind;
    int integrator;
    dWorldID world;
    dBodyID body, base; /* base 0: the world */
    dJointID joint;
    dJointFeedback feedback;
    double before[2][6];  /* velocities at the start of the step */
    double unbalanced[2]; /* largest force and torque impulse that the joint's are off the change of momentum by */
    double wrench;        /* largest f1 + f2, and torque about the origin, times h */
    double size;          /* largest impulse */
} Rig;

/* false: the kind is not attached so */
bool rigBegin(Rig *rig, const Kind *kind, int attachment, int integrator, const double place[2][3]);
void rigEnd(Rig *rig);
bool rigStep(Rig *rig, double h);  /* false: it fails; the feedback is compared with the change of momentum */
double rigRate(const Rig *rig);    /* along the axis, relative to the base */
double rigPlace(const Rig *rig);   /* small turns */
double rigInertia(const Rig *rig); /* of the axis: that of the body; with a base, of the relative motion */
double rigBalance(const Rig *rig); /* the largest of unbalanced, over the largest impulse */
double larger(double x, double y); /* NaN is the largest */

/* ---- situations -------------------------------------------------------------------------------------------------------- */

/* The largest error of a kind, attached so, under an integrator; a negative number: it has no such situation. */
typedef double Situation(const Kind *kind, int attachment, int integrator);

Situation freeImpulse, freeMomentum, freeOrder, setVelocity;
Situation infiniteMotor, finiteMotor, reachedStop, bouncedOff, struckTwice, locked;
Situation bareConstraint, heldConstraint, viscousLaw, dryLaw, ownLaw, slidingContact;

/* of a contact by itself */
double contactSlides(int integrator);
double contactBounces(int integrator, double e);

/* islands stepped in the discrete form where another was chosen, since it was set to 0 */
extern int discrete_steps;

#endif
