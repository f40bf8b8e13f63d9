/* SPDX-License-Identifier: BSD-3-Clause */
/* tests/report/model.h: small worlds, in ordinary ODE, to be recorded and reported on. */
#ifndef UKODE_TESTS_REPORT_MODEL_H
#define UKODE_TESTS_REPORT_MODEL_H

#include <stdbool.h>

#include <ode/ode.h>

typedef struct Model {
    const char *name;
    const char *kind; /* of the first finding; NULL: it is sound, there is none; "+kind": some; "!kind": none of it */
    double h;         /* [s] */
    int steps;
    void (*make)(void);      /* into `world` and `space` */
    void (*force)(int step); /* before each step; NULL: none */
} Model;

extern const Model faulty_models[], sound_models[], limits_models[], settings_models[], advice_models[],
    large_models[]; /* end with a name of NULL */

/* Models of single rules, all of which one process records. */
/* by ODE's own stepper; by dWorldQuickStep; under rk4; with a check whose tolerance is below rounding, which warns, or
 * leaves what it rejects to ODE's own stepper */
enum { ModelNative = 1, ModelQuick = 2, ModelRk4 = 4, ModelStrict = 8, ModelFallback = 16 };
typedef struct RuleModel {
    Model model;
    int how; /* 0: dWorldStep */
} RuleModel;

extern const RuleModel joint_models[], energy_models[], contact_models[], spring_models[], model_models[],
    resting_models[], limits_rules[], length_models[], outcome_models[], step_models[], bounded_row_models[],
    native_models[], couple_models[], cfm_models[], kinematic_models[], kept_models[], slide_models[];

extern dWorldID world;
extern dSpaceID space;
extern bool attach_reversed; /* contacts are attached to the bodies in the wrong order */
extern bool collide_joined;  /* contacts of bodies that a joint connects, too */
extern int collide_each;     /* collisions are looked for each so many steps; 1 */
extern int empty_each;       /* contacts are removed each so many steps; 1 */
extern dContact surface;     /* of all contacts; mu = 1, no bounce */

/* bodies with a geometry; of size x, y, z or radius [m], mass [kg] */
dBodyID box(double mass, double x, double y, double z, double px, double py, double pz);
dBodyID ball(double mass, double radius, double px, double py, double pz);
dJointID hinge(dBodyID a, dBodyID b, double x, double y, double z, double ax, double ay, double az);
dJointID ballJoint(dBodyID a, dBodyID b, double x, double y, double z);
void ground(void);

#endif
